/** The sessions and grants of one user, for administrators (DECISIONS F3, F5). */

import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { endSession } from '../sessions/sessions.ts'
import { getUser } from './rows.ts'

export type GrantRow = Selectable<Tables['grants']>

/** A session with the grants made in it, including those of devices, oldest first. */
export interface UserSession extends Selectable<Tables['sessions']> {
  readonly grants: readonly GrantRow[]
}

/** A grant with the name of its application. */
export interface UserGrant extends GrantRow {
  readonly application_name: string
}

/** The live sessions of a user, newest first. @param sessionId only this one. Throws 404 for an unknown user. */
export const listUserSessions = async (
  store: Store,
  tenant: Tenant,
  userId: string,
  sessionId?: string,
): Promise<UserSession[]> => {
  await getUser(store, tenant, userId)
  const { database, clock } = store
  let sessions = database.kysely
    .selectFrom('sessions')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .where('expires_at', '>', clock.now())
  if (sessionId !== undefined) sessions = sessions.where('id', '=', sessionId)
  const rows = await sessions.orderBy('created_at', 'desc').orderBy('id', 'desc').execute()
  const ids = rows.map(({ id }) => id)
  const grants = await database.kysely
    .selectFrom('grants')
    .selectAll()
    .where(inTenant(tenant.id))
    .where(sql<boolean>`(session_id = ANY(${ids}::text[]) OR original_session_id = ANY(${ids}::text[]))`)
    .where('expires_at', '>', clock.now())
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const madeIn = (id: string) => grants.filter((grant) => (grant.session_id ?? grant.original_session_id) === id)
  return rows.map((row) => ({ ...row, grants: madeIn(row.id) }))
}

/** Why a user has no such live session: 404, saying whether another user has it. */
const noSession = async (db: Db, tenant: Tenant, sessionId: string, now: Date): Promise<ApiError> => {
  const others = await db
    .selectFrom('sessions')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', sessionId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return new ApiError(others ? 'oidc.invalid_session_account_id' : 'oidc.session_not_found')
}

/** A live session of a user. Throws 404. */
export const getUserSession = async (
  store: Store,
  tenant: Tenant,
  userId: string,
  sessionId: string,
): Promise<UserSession> => {
  const [session] = await listUserSessions(store, tenant, userId, sessionId)
  if (!session) throw await noSession(store.database.kysely, tenant, sessionId, store.clock.now())
  return session
}

/** The live grants of a user, newest first. Throws 404 for an unknown user. */
export const listUserGrants = async (
  store: Store,
  tenant: Tenant,
  userId: string,
  ofThirdParties: boolean | undefined,
): Promise<UserGrant[]> => {
  await getUser(store, tenant, userId)
  const { database, clock } = store
  let grants = database.kysely
    .selectFrom('grants as g')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.tenant_id', '=', 'g.tenant_id').onRef('a.id', '=', 'g.application_id'),
    )
    .selectAll('g')
    .select('a.name as application_name')
    .where(inTenant(tenant.id, 'g'))
    .where('g.user_id', '=', userId)
    .where('g.expires_at', '>', clock.now())
  if (ofThirdParties !== undefined) grants = grants.where('a.is_third_party', '=', ofThirdParties)
  return grants.orderBy('g.created_at', 'desc').orderBy('g.id', 'desc').execute()
}

/**
 * Ends a session of a user. Throws 404.
 * @param revoked the applications whose grants with offline_access end too
 */
export const endUserSession = operation(
  [],
  async (unit, userId: string, sessionId: string, revoked: 'all' | 'firstParty' | undefined): Promise<void> => {
    const { tx, tenant, now, note } = unit
    const session = await tx
      .selectFrom('sessions')
      .select('id')
      .where(inTenant(tenant.id))
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .where('expires_at', '>', now)
      .forUpdate()
      .executeTakeFirst()
    if (!session) throw await noSession(tx, tenant, sessionId, now)
    note({ userId })
    // read before the session ends: those that outlive it lose the reference
    const grants = await tx
      .selectFrom('grants as g')
      .innerJoin('applications as a', (join) =>
        join.onRef('a.tenant_id', '=', 'g.tenant_id').onRef('a.id', '=', 'g.application_id'),
      )
      .select(['g.id', 'a.is_third_party'])
      .where(inTenant(tenant.id, 'g'))
      .where(sql<boolean>`(g.session_id = ${sessionId} OR g.original_session_id = ${sessionId})`)
      .execute()
    await endSession(unit, sessionId)
    const ending = grants.filter(
      ({ is_third_party }) => revoked === 'all' || (revoked === 'firstParty' && !is_third_party),
    )
    if (ending.length === 0) return
    await tx
      .deleteFrom('grants')
      .where(inTenant(tenant.id))
      .where('id', '=', sql<string>`ANY(${ending.map(({ id }) => id)}::text[])`)
      .execute()
  },
)

/** Revokes a grant of a user with every code and token issued from it. Throws 404. */
export const revokeUserGrant = operation(
  [],
  async ({ tx, tenant, note }, userId: string, grantId: string): Promise<void> => {
    const revoked = await tx
      .deleteFrom('grants')
      .where(inTenant(tenant.id))
      .where('user_id', '=', userId)
      .where('id', '=', grantId)
      .returning('id')
      .executeTakeFirst()
    if (!revoked) throw notFound('grant', grantId)
    note({ userId, grantId })
  },
)
