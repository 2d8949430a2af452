/** What a receiver does with its stream (Shared Signals Framework 1.0 section 8.1): create, change, pause and delete it, and ask for a sign of life. */

import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { Withheld } from '../../storage/audit-entities.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { SIGNAL_CHANNEL } from '../../storage/notices.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { appendOfStream } from './backlog.ts'
import { sealAuthorization } from './push.ts'
import { type Receiver, type StreamRow, type StreamStatus, streamOf } from './rows.ts'

/** `min_verification_interval`: seconds between two requests for a sign of life. */
export const VERIFICATION_SECONDS = 60

/** What a receiver says of its stream. */
export interface WantedStream {
  readonly eventsRequested: readonly string[]
  readonly description: string | null
  /** Where its events are pushed; undefined: it is polled. */
  readonly push: WantedPush | undefined
}

/** An address for pushes; a header that is `kept` is that of before. */
interface WantedPush {
  readonly endpointUrl: string
  readonly authorization: string | undefined | typeof KEPT
}
/** The Authorization header of before. */
export const KEPT = Symbol('kept')

const refuse = (status: number, description: string): OAuthError =>
  new OAuthError(status === 403 ? 'access_denied' : 'invalid_request', description, { status })

export const noStream = (): OAuthError => refuse(404, 'stream_id is not that of a stream of the receiver')

/** What the audit log records about a change. */
export const fieldsOf = (row: StreamRow) => ({
  eventsRequested: row.events_requested,
  description: row.description,
  endpointUrl: row.endpoint_url,
  authorization: new Withheld(row.sealed_authorization),
  status: row.status,
  statusReason: row.status_reason,
})

const sealedIn = (
  { vault, tenant }: Unit,
  id: string,
  push: WantedPush,
  before: StreamRow | undefined,
): Buffer | null => {
  if (push.authorization === KEPT) return before?.sealed_authorization ?? null
  return push.authorization === undefined ? null : sealAuthorization(vault, tenant, id, push.authorization)
}

const columnsOf = (unit: Unit, id: string, wanted: WantedStream, before?: StreamRow) => {
  const { eventsRequested, description, push } = wanted
  return {
    events_requested: [...eventsRequested],
    description,
    endpoint_url: push?.endpointUrl ?? null,
    sealed_authorization: push ? sealedIn(unit, id, push, before) : null,
    // what failed before may succeed now
    ...{ due_at: push ? unit.now : null, attempts: 0, failing_since: null },
  }
}

/** The receiver's stream, locked. Throws 404 for another id. */
const lockStream = async ({ tx, tenant }: Unit, { client }: Receiver, id: string): Promise<StreamRow> => {
  const row = await streamOf(tx, tenant, client.id, true)
  if (row?.id !== id) throw noStream()
  return row
}

/** Writes a change of a stream, with its entry in the audit log; whoever pushes it looks at it again. */
export const changeStream = async (
  unit: Unit,
  before: StreamRow,
  change: Partial<Omit<StreamRow, 'tenant_id' | 'id'>>,
): Promise<StreamRow> => {
  const { tx, tenant, now } = unit
  const row = await tx
    .updateTable('signal_streams')
    .set({ active_at: now, ...change })
    .where(inTenant(tenant.id))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  unit.concerns('signal-stream', row.id, { before: fieldsOf(before), after: fieldsOf(row) })
  if (row.endpoint_url !== null) unit.send(sql`SELECT pg_notify(${SIGNAL_CHANNEL}, ${tenant.id})`.execute(tx))
  return row
}

/** Creates the stream of a receiver. Throws 409 if it has one. */
export const createStream = operation(
  [],
  async (unit, { client }: Receiver, wanted: WantedStream): Promise<StreamRow> => {
    const { tx, tenant, now } = unit
    const id = newId()
    const row = await tx
      .insertInto('signal_streams')
      .values({
        ...{ tenant_id: tenant.id, id, application_id: client.id },
        ...columnsOf(unit, id, wanted),
        created_at: now,
        active_at: now,
      })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'application_id']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!row) throw refuse(409, 'the receiver has a stream: each has one')
    unit.concerns('signal-stream', row.id, { after: fieldsOf(row) })
    return row
  },
)

/** Changes the stream to what `changed` makes of it. Throws 404. */
export const updateStream = operation(
  [],
  async (unit, receiver: Receiver, id: string, changed: (before: StreamRow) => WantedStream): Promise<StreamRow> => {
    const before = await lockStream(unit, receiver, id)
    return changeStream(unit, before, columnsOf(unit, id, changed(before), before))
  },
)

/** Deletes the stream with what waits in it. Throws 404. */
export const deleteStream = operation([], async (unit, receiver: Receiver, id: string): Promise<void> => {
  const row = await lockStream(unit, receiver, id)
  await unit.tx.deleteFrom('signal_streams').where(inTenant(unit.tenant.id)).where('id', '=', id).execute()
  unit.concerns('signal-stream', id, { before: fieldsOf(row) })
})

/** Nothing is kept for a stream that is disabled (section 8.1.2). */
const forgetWaiting = ({ tx, tenant }: Unit, streamId: string) =>
  tx.deleteFrom('signal_events').where(inTenant(tenant.id)).where('stream_id', '=', streamId).execute()

/** Enables, pauses or disables the stream. Throws 404, and 403 while an operator has stopped it. */
export const setStreamStatus = operation(
  [],
  async (unit, receiver: Receiver, id: string, status: StreamStatus, reason: string | null): Promise<StreamRow> => {
    const before = await lockStream(unit, receiver, id)
    if (before.status_set_by === 'operator' && before.status !== 'enabled')
      throw refuse(403, 'an operator has stopped the stream')
    if (status === 'disabled') await forgetWaiting(unit, id)
    const isPushed = before.endpoint_url !== null
    return changeStream(unit, before, {
      ...{ status, status_reason: reason, status_set_by: 'receiver' },
      ...(isPushed ? { due_at: unit.now, attempts: 0, failing_since: null } : {}),
    })
  },
)

/** Puts a verification event into the stream. Throws 404, 409 if it is disabled, and 429 if the last request was too recent. */
export const verifyStream = operation(
  [],
  async (unit, receiver: Receiver, id: string, state: string | undefined): Promise<void> => {
    const before = await lockStream(unit, receiver, id)
    const { now } = unit
    if (before.status === 'disabled') throw refuse(409, 'the stream is disabled')
    const next = before.verified_at && secondsAfter(before.verified_at, VERIFICATION_SECONDS)
    if (next && next > now)
      throw new ApiError('request.rate_limited', { retryAfter: Math.ceil((next.getTime() - now.getTime()) / 1000) })
    await changeStream(unit, before, { verified_at: now })
    await appendOfStream(unit, before, 'verification', state === undefined ? {} : { state })
  },
)
