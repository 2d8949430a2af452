/**
 * Pages of a list, newest first (DECISIONS B3): by number, which costs more on later pages, or on either side of a
 * cursor, which costs the same everywhere. Rows are ordered by (created_at, id), both descending, as the indexes are.
 */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { ApiError } from '../kernel/api-error.ts'
import type { Db } from './database.ts'
import type { Store } from './store.ts'

export interface PageRequest {
  readonly page: number
  readonly pageSize: number
  /** The cursor of the last row of the previous page; takes precedence over page. */
  readonly after?: string
  /** The cursor of the first row of the next page, or `END`; takes precedence over both. */
  readonly before?: string
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  /** There are more than `total`. */
  readonly isCapped: boolean
  readonly nextCursor?: string
  /** For a page next to a cursor: for `before`. */
  readonly previousCursor?: string
}

/** The most rows that are counted for Total-Number. */
export const COUNT_CAP = 10_000
/** From this many rows to skip, the beginning of the page is looked up in the index alone. */
const FAR = 1000
/** The most rows in the order of the list that are looked at for a search with more results than are counted. */
const WALKED = 20_000

interface Sorted {
  readonly created_at: Date
  readonly id: string
}

/** A search as two steps: the rows of the list, and those of some rows that it finds. */
interface Walk<DB, TB extends keyof DB, O extends Sorted> {
  readonly list: SelectQueryBuilder<DB, TB, O>
  readonly search: (rows: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, O>
}

/** How a list is read. */
interface Reading<DB, TB extends keyof DB, O extends Sorted> {
  /** The columns behind created_at and id, qualified where the query joins. */
  readonly createdAt?: string
  readonly id?: string
  /**
   * An index in this order answers all conditions: rows are counted along it from the oldest, and not wherever the
   * table is currently being read, which for a table larger than memory is another place each time.
   */
  readonly isIndexed?: boolean
  /**
   * The conditions have their own indexes: rows are looked up there first and then sorted, unless there are more than
   * are counted. Left to itself, PostgreSQL would sometimes walk through the whole list until a page is full.
   */
  readonly isSearch?: boolean
  /**
   * For a search with more results than are counted: they are likely to be near, so that a walk of bounded length along the list
   * fills the page; to sort all of them takes seconds where a million are found.
   */
  readonly walk?: Walk<DB, TB, O> | undefined
  /** Gives the total, by counting or from memory; without it, it is counted each time. */
  readonly total?: Total
}
type Total = (count: (db: Db) => Promise<number>) => Promise<number>

/** The total of a list of configuration, counted when something with this tag has changed. */
export const keptTotal =
  ({ cache, database }: Store, tenantId: string, tag: string): Total =>
  (count) =>
    cache.get(tenantId, `total:${tag}`, async () => ({ value: await count(database.configuration), tags: [tag] }))

/** The content of a cursor, or nothing if it is not exactly what `encodeCursor` produces (SECURITY R-37). */
export const decodeCursor = (cursor: string): string | undefined => {
  const bytes = Buffer.from(cursor, 'base64url')
  return bytes.toString('base64url') === cursor ? bytes.toString('utf8') : undefined
}
export const encodeCursor = (text: string): string => Buffer.from(text).toString('base64url')

/** The cursor behind the last row: what is before it is the last page. */
export const END = encodeCursor('end')

const toCursor = ({ created_at, id }: Sorted): string => encodeCursor(`${created_at.getTime()} ${id}`)

const fromCursor = (cursor: string): Sorted => {
  const [time, id] = decodeCursor(cursor)?.split(' ') ?? []
  const created_at = new Date(Number(time))
  if (!id || !/^\d+$/.test(time ?? '') || Number.isNaN(created_at.getTime()) || !/^[\w.-]+$/.test(id)) {
    throw new ApiError('guard.invalid_pagination', { reason: 'after or before is not a cursor of this API' })
  }
  return { created_at, id }
}

interface Columns {
  readonly createdAt: RawBuilder<Date>
  readonly id: RawBuilder<string>
}

const PLAIN: Columns = { createdAt: sql.ref('found.created_at'), id: sql.ref('found.id') }

/**
 * The rows of a page, newest first, and whether there are more in the direction in which they were read.
 * @param total known where it helps: where the page is far down the list
 */
const read = async <DB, TB extends keyof DB, O extends Sorted>(
  query: SelectQueryBuilder<DB, TB, O>,
  { createdAt, id }: Columns,
  { page, pageSize, after, before }: PageRequest,
  total: number | undefined,
): Promise<{ items: O[]; isMore: boolean }> => {
  const keys = sql`(${createdAt}, ${id})`
  const beside = ({ created_at, id: last }: Sorted) => sql`(${created_at}, ${last})`
  const newestFirst = query.orderBy(createdAt, 'desc').orderBy(id, 'desc')
  const oldestFirst = query.orderBy(createdAt, 'asc').orderBy(id, 'asc')
  const upTo = async (rows: SelectQueryBuilder<DB, TB, O>) => {
    const found = await rows.limit(pageSize + 1).execute()
    return { items: found.slice(0, pageSize), isMore: found.length > pageSize }
  }
  if (before) {
    const rows = before === END ? oldestFirst : oldestFirst.where(sql<boolean>`${keys} > ${beside(fromCursor(before))}`)
    const { items, isMore } = await upTo(rows)
    return { items: items.reverse(), isMore }
  }
  if (after) return upTo(newestFirst.where(sql<boolean>`${keys} < ${beside(fromCursor(after))}`))
  const skipped = (page - 1) * pageSize
  if (total === undefined || skipped < FAR) return upTo(newestFirst.offset(skipped))
  if (total > COUNT_CAP) {
    // the start of the page is found in the index alone; skipping whole rows would read them
    const first = newestFirst
      .clearSelect()
      .select([createdAt.as('created_at'), id.as('id')])
      .offset(skipped)
      .limit(1)
    return upTo(newestFirst.where(sql<boolean>`${keys} <= (${first})`))
  }
  const rest = total - skipped
  if (rest > skipped) return upTo(newestFirst.offset(skipped))
  // nearer to the end
  const items = await oldestFirst
    .offset(Math.max(0, rest - pageSize))
    .limit(Math.max(0, Math.min(pageSize, rest)))
    .execute()
  return { items: items.reverse(), isMore: rest > pageSize }
}

/** A page whose rows, and one more, a walk of bounded length finds; undefined: it does not find as many. */
const readNear = async <DB, TB extends keyof DB, O extends Sorted>(
  { list, search }: Walk<DB, TB, O>,
  { createdAt, id }: Columns,
  { page, pageSize, after }: PageRequest,
): Promise<{ items: O[]; isMore: boolean } | undefined> => {
  const newestFirst = (rows: SelectQueryBuilder<DB, TB, O>) => rows.orderBy(createdAt, 'desc').orderBy(id, 'desc')
  const cursor = after === undefined ? undefined : fromCursor(after)
  const rest = cursor ? list.where(sql<boolean>`(${createdAt}, ${id}) < (${cursor.created_at}, ${cursor.id})`) : list
  const found = await newestFirst(search(newestFirst(rest).limit(WALKED)))
    .offset(cursor ? 0 : (page - 1) * pageSize)
    .limit(pageSize + 1)
    .execute()
  return found.length > pageSize ? { items: found.slice(0, pageSize), isMore: true } : undefined
}

/**
 * Runs a query as a page.
 * @param query selects the rows with all conditions but no order and no limit; it must select created_at and id
 */
export const paginate = async <DB, TB extends keyof DB, O extends Sorted>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, O>,
  request: PageRequest,
  reading: Reading<DB, TB, O> = {},
): Promise<Page<O>> => {
  const columns: Columns = { createdAt: sql.ref(reading.createdAt ?? 'created_at'), id: sql.ref(reading.id ?? 'id') }
  const { page, pageSize, after, before } = request
  // without the id, which not every such index holds: so it is answered from the index alone
  const counted = (reading.isIndexed ? query.orderBy(columns.createdAt, 'asc') : query)
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    .limit(COUNT_CAP + 1)
  const count = async (on: Db): Promise<number> => {
    const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM (${counted}) AS counted`.execute(on)
    return rows[0]?.count ?? 0
  }
  const counting = reading.total ? reading.total(count) : count(db)
  const isFar = !after && !before && (page - 1) * pageSize >= FAR
  const known = reading.isSearch || isFar ? await counting : undefined
  const isFew = reading.isSearch && known !== undefined && known <= COUNT_CAP
  const isNear = reading.isSearch && !isFew && !isFar && !before
  const near = isNear && reading.walk ? await readNear(reading.walk, columns, request) : undefined
  const reader =
    near ??
    (isFew
      ? // OFFSET 0 separates the search from the ordering
        read(db.selectFrom(query.offset(0).as('found')).selectAll(), PLAIN, request, known)
      : read(query, columns, request, known))
  const [total, { items, isMore }] = await Promise.all([counting, reader])
  return {
    items: items as O[],
    total: Math.min(total, COUNT_CAP),
    isCapped: total > COUNT_CAP,
    ...cursorsOf(items, isMore, { after, before }),
  }
}

/** @param isMore whether there are rows beyond the page, in the direction in which it was read */
const cursorsOf = (
  items: readonly Sorted[],
  isMore: boolean,
  { after, before }: { after: string | undefined; before: string | undefined },
) => {
  const [first, last] = [items[0], items.at(-1)]
  const hasNext = before ? before !== END : isMore
  const hasPrevious = before ? isMore : after
  return {
    ...(hasNext && last ? { nextCursor: toCursor(last) } : {}),
    ...(hasPrevious && first ? { previousCursor: toCursor(first) } : {}),
  }
}

/** The page of a list without rows. Throws 400 for an invalid cursor, like any page. */
export const emptyPage = ({ after, before }: PageRequest): Page<never> => {
  if (after) fromCursor(after)
  if (before && before !== END) fromCursor(before)
  return { items: [], total: 0, isCapped: false }
}

/** The same page with each item in another form. */
export const mapPage = <T, U>({ items, ...rest }: Page<T>, form: (item: T) => U): Page<U> => ({
  ...rest,
  items: items.map(form),
})
