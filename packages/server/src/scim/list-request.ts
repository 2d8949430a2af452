/** The parameters of a list or a search (RFC 7644 section 3.4, RFC 9865): from the query or the body of `/.search`. */
import { decodeCursor, encodeCursor } from '../storage/page.ts'
import type { ScimCall } from './endpoint.ts'
import { refused } from './errors.ts'
import { type Filter, parseFilter } from './filter.ts'
import { type Projection, readProjection } from './projection.ts'
import { isObject } from './read-resource.ts'
import { type Edge, readSort, type Sort, type SortKey } from './sorting.ts'

/** The most resources in a response; published in `/ServiceProviderConfig`. */
export const MOST_RESULTS = 200
export const DEFAULT_RESULTS = 100

export interface ListRequest {
  readonly filter: Filter | undefined
  /** Undefined: in the order of creation. */
  readonly sort: Sort | undefined
  readonly projection: Projection
  readonly count: number
  /** 1 is the first. */
  readonly startIndex: number
  /** By cursor: on one side of a row, or from the first. Undefined: by index. */
  readonly cursor: { readonly edge: Edge | undefined } | undefined
}

type Sent = (name: string) => string | undefined

const integer = (text: string | undefined, name: string, instead: number): number => {
  if (text === undefined) return instead
  const value = Number(text)
  if (!/^-?\d{1,9}$/.test(text))
    throw refused(name === 'count' ? 'invalidCount' : 'invalidValue', `${name} must be a number.`)
  return value
}

const SIDES = { '>': 'after', '<': 'before' } as const

/** A cursor for the rows on one side of a row. */
export const cursorOf = ({ side, position: { createdAt, id, key } }: Edge): string => {
  const sorted = key === undefined ? '' : ` ${JSON.stringify(key)}`
  return encodeCursor(`${side === 'after' ? '>' : '<'}${createdAt.getTime()} ${id}${sorted}`)
}

const keyOf = (text: string | undefined): SortKey | undefined => {
  if (text === undefined) return undefined
  try {
    const key: unknown = JSON.parse(text)
    return typeof key === 'string' || typeof key === 'number' ? key : undefined
  } catch {
    return undefined
  }
}

/** The edge that a cursor names. It is not signed: it can say nothing but where a list of the same directory begins. */
const edgeOf = (cursor: string): Edge => {
  const [, sign = '', time = '', id = '', rest] =
    /^([<>])(\d{1,15}) ([0-9a-z]+)(?: (.*))?$/s.exec(decodeCursor(cursor) ?? '') ?? []
  const createdAt = new Date(Number(time))
  const key = keyOf(rest)
  if (id === '' || Number.isNaN(createdAt.getTime()) || (rest === undefined) !== (key === undefined))
    throw refused('invalidCursor', 'The cursor was not issued by this server.')
  const side = SIDES[sign as keyof typeof SIDES]
  return { side, position: { createdAt, id, ...(key === undefined ? {} : { key }) } }
}

const readList = (sent: Sent, projection: Projection): ListRequest => {
  const [filter, cursor] = [sent('filter'), sent('cursor')]
  return {
    sort: readSort(sent('sortBy'), sent('sortOrder')),
    filter: filter === undefined || filter.trim() === '' ? undefined : parseFilter(filter),
    projection,
    count: Math.min(MOST_RESULTS, Math.max(0, integer(sent('count'), 'count', DEFAULT_RESULTS))),
    startIndex: Math.max(1, integer(sent('startIndex'), 'startIndex', 1)),
    cursor: cursor === undefined ? undefined : { edge: cursor === '' ? undefined : edgeOf(cursor) },
  }
}

const onlyOne = (values: readonly string[] = [], name: string): string | undefined => {
  if (values.length > 1) throw refused('invalidSyntax', `${name} is repeated.`)
  return values[0]
}

/** `attributes` and `excludedAttributes` of the query. Throws 400. */
export const projectionOf = ({ parameters }: ScimCall): Projection => {
  const names = (name: string) => (onlyOne(parameters.get(name), name) ?? '').split(',')
  return readProjection(names('attributes'), names('excludedAttributes'))
}

/** The request of a query. Throws 400. */
export const listRequestOf = (call: ScimCall): ListRequest =>
  readList((name) => onlyOne(call.parameters.get(name), name), projectionOf(call))

const names = (value: unknown, name: string): string[] => {
  if (value === undefined || value === null) return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (!list.every((one) => typeof one === 'string')) throw refused('invalidValue', `${name} must be a list of names.`)
  return list
}

/** The request in the body of `/.search` (RFC 7644 section 3.4.3). Throws 400. */
export const searchRequestOf = ({ body }: ScimCall): ListRequest => {
  if (!isObject(body)) throw refused('invalidSyntax', 'The body must be an object.')
  const text: Sent = (name) => {
    const value = body[name]
    if (value === undefined || value === null) return undefined
    if (typeof value !== 'string' && typeof value !== 'number') throw refused('invalidValue', `${name} is not valid.`)
    return String(value)
  }
  const { attributes, excludedAttributes } = body
  return readList(
    text,
    readProjection(names(attributes, 'attributes'), names(excludedAttributes, 'excludedAttributes')),
  )
}
