/** `sortBy` and `sortOrder` (RFC 7644 section 3.4.2.3): the value that a resource is sorted by, and the order of these values. */
import { type Attribute, findAttribute } from './attributes.ts'
import { refused } from './errors.ts'
import { resolvePath, valueAt } from './paths.ts'
import { isObject, type Resource } from './read-resource.ts'
import type { ResourceType } from './schemas.ts'

export interface Sort {
  /** As requested; which attribute it is depends on the resource. */
  readonly path: string
  readonly isDescending: boolean
}

/** Numbers order booleans and moments. */
export type SortKey = string | number

/** Where a row is in the order of a list. */
export interface Position {
  readonly createdAt: Date
  readonly id: string
  /** What a sorted list compares first; absent where the resource has no such value. */
  readonly key?: SortKey
}

/** Where a part of a list ends: the rows on one side of a row. */
export interface Edge {
  readonly side: 'after' | 'before'
  readonly position: Position
}

/** Characters of a text that are compared: the keys of all matches are in memory at once. */
const COMPARED = 256

/** Reads the parameters; undefined without sortBy. Throws 400. */
export const readSort = (path: string | undefined, order: string | undefined): Sort | undefined => {
  const direction = (order ?? 'ascending').toLowerCase()
  if (direction !== 'ascending' && direction !== 'descending')
    throw refused('invalidValue', 'sortOrder must be ascending or descending.')
  return path === undefined || path.trim() === ''
    ? undefined
    : { path: path.trim(), isDescending: direction === 'descending' }
}

const valueKey = ({ type, caseExact }: Attribute, value: unknown): SortKey | undefined => {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value !== 'string' || value === '') return undefined
  if (type === 'dateTime') return Date.parse(value)
  const text = value.slice(0, COMPARED)
  return caseExact ? text : text.normalize('NFC').toLowerCase()
}

/** Of several values the primary one, or else the first (RFC 7644 section 3.4.2.3). */
const mainEntry = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value
  return value.find((entry) => isObject(entry) && entry.primary === true) ?? value[0]
}

/**
 * The value that a resource is sorted by; undefined where it has none. A path to an attribute with parts means its `value`.
 * Throws 400 for an attribute that the type does not have or that has no order. @param isOffered whether an attribute of the type can be sorted by
 */
export const sortKeyOf = (
  type: ResourceType,
  { path }: Sort,
  isOffered: (attribute: string) => boolean,
): ((resource: Resource) => SortKey | undefined) => {
  const resolved = resolvePath(type, path)
  const attribute = resolved?.attribute
  const part =
    resolved?.sub ?? (attribute?.type === 'complex' ? findAttribute(attribute.subAttributes ?? [], 'value') : undefined)
  const compared = part ?? attribute
  if (!resolved || !attribute || !compared || compared.type === 'complex' || !isOffered(attribute.name))
    throw refused('invalidValue', `Resources cannot be sorted by ${path.slice(0, 100)}.`)
  return (resource) => {
    const entry = mainEntry(valueAt(resource, resolved))
    return valueKey(compared, part && isObject(entry) ? entry[part.name] : entry)
  }
}

const order = <T extends SortKey>(a: T, b: T): number => (a < b ? -1 : Number(a > b))

/** The order of a list: by the key, where resources without one come last; then by age. Descending: all of it the other way round. */
export const comparePositions =
  (sort: Sort | undefined) =>
  (a: Position, b: Position): number => {
    const byAge = order(a.createdAt.getTime(), b.createdAt.getTime()) || order(a.id, b.id)
    if (!sort) return byAge
    const sign = sort.isDescending ? -1 : 1
    if (a.key === undefined || b.key === undefined)
      return sign * (Number(a.key === undefined) - Number(b.key === undefined) || byAge)
    return sign * (order(a.key, b.key) || byAge)
  }
