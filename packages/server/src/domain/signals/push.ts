/** Streams whose events are pushed (RFC 8935): which are due, what is sent next, and what became of it. One node at a time pushes a stream, in order. */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { WaitingEvent } from './feed.ts'
import type { StreamRow } from './rows.ts'

/** What a receiver says of the delivery that it wants. */
export interface PushTarget {
  readonly endpointUrl: string
  /** The value of the Authorization header of each request; undefined: none. */
  readonly authorization: string | undefined
}

const purpose = (tenantId: string, id: string) => `signal-stream/${tenantId}/${id}`

/** The Authorization header as it is stored. */
export const sealAuthorization = (vault: Vault, { id: tenantId }: Tenant, id: string, value: string): Buffer =>
  vault.seal(value, purpose(tenantId, id))

/** A stream that this node pushes until its lease ends. */
export interface TakenStream {
  readonly tenantId: string
  readonly id: string
  readonly applicationId: string
  /** How many times in a row it has failed. */
  readonly attempts: number
  readonly failingSince: Date | null
  readonly leasedUntil: Date
}

/** What may be sent: while a stream is not enabled, only what is about itself. */
const mayBeSent = sql<boolean>`(s.status = 'enabled' OR e.is_of_stream)`

/**
 * Takes streams with something to send that are due, the longest waiting first. Taking one moves its time to the end of a lease: if the node
 * dies, the stream is delayed by that long and nothing is lost.
 */
export const takeStreams = async (
  { database, clock }: Store,
  most: number,
  leaseSeconds: number,
): Promise<TakenStream[]> => {
  const now = clock.now()
  const { rows } = await sql<TakenStream>`
    WITH due AS (
      SELECT s.tenant_id, s.id FROM signal_streams s
      WHERE s.endpoint_url IS NOT NULL AND s.due_at <= ${now}
        AND EXISTS (SELECT FROM signal_events e WHERE e.tenant_id = s.tenant_id AND e.stream_id = s.id AND ${mayBeSent})
      ORDER BY s.due_at LIMIT ${most} FOR NO KEY UPDATE SKIP LOCKED
    )
    UPDATE signal_streams s SET due_at = ${secondsAfter(now, leaseSeconds)}
    FROM due WHERE s.tenant_id = due.tenant_id AND s.id = due.id
    RETURNING s.tenant_id AS "tenantId", s.id, s.application_id AS "applicationId", s.attempts, s.failing_since AS "failingSince",
      s.due_at AS "leasedUntil"`.execute(database.kysely)
  return rows
}

/** The next event of a stream and where it goes now; undefined: there is none, or the stream is no longer this node's to push. */
export const nextToPush = async (
  { database, vault }: Store,
  { tenantId, id, leasedUntil }: TakenStream,
): Promise<{ readonly event: WaitingEvent; readonly target: PushTarget } | undefined> => {
  const row = await database.kysely
    .selectFrom('signal_streams as s')
    .innerJoin('signal_events as e', (join) =>
      join.onRef('e.tenant_id', '=', 's.tenant_id').onRef('e.stream_id', '=', 's.id'),
    )
    .select(['s.endpoint_url', 's.sealed_authorization', 'e.jti', 'e.claims', 'e.created_at'])
    .where(inTenant(tenantId, 's'))
    .where('s.id', '=', id)
    .where('s.due_at', '=', leasedUntil)
    .where(mayBeSent)
    .orderBy('e.sequence')
    .limit(1)
    .executeTakeFirst()
  if (!row?.endpoint_url) return undefined
  const sealed = row.sealed_authorization
  return {
    event: { jti: row.jti, claims: row.claims, createdAt: row.created_at },
    target: {
      endpointUrl: row.endpoint_url,
      authorization: sealed ? vault.unseal(sealed, purpose(tenantId, id)) : undefined,
    },
  }
}

/** The stream while this node has it. */
const ofLease = ({ database }: Store, { tenantId, id, leasedUntil }: TakenStream) =>
  database.kysely
    .updateTable('signal_streams')
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .where('due_at', '=', leasedUntil)

/** The receiver has it: forgets the event, and that the stream failed. */
export const settlePushed = async (store: Store, taken: TakenStream, jti: string): Promise<void> => {
  await store.database.kysely
    .deleteFrom('signal_events')
    .where(inTenant(taken.tenantId))
    .where('stream_id', '=', taken.id)
    .where('jti', '=', jti)
    .execute()
  await ofLease(store, taken)
    .set({ attempts: 0, failing_since: null, active_at: store.clock.now() })
    .where((eb) => eb.or([eb('attempts', '>', 0), eb('active_at', '<', secondsAfter(store.clock.now(), -60))]))
    .execute()
}

/** The event waits until then, with all after it. Returns since when the stream fails. */
export const postponePush = async (
  store: Store,
  taken: TakenStream,
  dueAt: Date,
  error: string,
): Promise<Date | null> => {
  const now = store.clock.now()
  const row = await ofLease(store, taken)
    .set(({ eb, fn, val }) => ({
      attempts: eb('attempts', '+', 1),
      failing_since: fn.coalesce('failing_since', val(now)),
      due_at: dueAt,
      last_error: error,
      last_error_at: now,
    }))
    .returning('failing_since')
    .executeTakeFirst()
  return row?.failing_since ?? null
}

/** Gives the stream back: it is due from then on. */
export const releaseStream = async (store: Store, taken: TakenStream, dueAt: Date): Promise<void> => {
  await ofLease(store, taken).set({ due_at: dueAt }).execute()
}

/** The row of a stream that this node pushes, if it still exists. */
export const takenRow = ({ database }: Store, { tenantId, id }: TakenStream): Promise<StreamRow | undefined> =>
  database.kysely
    .selectFrom('signal_streams')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()

/** Since when the event that has waited longest is to be pushed, for any tenant; undefined: there is none. */
export const oldestToPush = async ({ database }: Store): Promise<Date | undefined> => {
  const { rows } = await sql<{ oldest: Date | null }>`
    SELECT min(first.created_at) AS oldest FROM signal_streams s, LATERAL (
      SELECT e.created_at FROM signal_events e WHERE e.tenant_id = s.tenant_id AND e.stream_id = s.id
      ORDER BY e.sequence LIMIT 1) first
    WHERE s.endpoint_url IS NOT NULL AND s.status = 'enabled'`.execute(database.kysely)
  return rows[0]?.oldest ?? undefined
}
