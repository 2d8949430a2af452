/** The languages of the console: which there are, which one is used, and its catalogue, loaded when it is needed. */
import { type Catalogue, catalogue as en } from './en/catalogue.ts'

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

/** Every catalogue but English, by its file: a folder per language, a file per area. */
const files = import.meta.glob<{ readonly catalogue: Catalogue }>(['./??/catalogue.ts', '!./en/catalogue.ts'])

const isLanguage = (tag: string | null): tag is Language => tag !== null && Object.hasOwn(LANGUAGES, tag)

/** What the administrator chose, else the first language of the browser that there is. */
export const preferredLanguage = (): Language => {
  const chosen = localStorage.getItem(CHOSEN)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.split('-')[0] ?? '').find(isLanguage) ?? 'en'
}

let language: Language = 'en'
let catalogue: Catalogue = en

/** Loads the phrases of a language. */
export const loadLanguage = async (tag: Language): Promise<void> => {
  const load = files[`./${tag}/catalogue.ts`]
  catalogue = load ? (await load()).catalogue : en
  language = tag
  document.documentElement.lang = tag
  document.documentElement.dir = tag === 'ar' || tag === 'he' ? 'rtl' : 'ltr'
}

/** Keeps the choice, and shows everything in that language. */
export const chooseLanguage = (tag: Language): void => {
  localStorage.setItem(CHOSEN, tag)
  location.reload()
}

export const currentLanguage = (): Language => language

/** A phrase with its places filled in: `t('users.count', { count: 3 })`. */
export const t = (phrase: Phrase, values: Readonly<Record<string, string | number>> = {}): string =>
  catalogue[phrase].replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
