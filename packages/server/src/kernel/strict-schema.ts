/** Schemas of files that people write: an unknown key is a mistake there, and is reported with the others. */
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

/** An error in a value, and where: a JSON pointer (RFC 6901), empty for the whole. */
export interface Issue {
  readonly path: string
  readonly reason: string
}

/** The steps of a JSON pointer (RFC 6901). */
export const pointerSteps = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const strictlyAny = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(strictlyAny)
  if (!isObject(schema)) return schema
  const strict: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'enum' || key === 'examples') strict[key] = value
    else if (key === 'properties' && isObject(value))
      strict[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strictlyAny(inner)]))
    else strict[key] = strictlyAny(value)
  }
  if ('properties' in strict && !('additionalProperties' in strict)) strict.additionalProperties = false
  return strict
}

/** The same schema, except that every object with named keys allows no others. */
export const strictly = <T extends TSchema>(schema: T): T => strictlyAny(schema) as T

interface SchemaError {
  readonly schemaPath: string
  readonly keyword: string
  readonly instancePath: string
  readonly message: string
  readonly params: object
}

const reasonOf = ({ keyword, params, message }: SchemaError): string => {
  if (keyword === 'boolean') return 'is not a known key'
  if (keyword === 'enum' && 'allowedValues' in params && Array.isArray(params.allowedValues))
    return `must be one of ${params.allowedValues.join(', ')}`
  return message
}

/** Without the errors of union variants that the value does not select, because its constant names another. */
const ofChosenVariants = (errors: readonly SchemaError[]): readonly SchemaError[] => {
  const variants = errors
    .filter(({ keyword }) => keyword === 'const')
    .flatMap(({ schemaPath }) => /^.*\/anyOf\/\d+(?=\/properties\/)/.exec(schemaPath) ?? [])
  const isOf = ({ schemaPath }: SchemaError, variant: string) => `${schemaPath}/`.startsWith(`${variant}/`)
  const others = errors.filter((error) => !variants.some((variant) => isOf(error, variant)))
  const hasOther = (variant: string) => others.some((error) => isOf(error, variant.replace(/\/\d+$/, '')))
  return errors.filter((error) => !variants.some((variant) => isOf(error, variant) && hasOther(variant)))
}

/** The errors, one per place, at most eight. */
const issuesOf = (errors: readonly SchemaError[]): Issue[] => {
  const reasons = new Map<string, string[]>()
  const add = (path: string, reason: string) => reasons.set(path, [...(reasons.get(path) ?? []), reason])
  for (const error of ofChosenVariants(errors)) {
    const { keyword, instancePath, params } = error
    // both repeat what the errors next to them say better
    if (keyword === 'anyOf' || keyword === 'additionalProperties') continue
    if (keyword === 'required' && 'requiredProperties' in params && Array.isArray(params.requiredProperties))
      for (const name of params.requiredProperties) add(instancePath, `lacks ${name}`)
    else add(instancePath, reasonOf(error))
  }
  return [...reasons].map(([path, all]) => ({
    path,
    reason: [...new Set(all)].join(' or ').replaceAll(' or must be', ' or'),
  }))
}

export interface StrictReader<T extends TSchema> {
  /** The errors in the value; empty when it matches the schema. */
  issues(value: unknown): Issue[]
  fits(value: unknown): value is Static<T>
}

/** @param schema made strict by `strictly`, unless `allowUnknown` */
export const strictReader = <T extends TSchema>(schema: T, { allowUnknown = false } = {}): StrictReader<T> => {
  const validator: Validator = Compile(allowUnknown ? schema : strictly(schema))
  return {
    issues: (value) => (validator.Check(value) ? [] : issuesOf(validator.Errors(value))),
    fits: (value): value is Static<T> => validator.Check(value),
  }
}
