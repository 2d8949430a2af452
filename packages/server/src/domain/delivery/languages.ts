/** Which language a reader gets: what the request asks for, then the browser, then the tenant. Pages and mail are in it. */

/** BCP 47; those that the texts exist in. */
export const LANGUAGE_TAGS = ['en', 'de'] as const
export type LanguageTag = (typeof LANGUAGE_TAGS)[number]

/** Longer than any browser sends; the rest of a longer one is not read. */
const LONGEST_HEADER = 256

const primary = (tag: string): string => tag.trim().split(/[-_]/)[0]?.toLowerCase() ?? ''

/** The language of a tag that the texts exist in, whatever its region. */
const spoken = (tag: string): LanguageTag | undefined => LANGUAGE_TAGS.find((known) => known === primary(tag))

/** Whether the texts exist in the language of this tag. */
export const isSupportedLanguage = (tag: string): boolean => spoken(tag) !== undefined

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
 * English where no language is asked for that the texts exist in.
 * @param uiLocales space-separated, best first (OpenID Connect Core section 3.1.2.1)
 * @param acceptLanguage the header
 */
export const chooseLanguage = (
  uiLocales: string | undefined,
  acceptLanguage: string | undefined,
  { autoDetect, fallbackLanguage }: { readonly autoDetect: boolean; readonly fallbackLanguage: string },
): LanguageTag => {
  const wanted = [
    ...(uiLocales?.split(' ') ?? []),
    ...(autoDetect ? accepted(acceptLanguage ?? '') : []),
    fallbackLanguage,
  ]
  return wanted.map(spoken).find((tag) => tag !== undefined) ?? 'en'
}
