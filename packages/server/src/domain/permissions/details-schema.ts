/**
 * JSON Schemas of authorization details (RFC 9396): which ones a tenant may register, and the check of a value against one. A closed
 * part of JSON Schema 2020-12: no references, so that a check visits each value at most once for each place in the schema, and
 * patterns in RE2, whose time is linear. It is interpreted; nothing is compiled from what a tenant wrote.
 */
import { Check, Errors } from 'typebox/schema'
import { isPattern, patternTest } from '../../kernel/linear-patterns.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** Bytes of its JSON. */
const LARGEST = 16_384
/** Schemas within schemas. */
const DEEPEST = 12
const LONGEST_PATTERN = 256
const MOST_VALUES = 100

const TYPES: readonly unknown[] = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const isScalar = (value: unknown): boolean =>
  value === null || isText(value) || typeof value === 'boolean' || Number.isFinite(value)
/** Of every object: such a member is there even if no one sent it. */
const isInherited = (name: string): boolean => name in {}

/** What is wrong with a schema; completes "The schema …". */
export class InvalidDetailsSchema extends Error {}

/** Whether the value of a keyword has the form that it needs; those with schemas in them are in NESTED. */
const KEYWORDS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: isText,
  title: isText,
  description: isText,
  default: () => true,
  examples: Array.isArray,
  type: (value) => (Array.isArray(value) ? value.every((each) => TYPES.includes(each)) : TYPES.includes(value)),
  enum: (value) => Array.isArray(value) && value.length <= MOST_VALUES && value.every(isScalar),
  const: isScalar,
  required: (value) => Array.isArray(value) && value.every((name) => isText(name) && !isInherited(name)),
  minProperties: isCount,
  maxProperties: isCount,
  minItems: isCount,
  maxItems: isCount,
  uniqueItems: (value) => typeof value === 'boolean',
  minLength: isCount,
  maxLength: isCount,
  pattern: (value) => isText(value) && value.length <= LONGEST_PATTERN && isPattern(value),
  minimum: Number.isFinite,
  maximum: Number.isFinite,
  exclusiveMinimum: Number.isFinite,
  exclusiveMaximum: Number.isFinite,
  multipleOf: (value) => Number.isFinite(value) && (value as number) > 0,
}

/** They say nothing about a value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['$schema', 'title', 'description', 'default', 'examples'])

type Prepare = (schema: unknown, path: string, depth: number) => unknown

const one =
  (value: unknown, path: string, depth: number) =>
  (prepare: Prepare): unknown =>
    prepare(value, path, depth)

const many =
  (value: unknown, path: string, depth: number) =>
  (prepare: Prepare): unknown => {
    if (!Array.isArray(value) || value.length === 0 || value.length > MOST_VALUES)
      throw new InvalidDetailsSchema(`needs a list of schemas at ${path}`)
    return value.map((each, index) => prepare(each, `${path}/${index}`, depth))
  }

const byName =
  (value: unknown, path: string, depth: number) =>
  (prepare: Prepare): unknown => {
    if (!isObject(value) || Object.keys(value).some(isInherited))
      throw new InvalidDetailsSchema(`needs an object with a schema for each member at ${path}`)
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, prepare(each, `${path}/${name}`, depth)]),
    )
  }

const NESTED: Readonly<Record<string, typeof one>> = {
  properties: byName,
  additionalProperties: one,
  items: one,
  not: one,
  allOf: many,
  anyOf: many,
  oneOf: many,
}

/** The check of a pattern, in the place where the interpreter calls functions. */
const refinement = (pattern: string) => {
  const isMatch = patternTest(pattern)
  return [
    {
      check: (value: unknown) => typeof value !== 'string' || isMatch(value),
      error: () => `must match the pattern ${pattern}`,
    },
  ]
}

const prepared: Prepare = (schema, path, depth) => {
  if (typeof schema === 'boolean') return schema
  if (!isObject(schema)) throw new InvalidDetailsSchema(`needs an object or a boolean at ${path}`)
  if (depth > DEEPEST) throw new InvalidDetailsSchema(`is nested more than ${DEEPEST} deep`)
  const ready: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    const nested = Object.hasOwn(NESTED, keyword) ? NESTED[keyword] : undefined
    const isWellFormed = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined
    if (nested) ready[keyword] = nested(value, `${path}/${keyword}`, depth + 1)(prepared)
    else if (!isWellFormed)
      throw new InvalidDetailsSchema(`has the keyword ${keyword} at ${path}, which is not supported`)
    else if (!isWellFormed(value)) throw new InvalidDetailsSchema(`has a value that ${keyword} cannot have at ${path}`)
    else if (keyword === 'pattern') ready['~refine'] = refinement(value as string)
    else if (!ANNOTATIONS.has(keyword)) ready[keyword] = value
  }
  return ready
}

/** Says what is wrong with a value, or undefined if nothing is. */
export type DetailsCheck = (value: unknown) => string | undefined

/** The place of an error in words: `instructedAmount.amount`. */
const placeOf = (pointer: string): string => pointer.split('/').slice(1).join('.')

/**
 * The check of values against a schema. Throws InvalidDetailsSchema for one that is not supported: see the keywords above; it is of
 * type `object`, at most 16 KiB, at most 12 deep.
 */
export const detailsCheck = (schema: JsonObject): DetailsCheck => {
  if (Buffer.byteLength(JSON.stringify(schema)) > LARGEST)
    throw new InvalidDetailsSchema(`is larger than ${LARGEST} bytes`)
  if (schema.type !== 'object') throw new InvalidDetailsSchema('needs type object: each detail is an object')
  const ready = prepared(schema, '#', 1)
  if (!isObject(ready)) throw new InvalidDetailsSchema('is not an object')
  return (value) => {
    if (Check(ready, value)) return undefined
    const [, errors] = Errors(ready, value)
    const [first] = errors
    const place = placeOf(first?.instancePath ?? '')
    return `${place === '' ? 'it' : place} ${first?.message ?? 'does not match its schema'}`
  }
}
