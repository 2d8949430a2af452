/**
 * The end of the audit log, followed as it grows: each entry once, in the order in which transactions made them visible, which
 * is not the order of their times. A cursor is a snapshot of PostgreSQL: what it does not contain is new.
 *
 * While requests wait, one statement for each tenant looks for new entries at intervals, however many wait.
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { decodeCursor, encodeCursor } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { type AuditEntry, type AuditFilter, matchingEntries } from './audit-entries.ts'

/** The entries since a cursor, oldest first, and the cursor behind them. */
export interface Tail {
  readonly entries: readonly AuditEntry[]
  readonly cursor: string
  /** There were more: the oldest of them are left out. */
  readonly isCut: boolean
}

export interface LogTail {
  /**
   * What is new since the cursor, at once if there is any, otherwise as soon as there is, at the latest after so many seconds.
   * Without a cursor: nothing, with the cursor of now. Throws 400 for what is no cursor, 503 when too many wait.
   * @param signal ends the waiting
   */
  follow(
    tenant: Tenant,
    filter: AuditFilter,
    since: string | undefined,
    seconds: number,
    signal: AbortSignal,
  ): Promise<Tail>
  /** Answers all who wait. */
  close(): void
}

/** The most entries in an answer. */
const MOST = 200
/** No transaction that writes an entry lasts longer than this after the moment that the entry has. */
const LONGEST_UNIT_MS = 30_000
const INTERVAL_MS = 500
const MOST_WAITING = 100
const MOST_OF_TENANT = 20

interface Position {
  readonly time: number
  readonly snapshot: string
}

/** The transactions of a snapshot are ascending, and lie between its first and its last. */
const isSnapshot = (text: string): boolean => {
  if (!/^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/.test(text)) return false
  const [first = '', last = '', running = ''] = text.split(':')
  const ids = running === '' ? [] : running.split(',').map(BigInt)
  const [from, to] = [BigInt(first), BigInt(last)]
  return from > 0n && from <= to && ids.every((id, index) => id >= (ids[index - 1] ?? from) && id < to)
}

const positionOf = (cursor: string): Position => {
  const [time = '', snapshot = ''] = decodeCursor(cursor)?.split(' ') ?? []
  if (!/^\d{1,15}$/.test(time) || !isSnapshot(snapshot))
    throw new ApiError('guard.invalid_pagination', { reason: 'since is not a cursor of this API' })
  return { time: Number(time), snapshot }
}

/** The transaction that wrote a row, as snapshots name it: the row has half of its number. */
const WRITER = sql`(
  SELECT CASE WHEN x > last THEN x - 4294967296 ELSE x END::text::xid8
  FROM (SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS last) s,
    LATERAL (SELECT (last / 4294967296) * 4294967296 + audit_log.xmin::text::bigint AS x) w)`

type Found = AuditEntry & { readonly snapshot: string }

const read = async (store: Store, { id }: Tenant, filter: AuditFilter, since: Position | undefined): Promise<Tail> => {
  await store.audit.flush()
  const db = store.database.kysely
  const now = store.clock.now().getTime()
  const from = new Date((since?.time ?? now) - LONGEST_UNIT_MS)
  const rows = matchingEntries(db, id, { ...filter, from, until: undefined })
    .where(
      since ? sql<boolean>`NOT pg_visible_in_snapshot(${WRITER}, ${since.snapshot}::pg_snapshot)` : sql<boolean>`false`,
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST + 1)
  const { rows: found } = await sql<Found>`
    SELECT s.snapshot, e.* FROM (SELECT pg_current_snapshot()::text AS snapshot) s LEFT JOIN LATERAL (${rows}) e ON true`.execute(
    db,
  )
  const entries = found.filter((row) => row.id !== null)
  const cursor = encodeCursor(`${now} ${found[0]?.snapshot}`)
  return { entries: entries.slice(0, MOST).reverse(), cursor, isCut: entries.length > MOST }
}

interface Waiter {
  readonly tenant: Tenant
  readonly wake: () => void
}

/** @param store whose log is followed */
export const createLogTail = (store: Store): LogTail => {
  const waiters = new Set<Waiter>()
  /** By tenant: up to where the log has been looked at. */
  const looked = new Map<string, string>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const look = async (): Promise<void> => {
    for (const tenant of new Map([...waiters].map((each) => [each.tenant.id, each.tenant])).values()) {
      const { cursor, entries } = await read(store, tenant, {}, positionOf(looked.get(tenant.id) ?? ''))
      looked.set(tenant.id, cursor)
      if (entries.length > 0) for (const each of waiters) if (each.tenant.id === tenant.id) each.wake()
    }
  }
  const schedule = () => {
    if (timer || waiters.size === 0) return
    timer = setTimeout(() => {
      look()
        .catch((error: unknown) => store.log.warn({ err: error }, 'the audit log could not be followed'))
        .finally(() => {
          timer = undefined
          schedule()
        })
    }, INTERVAL_MS)
    timer.unref()
  }
  /** Resolves when there may be something new, or it is over. */
  const woken = (tenant: Tenant, cursor: string, ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const waiter = { tenant, wake: () => done() }
      const over = setTimeout(() => done(), ms)
      const done = () => {
        clearTimeout(over)
        signal.removeEventListener('abort', done)
        waiters.delete(waiter)
        if (![...waiters].some((each) => each.tenant.id === tenant.id)) looked.delete(tenant.id)
        resolve()
      }
      waiters.add(waiter)
      signal.addEventListener('abort', done)
      // of several who wait, the one that begins looks no earlier than the others have
      if (!looked.has(tenant.id)) looked.set(tenant.id, cursor)
      schedule()
    })
  const assertPlace = ({ id }: Tenant): void => {
    const ofTenant = [...waiters].filter(({ tenant }) => tenant.id === id).length
    if (waiters.size >= MOST_WAITING || ofTenant >= MOST_OF_TENANT)
      throw new ApiError('request.unavailable', { reason: 'too many requests wait for the log; ask without waiting' })
  }

  return {
    async follow(tenant, filter, since, seconds, signal) {
      const end = performance.now() + seconds * 1000
      let position = since === undefined ? undefined : positionOf(since)
      for (;;) {
        const tail = await read(store, tenant, filter, position)
        const left = end - performance.now()
        if (!position || tail.entries.length > 0 || left <= 0 || isClosed || signal.aborted) return tail
        assertPlace(tenant)
        await woken(tenant, tail.cursor, left, signal)
        position = positionOf(tail.cursor)
      }
    },
    close() {
      isClosed = true
      for (const { wake } of [...waiters]) wake()
      clearTimeout(timer)
    },
  }
}
