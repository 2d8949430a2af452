/** Why a token is as it is, in the language of the console. Explanations and the log have English sentences of the contract. */
import { tokenReasonOf } from '@countersign/contract/token-reasons.ts'
import { phraseNamed } from '../languages/languages.ts'

/** The same in the language of the console; a sentence that this console does not know stays as it is. */
export const reasonText = (sentence: string): string => {
  const known = tokenReasonOf(sentence)
  return (known && phraseNamed(`reason.${known.code}`, known.values)) ?? sentence
}
