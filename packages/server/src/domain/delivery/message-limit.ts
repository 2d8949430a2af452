/** The limit of messages per recipient (DECISIONS L3): codes and invitations are counted together. */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

const MOST_SENDS = 10
export const SENDS_WITHIN_SECONDS = 600

/**
 * Counts a message to a recipient and says whether it may be sent; a refused one is not counted. Messages to one
 * recipient take turns, so that the limit holds for any number at once.
 * @param recipientHash of the address as it is compared, and of its kind
 */
export const countSend = async ({ tx, tenant, now }: Unit, recipientHash: Buffer): Promise<boolean> => {
  const lock = `${tenant.id} ${recipientHash.toString('base64url')}`
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 1))`.execute(tx)
  const since = secondsAfter(now, -SENDS_WITHIN_SECONDS)
  const { rows } = await sql<{ sends: number }>`
    SELECT count(*)::integer AS sends FROM (
      SELECT FROM message_sends
      WHERE tenant_id = ${tenant.id} AND recipient_hash = ${recipientHash} AND sent_at > ${since} LIMIT ${MOST_SENDS}
    ) recent`.execute(tx)
  if ((rows[0]?.sends ?? 0) >= MOST_SENDS) return false
  await tx
    .insertInto('message_sends')
    .values({ tenant_id: tenant.id, id: newId(), recipient_hash: recipientHash, sent_at: now })
    .execute()
  return true
}
