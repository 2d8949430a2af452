/** Placeholders `{{name}}` in texts and requests: finding them and filling in their values. */

export type Values = Readonly<Record<string, string>>

const PLACEHOLDER = /\{\{\s*([\w.]{1,64})\s*\}\}/g

/**
 * Fills each `{{name}}` once: values are plain text, whatever they look like. Unknown names become empty.
 * @param written encodes a value for its place, such as escapeHtml
 */
export const fill = (template: string, values: Values, written: (value: string) => string): string =>
  template.replace(PLACEHOLDER, (_, name: string) => (Object.hasOwn(values, name) ? written(values[name] ?? '') : ''))

/** The names in a template, each once. */
export const namesIn = (template: string): string[] => [
  ...new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)),
]

/** Whether a text consists of placeholders only. */
export const isOnlyPlaceholders = (template: string): boolean =>
  template.includes('{{') && template.replace(PLACEHOLDER, '').trim() === ''

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For the text of an element and for a quoted attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

/** A subject and an address are one line: a line break in them would start another header. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** The value unchanged. */
export const verbatim = (value: string): string => value
