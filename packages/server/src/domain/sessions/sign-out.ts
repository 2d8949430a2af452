/** Ends all sessions and grants of a user: one statement each, in the transaction of the cause (DECISIONS F6, F7). */
import { sql } from 'kysely'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { isToldOfLogout, queueLogoutNotices } from './back-channel-logout.ts'

/** The session that an application knows: a device's as long as it exists. */
const sidOfEnded = sql<string | null>`coalesce(grants.session_id,
  (SELECT s.id FROM sessions s WHERE s.tenant_id = grants.tenant_id AND s.id = grants.original_session_id))`

/** The session that continues with its grants, and the grant that may have outlived it. */
export interface Spared {
  readonly sessionId: string | null
  /** Null: only what was granted in the session. */
  readonly grantId: string | null
}

/**
 * Ends the sessions and grants of a user, and with the grants their codes, refresh tokens and opaque tokens; applications
 * that want to be are notified. JWTs stay valid until they expire (SPEC
 * 3). @param spare what continues: that of a user who changes their own password
 */
export const endAuthorizationsOfUser = async (unit: Unit, userId: string, spare?: Spared): Promise<void> => {
  const { tx, tenant } = unit
  // those that another request is ending have been told of by it: the statements after this one see what it left
  const locked = sql`
    SELECT FROM sessions WHERE tenant_id = ${tenant.id} AND user_id = ${userId} ORDER BY id FOR UPDATE`.execute(tx)
  let grants = tx
    .deleteFrom('grants')
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .returning(['application_id', sidOfEnded.as('session_id'), isToldOfLogout.as('is_told')])
  let sessions = tx.deleteFrom('sessions').where(inTenant(tenant.id)).where('user_id', '=', userId)
  if (spare) {
    const { sessionId, grantId } = spare
    grants = grants
      .where(sql<boolean>`id IS DISTINCT FROM ${grantId}`)
      .where(sql<boolean>`(session_id IS NULL OR session_id IS DISTINCT FROM ${sessionId})`)
    sessions = sessions.where(sql<boolean>`id IS DISTINCT FROM ${sessionId}`)
  }
  const [, ended] = await Promise.all([locked, grants.execute()])
  await sessions.execute()
  queueLogoutNotices(unit, userId, ended)
}
