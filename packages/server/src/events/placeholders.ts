/** `{{name}}` in texts and in requests: what it stands for, and how a value is written where it stands. */

export type Values = Readonly<Record<string, string>>

const PLACEHOLDER = /\{\{\s*([\w.]{1,64})\s*\}\}/g

/**
 * Fills each `{{name}}` once: what a value holds is text, whatever it looks like. Unknown names become nothing.
 * @param written how a value is written in this place, such as escapeHtml
 */
export const fill = (template: string, values: Values, written: (value: string) => string): string =>
  template.replace(PLACEHOLDER, (_, name: string) => (Object.hasOwn(values, name) ? written(values[name] ?? '') : ''))

/** The names in a template, each once. */
export const namesIn = (template: string): string[] => [
  ...new Set([...template.matchAll(PLACEHOLDER)].map(([, name = '']) => name)),
]

/** Whether a text is nothing but placeholders. */
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

/** A subject and an address are one line: a line break in them would begin a header of its own. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

/** As it is. */
export const verbatim = (value: string): string => value
