/** The inputs for fields of profiles, by their types, and what the form with them brings back. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { readDate, writeDate } from '../domain/users/profile-dates.ts'
import { dateFormatOf, type FieldShape, ISO_DATE } from '../domain/users/profile-field-config.ts'
import { type FieldIssue, keptValue, type ProfileValues } from '../domain/users/profile-field-values.ts'
import type { ProfileField } from '../domain/users/profile-fields.ts'
import type { Parameters } from '../http/parameters.ts'
import type { Phrases } from '../languages/en.ts'
import { fill } from '../presentation/language.ts'

/** What browsers know to fill in (HTML, autofill field names). */
const AUTOCOMPLETE: Readonly<Record<string, string>> = {
  name: 'name',
  givenName: 'given-name',
  middleName: 'additional-name',
  familyName: 'family-name',
  nickname: 'nickname',
  birthdate: 'bday',
  gender: 'sex',
  website: 'url',
  avatar: 'photo',
  locale: 'language',
  formatted: 'street-address',
  streetAddress: 'street-address',
  locality: 'address-level2',
  region: 'address-level1',
  postalCode: 'postal-code',
  country: 'country-name',
}

/** A field, or a part of one. */
interface Asked extends FieldShape {
  readonly label?: string | undefined
  readonly description?: string | null | undefined
  /** Whether its label says so where it is not required. */
  readonly isMarked?: boolean
}

/** What to call it: the operator's name for it, ours for what every user has, or the name it is kept under. */
export const labelOf = ({ fieldName }: Phrases, { name, label }: Pick<Asked, 'name' | 'label'>): string => {
  const known: Readonly<Record<string, string>> = fieldName
  return label || (Object.hasOwn(known, name) ? (known[name] ?? name) : name)
}

const enabledParts = ({ config: { parts = [] } }: FieldShape): Asked[] =>
  parts
    .filter(({ enabled }) => enabled)
    .map(({ name, type, label, description, required, config = {} }) => ({
      ...{ name, type, label, description, required, config },
    }))

const isComposite = ({ type }: FieldShape): boolean => type === 'Address' || type === 'Fullname'
const inputName = (field: string, part?: string): string => `field.${field}${part === undefined ? '' : `.${part}`}`

const typed = (fields: Parameters | undefined, name: string): string => fields?.get(name)?.[0] ?? ''

type ShownField = Pick<ProfileField, 'name' | 'type' | 'required' | 'config' | 'label' | 'description'>

interface Shown {
  readonly phrases: Phrases
  /** Whether labels say what need not be filled in; they do unless told otherwise. */
  readonly marksOptional?: boolean
  /** What was typed before. */
  readonly fields: Parameters | undefined
  readonly issues: readonly FieldIssue[]
}

const selectOf = ({ config }: Asked, attributes: SafeHtml, value: string, { choose }: Phrases): SafeHtml => {
  const options = (config.options ?? []).map(
    (option) =>
      html`<option value="${option.value}" ${option.value === value ? html`selected` : html``}>${option.label || option.value}</option>`,
  )
  return html`<select ${attributes}><option value="">${config.placeholder ?? choose}</option>${options}</select>`
}

const inputOf = ({ type, config }: Asked, attributes: SafeHtml, value: string): SafeHtml => {
  const { placeholder, minLength, maxLength, minValue, maxValue } = config
  const hint = placeholder === undefined ? html`` : html`placeholder="${placeholder}"`
  const range = (name: string, limit: number | undefined) =>
    limit === undefined ? html`` : html.raw`${name}="${String(limit)}"`
  switch (type) {
    case 'Date':
      return html`<input type="date" ${attributes} value="${value}" min="0001-01-01" max="9999-12-31">`
    case 'Number':
      return html`<input type="number" ${attributes} ${hint} value="${value}" step="any" ${range('min', minValue)} ${range('max', maxValue)}>`
    case 'Url':
      return html`<input type="url" ${attributes} ${hint} value="${value}" maxlength="2048" autocapitalize="none" spellcheck="false">`
    default:
      return html`<input type="text" ${attributes} ${hint} value="${value}" ${range('minlength', minLength)} maxlength="${String(maxLength ?? 256)}">`
  }
}

const inputFor = (asked: Asked, name: string, isInvalid: boolean, shown: Shown): SafeHtml => {
  const { phrases, fields, marksOptional = true } = shown
  const { type, required, description, config, isMarked = true } = asked
  const id = name.replaceAll('.', '-')
  const label = labelOf(phrases, asked)
  const hint = description ? html`<p class="hint" id="${id}-hint">${description}</p>` : html``
  const value = typed(fields, name)
  if (type === 'Checkbox') {
    const isChecked = fields ? fields.has(name) : config.defaultValue === 'true'
    return html`<label class="agree"><input type="checkbox" id="${id}" name="${name}" value="true" ${isChecked ? html`checked` : html``}><span>${label}</span></label>${hint}`
  }
  const described = [isInvalid ? 'problem' : '', description ? `${id}-hint` : ''].filter(Boolean).join(' ')
  const autocomplete = AUTOCOMPLETE[asked.name] ?? 'off'
  const attributes = html`id="${id}" name="${name}" ${required ? html`required` : html``} autocomplete="${autocomplete}" ${isInvalid ? html`aria-invalid="true"` : html``} ${described ? html`aria-describedby="${described}"` : html``}`
  return html`<div class="field">
<label for="${id}">${required || !isMarked || !marksOptional ? label : fill(phrases.optionalField, { label })}</label>
${type === 'Select' ? selectOf(asked, attributes, value, phrases) : inputOf(asked, attributes, value)}
${hint}
</div>`
}

/** The inputs of a field; a group of them for one with parts. */
export const fieldInputs = (field: ShownField, shown: Shown): SafeHtml => {
  const isInvalid = (part?: string) =>
    shown.issues.some((issue) => issue.field === field.name && (issue.part === undefined || issue.part === part))
  if (!isComposite(field)) return inputFor(field, inputName(field.name), isInvalid(), shown)
  const { phrases, marksOptional = true } = shown
  const label = labelOf(phrases, field)
  const inputs = enabledParts(field).map((part) =>
    // a part is required where the whole is: no browser knows that one follows from another
    inputFor(
      { ...part, required: part.required && field.required, isMarked: field.required },
      inputName(field.name, part.name),
      isInvalid(part.name),
      shown,
    ),
  )
  const description = field.description ? html`<p class="hint">${field.description}</p>` : html``
  return html`<fieldset class="group">
<legend>${field.required || !marksOptional ? label : fill(phrases.optionalField, { label })}</legend>
${description}
${inputs}
</fieldset>`
}

/** A date input brings back `yyyy-MM-dd`, whatever it shows. */
const given = ({ type, config }: FieldShape, text: string): string => {
  const day = type === 'Date' ? readDate(text.trim(), ISO_DATE) : undefined
  return day === undefined ? text : writeDate(day, dateFormatOf(config))
}

/** What the form brings back, as values by name: in the form in which the domain reads them. */
export const answersOf = (fields: readonly ShownField[], form: Parameters): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap((field): (readonly [string, unknown])[] => {
      const { name, type } = field
      if (type === 'Checkbox') return [[name, form.has(inputName(name))]]
      if (!isComposite(field)) return [[name, given(field, typed(form, inputName(name)))]]
      const parts = enabledParts(field).map(
        (part) => [part.name, given(part, typed(form, inputName(name, part.name)))] as const,
      )
      return type === 'Fullname' ? parts : [[name, Object.fromEntries(parts)]]
    }),
  )

/** A kept value as its input shows it; empty where the input cannot. */
const shownText = ({ type, config }: FieldShape, value: unknown): string => {
  if (type === 'Checkbox') return value === true ? 'true' : ''
  if (type === 'Number') return typeof value === 'number' ? String(value) : ''
  if (typeof value !== 'string') return ''
  if (type === 'Date') return readDate(value, dateFormatOf(config)) ?? ''
  return type !== 'Select' || config.options?.some((option) => option.value === value) ? value : ''
}

/** The form as it is before anything is typed: what the fields hold, by the names of the inputs. @param values of a user */
export const filledIn = (fields: readonly ShownField[], values: ProfileValues): Parameters => {
  const texts = fields.flatMap((field): (readonly [string, string])[] => {
    const { name } = field
    const value = keptValue(field, values)
    if (!isComposite(field)) return [[inputName(name), shownText(field, value)]]
    const parts = new Map(Object.entries(value ?? {}))
    return enabledParts(field).map((part) => [inputName(name, part.name), shownText(part, parts.get(part.name))])
  })
  return new Map(texts.filter(([, text]) => text !== '').map(([name, text]) => [name, [text]]))
}

/** The fields of which a form brings something else back. */
export const changedFields = <T extends ShownField>(
  fields: readonly T[],
  before: Parameters,
  form: Parameters,
): readonly T[] =>
  fields.filter((field) => {
    const names = isComposite(field)
      ? enabledParts(field).map((part) => inputName(field.name, part.name))
      : [inputName(field.name)]
    return names.some((name) => typed(before, name) !== typed(form, name))
  })

/** What to say about an answer. */
export const issueText = (phrases: Phrases, fields: readonly ShownField[], issue: FieldIssue): string => {
  const field = fields.find(({ name }) => name === issue.field)
  const part = field && enabledParts(field).find(({ name }) => name === issue.part)
  const asked = part ?? field
  const known: Readonly<Record<string, string>> = phrases.fieldIssue
  const values = { label: asked ? labelOf(phrases, asked) : issue.field, limit: String(issue.limit ?? '') }
  return fill(known[issue.code] ?? phrases.fieldIssue.pattern, values)
}
