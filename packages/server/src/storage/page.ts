/**
 * Pages of a list, newest first (DECISIONS B3): by number, which costs more the further one goes, or after a cursor,
 * which costs the same everywhere. Rows are ordered by (created_at, id), both descending, as the indexes are.
 */
import { type SelectQueryBuilder, sql } from 'kysely'
import { ApiError } from '../kernel/api-error.ts'
import type { Db } from './database.ts'

export interface PageRequest {
  readonly page: number
  readonly pageSize: number
  /** The cursor of the last row of the page before; wins over page. */
  readonly after?: string
}

export interface Page<T> {
  readonly items: readonly T[]
  readonly total: number
  /** There are more than `total`. */
  readonly isCapped: boolean
  readonly nextCursor?: string
}

/** The most rows that are counted for Total-Number. */
const COUNT_CAP = 10_000

interface Sorted {
  readonly created_at: Date
  readonly id: string
}

/** The text of a cursor, or nothing when it is not exactly what `encodeCursor` makes (SECURITY R-37). */
export const decodeCursor = (cursor: string): string | undefined => {
  const bytes = Buffer.from(cursor, 'base64url')
  return bytes.toString('base64url') === cursor ? bytes.toString('utf8') : undefined
}
export const encodeCursor = (text: string): string => Buffer.from(text).toString('base64url')

const toCursor = ({ created_at, id }: Sorted): string => encodeCursor(`${created_at.getTime()} ${id}`)

const fromCursor = (cursor: string): Sorted => {
  const [time, id] = decodeCursor(cursor)?.split(' ') ?? []
  const created_at = new Date(Number(time))
  if (!id || !/^\d+$/.test(time ?? '') || Number.isNaN(created_at.getTime()) || !/^[\w.-]+$/.test(id)) {
    throw new ApiError('guard.invalid_pagination', { reason: 'after is not a cursor of this API' })
  }
  return { created_at, id }
}

/**
 * Runs a query as a page.
 * @param query selects the rows with all conditions but no order and no limit; it must select created_at and id
 * @param order the columns behind created_at and id, qualified where the query joins
 */
export const paginate = async <DB, TB extends keyof DB, O extends Sorted>(
  db: Db,
  query: SelectQueryBuilder<DB, TB, O>,
  { page, pageSize, after }: PageRequest,
  order: { readonly createdAt: string; readonly id: string } = { createdAt: 'created_at', id: 'id' },
): Promise<Page<O>> => {
  const [createdAt, id] = [sql.ref(order.createdAt), sql.ref(order.id)]
  let rows = query
    .orderBy(createdAt, 'desc')
    .orderBy(id, 'desc')
    .limit(pageSize + 1)
  if (after) {
    const last = fromCursor(after)
    rows = rows.where(sql<boolean>`(${createdAt}, ${id}) < (${last.created_at}, ${last.id})`)
  } else {
    rows = rows.offset((page - 1) * pageSize)
  }
  const counted = query
    .clearSelect()
    .select(sql<number>`1`.as('one'))
    .limit(COUNT_CAP + 1)
  const [found, counts] = await Promise.all([
    rows.execute(),
    sql<{ count: number }>`SELECT count(*) AS count FROM (${counted}) AS counted`.execute(db),
  ])
  const items = found.slice(0, pageSize)
  const last = items.at(-1)
  const total = counts.rows[0]?.count ?? 0
  return {
    items,
    total: Math.min(total, COUNT_CAP),
    isCapped: total > COUNT_CAP,
    ...(found.length > pageSize && last ? { nextCursor: toCursor(last) } : {}),
  }
}

/** The page of a list that has no rows. Throws 400 as any page does for what is no cursor. */
export const emptyPage = ({ after }: PageRequest): Page<never> => {
  if (after) fromCursor(after)
  return { items: [], total: 0, isCapped: false }
}

/** The same page with each item in another form. */
export const mapPage = <T, U>({ items, ...rest }: Page<T>, form: (item: T) => U): Page<U> => ({
  ...rest,
  items: items.map(form),
})
