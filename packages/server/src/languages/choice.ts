/**
 * Which language a reader gets, on pages and in mail: what the request asks for, then the browser's, then the tenant's.
 */

/** BCP 47; the languages in which the server has texts, each in the file of that name. `pt` is Brazilian, `zh` simplified. */
export const BUILT_IN_LANGUAGES = [
  'ar',
  'de',
  'en',
  'es',
  'fr',
  'he',
  'it',
  'ja',
  'ko',
  'nl',
  'pl',
  'pt',
  'ru',
  'tr',
  'zh',
] as const
export type BuiltInLanguage = (typeof BUILT_IN_LANGUAGES)[number]

/** BCP 47; a language that was chosen for a reader. */
export type LanguageTag = string

/** Longer than any browser sends; anything beyond it is not read. */
const LONGEST_HEADER = 256

/** The language of a tag, without its region. */
export const primaryLanguage = (tag: string): string => tag.trim().split(/[-_]/)[0]?.toLowerCase() ?? ''

/** The language of a tag in which the server has texts, whatever its region. */
export const builtInLanguage = (tag: string): BuiltInLanguage | undefined => {
  const primary = primaryLanguage(tag)
  return BUILT_IN_LANGUAGES.find((known) => known === primary)
}

/** The tags of an Accept-Language header, best first (RFC 9110 section 12.5.4); tags with weight 0 are excluded. */
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

/** What a tenant offers beside the server's languages, and to whom nothing is known about. */
export interface LanguageSettings {
  readonly languageInfo: { readonly autoDetect: boolean; readonly fallbackLanguage: string }
  /** Those in which the operator has phrases. */
  readonly customLanguages: readonly LanguageTag[]
}

/** The language offered for a tag: exactly this one of the operator's, then the server's, then the operator's in any region. */
const offered = (tag: string, customLanguages: readonly LanguageTag[]): LanguageTag | undefined =>
  customLanguages.find((each) => each.toLowerCase() === tag.trim().toLowerCase()) ??
  builtInLanguage(tag) ??
  customLanguages.find((each) => primaryLanguage(each) === primaryLanguage(tag))

/**
 * English if no requested language is offered.
 * @param uiLocales space-separated, best first (OpenID Connect Core section 3.1.2.1)
 * @param acceptLanguage the header
 */
export const chooseLanguage = (
  uiLocales: string | undefined,
  acceptLanguage: string | undefined,
  { languageInfo: { autoDetect, fallbackLanguage }, customLanguages }: LanguageSettings,
): LanguageTag => {
  const wanted = [
    ...(uiLocales?.split(' ') ?? []),
    ...(autoDetect && acceptLanguage ? accepted(acceptLanguage) : []),
    fallbackLanguage,
  ]
  for (const tag of wanted) {
    const found = offered(tag, customLanguages)
    if (found !== undefined) return found
  }
  return 'en'
}
