/** What is not translated yet, by language: `'all'`, or the phrases. A test compares it with the catalogues. */
import type { Language, Phrase } from './languages.ts'

export const UNTRANSLATED: Readonly<Partial<Record<Language, 'all' | readonly Phrase[]>>> = {
  fr: 'all',
  es: 'all',
  it: 'all',
  pt: 'all',
  nl: 'all',
  pl: 'all',
  ru: 'all',
  tr: 'all',
  ja: 'all',
  ko: 'all',
  zh: 'all',
  ar: 'all',
  he: 'all',
}
