/** A field of profiles as the values of a form, and back as the body that the API takes. */
import type { Answer, Input } from '../../../api/client.ts'
import type { Phrase } from '../../../languages/languages.ts'
import { ADDRESS } from '../../users/profile-values.ts'

export type ProfileField = Answer<'getCustomProfileField'>
export type FieldBody = Omit<Input<'createCustomProfileField'>['body'], 'name'>
export type FieldValues = Readonly<Record<string, string>>
type Config = NonNullable<FieldBody['config']>
type Part = NonNullable<Config['parts']>[number]

export const TYPES = [
  'Text',
  'Number',
  'Date',
  'Checkbox',
  'Select',
  'Url',
  'Regex',
  'Address',
  'Fullname',
] as const satisfies readonly ProfileField['type'][]
type Type = (typeof TYPES)[number]

export const DATE_FORMATS = ['yyyy-MM-dd', 'MM/dd/yyyy', 'dd/MM/yyyy', 'custom'] as const

/** The parts that a field of the type can have, each with what it is called. */
export const PARTS = {
  Address: ADDRESS,
  Fullname: [
    ['givenName', 'profile.givenName'],
    ['middleName', 'profile.middleName'],
    ['familyName', 'profile.familyName'],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly [Part['name'], Phrase])[]>>

export const hasParts = (type: string): type is keyof typeof PARTS => Object.hasOwn(PARTS, type)

/** Whether it is asked for, and has to be filled in. */
export const PART_STATES = ['no', 'asked', 'required'] as const

const SEPARATOR = ' | '

/** A choice as a line: its value, and its label where that is another one. */
const lineOf = ({ value, label }: { readonly value: string; readonly label?: string }): string =>
  label || value.includes(SEPARATOR) ? `${value}${SEPARATOR}${label ?? value}` : value

const choiceIn = (line: string) => {
  const end = line.lastIndexOf(SEPARATOR)
  const [value, label] = end < 0 ? [line.trim(), ''] : [line.slice(0, end).trim(), line.slice(end).slice(3).trim()]
  return label === '' || label === value ? { value } : { value, label }
}

const partsOf = (type: string, parts: readonly Part[] | undefined): FieldValues =>
  Object.fromEntries(
    (hasParts(type) ? PARTS[type] : []).map(([name]) => {
      const part = parts?.find((each) => each.name === name)
      // a new field asks for all of its parts
      const state = parts === undefined ? 'asked' : part?.enabled ? (part.required ? 'required' : 'asked') : 'no'
      return [`part.${name}`, state]
    }),
  )

/** @param field none: a new one */
export const valuesOfField = (field: ProfileField | undefined): FieldValues => {
  const { name = '', type = 'Text', label = '', description, required = false, config = {} } = field ?? {}
  const text = (value: string | number | undefined) => String(value ?? '')
  return {
    ...{ name, type, label, description: description ?? '', required: String(required) },
    placeholder: text(config.placeholder),
    minLength: text(config.minLength),
    maxLength: text(config.maxLength),
    minValue: text(config.minValue),
    maxValue: text(config.maxValue),
    dateFormat: (type === 'Date' && config.format) || DATE_FORMATS[0],
    customFormat: text(config.customFormat),
    pattern: type === 'Regex' ? text(config.format) : '',
    options: (config.options ?? []).map(lineOf).join('\n'),
    defaultValue: config.defaultValue ?? 'false',
    ...partsOf('Address', type === 'Address' ? config.parts : undefined),
    ...partsOf('Fullname', type === 'Fullname' ? config.parts : undefined),
  }
}

const numeral = (name: string, text = '') => (text.trim() === '' ? {} : { [name]: Number(text) })

const configOf = (type: Type, values: FieldValues, stored: readonly Part[] = []): Config => {
  const { dateFormat = '', customFormat = '', pattern = '', options = '', defaultValue = 'false' } = values
  if (hasParts(type)) {
    const parts = PARTS[type].map(([name]) => {
      const state = values[`part.${name}`] ?? 'no'
      const before = stored.find((each) => each.name === name)
      return { type: 'Text' as const, ...before, name, enabled: state !== 'no', required: state === 'required' }
    })
    // what the form does not know stays
    return { parts: [...parts, ...stored.filter((part) => !parts.some(({ name }) => name === part.name))] }
  }
  switch (type) {
    case 'Text':
      return { ...numeral('minLength', values.minLength), ...numeral('maxLength', values.maxLength) }
    case 'Number':
      return { ...numeral('minValue', values.minValue), ...numeral('maxValue', values.maxValue) }
    case 'Date':
      return { format: dateFormat, ...(dateFormat === 'custom' ? { customFormat: customFormat.trim() } : {}) }
    case 'Checkbox':
      return { defaultValue }
    case 'Select':
      return {
        options: options
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(choiceIn),
      }
    case 'Regex':
      return { format: pattern }
    default:
      return {}
  }
}

/** @param field what is stored; none: a new one */
export const bodyOfField = (values: FieldValues, field: ProfileField | undefined): FieldBody => {
  const { label = '', description = '', placeholder = '' } = values
  const type = TYPES.find((each) => each === values.type) ?? 'Text'
  const parts = field?.type === type ? field.config.parts : undefined
  return {
    type,
    label: label.trim(),
    description: description.trim(),
    required: type !== 'Checkbox' && values.required === 'true',
    config: {
      ...(type === 'Checkbox' || hasParts(type) || placeholder === '' ? {} : { placeholder }),
      ...configOf(type, values, parts),
    },
  }
}
