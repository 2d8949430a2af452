/** Whether a resource in canonical form matches a filter (RFC 7644 section 3.4.2.2). */
import { type Attribute, findAttribute } from './attributes.ts'
import { refused } from './errors.ts'
import type { Filter, FilterValue, Operator } from './filter.ts'
import { resolvePath, valueAt } from './paths.ts'
import type { ResourceType } from './schemas.ts'

type Test = (resource: Readonly<Record<string, unknown>>) => boolean

const unknown = (path: string) => refused('invalidFilter', `There is no attribute ${path.slice(0, 100)}.`)
const unsupported = (path: string, operator: string) =>
  refused('invalidFilter', `${path.slice(0, 100)} cannot be compared with ${operator}.`)

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

const ORDERS: Readonly<Record<string, (a: string | number, b: string | number) => boolean>> = {
  eq: (a, b) => a === b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  co: (a, b) => String(a).includes(String(b)),
  sw: (a, b) => String(a).startsWith(String(b)),
  ew: (a, b) => String(a).endsWith(String(b)),
}

/**
 * The comparison of one value with the filter's. Throws 400 for an operator that the type of the attribute does not
 * support.
 */
const comparison = (
  path: string,
  { type, caseExact }: Attribute,
  operator: Operator,
  wanted: FilterValue,
): ((value: unknown) => boolean) => {
  if (type === 'boolean') {
    const expected = typeof wanted === 'string' ? wanted.toLowerCase() === 'true' : wanted
    if (operator !== 'eq' || typeof expected !== 'boolean') throw unsupported(path, operator)
    return (value) => value === expected
  }
  if (typeof wanted !== 'string') throw unsupported(path, `${operator} ${wanted}`)
  const order = ORDERS[operator]
  if (!order) throw unsupported(path, operator)
  if (type === 'dateTime') {
    const moment = Date.parse(wanted)
    if (Number.isNaN(moment) || ['co', 'sw', 'ew'].includes(operator)) throw unsupported(path, operator)
    return (value) => order(Date.parse(String(value)), moment)
  }
  const fold = (text: string) => (caseExact ? text : text.normalize('NFC').toLowerCase())
  const expected = fold(wanted)
  return (value) => typeof value === 'string' && order(fold(value), expected)
}

/** The attribute that is compared if a path names a complex one: its `value`. */
const comparedPart = (path: string, attribute: Attribute, sub: Attribute | undefined): Attribute | undefined => {
  if (sub || attribute.type !== 'complex') return sub
  const value = findAttribute(attribute.subAttributes ?? [], 'value')
  if (!value) throw unsupported(path, 'a value')
  return value
}

const partsOf = (value: unknown, sub: Attribute | undefined): unknown[] => {
  const entries = Array.isArray(value) ? value : [value]
  if (!sub) return entries
  return entries.map((entry) => (entry as Readonly<Record<string, unknown>> | undefined)?.[sub.name])
}

interface Located {
  readonly attribute: Attribute
  readonly sub: Attribute | undefined
  readonly read: (resource: Readonly<Record<string, unknown>>) => unknown
}
type Locate = (path: string) => Located

const compile = (filter: Filter, locate: Locate): Test => {
  switch (filter.is) {
    case 'and':
    case 'or': {
      const [left, right] = [compile(filter.left, locate), compile(filter.right, locate)]
      return filter.is === 'and' ? (one) => left(one) && right(one) : (one) => left(one) || right(one)
    }
    case 'not': {
      const test = compile(filter.filter, locate)
      return (one) => !test(one)
    }
    case 'present': {
      const { read, sub } = locate(filter.path)
      return (one) => partsOf(read(one), sub).some(isPresent)
    }
    case 'valued': {
      const { read, attribute } = locate(filter.path)
      const test = entryTest(attribute, filter.filter)
      return (one) => {
        const value = read(one)
        return Array.isArray(value) && value.some(test)
      }
    }
    case 'compared': {
      const { read, attribute, sub } = locate(filter.path)
      const { path, operator, value: wanted } = filter
      if (wanted === null) {
        if (operator !== 'eq' && operator !== 'ne') throw unsupported(path, operator)
        return (one) => partsOf(read(one), sub).some(isPresent) === (operator === 'ne')
      }
      const part = comparedPart(path, attribute, sub)
      const isNegated = operator === 'ne'
      const test = comparison(path, part ?? attribute, isNegated ? 'eq' : operator, wanted)
      return (one) => partsOf(read(one), part).some(test) !== isNegated
    }
  }
}

/** Whether a value of a multi-valued attribute matches the filter in its brackets. Throws 400 `invalidFilter`. */
export const entryTest = (
  attribute: Attribute,
  filter: Filter,
): ((entry: Readonly<Record<string, unknown>>) => boolean) =>
  compile(filter, (path) => {
    const sub = findAttribute(attribute.subAttributes ?? [], path)
    if (!sub) throw unknown(`${attribute.name}.${path}`)
    return { attribute: sub, sub: undefined, read: (entry) => entry[sub.name] }
  })

/** The test of a filter for resources of a type. Throws 400 `invalidFilter` for attributes that they do not have. */
export const filterTest = (type: ResourceType, filter: Filter): Test =>
  compile(filter, (path) => {
    const resolved = resolvePath(type, path)
    if (!resolved) throw unknown(path)
    return { ...resolved, read: (resource) => valueAt(resource, resolved) }
  })
