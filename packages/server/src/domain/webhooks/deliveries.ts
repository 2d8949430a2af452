/** The deliveries of a hook's events, their attempts, and replay (DECISIONS K6). */

import { MOST_COUNTED } from '@countersign/contract/health.ts'
import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { EVENT_CHANNEL } from '../../storage/notices.ts'
import { numberEventsWithin } from '../../storage/outbox.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { type HookRow, readHook } from './rows.ts'

type DeliveryRow = Selectable<Tables['hook_deliveries']>
type AttemptRow = Selectable<Tables['hook_attempts']>

export interface Delivery {
  readonly row: DeliveryRow
  readonly lastAttempt: AttemptRow | undefined
  /** It waits for an earlier delivery of an ordered hook. */
  readonly isHeld: boolean
}

const DAY_MS = 86_400_000
/** The most events in one replay. */
const MOST_REPLAYED = 100_000
const OPEN = ['Waiting', 'Sending']

/** Wakes the senders of every node once the unit commits. */
export const wakeSenders = ({ tx, tenant, send }: Unit): void =>
  send(sql`SELECT pg_notify(${EVENT_CHANNEL}, ${tenant.id})`.execute(tx))

/** Adds to deliveries the result of their last attempt, and what holds them. */
const withAttempts = async (db: Db, hook: HookRow, rows: readonly DeliveryRow[]): Promise<Delivery[]> => {
  if (rows.length === 0) return []
  const attempts = await db
    .selectFrom('hook_attempts')
    .selectAll()
    .distinctOn('delivery_id')
    .where(inTenant(hook.tenant_id))
    .where('hook_id', '=', hook.id)
    .where(
      'delivery_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('delivery_id')
    .orderBy('created_at', 'desc')
    .orderBy('attempt', 'desc')
    .execute()
  const first = hook.is_ordered
    ? await db
        .selectFrom('hook_deliveries')
        .select('sequence')
        .where(inTenant(hook.tenant_id))
        .where('hook_id', '=', hook.id)
        .where('state', 'in', OPEN)
        .orderBy('sequence')
        .limit(1)
        .executeTakeFirst()
    : undefined
  return rows.map((row) => ({
    row,
    lastAttempt: attempts.find(({ delivery_id }) => delivery_id === row.id),
    isHeld: first !== undefined && row.state === 'Waiting' && row.sequence > first.sequence,
  }))
}

export interface DeliveryFilter {
  readonly state?: string | undefined
  readonly event?: string | undefined
  /** Of the events, as in a replay. */
  readonly from?: Date | undefined
  readonly until?: Date | undefined
}

/** The deliveries of a hook, newest first. Throws 404, and 400 for an empty window. */
export const listDeliveries = async (
  { database: { kysely } }: Store,
  tenant: Tenant,
  hookId: string,
  { state, event, from, until, ...page }: PageRequest & DeliveryFilter,
): Promise<Page<Delivery>> => {
  if (from && until && from >= until) throw new ApiError('log.invalid_time_window')
  const hook = await readHook(kysely, tenant, hookId)
  let query = kysely.selectFrom('hook_deliveries').selectAll().where(inTenant(tenant.id)).where('hook_id', '=', hookId)
  if (state) query = query.where('state', '=', state)
  if (event) query = query.where('event', '=', event)
  if (from) query = query.where('created_at', '>=', from)
  if (until) query = query.where('created_at', '<', until)
  const { items, ...rest } = await paginate(kysely, query, page)
  return { ...rest, items: await withAttempts(kysely, hook, items) }
}

const enabledHook = async ({ tx, tenant }: Unit, hookId: string): Promise<HookRow> => {
  const hook = await readHook(tx, tenant, hookId, true)
  if (!hook.is_enabled) throw new ApiError('hook.disabled')
  return hook
}

/** The operator reports that the receiver is available again: its next attempt is now. */
const closeCircuit = ({ tx, tenant, send }: Unit, hookId: string): void =>
  send(
    tx.updateTable('hooks').set({ paused_until: null }).where(inTenant(tenant.id)).where('id', '=', hookId).execute(),
  )

/** Queues a delivery again, to be sent at once. Throws 404, and 422 while the hook is disabled. */
export const retryDelivery = operation([], async (unit, hookId: string, id: string): Promise<Delivery> => {
  const { tx, tenant, now } = unit
  const hook = await enabledHook(unit, hookId)
  const ofDelivery = { tenant_id: tenant.id, hook_id: hookId, id }
  await sql`
    UPDATE hook_deliveries SET state = 'Waiting', attempts = 0, due_at = ${now}, finished_at = NULL
    WHERE tenant_id = ${tenant.id} AND hook_id = ${hookId} AND id = ${id}
      AND (state <> 'Sending' OR due_at <= ${now})`.execute(tx)
  const row = await tx
    .selectFrom('hook_deliveries')
    .selectAll()
    .where((eb) => eb.and(ofDelivery))
    .executeTakeFirst()
  if (!row) throw notFound('delivery', id)
  closeCircuit(unit, hookId)
  wakeSenders(unit)
  const [delivery] = await withAttempts(tx, hook, [row])
  return delivery as Delivery
})

export interface ReplayWindow {
  readonly since: Date
  readonly until?: Date | undefined
  /** Those that the hook subscribes to, unless named. */
  readonly events?: readonly string[] | undefined
}

/**
 * Queues the stored events of a window again, in one statement; deliveries that wait or are being sent are left as they
 * are. Returns how many were queued. Throws 404, 422 while the hook is disabled or for too many, 400 for an empty
 * window.
 */
export const replay = operation([], async (unit, hookId: string, window: ReplayWindow): Promise<number> => {
  const { tx, tenant, now, note } = unit
  const { since, until } = window
  if (until && since >= until) throw new ApiError('log.invalid_time_window')
  await numberEventsWithin(tx, tenant.id)
  const hook = await enabledHook(unit, hookId)
  const events = window.events ?? hook.events
  const { numAffectedRows = 0n } = await sql`
    INSERT INTO hook_deliveries AS d (tenant_id, hook_id, id, sequence, event, created_at, due_at)
    SELECT tenant_id, ${hookId}, id, sequence, type, created_at, ${now}
    FROM events
    WHERE tenant_id = ${tenant.id} AND created_at >= ${since} AND type = ANY(${events}::text[])
      AND (${until ?? null}::timestamptz IS NULL OR created_at < ${until ?? null}::timestamptz)
    ORDER BY sequence LIMIT ${MOST_REPLAYED + 1}
    ON CONFLICT (tenant_id, hook_id, id) DO UPDATE
      SET state = 'Waiting', attempts = 0, due_at = excluded.due_at, finished_at = NULL
      WHERE d.state IN ('Delivered', 'Failed')`.execute(tx)
  const count = Number(numAffectedRows)
  if (count > MOST_REPLAYED) throw new ApiError('hook.too_many_events', { limit: MOST_REPLAYED })
  note({ hookId, count })
  closeCircuit(unit, hookId)
  wakeSenders(unit)
  return count
})

export interface AttemptFilter {
  readonly event?: string | undefined
  readonly from?: Date | undefined
  readonly until?: Date | undefined
}

/** An attempt, with its event if that is still stored. */
export type Attempt = AttemptRow & {
  readonly payload: Record<string, unknown> | null
  readonly event_created_at: Date | null
}

/** The attempts of a hook, newest first; those of the last day unless a window is given. Throws 404, and 400 for an empty window. */
export const listAttempts = async (
  { database: { kysely }, clock }: Store,
  tenant: Tenant,
  hookId: string,
  { event, from, until, ...page }: PageRequest & AttemptFilter,
): Promise<Page<Attempt>> => {
  if (from && until && from >= until) throw new ApiError('log.invalid_time_window')
  await readHook(kysely, tenant, hookId)
  const since = from ?? new Date((until ?? clock.now()).getTime() - DAY_MS)
  let query = kysely
    .selectFrom('hook_attempts as a')
    .leftJoin('events as e', (join) =>
      join.onRef('e.tenant_id', '=', 'a.tenant_id').onRef('e.sequence', '=', 'a.sequence'),
    )
    .selectAll('a')
    .select(['e.payload', 'e.created_at as event_created_at'])
    .where(inTenant(tenant.id, 'a'))
    .where('a.hook_id', '=', hookId)
    .where('a.created_at', '>=', since)
  if (event) query = query.where('a.event', '=', event)
  if (until) query = query.where('a.created_at', '<', until)
  return paginate(kysely, query, page, { createdAt: 'a.created_at', id: 'a.id' })
}

/** How many attempts of each hook there were in the last 24 hours, and how many of them succeeded. */
export const executionStats = async (
  { database: { kysely }, clock }: Store,
  { id: tenantId }: Tenant,
  hookIds: readonly string[],
): Promise<ReadonlyMap<string, { successCount: number; requestCount: number }>> => {
  if (hookIds.length === 0) return new Map()
  const rows = await kysely
    .selectFrom('hook_attempts')
    .select([
      'hook_id',
      sql<number>`count(*)`.as('requests'),
      sql<number>`count(*) FILTER (WHERE is_success)`.as('successes'),
    ])
    .where(inTenant(tenantId))
    .where('hook_id', 'in', hookIds)
    .where('created_at', '>=', new Date(clock.now().getTime() - DAY_MS))
    .groupBy('hook_id')
    .execute()
  return new Map(rows.map((row) => [row.hook_id, { successCount: row.successes, requestCount: row.requests }]))
}

export interface Backlog {
  readonly waiting: number
  readonly oldestAt: Date | null
}

/** How many events each hook has not received, counted no further than MOST_COUNTED, and since when the oldest of them waits. */
export const backlogOf = async (
  { database: { kysely } }: Store,
  { id: tenantId }: Tenant,
  hookIds: readonly string[],
): Promise<ReadonlyMap<string, Backlog>> => {
  const { rows } = await sql<Backlog & { id: string }>`
    SELECT hook AS id, waiting, "oldestAt" FROM unnest(${hookIds}::text[]) hook, LATERAL (
      SELECT count(*) AS waiting, min(created_at) AS "oldestAt" FROM (
        SELECT created_at FROM hook_deliveries
        WHERE tenant_id = ${tenantId} AND hook_id = hook AND state IN ('Waiting', 'Sending')
        LIMIT ${MOST_COUNTED}) queue) backlog`.execute(kysely)
  return new Map(rows.map((row) => [row.id, row]))
}
