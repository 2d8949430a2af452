/** Whether a JWT access token of a user is still worth something: asked by introspection, never by an API (SPEC 3). */
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'

/** What the token says. */
export interface TokenOfUser {
  readonly userId: string
  readonly applicationId: string
  /** `sid`. */
  readonly sessionId: string | undefined
  /** Whether it came of a grant; then there must still be one that it can have come of. */
  readonly hasGrant: boolean
}

/**
 * The user behind a token: one statement. Undefined when they are gone or suspended, or when the application has no grant of
 * theirs that the token can have come of: in its session, or one that goes on without a session. Which of two it was the
 * token does not say.
 */
export const userOfAccessToken = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  { userId, applicationId, sessionId, hasGrant }: TokenOfUser,
): Promise<{ readonly username: string | null } | undefined> => {
  const { rows } = await database.pool.query({
    name: 'user-of-access-token',
    text: `SELECT u.username FROM users u WHERE u.tenant_id = $1 AND u.id = $2 AND NOT u.is_suspended
      AND (NOT $3 OR EXISTS (SELECT FROM grants g WHERE g.tenant_id = $1 AND g.user_id = $2 AND g.application_id = $4
        AND g.expires_at > $6 AND (g.session_id IS NULL OR g.session_id = $5)))`,
    values: [tenantId, userId, hasGrant, applicationId, sessionId ?? null, clock.now()],
  })
  return rows[0]
}
