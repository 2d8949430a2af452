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
const BATCH = 1000

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

/** Everything that matches. Throws 400 `tooMany`. */
const search = async <R>(source: Source<R>, filter: Filter): Promise<R[]> => {
  const matches = filterTest(source.type, filter)
  const equalities = equalitiesOf(source.type, filter)
  assertSearchable(source, filter, equalities)
  const found: R[] = []
  let after: Position | undefined
  for (let tested = 0; ; tested += BATCH) {
    const rows = await source.read(equalities, BATCH, after ? { after } : {})
    if (tested >= MOST_TESTED && rows.length > 0)
      throw refused('tooMany', `The filter would be tested on more than ${MOST_TESTED} resources; add an equality.`)
    for (const row of rows) if (matches(source.show(row))) found.push(row)
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return found
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
const sliceOf = <R>({ position }: Source<R>, all: readonly R[], request: ListRequest): Slice<R> => {
  const { cursor, startIndex, count } = request
  const after = cursor?.after
  const rest = cursor
    ? all.filter((row) => after === undefined || isBehind(position(row), after))
    : all.slice(startIndex - 1)
  return { total: all.length, rows: rest.slice(0, count), isMore: rest.length > count }
}

const pageOf = async <R>(source: Source<R>, { cursor, startIndex, count }: ListRequest): Promise<Slice<R>> => {
  const start = cursor ? (cursor.after ? { after: cursor.after } : {}) : { offset: startIndex - 1 }
  const [total, rows] = await Promise.all([source.count(), count === 0 ? [] : source.read([], count + 1, start)])
  return { total, rows: rows.slice(0, count), isMore: rows.length > count }
}

/** The response to a list. Throws 400. */
export const listAnswer = async <R>(source: Source<R>, request: ListRequest): Promise<Answer> => {
  const { filter, projection, cursor, startIndex } = request
  const { total, rows, isMore } = filter
    ? sliceOf(source, await search(source, filter), request)
    : await pageOf(source, request)
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

/** What of one type of resource a search over all of them finds; nothing where it asks for what the type does not have. */
export const searchIn =
  <R>(source: Source<R>) =>
  async (filter: Filter | undefined, projection: Projection): Promise<ScimError | (() => Promise<Resource>)[]> => {
    const rows = await search(source, filter ?? EVERYTHING).catch((error: unknown) => {
      if (error instanceof ScimError && error.scimType === 'invalidFilter') return error
      throw error
    })
    if (rows instanceof ScimError) return rows
    return rows.map((row) => async () => {
      const [shown = row] = source.complete ? await source.complete([row], projection) : [row]
      return project(source.type, source.show(shown), projection)
    })
  }

const EVERYTHING: Filter = { is: 'present', path: 'id' }

/**
 * The answer to a search over several types of resources (RFC 7644 section 3.4.2.1), by index only. Throws 400, `invalidFilter`
 * where no type has what the filter names.
 */
export const searchAnswer = async (
  sources: readonly ReturnType<typeof searchIn>[],
  { filter, projection, startIndex, count }: ListRequest,
): Promise<Answer> => {
  const found = await Promise.all(sources.map((searchOne) => searchOne(filter, projection)))
  const [first] = found
  if (first instanceof ScimError && found.every((one) => one instanceof ScimError)) throw first
  const all = found.flatMap((one) => (one instanceof ScimError ? [] : one))
  const page = all.slice(startIndex - 1, startIndex - 1 + count)
  return scimAnswer(200, {
    schemas: [SCHEMA],
    totalResults: all.length,
    itemsPerPage: page.length,
    startIndex,
    Resources: await Promise.all(page.map((show) => show())),
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
