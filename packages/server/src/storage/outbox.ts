/**
 * The outbox: events are rows written by the transaction that causes them. One statement at a time then moves what is
 * committed into `events` and numbers it (DECISIONS K5): sequence numbers are per tenant, without gaps, and an event
 * that was committed before another began has the smaller number. The same statement creates a delivery for each hook
 * that subscribes to the event, so that no event can be in the feed without a delivery.
 */
import { sql } from 'kysely'
import type { Caller } from '../kernel/caller.ts'
import { isDocumentId } from '../kernel/document-ids.ts'
import { newId } from '../kernel/ids.ts'
import type { Db } from './database.ts'

export interface OutboxRow {
  readonly id: string
  readonly type: string
  readonly payload: string
}

/** An application is summed up; a client with a document has its address, since nobody vouches for what the document says. */
const clientOf = (application: Caller['application']) =>
  application && isDocumentId(application.id) ? { cimdClientId: application.id } : { application }

const causeOf = ({ interaction, request }: Caller): object | undefined => {
  if (!interaction || !isDocumentId(interaction.applicationId)) return interaction ?? request
  const { applicationId: cimdClientId, ...others } = interaction
  return { ...others, cimdClientId }
}

/**
 * Makes the row of an event: the envelope of the caller and the event's own fields (DECISIONS K2). What a user does in
 * an interaction names the interaction and not the request, because the same step may be a form of a page or a call of
 * the Experience API.
 */
export const outboxRow = (caller: Caller, type: string, fields: object): OutboxRow => {
  const { ip, userAgent, actor, application } = caller
  return {
    id: newId(),
    type,
    payload: JSON.stringify({ ip, userAgent, actor, ...clientOf(application), ...causeOf(caller), ...fields }),
  }
}

/**
 * Numbers the committed events of a tenant that are not yet numbered; returns how many. Safe to call from any number of
 * nodes at once: a lock per tenant lets one do it at a time.
 */
export const numberEvents = async (db: Db, tenantId: string): Promise<number> => {
  const waiting = await sql`SELECT FROM outbox WHERE tenant_id = ${tenantId} LIMIT 1`.execute(db)
  if (waiting.rows.length === 0) return 0
  return db.transaction().execute((tx) => numberEventsWithin(tx, tenantId))
}

/**
 * The same as part of a transaction that then changes subscriptions: what was committed before it goes by the old
 * subscriptions, and no one numbers anything until it has ended.
 */
export const numberEventsWithin = async (tx: Db, tenantId: string): Promise<number> => {
  const begun = sql`INSERT INTO event_sequences (tenant_id, last_sequence) VALUES (${tenantId}, 0) ON CONFLICT DO NOTHING`
  // the row lock lets one in at a time; the statement after it sees what was committed by then
  const locked = sql`SELECT FROM event_sequences WHERE tenant_id = ${tenantId} FOR UPDATE`
  const numbered = sql<{ count: number }>`
    WITH moved AS (
      DELETE FROM outbox WHERE tenant_id = ${tenantId}
      RETURNING position, id, type, payload, created_at
    ), numbered AS (
      SELECT *, row_number() OVER (ORDER BY position) AS n FROM moved
    ), kept AS (
      INSERT INTO events (tenant_id, sequence, id, type, payload, created_at)
      SELECT ${tenantId}, s.last_sequence + n, numbered.id, type, payload, numbered.created_at
      FROM numbered, event_sequences s WHERE s.tenant_id = ${tenantId}
      RETURNING sequence, id, type, created_at
    ), fanned_out AS (
      INSERT INTO hook_deliveries (tenant_id, hook_id, id, sequence, event, created_at, due_at)
      SELECT ${tenantId}, h.id, kept.id, kept.sequence, kept.type, kept.created_at, kept.created_at
      FROM kept JOIN hooks h ON h.tenant_id = ${tenantId} AND h.is_enabled AND kept.type = ANY(h.events)
    ), counted AS (
      UPDATE event_sequences SET last_sequence = last_sequence + (SELECT count(*) FROM moved)
      WHERE tenant_id = ${tenantId}
    )
    SELECT count(*) AS count FROM moved`
  // one after another, sent together
  const [, , { rows }] = await Promise.all([begun.execute(tx), locked.execute(tx), numbered.execute(tx)])
  return rows[0]?.count ?? 0
}

/** Numbers the committed events of every tenant; see numberEvents. */
export const numberAllEvents = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ tenant_id: string }>`SELECT DISTINCT tenant_id FROM outbox`.execute(db)
  for (const { tenant_id } of rows) await numberEvents(db, tenant_id)
}
