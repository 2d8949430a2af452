/** Whether the grant from which a user's JWT access token was issued still exists (DECISIONS G5, N9). */
import { type RawBuilder, sql } from 'kysely'
import type { SqlValue } from '../../storage/statement.ts'
import { sessionLivesAt } from '../sessions/session-of-grant.ts'

/** What a token says about its grant. */
export type GrantOfToken =
  /** @property endsWithSession whether the token ends with the grant's session: it has no offline_access */
  | { readonly id: string; readonly endsWithSession: boolean }
  /** For tokens of an earlier version, which do not name their grant. */
  | { readonly sessionId: string | undefined; readonly issuedAt: Date }

/** The token to check. */
export interface TokenOfUser {
  readonly userId: string
  readonly applicationId: string
  /** Undefined: it was issued by an exchange, and depends on no grant. */
  readonly grant: GrantOfToken | undefined
}

/**
 * Any grant that the token may have been issued from: in its session, or in one that was not recorded, and not younger
 * than the token, so that a later grant does not stand in for a deleted one. A numeric date has no fractions of
 * seconds.
 */
const possible = (sessionId: SqlValue<string | undefined>, issuedAt: SqlValue<Date>): RawBuilder<boolean> => {
  const session = sql`coalesce(g.session_id, g.original_session_id)`
  return sql`(${session} IS NULL OR ${session} = ${sessionId ?? null})
    AND date_trunc('second', g.created_at) <= ${issuedAt}`
}

type AsSql<T> = { readonly [K in keyof T]: T[K] extends boolean ? T[K] : SqlValue<T[K]> }

/** A token with its values, or with SQL of them. */
interface TokenInSql extends AsSql<Omit<TokenOfUser, 'grant'>> {
  readonly grant: (GrantOfToken extends infer G ? AsSql<G> : never) | undefined
}

/** The check as SQL: true for a token without a grant. */
export const grantStands = (
  tenantId: SqlValue<string>,
  { userId, applicationId, grant }: TokenInSql,
  now: SqlValue<Date>,
): RawBuilder<boolean> => {
  if (!grant) return sql`true`
  const itself =
    'id' in grant
      ? sql`g.id = ${grant.id} ${grant.endsWithSession ? sql`AND ${sessionLivesAt(now)}` : sql``}`
      : possible(grant.sessionId, grant.issuedAt)
  return sql`EXISTS (SELECT FROM grants g WHERE g.tenant_id = ${tenantId} AND g.user_id = ${userId}
    AND g.application_id = ${applicationId} AND g.expires_at > ${now} AND ${itself})`
}
