/** The phrases of pages in each language, and how names are inserted into them. */
import type { LanguageTag } from '../domain/delivery/languages.ts'
import { de } from './phrases/de.ts'
import { en, type Phrases } from './phrases/en.ts'

const PHRASES: Readonly<Record<LanguageTag, Phrases>> = { en, de }

export interface Language {
  readonly tag: LanguageTag
  readonly phrases: Phrases
}

export const languageNamed = (tag: LanguageTag): Language => ({ tag, phrases: PHRASES[tag] })

/** English: when nothing is known about the reader. */
export const ENGLISH = languageNamed('en')

/** Turns the text around it too: no name needs one, and what asks for consent must read as it was written. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']

/** A name that a person chose, isolated so that its text direction ends with it (Unicode Standard Annex 9). */
const isolated = (name: string): string => {
  const plain = name.replace(DIRECTION_CONTROLS, '')
  return RIGHT_TO_LEFT.test(plain) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}

/** Fills `{name}` placeholders; the result is text, and escaped where it is put into a page. */
export const fill = (phrase: string, values: Readonly<Record<string, string>>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => isolated(values[name] ?? ''))
