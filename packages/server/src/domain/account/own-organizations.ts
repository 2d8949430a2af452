/** The organizations that a user is in, and invitations to more, in the user's own hands (DECISIONS E4). */
import { sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { acceptInvitation, revokeInvitation } from '../organizations/invitations.ts'
import { lockOrganization } from '../organizations/rows.ts'
import { assertEditable } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'

/** An organization with the roles that the user has in it. */
export interface OwnOrganization {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly joinedAt: Date
}

/** More are not listed. */
const MOST = 1000

/** The organizations of a user by name, at most a thousand. */
export const ownOrganizations = async (store: Store, tenant: Tenant, userId: string): Promise<OwnOrganization[]> => {
  const { rows } = await sql<OwnOrganization>`
    SELECT o.id, o.name, o.description, m.created_at AS "joinedAt", coalesce((
      SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.name)
      FROM organization_user_roles ur JOIN organization_roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.organization_role_id
      WHERE ur.tenant_id = m.tenant_id AND ur.organization_id = m.organization_id AND ur.user_id = m.user_id), '[]') AS roles
    FROM organization_users m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenant.id} AND m.user_id = ${userId} ORDER BY o.name, o.id LIMIT ${MOST}`.execute(
    store.database.kysely,
  )
  return rows
}

/** An invitation that waits for the user. */
export interface OwnInvitation {
  readonly id: string
  readonly organizationId: string
  readonly organizationName: string
  readonly roles: readonly { readonly id: string; readonly name: string }[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

/**
 * Pending invitations to the address of a user, the newest first, at most a thousand; none while the address is not verified: it may be
 * another person's. @param id only this one
 */
const pendingFor = async (
  db: Db,
  { id: tenantId }: Tenant,
  userId: string,
  now: Date,
  id?: string,
): Promise<OwnInvitation[]> => {
  const { rows } = await sql<OwnInvitation>`
    SELECT i.id, i.organization_id AS "organizationId", i.created_at AS "createdAt", i.expires_at AS "expiresAt",
      o.name AS "organizationName", coalesce((
      SELECT json_agg(json_build_object('id', r.id, 'name', r.name) ORDER BY r.name)
      FROM organization_invitation_roles ir JOIN organization_roles r ON r.tenant_id = ir.tenant_id AND r.id = ir.organization_role_id
      WHERE ir.tenant_id = i.tenant_id AND ir.invitation_id = i.id), '[]') AS roles
    FROM users u
    JOIN organization_invitations i ON i.tenant_id = u.tenant_id AND i.invitee_key = u.email_key
    JOIN organizations o ON o.tenant_id = i.tenant_id AND o.id = i.organization_id
    WHERE u.tenant_id = ${tenantId} AND u.id = ${userId} AND u.email_verified_at IS NOT NULL
      AND i.status = 'Pending' AND i.expires_at > ${now} ${id === undefined ? sql`` : sql`AND i.id = ${id}`}
    ORDER BY i.created_at DESC, i.id LIMIT ${MOST}`.execute(db)
  return rows
}

/** The pending invitations of a user, the newest first. */
export const ownInvitations = (store: Store, tenant: Tenant, userId: string): Promise<OwnInvitation[]> =>
  pendingFor(store.database.kysely, tenant, userId, store.clock.now())

/**
 * Accepts or declines an invitation. Throws 404 for one that is not pending, or not for the verified address of the user.
 */
export const answerOwnInvitation = operation(
  ['Organization.Membership.Updated'],
  async (unit, holder: AccountHolder, { center }: AccountRules, id: string, isAccepted: boolean): Promise<void> => {
    assertEditable(center, 'organization')
    const { userId } = holder
    const [pending] = await pendingFor(unit.tx, unit.tenant, userId, unit.now, id)
    if (!pending) throw notFound('invitation', id)
    // in the order in which whatever changes members locks them
    await lockOrganization(unit, pending.organizationId)
    await lockHolder(unit, holder)
    if (isAccepted) await acceptInvitation.run(unit, id, userId)
    else await revokeInvitation.run(unit, id)
    unit.concerns('user', userId)
    unit.concerns('organizationInvitation', id)
    unit.note({ isAccepted })
  },
)

/** The roles of a user outside organizations. */
export const ownRoles = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  userId: string,
): Promise<{ id: string; name: string }[]> =>
  database.kysely
    .selectFrom('users_roles as ur')
    .innerJoin('roles as r', (join) => join.onRef('r.tenant_id', '=', 'ur.tenant_id').onRef('r.id', '=', 'ur.role_id'))
    .select(['r.id', 'r.name'])
    .where(inTenant(tenantId, 'ur'))
    .where('ur.user_id', '=', userId)
    .orderBy('r.name')
    .execute()
