/** The users of an organization and their roles in it. Memberships of users are read at every issue; nothing is cached. */
import { sql } from 'kysely'
import { ApiError, notFound } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { type Page, type PageRequest, paginate } from '../storage/page.ts'
import type { Store } from '../storage/store.ts'
import { operation, type Unit } from '../storage/unit-of-work.ts'
import { holdRows } from './held-rows.ts'
import {
  deleteMember,
  deleteMemberRole,
  deleteOtherMemberRoles,
  deleteOtherMembers,
  emitMembership,
  holdMembers,
  insertMemberRoles,
  insertMembers,
} from './organization-membership.ts'
import { holdOrganizationRoles, organizationRoleIdsByName } from './organization-role-rows.ts'
import { getOrganization, lockOrganization } from './organization-rows.ts'
import { containing } from './scopes.ts'
import type { UserRow } from './user-rows.ts'
import { matching } from './user-search.ts'

/** The users of an organization, those who joined last first: that order has an index. Throws 404. */
export const listOrganizationUsers = async (
  store: Store,
  tenant: Tenant,
  organizationId: string,
  request: PageRequest & { q?: string | undefined; organizationRoleId?: string | undefined },
): Promise<Page<UserRow>> => {
  await getOrganization(store, tenant, organizationId)
  const db = store.database.kysely
  const { q, organizationRoleId } = request
  let query = db
    .selectFrom('organization_users as m')
    .select(['m.created_at as created_at', 'm.user_id as id'])
    .where('m.tenant_id', '=', tenant.id)
    .where('m.organization_id', '=', organizationId)
  if (q) {
    query = query.where(
      sql<boolean>`EXISTS (SELECT FROM users u
        WHERE u.tenant_id = m.tenant_id AND u.id = m.user_id AND ${matching({ search: containing(q) }, 'u') ?? sql`true`})`,
    )
  }
  if (organizationRoleId) {
    query = query.where(
      sql<boolean>`EXISTS (SELECT FROM organization_user_roles ur
        WHERE ur.tenant_id = m.tenant_id AND ur.organization_id = m.organization_id AND ur.user_id = m.user_id
          AND ur.organization_role_id = ${organizationRoleId})`,
    )
  }
  const page = await paginate(db, query, request, { createdAt: 'm.created_at', id: 'm.user_id' })
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', sql<string>`ANY(${page.items.map(({ id }) => id)}::text[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...page, items: page.items.flatMap(({ id }) => byId.get(id) ?? []) }
}

/** Adds users; those who are members already stay as they are. Throws 404, 422. */
export const addOrganizationUsers = operation(
  ['Organization.Membership.Updated'],
  async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
    const userIds = [...new Set(ids)].sort()
    await lockOrganization(unit, organizationId)
    await holdRows(unit, 'users', userIds, 'userIds')
    const addedUserIds = await insertMembers(unit, 'user', organizationId, userIds)
    emitMembership(unit, organizationId, { addedUserIds })
  },
)

/** Makes these the users of the organization, and no others. Throws 404, 422. */
export const replaceOrganizationUsers = operation(
  ['Organization.Membership.Updated'],
  async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
    const userIds = [...new Set(ids)].sort()
    await lockOrganization(unit, organizationId)
    await holdRows(unit, 'users', userIds, 'userIds')
    const removedUserIds = await deleteOtherMembers(unit, 'user', organizationId, userIds)
    const addedUserIds = await insertMembers(unit, 'user', organizationId, userIds)
    emitMembership(unit, organizationId, { addedUserIds, removedUserIds })
  },
)

/** Removes a user. Throws 404 also when they are no member. */
export const removeOrganizationUser = operation(
  ['Organization.Membership.Updated'],
  async (unit, organizationId: string, userId: string): Promise<void> => {
    await lockOrganization(unit, organizationId)
    if (!(await deleteMember(unit, 'user', organizationId, userId))) throw notFound('member', userId)
    emitMembership(unit, organizationId, { removedUserIds: [userId] })
  },
)

/** Names of the request for what is not there, when several members are named, and when one is. */
const unknownMembers = (userIds: readonly string[]) =>
  new ApiError('entity.relation_foreign_key_not_found', { userIds })
const noMember = () => new ApiError('organization.require_membership')

/** Gives roles to members; those that they hold stay. Throws 404, 422, 400 for too many pairs. */
export const assignOrganizationUserRoles = operation(
  [],
  async (unit, organizationId: string, ids: readonly string[], roleIds: readonly string[]): Promise<void> => {
    const userIds = [...new Set(ids)].sort()
    const organizationRoleIds = [...new Set(roleIds)]
    await lockOrganization(unit, organizationId)
    await holdMembers(unit, 'user', organizationId, userIds, unknownMembers)
    await holdOrganizationRoles(unit, organizationRoleIds, 'User')
    await insertMemberRoles(unit, 'user', organizationId, userIds, organizationRoleIds)
  },
)

interface RolesOfRequest {
  readonly organizationRoleIds?: readonly string[]
  readonly organizationRoleNames?: readonly string[]
}

/** The roles that a request names either way, known and of users. Throws 422. */
const resolveRoles = async (unit: Unit, request: RolesOfRequest): Promise<string[]> => {
  const byName = await organizationRoleIdsByName(unit, [...new Set(request.organizationRoleNames)])
  const roleIds = [...new Set([...(request.organizationRoleIds ?? []), ...byName])]
  await holdOrganizationRoles(unit, roleIds, 'User')
  return roleIds
}

/** Gives a member roles; those that they hold stay. Returns the ids of all that were named. Throws 404, 422. */
export const addOrganizationUserRoles = operation(
  [],
  async (unit, organizationId: string, userId: string, request: RolesOfRequest): Promise<string[]> => {
    await lockOrganization(unit, organizationId)
    await holdMembers(unit, 'user', organizationId, [userId], noMember)
    const roleIds = await resolveRoles(unit, request)
    await insertMemberRoles(unit, 'user', organizationId, [userId], roleIds)
    return roleIds
  },
)

/** Makes these the roles of the member, and no others. Throws 404, 422. */
export const replaceOrganizationUserRoles = operation(
  [],
  async (unit, organizationId: string, userId: string, request: RolesOfRequest): Promise<void> => {
    await lockOrganization(unit, organizationId)
    await holdMembers(unit, 'user', organizationId, [userId], noMember)
    const roleIds = await resolveRoles(unit, request)
    await deleteOtherMemberRoles(unit, 'user', organizationId, userId, roleIds)
    await insertMemberRoles(unit, 'user', organizationId, [userId], roleIds)
  },
)

/** Takes a role from a member. Throws 404 also when they do not hold it, 422 when they are no member. */
export const removeOrganizationUserRole = operation(
  [],
  async (unit, organizationId: string, userId: string, roleId: string): Promise<void> => {
    await lockOrganization(unit, organizationId)
    await holdMembers(unit, 'user', organizationId, [userId], noMember)
    if (!(await deleteMemberRole(unit, 'user', organizationId, userId, roleId)))
      throw notFound('organization role', roleId)
  },
)
