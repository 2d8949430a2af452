/**
 * Lists of resources: pages by index or by cursor straight from the database; filters and other orders in the process. The
 * part of a filter that an index answers is looked up there; the rest is tested on the results, whose number is limited.
 */
import type { Answer } from '../http/exchange.ts'
import { scimAnswer } from './endpoint.ts'
import { refused, ScimError } from './errors.ts'
import { type Filter, pathsOf } from './filter.ts'
import { type Equality, equalitiesOf, onlyEquality } from './indexed-filter.ts'
import { cursorOf, type ListRequest } from './list-request.ts'
import { filterTest } from './match.ts'
import { resolvePath } from './paths.ts'
import { type Projection, project } from './projection.ts'
import type { Resource } from './read-resource.ts'
import type { ResourceType } from './schemas.ts'
import { comparePositions, type Edge, type Position, sortKeyOf } from './sorting.ts'

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

/** How many resources may be read in the process, for a filter after the indexes or for an order; more are 400 `tooMany`. */
const MOST_TESTED = 10_000
/** How many of them are in memory at a time. */
const BATCH = 200

/** Where resources of a type come from. */
export interface Source<R> {
  readonly type: ResourceType
  /** Rows that satisfy the equalities answered by an index, in the order of creation; those nearest to the edge. */
  readonly read: (
    equalities: readonly Equality[],
    limit: number,
    start: { readonly offset?: number; readonly edge?: Edge },
  ) => Promise<R[]>
  /** The rows with these ids that there are, in any order. */
  readonly readByIds: (ids: readonly string[]) => Promise<R[]>
  /** How many satisfy the equalities. @param equalities none, or one to `pagedBy` */
  readonly count: (equalities: readonly Equality[]) => Promise<number>
  /** The attribute to which an equality, alone, may have any number of matches: they are read page by page. */
  readonly pagedBy?: string
  /**
   * Reads additional data of the rows in a response; it may leave out rows where there would be too much.
   * @param isBackwards whether to leave out the first ones, not the last ones
   */
  readonly complete?: (rows: readonly R[], projection: Projection, isBackwards: boolean) => Promise<readonly R[]>
  /** An attribute that filters may only compare with whole values, because rows do not contain it otherwise. */
  readonly unsearchable?: { readonly attribute: string; readonly unless: string; readonly refuse: () => Error }
  readonly show: (row: R) => Resource
  readonly position: (row: R) => Position
}

const assertSearchable = <R>(
  { type, unsearchable }: Source<R>,
  filter: Filter,
  equalities: readonly Equality[],
): void => {
  if (!unsearchable) return
  const named = pathsOf(filter).filter((path) => resolvePath(type, path)?.attribute.name === unsearchable.attribute)
  if (named.length > equalities.filter(({ path }) => path === unsearchable.unless).length) throw unsearchable.refuse()
}

/** All matches in the order of the list. */
interface Matches<R> {
  readonly positions: readonly Position[]
  /** The rows at these positions; one that was deleted meanwhile is missing. */
  readonly rowsAt: (positions: readonly Position[]) => Promise<R[]>
}

/** Finds everything that matches. Throws 400, `tooMany` where too many resources would have to be read. */
const search = async <R>(source: Source<R>, { filter, sort }: ListRequest): Promise<Matches<R>> => {
  const matches = filter ? filterTest(source.type, filter) : () => true
  const equalities = filter ? equalitiesOf(source.type, filter) : []
  if (filter) assertSearchable(source, filter, equalities)
  const keyOf = sort && sortKeyOf(source.type, sort, (name) => name !== source.unsearchable?.attribute)
  const positions: Position[] = []
  // few rows need not be read again
  const held = new Map<string, R>()
  let edge: Edge | undefined
  for (let tested = 0; ; tested += BATCH) {
    const rows = await source.read(equalities, BATCH, edge ? { edge } : {})
    if (tested >= MOST_TESTED && rows.length > 0)
      throw refused(
        'tooMany',
        `The request would read more than ${MOST_TESTED} resources; add an equality to the filter.`,
      )
    for (const row of rows) {
      const shown = source.show(row)
      if (!matches(shown)) continue
      const position = source.position(row)
      const key = keyOf?.(shown)
      positions.push(key === undefined ? position : { ...position, key })
      if (tested === 0) held.set(position.id, row)
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) break
    edge = { side: 'after', position: source.position(last) }
  }
  if (sort) positions.sort(comparePositions(sort))
  const rowsAt = async (wanted: readonly Position[]): Promise<R[]> => {
    const missing = wanted.filter(({ id }) => !held.has(id)).map(({ id }) => id)
    const read = missing.length === 0 ? [] : await source.readByIds(missing)
    const byId = new Map([...held, ...read.map((row): [string, R] => [source.position(row).id, row])])
    return wanted.flatMap(({ id }) => byId.get(id) ?? [])
  }
  return { positions, rowsAt }
}

/** The requested part of a list. */
interface Part<R> {
  readonly total: number
  readonly rows: readonly R[]
  /** Whether there are rows before and after it. */
  readonly hasPrevious: boolean
  readonly hasNext: boolean
  /** The place of a row in the order of the list. */
  readonly positionOf: (row: R) => Position
}

/** Where the requested part of these positions begins and ends. */
const boundsOf = (
  positions: readonly Position[],
  { cursor, startIndex, count, sort }: Pick<ListRequest, 'cursor' | 'startIndex' | 'count' | 'sort'>,
): [number, number] => {
  const edge = cursor?.edge
  if (!edge) return cursor ? [0, count] : [startIndex - 1, startIndex - 1 + count]
  const compare = comparePositions(sort)
  const isAfter = edge.side === 'after'
  const place = positions.findIndex((one) => compare(one, edge.position) > (isAfter ? 0 : -1))
  const border = place < 0 ? positions.length : place
  return isAfter ? [border, border + count] : [Math.max(0, border - count), border]
}

const partOfMatches = async <R>(source: Source<R>, request: ListRequest): Promise<Part<R>> => {
  const { positions, rowsAt } = await search(source, request)
  const [from, to] = boundsOf(positions, request)
  const byId = new Map(positions.slice(from, to).map((position) => [position.id, position]))
  return {
    total: positions.length,
    rows: await rowsAt([...byId.values()]),
    hasPrevious: from > 0,
    hasNext: to < positions.length,
    positionOf: (row) => byId.get(source.position(row).id) ?? source.position(row),
  }
}

/** The equalities that are the whole condition, if pages can be read by them: none without a filter. */
const pageable = <R>({ type, pagedBy }: Source<R>, { filter, sort }: ListRequest): readonly Equality[] | undefined => {
  if (sort) return undefined
  if (!filter) return []
  const only = onlyEquality(type, filter)
  return only && only.path === pagedBy ? [only] : undefined
}

const partOfAll = async <R>(
  source: Source<R>,
  { cursor, startIndex, count }: ListRequest,
  equalities: readonly Equality[],
): Promise<Part<R>> => {
  const edge = cursor?.edge
  const isBefore = edge?.side === 'before'
  const start = cursor ? (edge ? { edge } : {}) : { offset: startIndex - 1 }
  // one more tells whether there are more
  const [total, rows] = await Promise.all([
    source.count(equalities),
    count === 0 ? [] : source.read(equalities, count + 1, start),
  ])
  const isMore = rows.length > count
  return {
    total,
    rows: isMore && isBefore ? rows.slice(1) : rows.slice(0, count),
    hasPrevious: isBefore ? isMore : edge !== undefined,
    hasNext: isBefore || isMore,
    positionOf: source.position,
  }
}

/** The response to a list. Throws 400. */
export const listAnswer = async <R>(source: Source<R>, request: ListRequest): Promise<Answer> => {
  const { projection, cursor, startIndex } = request
  const equalities = pageable(source, request)
  const part = equalities ? await partOfAll(source, request, equalities) : await partOfMatches(source, request)
  const isBackwards = cursor?.edge?.side === 'before'
  const shown = source.complete ? await source.complete(part.rows, projection, isBackwards) : part.rows
  const isCut = shown.length < part.rows.length
  const [first, last] = [shown[0], shown.at(-1)]
  const hasPrevious = part.hasPrevious || (isCut && isBackwards)
  const hasNext = part.hasNext || (isCut && !isBackwards)
  return scimAnswer(200, {
    schemas: [SCHEMA],
    totalResults: part.total,
    itemsPerPage: shown.length,
    ...(cursor ? {} : { startIndex }),
    ...(cursor && hasPrevious && first
      ? { previousCursor: cursorOf({ side: 'before', position: part.positionOf(first) }) }
      : {}),
    ...(cursor && hasNext && last ? { nextCursor: cursorOf({ side: 'after', position: part.positionOf(last) }) } : {}),
    Resources: shown.map((row) => project(source.type, source.show(row), projection)),
  })
}

/** The matches of one type of resource in a search over several, and how to show some of them. */
interface Found {
  readonly positions: readonly Position[]
  readonly show: (positions: readonly Position[]) => Promise<ReadonlyMap<string, Resource>>
}

/** What of one type of resource a search finds. The error if it asks for what the type does not have. */
export const searchIn =
  <R>(source: Source<R>) =>
  async (request: ListRequest): Promise<ScimError | Found> => {
    const found = await search(source, request).catch((error: unknown) => {
      if (error instanceof ScimError && error.scimType !== 'tooMany') return error
      throw error
    })
    if (found instanceof ScimError) return found
    return {
      positions: found.positions,
      async show(positions) {
        const rows = await found.rowsAt(positions)
        const shown = source.complete ? await source.complete(rows, request.projection, false) : rows
        return new Map(
          shown.map((row) => [source.position(row).id, project(source.type, source.show(row), request.projection)]),
        )
      },
    }
  }

/**
 * The answer to a search over several types of resources (RFC 7644 section 3.4.2.1), by index only: one type after the other,
 * unless it is sorted. Throws 400 where no type has what the filter or the order names.
 */
export const searchAnswer = async (
  sources: readonly ReturnType<typeof searchIn>[],
  request: ListRequest,
): Promise<Answer> => {
  const { startIndex, count, sort } = request
  const found: Found[] = []
  const refusals: ScimError[] = []
  for (const searchOne of sources) {
    const result = await searchOne(request)
    if (result instanceof ScimError) refusals.push(result)
    else found.push(result)
  }
  const [refusal] = refusals
  if (refusal && found.length === 0) throw refusal
  const all = found.flatMap(({ positions }, type) => positions.map((position) => ({ type, position })))
  const compare = comparePositions(sort)
  if (sort) all.sort((a, b) => compare(a.position, b.position))
  const part = all.slice(startIndex - 1, startIndex - 1 + count)
  const shown = await Promise.all(
    found.map(({ show }, ofType) => show(part.filter(({ type }) => type === ofType).map(({ position }) => position))),
  )
  const resources = part.map(({ type, position }) => shown[type]?.get(position.id))
  // a page ends where something is left out
  const end = resources.indexOf(undefined)
  const whole = (end < 0 ? resources : resources.slice(0, end)).filter((resource) => resource !== undefined)
  return scimAnswer(200, {
    schemas: [SCHEMA],
    totalResults: all.length,
    itemsPerPage: whole.length,
    startIndex,
    Resources: whole,
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
