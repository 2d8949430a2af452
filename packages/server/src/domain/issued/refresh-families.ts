/**
 * Refresh tokens (DECISIONS G4, SECURITY R-3). A family is a counter in the database; the token of a generation is derived
 * from the family, the generation and the master key. So a retry with the token just used can get the same successor,
 * which is stored nowhere, and an older token is recognized as one that was already used: its family is revoked.
 */

import { timingSafeEqual } from 'node:crypto'
import { type Selectable, sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { GIVEN, parameter, shapedStatement } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { SID_OF_GRANT, sessionLives, sessionLivesAt, sidOfGrant } from '../sessions/session-of-grant.ts'
import type { UserFinder } from '../users/finder.ts'
import { JOINED_USER, type JoinedUser, joinedUserOf, type WithJoinedUser } from '../users/joined-user.ts'
import { type Confirmation, type StoredConfirmation, storedConfirmation } from './confirmation.ts'

const PREFIX = 'cs_rt_'
/** For this long a used token still gets its successor: a lost response must not end a session. */
const RETRY_MS = 10_000

type FamilyRow = Selectable<Tables['refresh_families']>

const FAMILY_COLUMNS = [
  'id',
  'grant_id',
  'scopes',
  'resources',
  'granted_scope_ids',
  'claims',
  'authorization_details',
  'is_managed',
  'authenticated_at',
  'amr',
  'generation',
  'rotated_at',
  'jkt',
  'x5t',
] as const satisfies readonly (keyof FamilyRow)[]

/** A family with its grant and its user, as a refresh needs them. */
export interface Family extends Pick<FamilyRow, (typeof FAMILY_COLUMNS)[number]> {
  readonly user_id: string
  readonly application_id: string
  readonly session_id: string | null
  readonly consented_ids: string[] | null
  readonly user: JoinedUser
}

type JoinedFamily = Omit<Family, 'user'> & WithJoinedUser

const TENANT = parameter<string>('tenantId', 'text')
const FAMILY_ID = parameter<string>('familyId', 'text')
const NOW = parameter<Date>('now', 'timestamptz')

/** The result of both statements that use a token; `f`, `g` and `u` are family, grant and user. */
const FAMILY = sql.join([
  sql`given.n`,
  ...FAMILY_COLUMNS.map((column) => sql.ref(`f.${column}`)),
  JOINED_USER,
  sql`g.user_id, g.application_id, ${sidOfGrant} AS session_id, g.consented_ids`,
])

const familyOf = (row: JoinedFamily): Family => ({ ...row, user: joinedUserOf(row) })

export interface RefreshToken {
  readonly familyId: string
  readonly generation: number
}

const macOf = (vault: Vault, tenantId: string, { familyId, generation }: RefreshToken): Buffer =>
  vault.authenticate(`${tenantId}/${familyId}/${generation}`, 'refresh-token')

/** The value of a generation's token. */
export const refreshTokenValue = (vault: Vault, tenantId: string, token: RefreshToken): string =>
  `${PREFIX}${token.familyId}.${token.generation.toString(36)}.${macOf(vault, tenantId, token).toString('base64url')}`

/** Parses a refresh token issued for this tenant; undefined for anything else. Does not check whether it was used. */
export const readRefreshToken = (vault: Vault, tenantId: string, value: string): RefreshToken | undefined => {
  const [, familyId, counter, mac] = /^cs_rt_([0-9a-z]{21})\.([0-9a-z]{1,6})\.([A-Za-z0-9_-]{43})$/.exec(value) ?? []
  if (!familyId || !counter || !mac) return undefined
  const token = { familyId, generation: Number.parseInt(counter, 36) }
  if (token.generation.toString(36) !== counter) return undefined
  const given = Buffer.from(mac, 'base64url')
  const right = macOf(vault, tenantId, token)
  const sound = given.length === right.length && timingSafeEqual(given, right) && given.toString('base64url') === mac
  return sound ? token : undefined
}

export interface NewFamily {
  readonly grantId: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** Ids of the permissions that the user held at the authorization; null: not recorded. */
  readonly grantedScopeIds: readonly string[] | null
  /** Requested one by one; null: none. */
  readonly claims: readonly string[] | null
  /** What was granted, as JSON; null: none. */
  readonly authorizationDetails: string | null
  /** Whether the application manages the grant. */
  readonly isManaged: boolean
  readonly nonce: string | null
  readonly authenticatedAt: Date
  readonly amr: readonly string[]
  /** What its tokens are bound to; undefined: nothing (RFC 9449 section 5, RFC 8705 section 4). */
  readonly confirmation: Confirmation | undefined
  /** Seconds. */
  readonly lifetime: number
}

const insertion = shapedStatement<never>()
const insertionSql = () => sql<never>`
  INSERT INTO refresh_families (tenant_id, id, grant_id, scopes, resources, granted_scope_ids, claims, nonce, authenticated_at,
    amr, created_at, expires_at, jkt, x5t, authorization_details, is_managed)
  SELECT ${TENANT}, ${FAMILY_ID}, ${parameter('grantId', 'text')}, ${parameter('scopes', 'text[]')},
    ${parameter('resources', 'text[]')}, ${parameter('grantedScopeIds', 'text[]')}, ${parameter('claims', 'text[]')},
    ${parameter('nonce', 'text')}, ${parameter('authenticatedAt', 'timestamptz')}, ${parameter('amr', 'text[]')}, ${NOW},
    ${parameter('expiresAt', 'timestamptz')}, ${parameter('jkt', 'text')}, ${parameter('x5t', 'text')},
    ${parameter('authorizationDetails', 'text')}, ${parameter('isManaged', 'boolean')} FROM ${GIVEN}`

/** Starts a family; returns the value of its first token. */
export const startFamily = (unit: Unit, family: NewFamily): string => {
  const { tenant, now, vault } = unit
  const token = { familyId: newId(), generation: 0 }
  const expiresAt = secondsAfter(now, family.lifetime)
  const { confirmation, ...rest } = family
  const bound = storedConfirmation(confirmation)
  const values = { tenantId: tenant.id, now, ...rest, ...bound, familyId: token.familyId, expiresAt }
  unit.send(insertion(unit, '', insertionSql, values))
  return refreshTokenValue(vault, tenant.id, token)
}

/** A family after use, and the token that its owner holds from now on. */
export interface Refreshed {
  readonly family: Family
  readonly token: string
}

/** The user and the scopes of a token's family, for a statement that is sent together with the one that uses the token. */
export const userOfFamily = ({ familyId }: RefreshToken): UserFinder => ({
  name: 'family',
  key: familyId,
  type: 'text',
  user: (tenantId, key) => sql`(
    SELECT g.user_id FROM refresh_families f JOIN grants g ON g.tenant_id = f.tenant_id AND g.id = f.grant_id
    WHERE f.tenant_id = ${tenantId} AND f.id = ${key})`,
  scopes: (tenantId, key) =>
    sql`(SELECT f.scopes FROM refresh_families f WHERE f.tenant_id = ${tenantId} AND f.id = ${key})`,
})

/** A family that was authorized without offline_access ends with its session, even if the grant continues. */
const goesOn = `'offline_access' = ANY(f.scopes)`

const familyStatement = shapedStatement<JoinedFamily>()

const rotation = () => sql<JoinedFamily>`
  UPDATE refresh_families f SET generation = f.generation + 1, rotated_at = ${NOW},
    expires_at = least(coalesce(${parameter('until', 'timestamptz')}, f.expires_at), g.expires_at)
  FROM ${GIVEN}, grants g JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
  WHERE f.tenant_id = ${TENANT} AND f.id = ${FAMILY_ID} AND f.generation = ${parameter('generation', 'integer')}
    AND f.expires_at > ${NOW} AND g.tenant_id = f.tenant_id AND g.id = f.grant_id AND g.expires_at > ${NOW}
    AND (${sql.raw(goesOn)} OR ${sessionLivesAt(NOW)})
  RETURNING ${FAMILY}`

const locking = () => sql<JoinedFamily>`
  SELECT ${FAMILY} FROM ${GIVEN}, refresh_families f JOIN grants g ON g.tenant_id = f.tenant_id AND g.id = f.grant_id
  JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
  WHERE f.tenant_id = ${TENANT} AND f.id = ${FAMILY_ID} AND f.expires_at > ${NOW}
    AND g.expires_at > ${NOW} AND (${sql.raw(goesOn)} OR ${sessionLivesAt(NOW)})
  FOR UPDATE OF f`

/**
 * Uses a token and advances its family: one conditional statement, so that of any number of simultaneous refreshes one
 * advances it and the others are one generation behind, within the time for retries. Undefined: the family no longer
 * exists, or it has expired.
 * @param until when the family now ends; undefined leaves it as it is
 */
export const rotateFamily = async (
  unit: Unit,
  token: RefreshToken,
  until: Date | undefined,
): Promise<Refreshed | undefined> => {
  const { tenant, now, vault } = unit
  const [row] = await familyStatement(unit, 'rotate', rotation, { tenantId: tenant.id, ...token, now, until })
  if (!row) return undefined
  return {
    family: familyOf(row),
    token: refreshTokenValue(vault, tenant.id, { ...token, generation: token.generation + 1 }),
  }
}

/** The family of a token, locked, whatever its generation. */
export const lockFamily = async (unit: Unit, familyId: string): Promise<Family | undefined> => {
  const { tenant, now } = unit
  const [row] = await familyStatement(unit, 'lock', locking, { tenantId: tenant.id, familyId, now })
  return row && familyOf(row)
}

/** A refresh token as introspection shows it. */
export interface LiveRefreshToken extends StoredConfirmation {
  readonly applicationId: string
  readonly userId: string
  readonly username: string | null
  readonly sessionId: string | null
  readonly scopes: readonly string[]
  readonly authenticatedAt: Date
  /** When this generation was issued. */
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** As JSON. */
  readonly authorizationDetails: string | null
  readonly amr: readonly string[]
}

/**
 * The token if it is the current one and its user is active: one statement. A used one is not, even within
 * the time for retries: it can only get the successor that its owner already has.
 */
export const findLiveRefreshToken = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  { familyId, generation }: RefreshToken,
): Promise<LiveRefreshToken | undefined> => {
  const { rows } = await database.lookups.query({
    name: 'find-refresh-token',
    text: `SELECT g.application_id AS "applicationId", g.user_id AS "userId", u.username, ${SID_OF_GRANT} AS "sessionId", f.scopes, f.jkt, f.x5t,
        f.authorization_details AS "authorizationDetails", f.amr,
        f.authenticated_at AS "authenticatedAt", coalesce(f.rotated_at, f.created_at) AS "issuedAt",
        least(f.expires_at, g.expires_at) AS "expiresAt"
      FROM refresh_families f
      JOIN grants g ON g.tenant_id = f.tenant_id AND g.id = f.grant_id
      JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
      WHERE f.tenant_id = $1 AND f.id = $2 AND f.generation = $3 AND f.expires_at > $4 AND g.expires_at > $4
        AND NOT u.is_suspended AND (${goesOn} OR ${sessionLives('$4')})`,
    values: [tenantId, familyId, generation, clock.now()],
  })
  return rows[0]
}

/** Whether the token was used so recently that it still gets its successor. */
export const mayRetry = ({ generation, rotated_at }: Family, token: RefreshToken, now: Date): boolean =>
  token.generation === generation - 1 && rotated_at !== null && now.getTime() - rotated_at.getTime() <= RETRY_MS

/** Revokes what a reused token belongs to: the grant with all its tokens (RFC 9700 section 4.14.2). */
export const revokeFamily = async ({ tx, tenant }: Unit, { grant_id }: Family): Promise<void> => {
  await tx.deleteFrom('grants').where(inTenant(tenant.id)).where('id', '=', grant_id).execute()
}

/** Revokes the grant of a refresh token at its application's request, whatever the generation (DECISIONS G5). */
export const revokeRefreshToken = operation(
  [],
  async (unit, token: RefreshToken, applicationId: string): Promise<void> => {
    const family = await lockFamily(unit, token.familyId)
    if (family?.application_id === applicationId) await revokeFamily(unit, family)
  },
)
