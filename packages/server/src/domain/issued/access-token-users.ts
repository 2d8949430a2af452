/** Whether a JWT access token of a user is still valid: checked by introspection, never by an API (SPEC 3). */
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { grantStands, type TokenOfUser } from './token-grants.ts'

/**
 * The user behind a token: one statement. Undefined when the user is deleted or suspended, or when the grant has ended.
 */
export const userOfAccessToken = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  token: TokenOfUser,
): Promise<{ readonly username: string | null } | undefined> => {
  const { rows } = await sql<{ readonly username: string | null }>`/* prepared */
    SELECT u.username FROM users u
    WHERE u.tenant_id = ${tenantId} AND u.id = ${token.userId} AND NOT u.is_suspended
      AND ${grantStands(tenantId, token, clock.now())}`.execute(database.kysely)
  return rows[0]
}
