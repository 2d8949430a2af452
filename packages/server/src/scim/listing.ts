/**
 * Lists of resources: pages by index or by cursor straight from the database, and filters. The part of a filter that
 * an index answers is looked up there; the rest is tested on the results, whose number is limited.
 */
import type { Answer } from '../http/exchange.ts'
import { scimAnswer } from './endpoint.ts'
import { refused, ScimError } from './errors.ts'
import { type Filter, pathsOf } from './filter.ts'
import { type Equality, equalitiesOf } from './indexed-filter.ts'
import { cursorOf, type ListRequest, type Position } from './list-request.ts'
import { filterTest } from './match.ts'
import { resolvePath } from './paths.ts'
import { type Projection, project } from './projection.ts'
import type { Resource } from './read-resource.ts'
import type { ResourceType } from './schemas.ts'

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** How many resources a filter may be tested on after the indexes; more are 400 `tooMany`. */
const MOST_TESTED = 10_000
/** How many of them are in memory at a time. */
const BATCH = 200

/** Where resources of a type come from. */
export interface Source<R> {
  readonly type: ResourceType
  /** Rows that satisfy the equalities answered by an index, in the order of the list. */
  readonly read: (
    equalities: readonly Equality[],
    limit: number,
    start: { readonly offset?: number; readonly after?: Position },
  ) => Promise<R[]>
  readonly count: () => Promise<number>
  /** Reads additional data of the rows in a response; absent: none. */
  readonly complete?: (rows: readonly R[], projection: Projection) => Promise<R[]>
  /** An attribute that filters may only compare with one whole value, because rows do not contain it otherwise. */
  readonly unsearchable?: { readonly attribute: string; readonly unless: string; readonly refuse: () => Error }
  readonly show: (row: R) => Resource
  readonly position: (row: R) => Position
}

const assertSearchable = <R>(
  { type, unsearchable }: Source<R>,
  filter: Filter,
  equalities: readonly Equality[],
): void => {
  if (!unsearchable || equalities.some(({ path }) => path === unsearchable.unless)) return
  if (pathsOf(filter).some((path) => resolvePath(type, path)?.attribute.name === unsearchable.attribute))
    throw unsearchable.refuse()
}

/** The part of all matches that is kept. */
interface Part<R> {
  /** Whether a match precedes the part. @param place among all matches, from 0 */
  readonly isEarlier: (row: R, place: number) => boolean
  readonly most: number
}

/** Counts everything that matches, and returns the part of it. Throws 400 `tooMany`. */
const search = async <R>(
  source: Source<R>,
  filter: Filter,
  { isEarlier, most }: Part<R>,
): Promise<{ total: number; kept: R[] }> => {
  const matches = filterTest(source.type, filter)
  const equalities = equalitiesOf(source.type, filter)
  assertSearchable(source, filter, equalities)
  const kept: R[] = []
  let total = 0
  let after: Position | undefined
  for (let tested = 0; ; tested += BATCH) {
    const rows = await source.read(equalities, BATCH, after ? { after } : {})
    if (tested >= MOST_TESTED && rows.length > 0)
      throw refused('tooMany', `The filter would be tested on more than ${MOST_TESTED} resources; add an equality.`)
    for (const row of rows) {
      if (!matches(source.show(row))) continue
      if (kept.length < most && !isEarlier(row, total)) kept.push(row)
      total += 1
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return { total, kept }
    after = source.position(last)
  }
}

interface Slice<R> {
  readonly total: number
  readonly rows: readonly R[]
  /** Whether there are more after them. */
  readonly isMore: boolean
}

const isBehind = (a: Position, b: Position): boolean => {
  const [earlier, later] = [b.createdAt.getTime(), a.createdAt.getTime()]
  return later > earlier || (later === earlier && a.id > b.id)
}

/** The requested part of all matches. */
const sliceOf = async <R>(source: Source<R>, filter: Filter, request: ListRequest): Promise<Slice<R>> => {
  const { cursor, startIndex, count } = request
  const after = cursor?.after
  const isEarlier = (row: R, place: number): boolean =>
    cursor ? after !== undefined && !isBehind(source.position(row), after) : place < startIndex - 1
  // one more tells whether there are more
  const { total, kept } = await search(source, filter, { isEarlier, most: count + 1 })
  return { total, rows: kept.slice(0, count), isMore: kept.length > count }
}

const pageOf = async <R>(source: Source<R>, { cursor, startIndex, count }: ListRequest): Promise<Slice<R>> => {
  const start = cursor ? (cursor.after ? { after: cursor.after } : {}) : { offset: startIndex - 1 }
  const [total, rows] = await Promise.all([source.count(), count === 0 ? [] : source.read([], count + 1, start)])
  return { total, rows: rows.slice(0, count), isMore: rows.length > count }
}

/** The response to a list. Throws 400. */
export const listAnswer = async <R>(source: Source<R>, request: ListRequest): Promise<Answer> => {
  const { filter, projection, cursor, startIndex } = request
  const { total, rows, isMore } = filter ? await sliceOf(source, filter, request) : await pageOf(source, request)
  const shown = source.complete ? await source.complete(rows, projection) : rows
  const last = rows.at(-1)
  return scimAnswer(200, {
    schemas: [SCHEMA],
    totalResults: total,
    itemsPerPage: rows.length,
    ...(cursor ? {} : { startIndex }),
    ...(cursor && isMore && last ? { nextCursor: cursorOf(source.position(last)) } : {}),
    Resources: shown.map((row) => project(source.type, source.show(row), projection)),
  })
}

interface Found {
  readonly total: number
  readonly resources: readonly Resource[]
}

/**
 * What of one type of resource a search over all of them finds: the matches from this place on, at most this many. The
 * error if it asks for what the type does not have.
 */
export const searchIn =
  <R>(source: Source<R>) =>
  async ({ filter, projection }: ListRequest, from: number, most: number): Promise<ScimError | Found> => {
    const isEarlier = (_row: R, place: number): boolean => place < from
    const found = await search(source, filter ?? EVERYTHING, { isEarlier, most }).catch((error: unknown) => {
      if (error instanceof ScimError && error.scimType === 'invalidFilter') return error
      throw error
    })
    if (found instanceof ScimError) return found
    const shown = source.complete ? await source.complete(found.kept, projection) : found.kept
    return {
      total: found.total,
      resources: shown.map((row) => project(source.type, source.show(row), projection)),
    }
  }

const EVERYTHING: Filter = { is: 'present', path: 'id' }

/**
 * The answer to a search over several types of resources (RFC 7644 section 3.4.2.1), by index only. Throws 400, `invalidFilter`
 * where no type has what the filter names.
 */
export const searchAnswer = async (
  sources: readonly ReturnType<typeof searchIn>[],
  request: ListRequest,
): Promise<Answer> => {
  const { startIndex, count } = request
  const resources: Resource[] = []
  const refusals: ScimError[] = []
  let total = 0
  for (const searchOne of sources) {
    const found = await searchOne(request, Math.max(0, startIndex - 1 - total), count - resources.length)
    if (found instanceof ScimError) refusals.push(found)
    else {
      total += found.total
      resources.push(...found.resources)
    }
  }
  const [refusal] = refusals
  if (refusal && refusals.length === sources.length) throw refusal
  return scimAnswer(200, {
    schemas: [SCHEMA],
    totalResults: total,
    itemsPerPage: resources.length,
    startIndex,
    Resources: resources,
  })
}

/** The response with whole resources that need no database: schemas and resource types, without pages and filters. */
export const wholeList = (resources: readonly Resource[]): Answer =>
  scimAnswer(200, {
    schemas: [SCHEMA],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  })
