/** Streams as an operator looks after them (DECISIONS K15): how each does, pausing and deleting it. */
import { MOST_COUNTED } from '@countersign/contract/health.ts'
import { sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { appendOfStream } from './backlog.ts'
import type { StreamRow, StreamStatus } from './rows.ts'
import { changeStream, fieldsOf } from './streams.ts'

/** The streams of a tenant, newest first. */
export const listStreams = (
  { database: { kysely } }: Store,
  { id }: Tenant,
  page: PageRequest,
): Promise<Page<StreamRow>> =>
  paginate(kysely, kysely.selectFrom('signal_streams').selectAll().where(inTenant(id)), page)

export interface Backlog {
  readonly waiting: number
  readonly oldestAt: Date | null
}

/** What waits in each stream, counted no further than MOST_COUNTED, and since when. */
export const backlogOf = async (
  { database: { kysely } }: Store,
  { id: tenantId }: Tenant,
  streamIds: readonly string[],
): Promise<ReadonlyMap<string, Backlog>> => {
  const { rows } = await sql<Backlog & { id: string }>`
    SELECT stream AS id, waiting, "oldestAt" FROM unnest(${streamIds}::text[]) stream, LATERAL (
      SELECT count(*) AS waiting, min(created_at) AS "oldestAt" FROM (
        SELECT created_at FROM signal_events WHERE tenant_id = ${tenantId} AND stream_id = stream
        ORDER BY sequence LIMIT ${MOST_COUNTED}) queue) backlog`.execute(kysely)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Locked. Throws 404, and 403 where the application holds more of the Management API than the caller (DECISIONS B4). */
const lockStream = async (unit: Unit, id: string): Promise<StreamRow> => {
  const { tx, tenant } = unit
  const row = await tx
    .selectFrom('signal_streams')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('signal stream', id)
  await assertHolds(unit, 'applications', [row.application_id])
  return row
}

/** Pauses a stream or lets it continue, and says so in it. Throws 404, 403. */
export const setStatusByOperator = operation(
  [],
  async (unit, id: string, status: Exclude<StreamStatus, 'disabled'>, reason: string | null): Promise<StreamRow> => {
    const before = await lockStream(unit, id)
    const isPushed = before.endpoint_url !== null
    const row = await changeStream(unit, before, {
      ...{
        status,
        status_reason: reason,
        status_set_by: 'operator',
        active_at: status === 'enabled' ? unit.now : before.active_at,
      },
      ...(isPushed ? { due_at: unit.now, attempts: 0, failing_since: null } : {}),
    })
    if (before.status !== status)
      await appendOfStream(unit, row, 'stream-updated', { status, ...(reason === null ? {} : { reason }) })
    return row
  },
)

/** Deletes a stream with what waits in it. Throws 404, 403. */
export const deleteStreamByOperator = operation([], async (unit, id: string): Promise<void> => {
  const row = await lockStream(unit, id)
  await unit.tx.deleteFrom('signal_streams').where(inTenant(unit.tenant.id)).where('id', '=', id).execute()
  unit.concerns('signal-stream', id, { before: fieldsOf(row) })
})
