/** What users enter into fields of profiles: read by the type of the field, and where it is kept in a user. */
import type { ProfileFieldConfig } from '@countersign/contract/custom-profile-fields.ts'
import { matchesPattern } from '../../kernel/linear-patterns.ts'
import type { UserFields } from './fields.ts'
import { readDate } from './profile-dates.ts'
import { dateFormatOf, type FieldShape, PROFILE_TEXTS } from './profile-field-config.ts'

/** What is wrong with a value. */
export interface FieldIssue {
  readonly field: string
  /** Of an address or a full name. */
  readonly part?: string
  readonly code:
    | 'missing'
    | 'unknown'
    | 'text'
    | 'too_short'
    | 'too_long'
    | 'number'
    | 'too_small'
    | 'too_large'
    | 'date'
    | 'option'
    | 'url'
    | 'pattern'
  /** The length or the value that it passes. */
  readonly limit?: number
}

/** By where they are kept. */
export type ProfileValues = Pick<UserFields, 'name' | 'avatar' | 'profile' | 'customData'>

type Issue = Pick<FieldIssue, 'code' | 'limit' | 'part'>
type Read = { readonly value: unknown } | { readonly issues: readonly Issue[] }

const failed = (code: Issue['code'], limit?: number): Read => ({
  issues: [{ code, ...(limit === undefined ? {} : { limit }) }],
})

const LONGEST_TEXT = 256
const LONGEST_NAME = 128
const LONGEST_URL = 2048
/** Whatever is a text and has no length of its own. */
const LONGEST_DATA = 2048

const mostOf = (name: string): number => {
  if (name === 'name') return LONGEST_NAME
  return PROFILE_TEXTS.has(name) ? LONGEST_TEXT : LONGEST_DATA
}

const readText = (
  text: string,
  { minLength = 0, maxLength = LONGEST_TEXT }: ProfileFieldConfig,
  most: number,
): Read => {
  if (text.length < minLength) return failed('too_short', minLength)
  const limit = Math.min(maxLength, most)
  return text.length > limit ? failed('too_long', limit) : { value: text }
}

const readNumber = (given: unknown, { minValue, maxValue }: ProfileFieldConfig): Read => {
  const text = typeof given === 'string' ? given.trim().replace(',', '.') : ''
  const value = typeof given === 'number' ? given : Number(/^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? text : Number.NaN)
  if (!Number.isFinite(value)) return failed('number')
  if (minValue !== undefined && value < minValue) return failed('too_small', minValue)
  return maxValue !== undefined && value > maxValue ? failed('too_large', maxValue) : { value }
}

const readUrl = (text: string): Read => {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    return failed('url')
  return text.length > LONGEST_URL ? failed('too_long', LONGEST_URL) : { value: text }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** The parts of an address or a full name that were given. */
const readParts = ({ config: { parts = [] } }: FieldShape, given: unknown): Read => {
  if (!isObject(given)) return failed('text')
  const enabled = parts.filter((part) => part.enabled)
  const known = new Set<string>(enabled.map(({ name }) => name))
  const unknown = Object.keys(given).filter((name) => !known.has(name))
  const read = enabled
    .filter(({ name }) => !isEmpty(given[name]))
    .map(
      ({ name, type, required, config = {} }) =>
        [name, readValue({ name, type, required, config }, given[name])] as const,
    )
  const issues = [
    ...unknown.map((part): Issue => ({ code: 'unknown', part })),
    ...read.flatMap(([part, one]) => ('issues' in one ? one.issues.map((issue) => ({ ...issue, part })) : [])),
  ]
  if (issues.length > 0) return { issues }
  return { value: Object.fromEntries(read.map(([name, one]) => [name, 'value' in one ? one.value : undefined])) }
}

/** Reads a value that is there. */
const readValue = (field: FieldShape, given: unknown): Read => {
  const { type, config } = field
  if (type === 'Address' || type === 'Fullname') return readParts(field, given)
  if (type === 'Checkbox') {
    const isBoolean = typeof given === 'boolean' || given === 'true' || given === 'false'
    return isBoolean ? { value: given === true || given === 'true' } : failed('option')
  }
  if (type === 'Number') return readNumber(given, config)
  if (typeof given !== 'string') return failed('text')
  const text = given.trim()
  switch (type) {
    case 'Date':
      return readDate(text, dateFormatOf(config)) === undefined ? failed('date') : { value: text }
    case 'Select':
      return config.options?.some(({ value }) => value === text) ? { value: text } : failed('option')
    case 'Url':
      return readUrl(text)
    case 'Regex':
      if (text.length > LONGEST_TEXT) return failed('too_long', LONGEST_TEXT)
      return matchesPattern(config.format ?? '', text) ? { value: text } : failed('pattern')
    default:
      return readText(text, config, mostOf(field.name))
  }
}

/** Which member of a user keeps the value of a field, itself or under its name. */
export const placeOf = ({ name, type }: Pick<FieldShape, 'name' | 'type'>): keyof ProfileValues => {
  if (name === 'name' || name === 'avatar') return name
  return type === 'Fullname' || name === 'address' || PROFILE_TEXTS.has(name) ? 'profile' : 'customData'
}

/** A value where it is kept. */
const placed = (field: FieldShape, value: unknown): ProfileValues => {
  const place = placeOf(field)
  if (place === 'name' || place === 'avatar') return { [place]: value as string }
  return { [place]: field.type === 'Fullname' ? (value as object) : { [field.name]: value } }
}

/** Both together; what the second has replaces what the first has. */
export const mergedValues = <T extends ProfileValues>(
  first: T,
  { profile, customData, ...second }: ProfileValues,
): T => ({
  ...first,
  ...second,
  ...(profile ? { profile: { ...first.profile, ...profile } } : {}),
  ...(customData ? { customData: { ...first.customData, ...customData } } : {}),
})

/** What was given for a field: the parts of a full name are members of their own. */
const givenFor = (
  { name, type, config: { parts = [] } }: FieldShape,
  given: Readonly<Record<string, unknown>>,
): unknown => {
  if (type !== 'Fullname') return Object.hasOwn(given, name) ? given[name] : undefined
  const names = parts.filter(({ enabled }) => enabled).map((part) => part.name as string)
  const own = Object.entries(given).filter(([each, value]) => names.includes(each) && !isEmpty(value))
  return own.length > 0 ? Object.fromEntries(own) : undefined
}

/**
 * Reads what was entered, by the types of the fields: dates in the format of the field, numbers also as text. What is empty counts as
 * not given. Returns the values that are sound, and what is wrong with the others; members that belong to no field are neither.
 */
export const readProfileValues = (
  fields: readonly FieldShape[],
  given: Readonly<Record<string, unknown>>,
): { readonly values: ProfileValues; readonly issues: readonly FieldIssue[] } => {
  let values: ProfileValues = {}
  const issues: FieldIssue[] = []
  for (const field of fields) {
    const own = givenFor(field, given)
    if (isEmpty(own)) continue
    const read = readValue(field, own)
    if ('value' in read) values = mergedValues(values, placed(field, read.value))
    else issues.push(...read.issues.map((issue) => ({ field: field.name, ...issue })))
  }
  return { values, issues }
}

/** The names of the members that fields read. */
export const membersOf = (fields: readonly FieldShape[]): ReadonlySet<string> =>
  new Set(
    fields.flatMap(({ name, type, config: { parts = [] } }) =>
      type === 'Fullname' ? parts.filter(({ enabled }) => enabled).map((part): string => part.name) : [name],
    ),
  )

/** The value of a field; of a full name and of an address the object that holds the parts. */
export const keptValue = (
  field: Pick<FieldShape, 'name' | 'type'>,
  { profile = {}, customData = {}, ...user }: ProfileValues,
): unknown => {
  const { name, type } = field
  const place = placeOf(field)
  if (place === 'name' || place === 'avatar') return user[place]
  if (type === 'Fullname') return profile
  const kept: Readonly<Record<string, unknown>> = place === 'profile' ? profile : customData
  return Object.hasOwn(kept, name) ? kept[name] : undefined
}

/**
 * Reads values that are already where they are kept, as readProfileValues does. Whatever belongs to no field, or is empty, is returned as
 * it was given.
 */
export const readKeptValues = (
  fields: readonly FieldShape[],
  kept: ProfileValues,
): { readonly values: ProfileValues; readonly issues: readonly FieldIssue[] } => {
  const given = Object.fromEntries(
    fields.flatMap((field) =>
      field.type === 'Fullname' ? Object.entries(kept.profile ?? {}) : [[field.name, keptValue(field, kept)] as const],
    ),
  )
  const { values, issues } = readProfileValues(fields, given)
  return { values: mergedValues(kept, values), issues }
}

/** The fields that are required, and the required parts of those that are there, without a value in these. */
export const missingValues = (fields: readonly FieldShape[], values: ProfileValues): readonly FieldIssue[] =>
  fields.flatMap((field): FieldIssue[] => {
    const { name, type, required, config } = field
    const kept = keptValue(field, values)
    if (type !== 'Address' && type !== 'Fullname')
      return required && isEmpty(kept) ? [{ field: name, code: 'missing' }] : []
    const parts = (config.parts ?? []).filter(({ enabled }) => enabled)
    const has = (part: string) => isObject(kept) && !isEmpty(kept[part])
    if (!parts.some((part) => has(part.name)) && !required) return []
    const missing = parts.filter((part) => part.required && !has(part.name))
    if (missing.length > 0) return missing.map((part) => ({ field: name, part: part.name, code: 'missing' }))
    return parts.some((part) => has(part.name)) ? [] : [{ field: name, code: 'missing' }]
  })
