/** The texts that users see, a file per language, each loaded when a reader of it comes. */
import { type BuiltInLanguage, builtInLanguage, type LanguageTag } from './choice.ts'
import type { Phrases } from './en.ts'
import * as en from './en.ts'
import type { MessageTexts } from './message-texts.ts'

interface LanguageTexts {
  readonly phrases: Phrases
  readonly messages: MessageTexts
}

const LOADERS: Readonly<Record<BuiltInLanguage, () => LanguageTexts | Promise<LanguageTexts>>> = {
  ar: () => import('./ar.ts'),
  de: () => import('./de.ts'),
  en: () => en,
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  he: () => import('./he.ts'),
  it: () => import('./it.ts'),
  ja: () => import('./ja.ts'),
  ko: () => import('./ko.ts'),
  nl: () => import('./nl.ts'),
  pl: () => import('./pl.ts'),
  pt: () => import('./pt.ts'),
  ru: () => import('./ru.ts'),
  tr: () => import('./tr.ts'),
  zh: () => import('./zh.ts'),
}

/** The texts in a language, or in English if the server has none in it; `language` says which. */
export const textsIn = async (tag: LanguageTag): Promise<LanguageTexts & { readonly language: BuiltInLanguage }> => {
  const language = builtInLanguage(tag) ?? 'en'
  const { phrases, messages } = await LOADERS[language]()
  return { language, phrases, messages }
}
