/**
 * Grants that applications manage (Grant Management for OAuth 2.0): an application holds the id of a grant, and replaces or extends by
 * further authorizations what it allows (DECISIONS X7 to X9). What a grant allows is stored once, with the grant; codes and refresh tokens
 * that were issued from it before follow each change.
 */
import { sql } from 'kysely'
import { secondsAfter } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { grantedScopeIds } from '../access/access.ts'
import { mergedDetails, storedDetails } from '../access/authorization-details.ts'
import type { Client } from '../applications/clients.ts'
import { DEFAULT_RESOURCE } from '../permissions/reserved-names.ts'
import { GRANT_SECONDS, recordGrant, SessionEnded } from '../sessions/grants.ts'
import { sessionLivesAt } from '../sessions/session-of-grant.ts'
import type { Session } from '../sessions/sessions.ts'

/** What an authorization request may do with a grant. */
export const GRANT_ACTIONS = ['create', 'merge', 'replace'] as const
export type GrantAction = (typeof GRANT_ACTIONS)[number]

/** What a grant allows. */
export interface GrantContent {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  /** Requested one by one, as requested-claims.ts writes them; null: none. */
  readonly claims: readonly string[] | null
  /** As JSON; null: none. */
  readonly authorizationDetails: string | null
}

export interface ManagedGrant extends GrantContent {
  readonly id: string
  readonly userId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly expiresAt: Date
}

/** Thrown if the grant ended, or was never this user's, when it was to be changed. */
export class GrantGone extends Error {}

/** Of a grant `g` and what is stored of its management, `m`. */
const LIVE = (now: Date) => sql`g.expires_at > ${now} AND ('offline_access' = ANY(g.scopes) OR ${sessionLivesAt(now)})`
const COLUMNS = sql`g.id, g.user_id AS "userId", g.created_at AS "createdAt", g.expires_at AS "expiresAt", m.scopes, m.resources,
  m.claims, m.authorization_details AS "authorizationDetails", m.updated_at AS "updatedAt"`

/** What `newId` makes. */
const isPossibleId = (id: string): boolean => /^[0-9a-z]{21}$/.test(id)

/** The live grant of an application with this id; undefined for any other. Does not check whose request it is. */
export const findManagedGrant = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  applicationId: string,
  grantId: string,
): Promise<ManagedGrant | undefined> => {
  if (!isPossibleId(grantId)) return undefined
  const { rows } = await sql<ManagedGrant>`
    SELECT ${COLUMNS} FROM grants g JOIN managed_grants m ON m.tenant_id = g.tenant_id AND m.grant_id = g.id
    WHERE g.tenant_id = ${tenantId} AND g.id = ${grantId} AND g.application_id = ${applicationId} AND ${LIVE(clock.now())}`.execute(
    database.kysely,
  )
  return rows[0]
}

const union = (one: readonly string[], other: readonly string[]): string[] => [...new Set([...one, ...other])]

/**
 * What a grant allows after it was extended. Throws OAuthError `invalid_authorization_details` if the details of both are too many.
 */
export const mergedContent = (before: GrantContent, added: GrantContent): GrantContent => {
  const claims = union(before.claims ?? [], added.claims ?? [])
  const isDefaultOnly = (resources: readonly string[]) => resources.every((each) => each === DEFAULT_RESOURCE)
  return {
    scopes: union(before.scopes, added.scopes),
    // that none was named says nothing about those that were
    resources: isDefaultOnly(added.resources) ? before.resources : union(before.resources, added.resources),
    claims: claims.length > 0 ? claims : null,
    authorizationDetails: mergedDetails(
      storedDetails(before.authorizationDetails),
      storedDetails(added.authorizationDetails),
    ),
  }
}

/** What a user has just authorized, and what is to be done with it. */
export interface ManagedAuthorization {
  readonly action: GrantAction
  /** The grant that is merged into or replaced. */
  readonly grantId: string | undefined
  readonly asked: GrantContent
  /** Of the asked scopes, and those of claims: as they are recorded with grants. */
  readonly consentedScopes: readonly string[]
  /** What the user consented to for a third-party application; null for a first-party one. */
  readonly consentedIds: readonly string[] | null
}

/** A grant and what it allows now. */
export interface RecordedGrant {
  readonly grantId: string
  readonly content: GrantContent
}

const create = async (
  unit: Unit<'Grant.LimitExceeded'>,
  session: Session,
  client: Client,
  { asked, consentedScopes, consentedIds }: ManagedAuthorization,
): Promise<RecordedGrant> => {
  const grantId = await recordGrant(unit, session, client, { scopes: consentedScopes, consentedIds, isOfDevice: true })
  await unit.tx
    .insertInto('managed_grants')
    .values({ tenant_id: unit.tenant.id, grant_id: grantId, ...columnsOf(asked), updated_at: unit.now })
    .execute()
  return { grantId, content: asked }
}

const columnsOf = ({ scopes, resources, claims, authorizationDetails }: GrantContent) => ({
  scopes: [...scopes],
  resources: [...resources],
  claims: claims && [...claims],
  authorization_details: authorizationDetails,
})

/**
 * Locks the user and the session, in the order of recordGrant, what was issued from the grant, and the grant. Throws SessionEnded,
 * GrantGone. Codes and refresh tokens come before their grant, as where they are used: whoever uses one at this moment either has finished
 * before the change begins, or finds it changed.
 */
const locked = async (
  { tx, tenant, now }: Unit,
  { id: sessionId, userId }: Session,
  client: Client,
  grantId: string | undefined,
): Promise<ManagedGrant & { readonly consentedIds: string[] | null; readonly sessionExpiresAt: Date }> => {
  const { rows: sessions } = await sql<{ expires_at: Date }>`
    WITH locked AS (SELECT id FROM users WHERE tenant_id = ${tenant.id} AND id = ${userId} FOR NO KEY UPDATE)
    SELECT s.expires_at FROM sessions s WHERE s.tenant_id = ${tenant.id} AND s.id = ${sessionId} AND s.expires_at > ${now}
      AND s.user_id = (SELECT id FROM locked) FOR KEY SHARE`.execute(tx)
  const [session] = sessions
  if (!session) throw new SessionEnded('the session has ended in the meantime')
  for (const issued of ['authorization_codes', 'refresh_families'] as const) {
    await tx
      .selectFrom(issued)
      .select('grant_id')
      .where(inTenant(tenant.id))
      .where('grant_id', '=', grantId ?? '')
      .forUpdate()
      .execute()
  }
  const { rows } = await sql<ManagedGrant & { readonly consentedIds: string[] | null }>`
    SELECT ${COLUMNS}, g.consented_ids AS "consentedIds" FROM grants g
    JOIN managed_grants m ON m.tenant_id = g.tenant_id AND m.grant_id = g.id
    WHERE g.tenant_id = ${tenant.id} AND g.id = ${grantId ?? null} AND g.application_id = ${client.id} AND g.user_id = ${userId}
      AND ${LIVE(now)} FOR UPDATE`.execute(tx)
  const [grant] = rows
  if (!grant) throw new GrantGone('the grant has ended in the meantime')
  return { ...grant, sessionExpiresAt: session.expires_at }
}

/** What was issued from the grant and not yet used follows it; opaque tokens that may allow more than it does now end. */
const carryOver = async (
  { tx, tenant, now }: Unit,
  grantId: string,
  userId: string,
  content: GrantContent,
  isNarrower: boolean,
): Promise<void> => {
  const follows = {
    ...columnsOf(content),
    granted_scope_ids: grantedScopeIds(tenant, userId, content.scopes, content.resources),
  }
  await tx
    .updateTable('refresh_families')
    .set(follows)
    .where(inTenant(tenant.id))
    .where('grant_id', '=', grantId)
    .execute()
  await tx
    .updateTable('authorization_codes')
    .set(follows)
    .where(inTenant(tenant.id))
    .where('grant_id', '=', grantId)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
  if (!isNarrower) return
  await tx.deleteFrom('opaque_access_tokens').where(inTenant(tenant.id)).where('grant_id', '=', grantId).execute()
}

const change = async (
  unit: Unit,
  session: Session,
  client: Client,
  { action, grantId, asked, consentedScopes, consentedIds }: ManagedAuthorization,
): Promise<RecordedGrant> => {
  const { tx, tenant, now } = unit
  const before = await locked(unit, session, client, grantId)
  const isMerge = action === 'merge'
  const content = isMerge ? mergedContent(before, asked) : asked
  const scopes = isMerge ? union(content.scopes, consentedScopes) : consentedScopes
  const ids = isMerge && before.consentedIds ? union(before.consentedIds, consentedIds ?? []) : consentedIds
  const isOffline = scopes.includes('offline_access')
  await tx
    .updateTable('grants')
    .set({
      scopes: [...scopes],
      consented_ids: ids && [...ids],
      session_id: null,
      // it ends with the session of its last authorization
      original_session_id: session.id,
      expires_at: isOffline ? secondsAfter(now, GRANT_SECONDS) : before.sessionExpiresAt,
    })
    .where(inTenant(tenant.id))
    .where('id', '=', before.id)
    .execute()
  await tx
    .updateTable('managed_grants')
    .set({ ...columnsOf(content), updated_at: now })
    .where(inTenant(tenant.id))
    .where('grant_id', '=', before.id)
    .execute()
  await carryOver(unit, before.id, session.userId, content, !isMerge)
  return { grantId: before.id, content }
}

/**
 * Creates, extends or replaces the grant; of several authorizations at the same moment each finds what the one before left. Throws
 * SessionEnded as recordGrant, GrantGone, and OAuthError as mergedContent.
 */
export const recordManagedGrant = (
  unit: Unit<'Grant.LimitExceeded'>,
  session: Session,
  client: Client,
  authorization: ManagedAuthorization,
): Promise<RecordedGrant> =>
  authorization.action === 'create'
    ? create(unit, session, client, authorization)
    : change(unit, session, client, authorization)

/** Revokes a grant of an application with every code and token issued from it; returns whether there was one. */
export const revokeManagedGrant = operation(
  [],
  async (unit, applicationId: string, { id, userId }: ManagedGrant): Promise<boolean> => {
    const { tx, tenant } = unit
    const gone = await tx
      .deleteFrom('grants')
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .where('application_id', '=', applicationId)
      .returning('id')
      .executeTakeFirst()
    unit.note({ applicationId, userId, grantId: id })
    return gone !== undefined
  },
)
