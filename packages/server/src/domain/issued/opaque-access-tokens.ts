/** Opaque access tokens: for userinfo, never for an API (SPEC 2.3, DECISIONS G2, G6). Stored as hashes. */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { GIVEN, parameter, shapedStatement } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { SID_OF_GRANT } from '../sessions/session-of-grant.ts'
import type { UserFinder } from '../users/finder.ts'
import { CLAIMED_COLUMNS, type ClaimedUser } from '../users/rows.ts'
import { type Confirmation, type StoredConfirmation, storedConfirmation } from './confirmation.ts'

/** DECISIONS G3. */
export const OPAQUE_TOKEN_SECONDS = 3600

export interface OpaqueToken extends StoredConfirmation {
  readonly hash: Buffer
  /** Null: it was issued in exchange for a personal access token, and has no grant. */
  readonly grantId: string | null
  readonly userId: string
  readonly username: string | null
  readonly applicationId: string
  readonly sessionId: string | null
  readonly scopes: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** What a token depends on. */
export type OpaqueTokenOwner =
  /** @property sessionId the session that it ends with; null: none */
  /** @property stepUpAt when the user signed in for it, if it came of an authorization that asked for that */
  /** @property claims requested one by one */
  | {
      readonly grantId: string
      readonly sessionId: string | null
      readonly stepUpAt?: Date | undefined
      readonly claims?: readonly string[] | null
    }
  /** From an exchange, which creates no grant (DECISIONS F5). */
  | { readonly userId: string; readonly applicationId: string }

const insertion = shapedStatement<never>()
const insertionSql = () => sql<never>`
  INSERT INTO opaque_access_tokens (tenant_id, hash, grant_id, session_id, user_id, application_id, scopes, created_at, expires_at, step_up_at,
    claims, jkt, x5t)
  SELECT ${parameter('tenantId', 'text')}, ${parameter('hash', 'bytea')}, ${parameter('grantId', 'text')},
    ${parameter('sessionId', 'text')}, ${parameter('userId', 'text')}, ${parameter('applicationId', 'text')},
    ${parameter('scopes', 'text[]')}, ${parameter('now', 'timestamptz')}, ${parameter('expiresAt', 'timestamptz')},
    ${parameter('stepUpAt', 'timestamptz')}, ${parameter('claims', 'text[]')}, ${parameter('jkt', 'text')}, ${parameter('x5t', 'text')}
  FROM ${GIVEN}`

/** Creates a token; returns its value. @param confirmation what it is bound to; undefined: nothing @param seconds that it lives */
export const issueOpaqueToken = (
  unit: Unit,
  owner: OpaqueTokenOwner,
  scopes: readonly string[],
  confirmation?: Confirmation,
  seconds: number = OPAQUE_TOKEN_SECONDS,
): string => {
  const { tenant, now } = unit
  const { value: token, hash } = newHashedOpaque('accessToken')
  const expiresAt = secondsAfter(now, seconds)
  const values = { tenantId: tenant.id, hash, ...owner, scopes, now, expiresAt, ...storedConfirmation(confirmation) }
  unit.send(insertion(unit, '', insertionSql, values))
  return token
}

/** The session that a token ends with, if there is one. */
const ITS_SESSION = 's.tenant_id = t.tenant_id AND s.id = t.session_id'

/** A token with its user and application, through its grant or without one. */
const OWNED = `opaque_access_tokens t
      LEFT JOIN grants g ON g.tenant_id = t.tenant_id AND g.id = t.grant_id
      JOIN users u ON u.tenant_id = t.tenant_id AND u.id = coalesce(g.user_id, t.user_id)`

const APPLICATION = 'coalesce(g.application_id, t.application_id)'

type OpaqueTokenOfUser = Pick<
  OpaqueToken,
  'grantId' | 'userId' | 'applicationId' | 'scopes' | 'expiresAt' | 'jkt' | 'x5t'
>

/** The same within a unit of work: the token still exists when the unit uses it. */
export const opaqueTokenIn = async (
  { tx, tenant, now }: Unit,
  token: string,
): Promise<OpaqueTokenOfUser | undefined> => {
  const hash = opaqueHash('accessToken', token)
  if (!hash) return undefined
  const { rows } = await sql<OpaqueTokenOfUser>`
    SELECT t.grant_id AS "grantId", u.id AS "userId", ${sql.raw(APPLICATION)} AS "applicationId",
      t.scopes, t.expires_at AS "expiresAt", t.jkt, t.x5t
    FROM ${sql.raw(OWNED)}
    WHERE t.tenant_id = ${tenant.id} AND t.hash = ${hash} AND t.expires_at > ${now}
      AND (t.grant_id IS NULL OR g.expires_at > ${now})
      AND (t.session_id IS NULL OR EXISTS (SELECT FROM sessions s WHERE ${sql.raw(ITS_SESSION)} AND s.expires_at > ${now}))
      AND NOT u.is_suspended`.execute(tx)
  return rows[0]
}

/** The user of a token, for a statement that is sent together with the one that checks whether it is live. */
export const userOfOpaqueToken = (token: string): UserFinder => ({
  name: 'opaque token',
  key: opaqueHash('accessToken', token) ?? null,
  type: 'bytea',
  user: (tenantId, key) => sql`(
    SELECT u.id FROM ${sql.raw(OWNED)} WHERE t.tenant_id = ${tenantId} AND t.hash = ${key})`,
})

/** Whether a value can be an opaque access token. */
export const isOpaqueToken = (value: string): boolean => opaqueHash('accessToken', value) !== undefined

/** Revokes a token that has no grant. */
export const revokeOpaqueToken = operation([], async ({ tx, tenant }, token: string): Promise<void> => {
  const hash = opaqueHash('accessToken', token)
  if (!hash) return
  await tx.deleteFrom('opaque_access_tokens').where(inTenant(tenant.id)).where('hash', '=', hash).execute()
})

/**
 * Whether a token is of an authorization that asked for a new sign-in, which was not before this moment. Uses that up unless it may
 * be reused: one statement (SECURITY R-1).
 */
export const takeStepUp = async (
  { tx, tenant }: Unit,
  token: Buffer,
  notBefore: Date,
  isReused: boolean,
): Promise<boolean> => {
  const { rows } = await sql`
    UPDATE opaque_access_tokens SET step_up_at = CASE WHEN ${isReused} THEN step_up_at END
    WHERE tenant_id = ${tenant.id} AND hash = ${token} AND step_up_at > ${notBefore} RETURNING hash`.execute(tx)
  return rows.length > 0
}

/** What the new sign-ins of a user have proved proves nothing any more: the password that they were made with is another. */
export const forgetStepUps = async ({ tx, tenant }: Unit, userId: string): Promise<void> => {
  await sql`
    UPDATE opaque_access_tokens t SET step_up_at = NULL FROM grants g
    WHERE t.tenant_id = ${tenant.id} AND t.step_up_at IS NOT NULL
      AND g.tenant_id = t.tenant_id AND g.id = t.grant_id AND g.user_id = ${userId}`.execute(tx)
}

/** Whether the token of a grant is live, with its grant and its session, as the unit sees it. Its user is locked by the caller. */
export const isTokenLive = async ({ tx, tenant, now }: Unit, token: Buffer, userId: string): Promise<boolean> => {
  const { rows } = await sql`
    SELECT FROM ${sql.raw(OWNED)}
    WHERE t.tenant_id = ${tenant.id} AND t.hash = ${token} AND t.expires_at > ${now} AND u.id = ${userId} AND g.expires_at > ${now}
      AND (t.session_id IS NULL OR EXISTS (SELECT FROM sessions s WHERE ${sql.raw(ITS_SESSION)} AND s.expires_at > ${now}))`.execute(
    tx,
  )
  return rows.length > 0
}

/** Selects the token, if it is live. $1 is the tenant, $2 the hash, $3 the time. */
const LIVE_TOKEN = `FROM ${OWNED}
  WHERE t.tenant_id = $1 AND t.hash = $2 AND t.expires_at > $3 AND (t.grant_id IS NULL OR g.expires_at > $3)
    AND (t.session_id IS NULL OR EXISTS (SELECT FROM sessions s WHERE ${ITS_SESSION} AND s.expires_at > $3))
    AND NOT u.is_suspended`

/** What userinfo needs from a token, with the user data that most of its responses contain. */
export interface TokenAtUserinfo extends Pick<OpaqueToken, 'userId' | 'applicationId' | 'scopes' | 'jkt' | 'x5t'> {
  /** Requested one by one. */
  readonly claims: readonly string[] | null
  readonly user: ClaimedUser
}

/**
 * The live token with this value and its active user: one statement. Does not check that its application exists: the
 * token is deleted with it.
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
    text: `SELECT t.scopes, t.claims, t.jkt, t.x5t, u.id AS user_id, ${APPLICATION} AS application_id, ${CLAIMED_COLUMNS.map((column) => `u.${column}`).join(', ')}
      ${LIVE_TOKEN}`,
    values: [tenantId, hash, clock.now()],
  })
  const [row] = rows
  if (!row) return undefined
  const { scopes, claims, jkt, x5t, user_id, application_id, ...user } = row
  return { scopes, claims, jkt, x5t, userId: user_id, applicationId: application_id, user }
}

/** The live token with this value, whose user and application exist and are active: one statement. */
export const findOpaqueToken = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  token: string,
): Promise<OpaqueToken | undefined> => {
  const hash = opaqueHash('accessToken', token)
  if (!hash) return undefined
  const { rows } = await database.lookups.query({
    name: 'find-opaque-token',
    text: `SELECT t.grant_id, t.scopes, t.created_at, t.expires_at, t.jkt, t.x5t, u.id AS user_id, u.username,
        ${APPLICATION} AS application_id, ${SID_OF_GRANT} AS session_id
      ${LIVE_TOKEN}`,
    values: [tenantId, hash, clock.now()],
  })
  const [row] = rows
  return (
    row && {
      hash,
      grantId: row.grant_id,
      userId: row.user_id,
      username: row.username,
      applicationId: row.application_id,
      sessionId: row.session_id,
      scopes: row.scopes,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      jkt: row.jkt,
      x5t: row.x5t,
    }
  )
}
