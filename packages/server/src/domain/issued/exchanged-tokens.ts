/** Whether an access token of ours can still be exchanged (DECISIONS H3): not revoked, and its grant alive. */
import { sql } from 'kysely'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { TokenOfUser } from './access-token-users.ts'

/**
 * Why the token cannot be exchanged, or undefined when it can: one statement. Whether its user is there and active is asked
 * where their permissions are read.
 */
export const assertExchangeable = async (
  { tx, tenant, now }: Unit,
  { jti, userId, applicationId, sessionId, hasGrant }: TokenOfUser & { readonly jti: string },
): Promise<string | undefined> => {
  const { rows } = await sql<{ is_revoked: boolean; has_grant: boolean }>`
    SELECT EXISTS (SELECT FROM revoked_access_tokens WHERE tenant_id = ${tenant.id} AND jti = ${jti}) AS is_revoked,
      EXISTS (SELECT FROM grants WHERE tenant_id = ${tenant.id} AND user_id = ${userId}
        AND application_id = ${applicationId} AND expires_at > ${now}
        AND (session_id IS NULL OR session_id = ${sessionId ?? null})) AS has_grant`.execute(tx)
  const [found] = rows
  if (found?.is_revoked) return 'it was revoked'
  return hasGrant && !found?.has_grant ? 'the grant that it came of has ended' : undefined
}
