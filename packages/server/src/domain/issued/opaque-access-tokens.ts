/** Opaque access tokens: for userinfo, never for an API (SPEC 2.3, DECISIONS G2, G6). Stored as hashes. */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { SID_OF_GRANT } from '../sessions/session-of-grant.ts'
import { CLAIMED_COLUMNS, type ClaimedUser } from '../users/rows.ts'

/** DECISIONS G3. */
export const OPAQUE_TOKEN_SECONDS = 3600

export interface OpaqueToken {
  readonly grantId: string
  readonly userId: string
  readonly username: string | null
  readonly applicationId: string
  readonly sessionId: string | null
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

export interface NewOpaqueToken {
  readonly grantId: string
  /** The session that it ends with; null: it goes on without one. */
  readonly sessionId: string | null
  readonly scopes: readonly string[]
}

/** Makes a token of a grant; returns its value. */
export const issueOpaqueToken = (
  { tx, tenant, now, send }: Unit,
  { grantId, sessionId, scopes }: NewOpaqueToken,
): string => {
  const token = newOpaque('accessToken')
  const hash = opaqueHash('accessToken', token)
  if (!hash) throw new Error('A new access token has no hash')
  const insert = tx
    .insertInto('opaque_access_tokens')
    .values({
      tenant_id: tenant.id,
      hash,
      grant_id: grantId,
      session_id: sessionId,
      scopes: [...scopes],
      created_at: now,
      expires_at: secondsAfter(now, OPAQUE_TOKEN_SECONDS),
    })
    .execute()
  send(insert)
  return token
}

/** The session that a token ends with, where it does. */
const ITS_SESSION = 's.tenant_id = t.tenant_id AND s.id = t.session_id'

type OpaqueTokenOfUser = Pick<OpaqueToken, 'userId' | 'applicationId' | 'scopes'>

/** The same within a unit of work: what is found is still there when the unit uses it. */
export const opaqueTokenIn = async (
  { tx, tenant, now }: Unit,
  token: string,
): Promise<OpaqueTokenOfUser | undefined> => {
  const hash = opaqueHash('accessToken', token)
  if (!hash) return undefined
  const { rows } = await sql<OpaqueTokenOfUser>`
    SELECT g.user_id AS "userId", g.application_id AS "applicationId", t.scopes FROM opaque_access_tokens t
    JOIN grants g ON g.tenant_id = t.tenant_id AND g.id = t.grant_id
    JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
    WHERE t.tenant_id = ${tenant.id} AND t.hash = ${hash} AND t.expires_at > ${now} AND g.expires_at > ${now}
      AND (t.session_id IS NULL OR EXISTS (SELECT FROM sessions s WHERE ${sql.raw(ITS_SESSION)} AND s.expires_at > ${now}))
      AND NOT u.is_suspended`.execute(tx)
  return rows[0]
}

/** A live token with its grant and user. $1 is the tenant, $2 the hash, $3 the time */
const LIVE_TOKEN = `FROM opaque_access_tokens t
  JOIN grants g ON g.tenant_id = t.tenant_id AND g.id = t.grant_id
  JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
  WHERE t.tenant_id = $1 AND t.hash = $2 AND t.expires_at > $3 AND g.expires_at > $3
    AND (t.session_id IS NULL OR EXISTS (SELECT FROM sessions s WHERE ${ITS_SESSION} AND s.expires_at > $3))
    AND NOT u.is_suspended`

/** What userinfo needs of a token, with what most of its answers say of the user. */
export interface TokenAtUserinfo extends OpaqueTokenOfUser {
  readonly user: ClaimedUser
}

/**
 * The live token with this value and its user, who is active: one statement. Does not ask whether its application is there:
 * the grant is deleted with it.
 */
export const findTokenAtUserinfo = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  token: string,
): Promise<TokenAtUserinfo | undefined> => {
  const hash = opaqueHash('accessToken', token)
  if (!hash) return undefined
  const { rows } = await database.lookups.query({
    name: 'find-token-at-userinfo',
    text: `SELECT t.scopes, g.user_id, g.application_id, ${CLAIMED_COLUMNS.map((column) => `u.${column}`).join(', ')}
      ${LIVE_TOKEN}`,
    values: [tenantId, hash, clock.now()],
  })
  const [row] = rows
  if (!row) return undefined
  const { scopes, user_id, application_id, ...user } = row
  return { scopes, userId: user_id, applicationId: application_id, user }
}

/** The live token with this value, whose user and application are there and active: one statement. */
export const findOpaqueToken = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  token: string,
): Promise<OpaqueToken | undefined> => {
  const hash = opaqueHash('accessToken', token)
  if (!hash) return undefined
  const { rows } = await database.lookups.query({
    name: 'find-opaque-token',
    text: `SELECT t.grant_id, t.scopes, t.created_at, t.expires_at, g.user_id, u.username, g.application_id,
        ${SID_OF_GRANT} AS session_id
      ${LIVE_TOKEN}`,
    values: [tenantId, hash, clock.now()],
  })
  const [row] = rows
  return (
    row && {
      grantId: row.grant_id,
      userId: row.user_id,
      username: row.username,
      applicationId: row.application_id,
      sessionId: row.session_id,
      scopes: row.scopes,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
    }
  )
}
