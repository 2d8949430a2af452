/** Where a user is signed in, and what they gave applications, in the user's own hands (DECISIONS F3, F5). */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { deleteTrustedDevice } from '../factors/trusted-devices.ts'
import { endAuthorizationsOfUser } from '../sessions/sign-out.ts'
import {
  endUserSession,
  listUserGrants,
  listUserSessions,
  revokeUserGrant,
  type UserGrant,
  type UserSession,
} from '../users/sessions.ts'
import { announceUser, beginChange } from './changes.ts'
import type { AccountHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'

/** When a grant was last used: extended, or to get a token. */
interface GrantUse {
  readonly id: string
  readonly isThirdParty: boolean
  readonly sessionId: string | null
  readonly lastUsedAt: Date
}

const usesOf = async ({ database }: Store, { id: tenantId }: Tenant, userId: string): Promise<GrantUse[]> => {
  const { rows } = await sql<GrantUse>`
    SELECT g.id, a.is_third_party AS "isThirdParty", coalesce(g.session_id, g.original_session_id) AS "sessionId", greatest(g.created_at,
      (SELECT max(coalesce(f.rotated_at, f.created_at)) FROM refresh_families f
        WHERE f.tenant_id = g.tenant_id AND f.grant_id = g.id),
      (SELECT max(t.created_at) FROM opaque_access_tokens t
        WHERE t.tenant_id = g.tenant_id AND t.grant_id = g.id)) AS "lastUsedAt"
    FROM grants g JOIN applications a ON a.tenant_id = g.tenant_id AND a.id = g.application_id
    WHERE g.tenant_id = ${tenantId} AND g.user_id = ${userId}`.execute(database.kysely)
  return rows
}

/** A session as its owner sees it. */
export interface OwnSession extends UserSession {
  /** The application that the user signed in to; null if it no longer exists. */
  readonly applicationName: string | null
  /** When the user last signed in with it, or an application last got a token through it. */
  readonly lastUsedAt: Date
}

/** The live sessions of a user, newest first. */
export const ownSessions = async (store: Store, tenant: Tenant, userId: string): Promise<OwnSession[]> => {
  const [sessions, uses, applications] = await Promise.all([
    listUserSessions(store, tenant, userId),
    usesOf(store, tenant, userId),
    store.database.kysely
      .selectFrom('applications as a')
      .innerJoin('sessions as s', (join) =>
        join.onRef('s.tenant_id', '=', 'a.tenant_id').onRef('s.application_id', '=', 'a.id'),
      )
      .select(['a.id', 'a.name'])
      .distinct()
      .where(inTenant(tenant.id, 'a'))
      .where('s.user_id', '=', userId)
      .execute(),
  ])
  const names = new Map(applications.map(({ id, name }) => [id, name]))
  const bySession = Map.groupBy(uses, ({ sessionId }) => sessionId)
  return sessions.map((session) => {
    const times = (bySession.get(session.id) ?? []).map(({ lastUsedAt }) => lastUsedAt.getTime())
    return {
      ...session,
      applicationName: names.get(session.application_id ?? '') ?? null,
      lastUsedAt: new Date(Math.max(session.authenticated_at.getTime(), ...times)),
    }
  })
}

/** A grant as its owner sees it. */
export interface OwnGrant extends UserGrant {
  readonly isThirdParty: boolean
  readonly lastUsedAt: Date
}

/** The live grants of a user, newest first. @param ofThirdParties only those of third-party applications, or only the others */
export const ownGrants = async (
  store: Store,
  tenant: Tenant,
  userId: string,
  ofThirdParties: boolean | undefined,
): Promise<OwnGrant[]> => {
  const [grants, uses] = await Promise.all([
    listUserGrants(store, tenant, userId, ofThirdParties),
    usesOf(store, tenant, userId),
  ])
  const byId = new Map(uses.map((use) => [use.id, use]))
  return grants.flatMap((grant) => {
    const use = byId.get(grant.id)
    // one that has ended meanwhile
    return use ? [{ ...grant, isThirdParty: use.isThirdParty, lastUsedAt: use.lastUsedAt }] : []
  })
}

/**
 * Ends a session of the user. Throws as beginChange, 404 `oidc.session_not_found`, which does not tell whether another user has it.
 * @param revoked the applications whose grants with offline_access end too
 */
export const endOwnSession = operation(
  ['User.Data.Updated'],
  async (
    unit,
    holder: AccountHolder,
    rules: AccountRules,
    sessionId: string,
    revoked: 'all' | 'firstParty' | undefined,
  ): Promise<void> => {
    const { id: userId } = await beginChange(unit, holder, rules, 'session')
    const own = await unit.tx
      .selectFrom('sessions')
      .select('id')
      .where(inTenant(unit.tenant.id))
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (!own) throw new ApiError('oidc.session_not_found')
    await endUserSession.run(unit, userId, sessionId, revoked)
    await announceUser(unit, userId)
  },
)

/**
 * Signs the user out everywhere but in the session of the access token: all other sessions and all grants that are not of it. Throws
 * as beginChange.
 */
export const endOtherSessions = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules): Promise<void> => {
    const { id: userId } = await beginChange(unit, holder, rules, 'session')
    await endAuthorizationsOfUser(unit, userId, holder)
    await announceUser(unit, userId)
  },
)

/** Takes from an application what the user gave it, with every code and token issued from it. Throws as beginChange, 404. */
export const revokeOwnGrant = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, grantId: string): Promise<void> => {
    const { id: userId } = await beginChange(unit, holder, rules, 'session')
    await revokeUserGrant.run(unit, userId, grantId)
    await announceUser(unit, userId)
  },
)

/** Ends the trust in a device of the user. Throws as beginChange, 404. */
export const deleteOwnDevice = operation(
  ['TrustedDevice.Deleted'],
  async (unit, holder: AccountHolder, rules: AccountRules, id: string): Promise<void> => {
    const { id: userId } = await beginChange(unit, holder, rules, 'trustedDevice')
    await deleteTrustedDevice.run(unit, userId, id)
  },
)
