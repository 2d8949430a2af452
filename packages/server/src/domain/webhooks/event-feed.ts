/** Reading committed events in their order (DECISIONS K5, K6). */

import type { Selectable } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { numberEvents } from '../../storage/outbox.ts'
import { decodeCursor, encodeCursor } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'

const toCursor = (sequence: number): string => encodeCursor(`e${sequence}`)

const fromCursor = (cursor: string): number => {
  const match = /^e(\d{1,15})$/.exec(decodeCursor(cursor) ?? '')
  if (!match) throw new ApiError('guard.invalid_pagination', { reason: 'after is not a cursor of the event feed' })
  return Number(match[1])
}

/** The number of the newest event of the feed; 0: there is none. */
export const lastSequence = async (db: Db, tenantId: string): Promise<number> => {
  const row = await db
    .selectFrom('event_sequences')
    .select('last_sequence')
    .where(inTenant(tenantId))
    .executeTakeFirst()
  return row?.last_sequence ?? 0
}

const toEvent = ({ id, sequence, type: event, created_at, payload }: Selectable<Tables['events']>) => ({
  id,
  sequence,
  event,
  createdAt: created_at.toISOString(),
  ...payload,
})

/**
 * The events after a cursor, oldest first, with everything that was committed before the call.
 * @param limit the most events
 * @param type only events of this type; the cursor still moves past the others
 */
export const readEvents = async (
  store: Store,
  { id: tenantId }: Tenant,
  { after, limit, type }: { after?: string | undefined; limit: number; type?: string | undefined },
) => {
  const db = store.database.kysely
  const position = after ? fromCursor(after) : 0
  await numberEvents(db, tenantId)
  // read before the events: whatever is numbered later is found by the next call
  const end = type === undefined ? position : await lastSequence(db, tenantId)
  let query = db.selectFrom('events').selectAll().where(inTenant(tenantId)).where('sequence', '>', position)
  if (type !== undefined) query = query.where('type', '=', type)
  const rows = await query.orderBy('sequence').limit(limit).execute()
  return {
    events: rows.map(toEvent),
    nextCursor: toCursor(Math.max(position, rows.at(-1)?.sequence ?? 0, rows.length < limit ? end : 0)),
  }
}

/** The newest events, oldest first, and the cursor after them. @param type only events of this type */
export const latestEvents = async (
  store: Store,
  { id: tenantId }: Tenant,
  { last, type }: { last: number; type?: string | undefined },
) => {
  const db = store.database.kysely
  await numberEvents(db, tenantId)
  const end = await lastSequence(db, tenantId)
  let query = db.selectFrom('events').selectAll().where(inTenant(tenantId)).where('sequence', '<=', end)
  if (type !== undefined) query = query.where('type', '=', type)
  const rows = await query.orderBy('sequence', 'desc').limit(last).execute()
  return { events: rows.reverse().map(toEvent), nextCursor: toCursor(end) }
}
