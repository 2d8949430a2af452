/** The limit of messages per recipient (DECISIONS L3): codes and invitations are counted together. */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { type Identifier, keepIdentifier } from '../credentials/identifiers.ts'

const MOST_SENDS = 10
export const SENDS_WITHIN_SECONDS = 600

/** The key under which messages to a recipient are counted. Throws as keepIdentifier. */
export const recipientHash = (recipient: Identifier): Buffer =>
  hashSecret(`${recipient.type}:${keepIdentifier(recipient).key}`)

/** Whether a recipient may currently be sent another message. */
export const isSendLeft = async (
  db: Db,
  { id: tenantId }: Tenant,
  now: Date,
  recipientHash: Buffer,
): Promise<boolean> => {
  const since = secondsAfter(now, -SENDS_WITHIN_SECONDS)
  const { rows } = await sql<{ sends: number }>`
    SELECT count(*)::integer AS sends FROM (
      SELECT FROM message_sends
      WHERE tenant_id = ${tenantId} AND recipient_hash = ${recipientHash} AND sent_at > ${since} LIMIT ${MOST_SENDS}
    ) recent`.execute(db)
  return (rows[0]?.sends ?? 0) < MOST_SENDS
}

/**
 * Counts a message to a recipient and says whether it may be sent; a refused one is not counted. Messages to one
 * recipient take turns, so that the limit holds for any number at once.
 * @param recipientHash of the address as it is compared, and of its kind
 */
export const countSend = async ({ tx, tenant, now }: Unit, recipientHash: Buffer): Promise<boolean> => {
  const lock = `${tenant.id} ${recipientHash.toString('base64url')}`
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 1))`.execute(tx)
  if (!(await isSendLeft(tx, tenant, now, recipientHash))) return false
  await tx
    .insertInto('message_sends')
    .values({ tenant_id: tenant.id, id: newId(), recipient_hash: recipientHash, sent_at: now })
    .execute()
  return true
}
