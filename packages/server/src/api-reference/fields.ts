/** The fields of a schema as a list that reads like a table; objects within objects are indented below their field. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { nestedObjects, ruleWords, type Schema, typeWords } from './schema-words.ts'
import { prose, wrapping } from './text.ts'

/** In a request the fields that must be there are marked; in an answer those that may be missing. */
export type Direction = 'request' | 'answer'

/** One line of such a list. */
export interface Field {
  readonly name: string
  readonly schema: Schema
  readonly required: boolean
  readonly description?: string
}

const mark = ({ required }: Field, direction: Direction): SafeHtml | string => {
  if (direction === 'request') return required ? html` <b>required</b>` : ''
  return required ? '' : html` <i>optional</i>`
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const fieldLine = (field: Field, direction: Direction): SafeHtml => {
  const { name, schema, description = schema.description } = field
  const rules = ruleWords(schema)
  return html`<li><div><code>${wrapping(name)}</code>${mark(field, direction)}</div>
<div><em>${typeWords(schema)}</em>${rules.length > 0 ? html`, ${prose(rules.join(', '))}` : ''}${
    description ? html`<p>${prose(sentence(description))}</p>` : ''
  }</div>${nestedObjects(schema).map((nested) => fieldList(fieldsOf(nested), direction))}</li>
`
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, schema, required: required.includes(name) }))

/** A list of fields. */
export const fieldList = (fields: readonly Field[], direction: Direction): SafeHtml =>
  html`<ul class="fields">${fields.map((field) => fieldLine(field, direction))}</ul>`

/** What a body is, in a few words: "List of objects". */
export const bodyWords = (schema: Schema): SafeHtml => {
  const kind = typeWords(schema).replace(/^./, (letter) => letter.toUpperCase())
  const rules = ruleWords(schema).join(', ')
  return html`${kind}${rules === '' ? '' : html` ${prose(rules)}`}`
}

/** The fields of a body; nothing if it has none that are known. */
export const bodyFields = (schema: Schema, direction: Direction): SafeHtml =>
  html`${nestedObjects(schema).map((object) => fieldList(fieldsOf(object), direction))}`
