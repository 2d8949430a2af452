/** A type of authorization details as a form holds it: each field a text; what a new one begins with; what is wrong with what is typed. */
import { isTemplate } from '@countersign/contract/details-template.ts'
import type { Answer } from '../../api/client.ts'
import { t } from '../../languages/languages.ts'

type DetailsType = Answer<'getAuthorizationDetailsType'>
type JsonObject = Record<string, unknown>

const NEW_SCHEMA = {
  type: 'object',
  required: ['type', 'amount', 'creditorName'],
  additionalProperties: false,
  properties: {
    type: { type: 'string' },
    amount: { type: 'string', pattern: '^[0-9]{1,9}[.][0-9]{2}$', examples: ['123.50'] },
    creditorName: { type: 'string', maxLength: 70, examples: ['Merchant A'] },
  },
}

/** @param type undefined: a new one */
export const valuesOf = (type: DetailsType | undefined) => ({
  type: type?.type ?? '',
  description: type?.description ?? '',
  schema: JSON.stringify(type?.schema ?? NEW_SCHEMA, null, 2),
  templates: JSON.stringify(type?.templates ?? {}),
})

/** The object that a text is, or what keeps it from being one. */
export const schemaOf = (text: string): { readonly schema?: JsonObject; readonly refusal?: string } => {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { schema: value as JsonObject } : { refusal: t('claims.noObject') }
  } catch (error) {
    return { refusal: t('details.notJson', { reason: error instanceof Error ? error.message : '' }) }
  }
}

export const templatesOf = (text: string): Readonly<Record<string, string>> =>
  JSON.parse(text) as Readonly<Record<string, string>>

/** The text with another sentence for a language; without one if it is empty. */
export const withSentence = (text: string, language: string, sentence: string): string => {
  const { [language]: _before, ...others } = templatesOf(text)
  return JSON.stringify(sentence.trim() === '' ? others : { ...templatesOf(text), [language]: sentence })
}

/** The languages whose sentence has a brace that belongs to no value. */
export const brokenSentences = (templates: Readonly<Record<string, string>>): string[] =>
  Object.keys(templates).filter((tag) => !isTemplate(templates[tag] ?? ''))
