/**
 * Lists of resources: pages by index or by cursor straight from the database, and filters. What a filter says that an index
 * answers is looked up there; the rest is tested on what that leaves, of which there may be only so much.
 */
import type { Answer } from '../http/exchange.ts'
import { scimAnswer } from './endpoint.ts'
import { refused } from './errors.ts'
import type { Filter } from './filter.ts'
import { type Equality, equalitiesOf } from './indexed-filter.ts'
import { cursorOf, type ListRequest, type Position } from './list-request.ts'
import { filterTest } from './match.ts'
import { project } from './projection.ts'
import type { Resource } from './read-resource.ts'
import type { ResourceType } from './schemas.ts'

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** How many resources a filter may be tested on beside its indexes; more are 400 `tooMany`. */
const MOST_TESTED = 10_000
const BATCH = 1000

/** Where resources of a type come from. */
export interface Source<R> {
  readonly type: ResourceType
  /** Rows for which the equalities hold that an index answers, in the order of the list. */
  readonly read: (
    equalities: readonly Equality[],
    limit: number,
    start: { readonly offset?: number; readonly after?: Position },
  ) => Promise<R[]>
  readonly count: () => Promise<number>
  readonly show: (row: R) => Resource
  readonly position: (row: R) => Position
}

interface Found {
  readonly resource: Resource
  readonly position: Position
}

/** Everything that matches. Throws 400 `tooMany`. */
const search = async <R>(source: Source<R>, filter: Filter): Promise<Found[]> => {
  const matches = filterTest(source.type, filter)
  const equalities = equalitiesOf(source.type, filter)
  const found: Found[] = []
  let after: Position | undefined
  for (let tested = 0; ; tested += BATCH) {
    const rows = await source.read(equalities, BATCH, after ? { after } : {})
    if (tested >= MOST_TESTED && rows.length > 0)
      throw refused('tooMany', `The filter would be tested on more than ${MOST_TESTED} resources; add an equality.`)
    for (const row of rows) {
      const resource = source.show(row)
      if (matches(resource)) found.push({ resource, position: source.position(row) })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return found
    after = source.position(last)
  }
}

interface Slice {
  readonly total: number
  readonly items: readonly Found[]
  /** There are more behind them. */
  readonly isMore: boolean
}

const isBehind = (a: Position, b: Position): boolean => {
  const [earlier, later] = [b.createdAt.getTime(), a.createdAt.getTime()]
  return later > earlier || (later === earlier && a.id > b.id)
}

/** The part of all matches that a request asks for. */
const sliceOf = (all: readonly Found[], { cursor, startIndex, count }: ListRequest): Slice => {
  const after = cursor?.after
  const rest = cursor
    ? all.filter(({ position }) => after === undefined || isBehind(position, after))
    : all.slice(startIndex - 1)
  return { total: all.length, items: rest.slice(0, count), isMore: rest.length > count }
}

const pageOf = async <R>(source: Source<R>, { cursor, startIndex, count }: ListRequest): Promise<Slice> => {
  const start = cursor ? (cursor.after ? { after: cursor.after } : {}) : { offset: startIndex - 1 }
  const [total, rows] = await Promise.all([source.count(), count === 0 ? [] : source.read([], count + 1, start)])
  const items = rows.slice(0, count).map((row) => ({ resource: source.show(row), position: source.position(row) }))
  return { total, items, isMore: rows.length > count }
}

const answerOf = (
  { total, items, isMore }: Slice,
  { cursor, startIndex }: ListRequest,
  resources: readonly Resource[],
) => {
  const last = items.at(-1)
  return scimAnswer(200, {
    schemas: [SCHEMA],
    totalResults: total,
    itemsPerPage: items.length,
    ...(cursor ? {} : { startIndex }),
    ...(cursor && isMore && last ? { nextCursor: cursorOf(last.position) } : {}),
    Resources: resources,
  })
}

/** The answer to a list. Throws 400. */
export const listAnswer = async <R>(source: Source<R>, request: ListRequest): Promise<Answer> => {
  const { filter, projection } = request
  const slice = filter ? sliceOf(await search(source, filter), request) : await pageOf(source, request)
  return answerOf(
    slice,
    request,
    slice.items.map(({ resource }) => project(source.type, resource, projection)),
  )
}

/** The answer with whole resources that need no database: schemas and resource types, which know neither pages nor filters. */
export const wholeList = (resources: readonly Resource[]): Answer =>
  scimAnswer(200, {
    schemas: [SCHEMA],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  })
