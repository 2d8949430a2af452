/**
 * The queue of what leaves the server after a commit: a row is written by the transaction that causes it, so that
 * it exists exactly when its cause does. `events/` takes the rows and sends them.
 */

import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Vault } from '../../kernel/secrets.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { DISPATCH_CHANNEL } from '../../storage/notices.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** A row of the queue that this node has taken. */
export interface Dispatch {
  readonly tenantId: string
  readonly id: string
  readonly kind: string
  readonly sealedPayload: Buffer
  /** How often it was taken, including this time. */
  readonly attempts: number
  readonly createdAt: Date
  /** When the node's lease ends. */
  readonly leasedUntil: Date
  readonly expiresAt: Date
}

const purpose = (tenantId: string, id: string) => `dispatch/${tenantId}/${id}`

/**
 * Queues payloads to be sent once the unit commits. Costs no round trip: the statement is sent with the commit
 * and includes the notice that wakes the workers of every node.
 * @param kind which handler takes them
 * @param payloads JSON objects; sealed, because a message contains a code and an address
 * @param lifetimeSeconds after which they are dropped unsent
 */
export const queueDispatches = (
  { tx, tenant, now, vault, send }: Unit,
  kind: string,
  payloads: readonly object[],
  lifetimeSeconds: number,
): void => {
  if (payloads.length === 0) return
  const rows = payloads.map((payload) => {
    const id = newId()
    return { id, sealed: vault.seal(JSON.stringify(payload), purpose(tenant.id, id)) }
  })
  const ids = rows.map(({ id }) => id)
  const sealed = rows.map((row) => row.sealed)
  send(
    sql`
      WITH queued AS (
        INSERT INTO dispatches (tenant_id, id, kind, sealed_payload, created_at, due_at, expires_at)
        SELECT ${tenant.id}, d.id, ${kind}, d.payload, ${now}, ${now}, ${secondsAfter(now, lifetimeSeconds)}
        FROM unnest(${ids}::text[], ${sealed}::bytea[]) AS d (id, payload)
      )
      SELECT pg_notify(${DISPATCH_CHANNEL}, '')`.execute(tx),
  )
}

/** Queues one payload to be sent once the unit commits; see queueDispatches. */
export const queueDispatch = (unit: Unit, kind: string, payload: object, lifetimeSeconds: number): void =>
  queueDispatches(unit, kind, [payload], lifetimeSeconds)

/**
 * Takes rows that are due, the longest waiting first. Taking one moves its time to the end of a lease: if the node
 * dies, the row is delayed by that long and not lost. Any number of nodes may do it at once.
 * @param kinds those that this node knows: a newer node may have written others
 */
export const takeDispatches = async (
  { database, clock }: Store,
  kinds: readonly string[],
  most: number,
  leaseSeconds: number,
): Promise<Dispatch[]> => {
  const now = clock.now()
  const { rows } = await sql<Dispatch>`
    WITH due AS (
      SELECT tenant_id, id FROM dispatches WHERE due_at <= ${now} AND kind = ANY(${kinds}::text[])
      ORDER BY due_at LIMIT ${most}
      FOR UPDATE SKIP LOCKED
    )
    UPDATE dispatches d SET attempts = attempts + 1, due_at = ${secondsAfter(now, leaseSeconds)}
    FROM due WHERE d.tenant_id = due.tenant_id AND d.id = due.id
    RETURNING d.tenant_id AS "tenantId", d.id, d.kind, d.sealed_payload AS "sealedPayload", d.attempts,
      d.created_at AS "createdAt", d.due_at AS "leasedUntil", d.expires_at AS "expiresAt"`.execute(database.kysely)
  return rows
}

/** When the row that has waited longest was queued, for any tenant. */
export const oldestDispatch = async ({ database }: Store): Promise<Date | undefined> => {
  const { rows } = await sql<{ oldest: Date | null }>`
    SELECT min(created_at) AS oldest FROM dispatches`.execute(database.kysely)
  return rows[0]?.oldest ?? undefined
}

/** The payload to send. Throws when the row was changed or sealed under another master key. */
export const payloadOf = (vault: Vault, { tenantId, id, sealedPayload }: Dispatch): unknown =>
  JSON.parse(vault.unseal(sealedPayload, purpose(tenantId, id)))

/** Deletes a row that is finished, whatever the outcome, which is in the audit entry of the unit. */
export const finishDispatch = ({ tx, tenant, send }: Unit, { id }: Dispatch): void =>
  send(tx.deleteFrom('dispatches').where(inTenant(tenant.id)).where('id', '=', id).execute())

/** Puts a row back that could not be sent, unless its lease ended and another node has it. */
export const postponeDispatch = async (
  { database }: Store,
  { tenantId, id, leasedUntil, attempts }: Dispatch,
  dueAt: Date,
  error: string,
): Promise<void> => {
  await database.kysely
    .updateTable('dispatches')
    .set({ due_at: dueAt, last_error: error })
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .where('due_at', '=', leasedUntil)
    .where('attempts', '=', attempts)
    .execute()
}
