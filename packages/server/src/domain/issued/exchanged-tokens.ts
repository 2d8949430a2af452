/** Whether an access token of ours can still be exchanged (DECISIONS H3): not revoked, and its grant alive. */
import { sql } from 'kysely'
import type { Unit } from '../../storage/unit-of-work.ts'
import { grantStands, type TokenOfUser } from './token-grants.ts'

/**
 * Why the token cannot be exchanged, or undefined when it can: one statement. Whether its user is there and active is asked
 * where their permissions are read.
 */
export const assertExchangeable = async (
  { tx, tenant, now }: Unit,
  token: TokenOfUser & { readonly jti: string },
): Promise<string | undefined> => {
  const { rows } = await sql<{ is_revoked: boolean; grant_stands: boolean }>`
    SELECT EXISTS (SELECT FROM revoked_access_tokens WHERE tenant_id = ${tenant.id} AND jti = ${token.jti}) AS is_revoked,
      ${grantStands(tenant.id, token, now)} AS grant_stands`.execute(tx)
  const [found] = rows
  if (found?.is_revoked) return 'it was revoked'
  return found?.grant_stands ? undefined : 'the grant that it came of has ended'
}
