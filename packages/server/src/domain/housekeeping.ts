/** Forgets rows whose time is over, a few at a time, so that no deletion is ever large. */
import { sql } from 'kysely'
import type { Store } from '../storage/store.ts'

const BATCH = 1000
/** DECISIONS K8. */
const EVENT_DAYS = 30
const DAY_MS = 86_400_000

/** Deletes what has expired; returns how many rows. Any number of nodes may do it at once. */
export const forgetExpired = async ({ database: { kysely }, clock }: Store): Promise<number> => {
  const now = clock.now()
  const eventsBefore = new Date(now.getTime() - EVENT_DAYS * DAY_MS)
  const statements = [
    sql`DELETE FROM revoked_access_tokens WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM revoked_access_tokens WHERE expires_at < ${now} LIMIT ${BATCH}))`,
    sql`DELETE FROM used_client_assertions WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM used_client_assertions WHERE expires_at < ${now} LIMIT ${BATCH}))`,
    sql`DELETE FROM events WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM events WHERE created_at < ${eventsBefore} LIMIT ${BATCH}))`,
  ]
  let forgotten = 0
  for (const statement of statements) {
    for (;;) {
      const { numAffectedRows = 0n } = await statement.execute(kysely)
      forgotten += Number(numAffectedRows)
      if (numAffectedRows < BATCH) break
    }
  }
  return forgotten
}
