/** Why tokens are as they are, in English: the sentences of the contract, which explanations and the log have. */
import { TOKEN_REASONS, type TokenReasonCode } from '@countersign/contract/token-reasons.ts'

export type Reasons = Readonly<Record<`reason.${TokenReasonCode}`, string>>

export const reasons = Object.fromEntries(
  Object.entries(TOKEN_REASONS).map(([code, sentence]) => [
    `reason.${code}`,
    // a setting that it begins with keeps its name
    sentence.replace(/^[a-z](?=[a-z]*[ ,])/, (letter) => letter.toUpperCase()),
  ]),
) as Reasons
