/** Whether the grant that a JWT access token of a user came of still stands behind it (DECISIONS G5, N9). */
import { type RawBuilder, sql } from 'kysely'
import { sessionLivesAt } from '../sessions/session-of-grant.ts'

/** What a token tells of its grant. */
export type GrantOfToken =
  /** @property endsWithSession whether the end of the grant's session is the token's end too: it has no offline_access */
  | { readonly id: string; readonly endsWithSession: boolean }
  /** Of a token of an earlier version, which does not name its grant. */
  | { readonly sessionId: string | undefined; readonly issuedAt: Date }

/** What is asked about a token. */
export interface TokenOfUser {
  readonly userId: string
  readonly applicationId: string
  /** Undefined: it came of an exchange, and hangs on no grant. */
  readonly grant: GrantOfToken | undefined
}

/**
 * Any that the token can have come of: in its session, or in one that was not kept, and not younger than the token, so that
 * a grant that was deleted is not replaced by one that was made later. A numeric date has no fractions of seconds.
 */
const possible = (sessionId: string | undefined, issuedAt: Date): RawBuilder<boolean> => {
  const session = sql`coalesce(g.session_id, g.original_session_id)`
  return sql`(${session} IS NULL OR ${session} = ${sessionId ?? null})
    AND date_trunc('second', g.created_at) <= ${issuedAt}`
}

/** The question as SQL: true for a token without a grant. */
export const grantStands = (
  tenantId: string,
  { userId, applicationId, grant }: TokenOfUser,
  now: Date,
): RawBuilder<boolean> => {
  if (!grant) return sql`true`
  const itself =
    'id' in grant
      ? sql`g.id = ${grant.id} ${grant.endsWithSession ? sql`AND ${sessionLivesAt(now)}` : sql``}`
      : possible(grant.sessionId, grant.issuedAt)
  return sql`EXISTS (SELECT FROM grants g WHERE g.tenant_id = ${tenantId} AND g.user_id = ${userId}
    AND g.application_id = ${applicationId} AND g.expires_at > ${now} AND ${itself})`
}
