/** The language of a page: its phrases and formats, and how names are inserted into phrases. */
import { phrasesIn } from '../domain/sign-in/custom-phrases.ts'
import type { SignInExperience } from '../domain/sign-in/experience.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { LanguageTag } from '../languages/choice.ts'
import { phrases as english, type Phrases } from '../languages/en.ts'
import { type Formats, formatsOf } from '../languages/formats.ts'
import type { Store } from '../storage/store.ts'

export interface Language extends Formats {
  readonly tag: LanguageTag
  readonly phrases: Phrases
}

/** The language of a tag, with the operator's phrases. @param tag as chooseLanguage returned it for these settings */
export const languageNamed = async (
  store: Store,
  tenant: Tenant,
  experience: SignInExperience,
  tag: LanguageTag,
): Promise<Language> => ({ tag, phrases: await phrasesIn(store, tenant, experience, tag), ...formatsOf(tag) })

/** English: when nothing is known about the reader. */
export const inEnglish = (): Language => ({ tag: 'en', phrases: english, ...formatsOf('en') })

/** Turns the text around it too: no name needs one, and what asks for consent must read as it was written. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']

/**
 * A name that a person chose, isolated where it or the phrase runs from right to left, so that its direction ends with it (Unicode
 * Standard Annex 9). Characters do what the element `bdi` does, and also in titles and attributes.
 */
const isolated = (name: string, phrase: string): string => {
  const plain = name.replace(DIRECTION_CONTROLS, '')
  return plain !== '' && RIGHT_TO_LEFT.test(phrase + plain) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}

/** Fills `{name}` placeholders; the result is text, and escaped where it is put into a page. */
export const fill = (phrase: string, values: Readonly<Record<string, string>>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => isolated(values[name] ?? '', phrase))
