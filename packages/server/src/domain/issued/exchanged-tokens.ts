/**
 * Whether one of the server's access tokens can still be exchanged (DECISIONS H3): not revoked, and with a live grant.
 */
import { sql } from 'kysely'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { SubjectTokenContext } from './subject-tokens.ts'
import { grantStands, type TokenOfUser } from './token-grants.ts'

interface ExchangeableToken extends TokenOfUser {
  readonly jti: string
  /** The original subject token. */
  readonly subjectTokenId: string | undefined
}

type Exchangeable =
  /** @property objection why it cannot be exchanged */
  | { readonly objection: string }
  /** @property context of the subject token, if there is one with a context */
  | { readonly objection: undefined; readonly context: SubjectTokenContext | undefined }

/**
 * Whether the token can be exchanged, and the data that comes with it: one statement. Whether its user exists and is
 * active is checked where their permissions are read.
 */
export const exchangeable = async (
  { tx, tenant, now }: Unit,
  { jti, subjectTokenId, ...token }: ExchangeableToken,
): Promise<Exchangeable> => {
  const context =
    subjectTokenId === undefined
      ? sql`NULL`
      : sql`(SELECT context FROM subject_tokens WHERE tenant_id = ${tenant.id} AND id = ${subjectTokenId})`
  const { rows } = await sql<{ is_revoked: boolean; grant_stands: boolean; context: SubjectTokenContext | null }>`
    SELECT EXISTS (SELECT FROM revoked_access_tokens WHERE tenant_id = ${tenant.id} AND jti = ${jti}) AS is_revoked,
      ${grantStands(tenant.id, token, now)} AS grant_stands, ${context} AS context`.execute(tx)
  const [found] = rows
  if (found?.is_revoked) return { objection: 'it was revoked' }
  if (!found?.grant_stands) return { objection: 'the grant that it was issued from has ended' }
  return { objection: undefined, context: found.context ?? undefined }
}
