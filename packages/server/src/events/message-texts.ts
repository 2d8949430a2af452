/** The texts of the server's own messages, by language; an operator's templates take precedence. */
import type { LanguageTag } from '../domain/delivery/languages.ts'
import { de } from './texts/de.ts'
import { en } from './texts/en.ts'
import type { MessageTexts } from './texts/texts.ts'

export const MESSAGE_TEXTS: Readonly<Record<LanguageTag, MessageTexts>> = { en, de }
