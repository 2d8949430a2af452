/** Which language a page is in: the request's `ui_locales`, then the browser's, then the tenant's. */
import { de } from './phrases/de.ts'
import { en, type Phrases } from './phrases/en.ts'

const LANGUAGES: Readonly<Record<string, Phrases>> = { en, de }

export interface Language {
  /** BCP 47. */
  readonly tag: string
  readonly phrases: Phrases
}

const primary = (tag: string): string => tag.trim().split(/[-_;]/)[0]?.toLowerCase() ?? ''

/**
 * @param uiLocales space-separated, best first
 * @param acceptLanguage the header; its weights are taken to be in order, as browsers send them
 */
export const chooseLanguage = (
  uiLocales: string | undefined,
  acceptLanguage: string | undefined,
  { autoDetect, fallbackLanguage }: { readonly autoDetect: boolean; readonly fallbackLanguage: string },
): Language => {
  const wanted = [
    ...(uiLocales?.split(' ') ?? []),
    ...(autoDetect ? (acceptLanguage?.slice(0, 256).split(',') ?? []) : []),
    fallbackLanguage,
  ].map(primary)
  const tag = wanted.find((candidate) => Object.hasOwn(LANGUAGES, candidate)) ?? 'en'
  return { tag, phrases: LANGUAGES[tag] ?? en }
}

/** Fills `{name}` placeholders; the result is text, and escaped where it is put into a page. */
export const fill = (phrase: string, values: Readonly<Record<string, string>>): string =>
  phrase.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
