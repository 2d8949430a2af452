/**
 * The languages of the console: which there are, and which one is used. Of its phrases those of the frame and of the first screen are
 * loaded first; the others come with the first screen that needs them.
 */
import type { Catalogue } from './en/catalogue.ts'

/** The same fifteen as the pages that users see, in their own names. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
  pt: 'Português',
  nl: 'Nederlands',
  pl: 'Polski',
  ru: 'Русский',
  tr: 'Türkçe',
  ja: '日本語',
  ko: '한국어',
  zh: '简体中文',
  ar: 'العربية',
  he: 'עברית',
} as const satisfies Record<string, string>

export type Language = keyof typeof LANGUAGES
export type Phrase = keyof Catalogue
const CHOSEN = 'console.language'

/** What the frame and the first screen say: a test finds what they lack. */
const firstPhrases = import.meta.glob<{ readonly first: Partial<Catalogue> }>('./??/first.ts')
const catalogues = import.meta.glob<{ readonly catalogue: Catalogue }>('./??/catalogue.ts')

const isLanguage = (tag: string | null): tag is Language => tag !== null && Object.hasOwn(LANGUAGES, tag)

/** What the administrator chose, else the first language of the browser that there is. */
export const preferredLanguage = (): Language => {
  const chosen = localStorage.getItem(CHOSEN)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en'
}

let language: Language = 'en'
let phrases: Partial<Catalogue> = {}
let whole: Promise<void> | undefined

/** Loads what the frame and the first screen say. */
export const loadLanguage = async (tag: Language): Promise<void> => {
  language = tag
  document.documentElement.lang = tag
  document.documentElement.dir = tag === 'ar' || tag === 'he' ? 'rtl' : 'ltr'
  const load = firstPhrases[`./${tag}/first.ts`]
  // every phrase may be there before
  if (load) phrases = { ...(await load()).first, ...phrases }
}

const loadCatalogue = async (): Promise<void> => {
  const load = catalogues[`./${language}/catalogue.ts`]
  if (load) phrases = (await load()).catalogue
}

/** A module that is being loaded, once every phrase is there too: for all that the first screen does not show. */
export const withPhrases = async <Module>(module: Promise<Module>): Promise<Module> => {
  whole ??= loadCatalogue().catch((error: unknown) => {
    whole = undefined
    throw error
  })
  const [loaded] = await Promise.all([module, whole])
  return loaded
}

/** Keeps the choice, and shows everything in that language. */
export const chooseLanguage = (tag: Language): void => {
  localStorage.setItem(CHOSEN, tag)
  location.reload()
}

export const currentLanguage = (): Language => language

/** A value within a sentence: where that runs from right to left, names, numbers and addresses keep their own direction (Unicode TR9). */
export const isolated = (value: string): string =>
  document.documentElement.dir === 'rtl' ? `\u2068${value}\u2069` : value

/** A phrase with its places filled in: `t('users.count', { count: 3 })`. */
export const t = (phrase: Phrase, values: Readonly<Record<string, string | number>> = {}): string =>
  (phrases[phrase] ?? phrase).replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))

/** As t, for a name that a newer server may have made: undefined where there is no such phrase. */
export const phraseNamed = (
  name: string,
  values: Readonly<Record<string, string | number>> = {},
): string | undefined => (Object.hasOwn(phrases, name) ? t(name as Phrase, values) : undefined)
