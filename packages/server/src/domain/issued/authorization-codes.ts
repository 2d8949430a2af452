/** Authorization codes (RFC 6749 section 4.1): the only place that creates and consumes them. */

import { type Selectable, sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { GIVEN, parameter, shapedStatement } from '../../storage/statement.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { grantedScopeIds } from '../access/access.ts'
import { sessionLivesAt } from '../sessions/session-of-grant.ts'
import type { Session } from '../sessions/sessions.ts'
import type { UserFinder } from '../users/finder.ts'
import { JOINED_USER, type JoinedUser, joinedUserOf, type WithJoinedUser } from '../users/joined-user.ts'
import { type Confirmation, storedConfirmation } from './confirmation.ts'

/** DECISIONS G3. */
const CODE_SECONDS = 60

export interface CodeRequest {
  readonly grantId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly nonce: string | undefined
  readonly codeChallenge: string | undefined
  /** What the code is bound to (RFC 9449 section 10); undefined: nothing. */
  readonly confirmation: Confirmation | undefined
  readonly acr: string | undefined
  /** Requested one by one, as requested-claims.ts writes them; undefined: none. */
  readonly claims: readonly string[] | undefined
  /** What the user approved, as JSON; undefined: none. */
  readonly authorizationDetails: string | undefined
  /** Whether the application manages the grant, and is told its id. */
  readonly isManaged: boolean
  /** Whether the request asked for a new or a stronger sign-in. */
  readonly isStepUp: boolean
}

/** Creates a code for what a user has just authorized; returns its value, of which only the hash is stored. */
export const issueCode = ({ tx, tenant, now, send }: Unit, session: Session, request: CodeRequest): string => {
  const { value: code, hash } = newHashedOpaque('authorizationCode')
  const inserted = tx
    .insertInto('authorization_codes')
    .values({
      tenant_id: tenant.id,
      hash,
      grant_id: request.grantId,
      redirect_uri: request.redirectUri,
      scopes: [...request.scopes],
      resources: [...request.resources],
      granted_scope_ids: grantedScopeIds(tenant, session.userId, request.scopes, request.resources),
      nonce: request.nonce ?? null,
      code_challenge: request.codeChallenge ?? null,
      ...storedConfirmation(request.confirmation),
      acr: request.acr ?? null,
      claims: request.claims ? [...request.claims] : null,
      authorization_details: request.authorizationDetails ?? null,
      is_step_up: request.isStepUp,
      is_managed: request.isManaged,
      authenticated_at: session.authenticatedAt,
      amr: [...session.amr],
      expires_at: secondsAfter(now, CODE_SECONDS),
    })
    .execute()
  send(inserted)
  return code
}

/** A code with its grant and its user, as redemption needs them. */
export interface RedeemedCode extends Selectable<Tables['authorization_codes']> {
  readonly user_id: string
  readonly session_id: string | null
  readonly consented_ids: string[] | null
  readonly user: JoinedUser
}

type JoinedCode = Omit<RedeemedCode, 'user'> & WithJoinedUser

const consumption = shapedStatement<JoinedCode>()
const [TENANT, HASH] = [parameter<string>('tenantId', 'text'), parameter<Buffer>('hash', 'bytea')]
const NOW = parameter<Date>('now', 'timestamptz')

const consumptionSql = () => sql<JoinedCode>`
  UPDATE authorization_codes c SET consumed_at = ${NOW}
  FROM ${GIVEN}, grants g JOIN users u ON u.tenant_id = g.tenant_id AND u.id = g.user_id
  WHERE c.tenant_id = ${TENANT} AND c.hash = ${HASH} AND c.consumed_at IS NULL AND c.expires_at > ${NOW}
    AND g.tenant_id = c.tenant_id AND g.id = c.grant_id AND g.application_id = ${parameter('applicationId', 'text')}
    AND ('offline_access' = ANY(c.scopes) OR ${sessionLivesAt(NOW)})
  RETURNING given.n, c.*, g.user_id, g.session_id, g.consented_ids, ${JOINED_USER}`

/**
 * Consumes a code: one conditional statement, so that of any number of simultaneous redemptions exactly one gets the
 * row (SECURITY ). Undefined: this application has no such code, it was used before, it has expired, or its
 * session has ended and the authorization does not outlive it.
 */
export const consumeCode = async (
  unit: Unit,
  code: string,
  applicationId: string,
): Promise<RedeemedCode | undefined> => {
  const hash = opaqueHash('authorizationCode', code)
  if (!hash) return undefined
  const { tenant, now } = unit
  const [row] = await consumption(unit, '', consumptionSql, { tenantId: tenant.id, hash, applicationId, now })
  return row && { ...row, user: joinedUserOf(row) }
}

/** The user and the scopes of a code, for a statement that is sent together with the one that consumes it. */
export const userOfCode = (code: string): UserFinder => ({
  name: 'code',
  key: opaqueHash('authorizationCode', code) ?? null,
  type: 'bytea',
  user: (tenantId, key) => sql`(
    SELECT g.user_id FROM authorization_codes c JOIN grants g ON g.tenant_id = c.tenant_id AND g.id = c.grant_id
    WHERE c.tenant_id = ${tenantId} AND c.hash = ${key})`,
  scopes: (tenantId, key) => sql`(
    SELECT c.scopes FROM authorization_codes c WHERE c.tenant_id = ${tenantId} AND c.hash = ${key})`,
})

const note = shapedStatement<never>()
const noteSql = () => sql<never>`
  UPDATE authorization_codes c SET issued_jti = ${parameter('jti', 'text')}, issued_until = ${parameter('until', 'timestamptz')}
  FROM ${GIVEN} WHERE c.tenant_id = ${TENANT} AND c.hash = ${HASH}`

/** Records which access token a code was redeemed for. */
export const noteIssued = (unit: Unit, { hash }: RedeemedCode, jti: string, until: Date): void =>
  unit.send(note(unit, '', noteSql, { tenantId: unit.tenant.id, hash, jti, until }))

/**
 * Handles a second use of a code: everything issued from it is revoked (RFC 6749 section 4.1.2, SECURITY R-8). Returns
 * whether the code had been used. Only the client that the code was issued to can cause this.
 */
export const revokeReusedCode = async ({ tx, tenant }: Unit, code: string, applicationId: string): Promise<boolean> => {
  const hash = opaqueHash('authorizationCode', code)
  if (!hash) return false
  const { rows } = await sql<{ grant_id: string; issued_jti: string | null; issued_until: Date | null }>`
    SELECT c.grant_id, c.issued_jti, c.issued_until FROM authorization_codes c
    JOIN grants g ON g.tenant_id = c.tenant_id AND g.id = c.grant_id
    WHERE c.tenant_id = ${tenant.id} AND c.hash = ${hash} AND c.consumed_at IS NOT NULL
      AND g.application_id = ${applicationId}`.execute(tx)
  const [used] = rows
  if (!used) return false
  if (used.issued_jti && used.issued_until) {
    await tx
      .insertInto('revoked_access_tokens')
      .values({ tenant_id: tenant.id, jti: used.issued_jti, expires_at: used.issued_until })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  await tx.deleteFrom('grants').where(inTenant(tenant.id)).where('id', '=', used.grant_id).execute()
  return true
}
