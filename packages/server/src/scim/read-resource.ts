/**
 * Reads a resource as clients send it into its canonical form: names in any case, booleans as text, a single value for
 * a multi-valued attribute, as identity providers write them. Unknown and read-only attributes are omitted.
 */
import { type Attribute, findAttribute } from './attributes.ts'
import { refused } from './errors.ts'
import { extensionNamed } from './paths.ts'
import type { ResourceType } from './schemas.ts'

export type Resource = Record<string, unknown>

/** Values of one attribute, members of groups excepted. */
const MOST_VALUES = 100
/** Characters; of addresses of pages and pictures, and of certificates. */
const LONGEST = { string: 256, reference: 2048, binary: 16_384 } as const

const invalid = (where: string, what: string) => refused('invalidValue', `${where} must be ${what}.`)

export const isObject = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const readText = (value: unknown, where: string, longest: number): string | undefined => {
  const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  if (typeof text !== 'string') throw invalid(where, 'a string')
  if (text.length > longest) throw invalid(where, `at most ${longest} characters long`)
  return text === '' ? undefined : text
}

const readBoolean = (value: unknown, where: string): boolean => {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text !== 'true' && text !== 'false') throw invalid(where, 'true or false')
  return text === 'true'
}

const readOne = (attribute: Attribute, value: unknown, where: string): unknown => {
  switch (attribute.type) {
    case 'boolean':
      return readBoolean(value, where)
    case 'complex': {
      // a manager, for example, is often sent as just an id
      const object = typeof value === 'string' ? { value } : value
      if (!isObject(object)) throw invalid(where, 'an object')
      const read = readMembers(attribute.subAttributes ?? [], object, where)
      return Object.keys(read).length > 0 ? read : undefined
    }
    case 'dateTime':
      return readText(value, where, LONGEST.string)
    default:
      return readText(value, where, LONGEST[attribute.type])
  }
}

const readValues = (attribute: Attribute, value: unknown, where: string): unknown => {
  const values = Array.isArray(value) ? value : [value]
  if (values.length > MOST_VALUES && attribute.name !== 'members') throw invalid(where, `at most ${MOST_VALUES} values`)
  const read = values.map((one) => readOne(attribute, one, where)).filter((one) => one !== undefined)
  if (read.filter((one) => isObject(one) && one.primary === true).length > 1)
    throw refused('invalidValue', `${where} has more than one primary value.`)
  return read.length > 0 ? read : undefined
}

/** The members of an object that the attributes define and a client may write. */
const readMembers = (attributes: readonly Attribute[], object: Resource, prefix: string): Resource => {
  const read: Resource = {}
  for (const [name, value] of Object.entries(object)) {
    const attribute = findAttribute(attributes, name)
    if (!attribute || attribute.mutability === 'readOnly') continue
    if (Object.hasOwn(read, attribute.name)) throw refused('invalidSyntax', `${prefix}${name} is repeated.`)
    if (value === null || value === undefined) continue
    const where = prefix === '' ? attribute.name : `${prefix}.${attribute.name}`
    const one = attribute.multiValued ? readValues(attribute, value, where) : readOne(attribute, value, where)
    if (one !== undefined) read[attribute.name] = one
  }
  return read
}

/**
 * A resource in canonical form: without null and empty values, the attributes of an extension beneath its URN. Throws 400
 * `invalidSyntax` for anything that is not a resource of the type, `invalidValue` for values of another type, too many
 * or too long values, and missing required attributes.
 */
export const readResource = (type: ResourceType, body: unknown): Resource => {
  if (!isObject(body)) throw refused('invalidSyntax', 'The body must be an object.')
  const { schemas } = body
  if (schemas !== undefined) {
    const isOfType = (urn: unknown) => typeof urn === 'string' && urn.toLowerCase() === type.schema.id.toLowerCase()
    if (!Array.isArray(schemas) || !schemas.some(isOfType))
      throw refused('invalidSyntax', `schemas must contain ${type.schema.id}.`)
  }
  const resource = readMembers(type.attributes, body, '')
  for (const [name, value] of Object.entries(body)) {
    const extension = name.includes(':') ? extensionNamed(type, name) : undefined
    if (!extension || value === null) continue
    if (!isObject(value)) throw invalid(name, 'an object')
    const read = readMembers(extension.attributes, value, extension.id)
    if (Object.keys(read).length > 0) resource[extension.id] = read
  }
  for (const { name, required } of type.attributes)
    if (required && resource[name] === undefined) throw refused('invalidValue', `${name} is required.`)
  return resource
}
