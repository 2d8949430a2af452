/** The end of a stream: what is put there, how much is kept, and when a receiver that reads nothing is told nothing more (DECISIONS K13). */
import { sql } from 'kysely'
import { systemCaller } from '../../kernel/caller.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, perform, type Unit } from '../../storage/unit-of-work.ts'
import { tenantDirectory } from '../tenants/tenants.ts'
import type { StreamRow, StreamStatus } from './rows.ts'

/** The most events that wait for a receiver. */
export const MOST_WAITING = 10_000
/** `inactivity_timeout`: after so many seconds without a request of its receiver a stream that is polled is paused. */
export const INACTIVITY_SECONDS = 7 * 86_400

const EVENT_TYPE = 'https://schemas.openid.net/secevent/ssf/event-type/'

/** Puts events at the end of a stream. @param isOfStream they are about the stream itself */
export const appendEvents = async (
  tx: Db,
  { tenant_id, id }: Pick<StreamRow, 'tenant_id' | 'id'>,
  claims: readonly object[],
  now: Date,
  isOfStream = false,
): Promise<void> => {
  if (claims.length === 0) return
  const ids = claims.map(() => newId())
  await sql`
    WITH counted AS (
      UPDATE signal_streams SET last_sequence = last_sequence + ${claims.length}
      WHERE tenant_id = ${tenant_id} AND id = ${id} RETURNING last_sequence - ${claims.length} AS before
    )
    INSERT INTO signal_events (tenant_id, stream_id, sequence, jti, claims, is_of_stream, created_at)
    SELECT ${tenant_id}, ${id}, before + e.n, e.jti, e.claims::jsonb, ${isOfStream}, ${now}
    FROM counted, unnest(${ids}::text[], ${claims.map((each) => JSON.stringify(each))}::text[]) WITH ORDINALITY AS e (jti, claims, n)`.execute(
    tx,
  )
}

/** Puts an event about the stream itself at its end (Shared Signals Framework sections 8.1.4, 8.1.5). */
export const appendOfStream = (
  { tx, now }: Pick<Unit, 'tx' | 'now'>,
  stream: Pick<StreamRow, 'tenant_id' | 'id'>,
  type: 'verification' | 'stream-updated',
  payload: object,
): Promise<void> => {
  const sub_id = { format: 'opaque', id: stream.id }
  return appendEvents(tx, stream, [{ sub_id, events: { [`${EVENT_TYPE}${type}`]: payload } }], now, true)
}

/** Whether as many events wait as may. */
export const isFull = async (tx: Db, { tenant_id, id, last_sequence }: StreamRow): Promise<boolean> => {
  const { rows } = await sql<{ first: number | null }>`
    SELECT min(sequence) AS first FROM signal_events WHERE tenant_id = ${tenant_id} AND stream_id = ${id}`.execute(tx)
  const first = rows[0]?.first ?? last_sequence
  if (last_sequence - first + 1 < MOST_WAITING) return false
  const counted = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (
      SELECT FROM signal_events WHERE tenant_id = ${tenant_id} AND stream_id = ${id} LIMIT ${MOST_WAITING}) waiting`.execute(
    tx,
  )
  return (counted.rows[0]?.count ?? 0) >= MOST_WAITING
}

/** Pauses a stream in the name of the server, and says so in it. Returns whether it was enabled: otherwise nothing happens. */
const pauseWithin = async (tx: Db, { tenant_id, id }: StreamRow, reason: string, now: Date): Promise<boolean> => {
  const status: StreamStatus = 'paused'
  const row = await tx
    .updateTable('signal_streams')
    .set({ status, status_reason: reason, status_set_by: 'server' })
    .where(inTenant(tenant_id))
    .where('id', '=', id)
    .where('status', '=', 'enabled')
    .returningAll()
    .executeTakeFirst()
  if (row) await appendOfStream({ tx, now }, row, 'stream-updated', { status, reason })
  return row !== undefined
}

/** The entry in the audit log. */
const notePause = ({ note, concerns }: Unit, { id, application_id }: StreamRow, reason: string): void => {
  note({ applicationId: application_id, reason })
  concerns('signal-stream', id)
}

const pauseByServer = operation([], async (unit, stream: StreamRow, reason: string): Promise<void> => {
  if (await pauseWithin(unit.tx, stream, reason, unit.now)) notePause(unit, stream, reason)
})
const pausedByServer = operation(
  [],
  async (unit, stream: StreamRow, reason: string): Promise<void> => notePause(unit, stream, reason),
)

const workOf = (store: Store, tenant: Tenant) => ({ store, tenant, caller: systemCaller('pauseSignalStream') })
const pause = (store: Store, tenant: Tenant, stream: StreamRow, reason: string): Promise<void> =>
  perform(workOf(store, tenant), pauseByServer, stream, reason)

const FULL = `${MOST_WAITING} events wait to be acknowledged; what happened since is not kept`

/** Pauses a stream that is full, with what is not kept for its receiver. Returns whether it was enabled. */
export const pauseFullStream = (tx: Db, stream: StreamRow, now: Date): Promise<boolean> =>
  pauseWithin(tx, stream, FULL, now)

/** Records in the audit log that a full stream was paused. */
export const recordFullStream = (store: Store, tenant: Tenant, stream: StreamRow): Promise<void> =>
  perform(workOf(store, tenant), pausedByServer, stream, FULL)

/** Pauses a stream whose address has only failed for days: what happens is kept until its receiver, or an operator, enables it. */
export const pauseFailingStream = (store: Store, tenant: Tenant, stream: StreamRow, error: string): Promise<void> =>
  pause(store, tenant, stream, `the receiver could not be reached for five days: ${error}`)

/** Pauses the streams of all tenants whose receivers have asked for nothing for too long. */
export const pauseInactiveStreams = async (store: Store): Promise<void> => {
  const { database, clock } = store
  const rows = await database.kysely
    .selectFrom('signal_streams')
    .selectAll()
    .where('status', '=', 'enabled')
    .where('endpoint_url', 'is', null)
    .where('active_at', '<', secondsAfter(clock.now(), -INACTIVITY_SECONDS))
    .execute()
  const { byId } = await tenantDirectory(store)
  for (const row of rows) {
    const tenant = byId.get(row.tenant_id)
    if (tenant) await pause(store, tenant, row, 'the receiver has asked for nothing for seven days')
  }
}
