/** Reading committed events in their order (DECISIONS K5, K6). */
import { ApiError } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { numberEvents } from '../storage/outbox.ts'
import type { Store } from '../storage/store.ts'

const toCursor = (sequence: number): string => Buffer.from(`e${sequence}`).toString('base64url')

const fromCursor = (cursor: string): number => {
  const match = /^e(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'))
  if (!match) throw new ApiError('guard.invalid_pagination', { reason: 'after is not a cursor of the event feed' })
  return Number(match[1])
}

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
  let query = db.selectFrom('events').selectAll().where('tenant_id', '=', tenantId).where('sequence', '>', position)
  if (type !== undefined) query = query.where('type', '=', type)
  const rows = await query.orderBy('sequence').limit(limit).execute()
  return {
    events: rows.map(({ id, sequence, type: event, created_at, payload }) => ({
      id,
      sequence,
      event,
      createdAt: created_at.toISOString(),
      ...payload,
    })),
    nextCursor: toCursor(rows.at(-1)?.sequence ?? position),
  }
}
