/** Which language a page is in: the request's `ui_locales`, then the browser's, then the tenant's. */
import { de } from './phrases/de.ts'
import { en, type Phrases } from './phrases/en.ts'

const LANGUAGES: Readonly<Record<string, Phrases>> = { en, de }

export interface Language {
  /** BCP 47. */
  readonly tag: string
  readonly phrases: Phrases
}

/** English: where nothing is known of whoever reads. */
export const ENGLISH: Language = { tag: 'en', phrases: en }

/** Longer than any browser sends; the rest of a longer one is not read. */
const LONGEST_HEADER = 256

const primary = (tag: string): string => tag.trim().split(/[-_]/)[0]?.toLowerCase() ?? ''

/** The tags of an Accept-Language header, best first (RFC 9110 section 12.5.4); those of weight 0 are not wanted. */
const accepted = (header: string): string[] =>
  header
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';')
      const weight = parameters.map((each) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/i.exec(each)?.[1]).find(Boolean)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)

/**
 * @param uiLocales space-separated, best first (OpenID Connect Core section 3.1.2.1)
 * @param acceptLanguage the header
 */
export const chooseLanguage = (
  uiLocales: string | undefined,
  acceptLanguage: string | undefined,
  { autoDetect, fallbackLanguage }: { readonly autoDetect: boolean; readonly fallbackLanguage: string },
): Language => {
  const wanted = [
    ...(uiLocales?.split(' ') ?? []),
    ...(autoDetect ? accepted(acceptLanguage ?? '') : []),
    fallbackLanguage,
  ].map(primary)
  const tag = wanted.find((candidate) => Object.hasOwn(LANGUAGES, candidate)) ?? ENGLISH.tag
  return { tag, phrases: LANGUAGES[tag] ?? en }
}

/** Turns the text around it too: nobody needs one in a name, and what asks for consent must read as it was written. */
const DIRECTION_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']

/** A name that somebody chose, so that its direction ends where it does (Unicode Standard Annex 9). */
const isolated = (name: string): string => {
  const plain = name.replace(DIRECTION_CONTROLS, '')
  return RIGHT_TO_LEFT.test(plain) ? `${FIRST_STRONG_ISOLATE}${plain}${POP_ISOLATE}` : plain
}

/** Fills `{name}` placeholders; the result is text, and escaped where it is put into a page. */
export const fill = (phrase: string, values: Readonly<Record<string, string>>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => isolated(values[name] ?? ''))
