/**
 * Takes deliveries that are due, and stores the outcome of an attempt. A receiver that does not answer costs the
 * others nothing: each hook has its own slots on each node, and one whose circuit is open is paused (DECISIONS K4, K5).
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Store } from '../../storage/store.ts'
import type { SealedTarget } from './rows.ts'
import { OPEN_AFTER } from './schedule.ts'

/**
 * Joined into a statement, it lets its commit return before the data is on disk. If the database itself crashes, what
 * was taken or settled a moment before is lost and sent again, in the same order.
 */
const UNSYNCED = sql`set_config('synchronous_commit', 'off', true)`

/** A delivery that this node has taken, with its event and target. */
export interface TakenDelivery extends SealedTarget {
  readonly hookId: string
  readonly isOrdered: boolean
  /** Of the event. */
  readonly eventId: string
  readonly sequence: number
  readonly event: string
  readonly createdAt: Date
  readonly payload: Readonly<Record<string, unknown>>
  /**
   * The number of this attempt. One during which the node died is not counted: the schedule is for receivers that fail.
   */
  readonly attempts: number
  readonly leasedUntil: Date
}

/** How many deliveries of a hook this node has in flight, and how many it may have. */
export interface Lane {
  readonly tenantId: string
  readonly hookId: string
  readonly count: number
  /** An ordered hook, and one whose circuit is not closed, gets only one regardless. */
  readonly width: number
}

export interface TakeLimits {
  readonly most: number
  /** For a hook without a lane. */
  readonly width: number
  readonly leaseSeconds: number
}

/**
 * Takes deliveries that are due: as many of each hook as it has room for, and of an ordered hook only the first
 * undelivered one. Taking one moves its time to the end of a lease, so that if the node dies it is delayed and not
 * lost.
 */
export const takeDeliveries = async (
  { database, clock }: Store,
  lanes: readonly Lane[],
  { most, width, leaseSeconds }: TakeLimits,
): Promise<TakenDelivery[]> => {
  const now = clock.now()
  const [tenants, hooks] = [lanes.map(({ tenantId }) => tenantId), lanes.map(({ hookId }) => hookId)]
  const [counts, widths] = [lanes.map(({ count }) => count), lanes.map((lane) => lane.width)]
  // the head of an ordered hook is found without a lock and then locked by its key, because skipping a locked one would
  // make the next one the head; locked rows are updated by their position (ctid): with statistics older than a flood of
  // events, each led to a scan
  const { rows } = await sql<TakenDelivery>`
    WITH room AS MATERIALIZED (
      SELECT h.tenant_id, h.id, h.is_ordered,
        greatest(0, CASE WHEN h.is_ordered OR h.failures >= ${OPEN_AFTER} THEN 1 ELSE coalesce(b.width, ${width}::int) END
          - coalesce(b.count, 0)) AS places
      FROM ${UNSYNCED}, hooks h
      LEFT JOIN unnest(${tenants}::text[], ${hooks}::text[], ${counts}::int[], ${widths}::int[])
        AS b (tenant_id, id, count, width)
        ON b.tenant_id = h.tenant_id AND b.id = h.id
      WHERE h.is_enabled AND (h.paused_until IS NULL OR h.paused_until <= ${now})
    ), loose AS (
      SELECT d.place FROM room r CROSS JOIN LATERAL (
        SELECT ctid AS place FROM hook_deliveries
        WHERE tenant_id = r.tenant_id AND hook_id = r.id AND state IN ('Waiting', 'Sending') AND due_at <= ${now}
        ORDER BY due_at, sequence LIMIT r.places
        FOR UPDATE SKIP LOCKED
      ) d WHERE NOT r.is_ordered AND r.places > 0
    ), head AS (
      SELECT d.ctid AS place FROM room r CROSS JOIN LATERAL (
        SELECT id FROM hook_deliveries
        WHERE tenant_id = r.tenant_id AND hook_id = r.id AND state IN ('Waiting', 'Sending')
        ORDER BY sequence LIMIT 1
      ) first JOIN hook_deliveries d ON d.tenant_id = r.tenant_id AND d.hook_id = r.id AND d.id = first.id
      WHERE r.is_ordered AND r.places > 0 AND d.state IN ('Waiting', 'Sending') AND d.due_at <= ${now}
        AND NOT EXISTS (SELECT FROM hook_deliveries s WHERE s.tenant_id = r.tenant_id AND s.hook_id = r.id
          AND s.state = 'Sending' AND s.due_at > ${now})
      FOR UPDATE OF d SKIP LOCKED
    ), due AS (
      SELECT * FROM loose UNION ALL SELECT * FROM head LIMIT ${most}
    )
    UPDATE hook_deliveries d SET state = 'Sending', attempts = d.attempts + CASE d.state WHEN 'Sending' THEN 0 ELSE 1 END,
      due_at = ${secondsAfter(now, leaseSeconds)}
    FROM due, hooks h, events e
    WHERE d.ctid = due.place AND h.tenant_id = d.tenant_id AND h.id = d.hook_id
      AND e.tenant_id = d.tenant_id AND e.sequence = d.sequence
    RETURNING d.tenant_id, h.id, h.id AS "hookId", h.is_ordered AS "isOrdered", h.url, h.sealed_headers, h.sealed_key,
      h.sealed_previous_key, h.previous_key_expires_at, d.id AS "eventId", d.sequence, e.type AS event,
      e.created_at AS "createdAt", e.payload, d.attempts, d.due_at AS "leasedUntil"`.execute(database.kysely)
  return rows.toSorted((a, b) => a.sequence - b.sequence)
}

/** What came of an attempt. */
export interface Outcome {
  readonly isSuccess: boolean
  readonly status: number | null
  readonly headers: Readonly<Record<string, unknown>> | null
  readonly body: string | null
  readonly error: string | null
  readonly durationMs: number
  /** When to try again; null: never. */
  readonly retryAt: Date | null
  /** How long the hook is paused; null: it is not. */
  readonly pausedUntil: Date | null
}

/** The state of a hook after an attempt. */
export interface Health {
  readonly failures: number
  readonly failingSince: Date | null
}

/**
 * Stores the outcome of an attempt, in one statement: the delivery, the attempt itself, and the state of the hook. The
 * delivery is left alone if the lease was over and another node has it. Returns nothing for a hook that is deleted or
 * remains healthy.
 */
export const settleDelivery = async (
  { database, clock }: Store,
  taken: TakenDelivery,
  outcome: Outcome,
): Promise<Health | undefined> => {
  const now = clock.now()
  const { isSuccess, status, headers, body, error, durationMs, retryAt, pausedUntil } = outcome
  const { tenant_id: tenantId, hookId, eventId, sequence, event, attempts, leasedUntil } = taken
  const state = isSuccess ? 'Delivered' : retryAt ? 'Waiting' : 'Failed'
  const { rows } = await sql<Health>`
    WITH settled AS (
      UPDATE hook_deliveries SET state = ${state}, due_at = ${retryAt ?? now}, finished_at = ${retryAt ? null : now}
      WHERE tenant_id = ${tenantId} AND hook_id = ${hookId} AND id = ${eventId}
        AND state = 'Sending' AND attempts = ${attempts} AND due_at = ${leasedUntil}
    ), logged AS (
      INSERT INTO hook_attempts (tenant_id, id, hook_id, delivery_id, sequence, event, attempt, is_success, status,
        response_headers, response_body, error, duration_ms, created_at)
      SELECT ${tenantId}, ${newId()}, ${hookId}, ${eventId}, ${sequence}, ${event}, ${attempts}, ${isSuccess},
        ${status}::int, ${headers && JSON.stringify(headers)}::jsonb, ${body}::text, ${error}::text, ${durationMs}, ${now}
      FROM tenants, ${UNSYNCED} WHERE id = ${tenantId}
    )
    UPDATE hooks SET
      failures = CASE WHEN ${isSuccess}::boolean THEN 0 ELSE failures + 1 END,
      failing_since = CASE WHEN ${isSuccess}::boolean THEN NULL ELSE coalesce(failing_since, ${now}) END,
      paused_until = CASE WHEN ${isSuccess}::boolean THEN NULL
        ELSE greatest(paused_until, ${pausedUntil}::timestamptz,
          CASE WHEN failures + 1 >= ${OPEN_AFTER}
            THEN ${now}::timestamptz + least(30 * 2 ^ least(failures + 1 - ${OPEN_AFTER}, 10), 300) * interval '1 second' END)
        END
    WHERE tenant_id = ${tenantId} AND id = ${hookId} AND (NOT ${isSuccess}::boolean OR failures > 0)
    RETURNING failures, failing_since AS "failingSince"`.execute(database.kysely)
  return rows[0]
}

/**
 * The same for successful deliveries, any number of them in one statement: what a busy sender does most. Rows are
 * locked in a fixed order, so that two nodes do not deadlock.
 */
export const settleDelivered = async (
  { database, clock }: Store,
  delivered: readonly { readonly taken: TakenDelivery; readonly outcome: Outcome }[],
): Promise<void> => {
  const now = clock.now()
  const given = delivered.map(({ taken, outcome }) => ({
    tenant_id: taken.tenant_id,
    hook_id: taken.hookId,
    id: taken.eventId,
    sequence: taken.sequence,
    event: taken.event,
    attempts: taken.attempts,
    leased_until: taken.leasedUntil,
    attempt_id: newId(),
    status: outcome.status,
    headers: outcome.headers,
    body: outcome.body,
    duration_ms: outcome.durationMs,
  }))
  await sql`
    WITH given AS MATERIALIZED (
      SELECT g.* FROM ${UNSYNCED}, json_to_recordset(${JSON.stringify(given)}::json) AS g (tenant_id text, hook_id text,
        id text, sequence bigint, event text, attempts int, leased_until timestamptz, attempt_id text, status int,
        headers jsonb, body text, duration_ms int)
    ), held AS MATERIALIZED (
      SELECT d.ctid AS place FROM hook_deliveries d JOIN given g USING (tenant_id, hook_id, id)
      WHERE d.state = 'Sending' AND d.attempts = g.attempts AND d.due_at = g.leased_until
      ORDER BY d.tenant_id, d.hook_id, d.sequence FOR UPDATE OF d
    ), settled AS (
      UPDATE hook_deliveries d SET state = 'Delivered', due_at = ${now}, finished_at = ${now}
      FROM held WHERE d.ctid = held.place
    ), logged AS (
      INSERT INTO hook_attempts (tenant_id, id, hook_id, delivery_id, sequence, event, attempt, is_success, status,
        response_headers, response_body, duration_ms, created_at)
      SELECT g.tenant_id, g.attempt_id, g.hook_id, g.id, g.sequence, g.event, g.attempts, true,
        g.status, g.headers, g.body, g.duration_ms, ${now}
      FROM given g JOIN tenants t ON t.id = g.tenant_id
    ), ill AS MATERIALIZED (
      SELECT h.tenant_id, h.id FROM hooks h
      WHERE h.failures > 0 AND (h.tenant_id, h.id) IN (SELECT tenant_id, hook_id FROM given)
      ORDER BY h.tenant_id, h.id FOR UPDATE OF h
    )
    UPDATE hooks h SET failures = 0, failing_since = NULL, paused_until = NULL
    FROM ill WHERE (h.tenant_id, h.id) = (ill.tenant_id, ill.id)`.execute(database.kysely)
}

/** When the oldest event that an enabled hook has not received was committed. */
export const oldestPending = async ({ database }: Store): Promise<Date | undefined> => {
  const { rows } = await sql<{ oldest: Date | null }>`
    SELECT min(d.created_at) AS oldest FROM hooks h CROSS JOIN LATERAL (
      SELECT created_at FROM hook_deliveries
      WHERE tenant_id = h.tenant_id AND hook_id = h.id AND state IN ('Waiting', 'Sending') ORDER BY sequence LIMIT 1
    ) d WHERE h.is_enabled`.execute(database.kysely)
  return rows[0]?.oldest ?? undefined
}
