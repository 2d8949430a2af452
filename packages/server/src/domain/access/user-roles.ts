/**
 * Which roles a user holds, from both sides. Roles of users are read each time a token is issued; nothing is cached.
 */

import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import { heldBy, type Pairs, takeHeld, takeOthers } from '../../storage/pairs.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import { rowsById } from '../../storage/rows-by-id.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { getRole, holdRole, type RoleRow } from '../permissions/role-rows.ts'
import { searchPattern } from '../permissions/scopes.ts'
import { getUser, lockUser, type UserRow } from '../users/rows.ts'
import { matching, type UserSearchQuery } from '../users/search.ts'

const ROLES = {
  table: 'users_roles',
  holder: 'user_id',
  held: 'role_id',
  kind: 'role',
  entity: 'role',
} as const satisfies Pairs

export const listUserRoles = async (
  store: Store,
  tenant: Tenant,
  userId: string,
  request: PageRequest & { search?: string | undefined },
): Promise<Page<RoleRow>> => {
  await getUser(store, tenant, userId)
  const db = store.database.kysely
  const all = db
    .selectFrom('roles as r')
    .selectAll('r')
    .where(inTenant(tenant.id))
    .where(heldBy(ROLES, tenant.id, userId, 'r'))
  const query = request.search ? all.where('r.name', 'ilike', searchPattern(request.search)) : all
  return paginate(db, query, request, { createdAt: 'r.created_at', id: 'r.id' })
}

/** The users who hold a role, most recent assignment first: an index supports that order for any number of users. */
export const listRoleUsers = async (
  store: Store,
  tenant: Tenant,
  roleId: string,
  request: PageRequest,
  search: UserSearchQuery,
): Promise<Page<UserRow>> => {
  await getRole(store, tenant, roleId)
  const db = store.database.kysely
  const condition = matching(search, 'u')
  const all = db
    .selectFrom('users_roles as ur')
    .select(['ur.created_at as created_at', 'ur.user_id as id'])
    .where(inTenant(tenant.id, 'ur'))
    .where('ur.role_id', '=', roleId)
  const held = condition
    ? all
        .innerJoin('users as u', (join) =>
          join.onRef('u.tenant_id', '=', 'ur.tenant_id').onRef('u.id', '=', 'ur.user_id'),
        )
        .where(condition)
    : all
  const isSearch = condition !== undefined
  const columns = { createdAt: 'ur.created_at', id: 'ur.user_id' }
  const page = await paginate(db, held, request, { ...columns, isSearch, isIndexed: !isSearch })
  return {
    ...page,
    items: await rowsById(
      store,
      tenant,
      'users',
      page.items.map(({ id }) => id),
    ),
  }
}

/** Throws 422 naming the ids that are not roles of the tenant, or when one is a role for machines. */
const assertUserRoles = async (unit: Unit, roleIds: readonly string[]): Promise<void> => {
  const roles = await holdReferencedRows(unit, 'roles', roleIds, 'roleIds')
  if (roles.some(({ type }) => type !== 'User')) throw new ApiError('user.invalid_role_type')
}

const assign = ({ tx, tenant, now, caller: { actor } }: Unit, userIds: readonly string[], roleIds: readonly string[]) =>
  sql<{ user_id: string; role_id: string }>`
    INSERT INTO users_roles (tenant_id, user_id, role_id, created_at, origin, origin_id)
    SELECT ${tenant.id}, u.id, r.id, ${now}, ${actor.type}, ${actor.id ?? null} FROM unnest(${userIds}::text[]) AS u (id), unnest(${roleIds}::text[]) AS r (id)
    ON CONFLICT DO NOTHING
    RETURNING user_id, role_id`
    .execute(tx)
    .then(({ rows }) => rows)

/** Gives roles to a user; roles that they already hold stay. Returns the ids of the new ones. */
export const addUserRoles = operation([], async (unit, userId: string, ids: readonly string[]): Promise<string[]> => {
  const roleIds = [...new Set(ids)]
  await lockUser(unit, userId)
  await assertUserRoles(unit, roleIds)
  const added = new Set((await assign(unit, [userId], roleIds)).map(({ role_id }) => role_id))
  return roleIds.filter((id) => added.has(id))
})

/** Replaces the roles of the user with these. */
export const replaceUserRoles = operation([], async (unit, userId: string, ids: readonly string[]): Promise<void> => {
  const roleIds = [...new Set(ids)]
  await lockUser(unit, userId)
  await assertUserRoles(unit, roleIds)
  await takeOthers(unit, ROLES, userId, roleIds)
  await assign(unit, [userId], roleIds)
})

/** Takes a role from a user. Throws 404 when they do not hold it. */
export const removeUserRole = operation(
  [],
  (unit, userId: string, roleId: string): Promise<void> => takeHeld(unit, ROLES, userId, roleId),
)

/** Gives a role to users. Throws 422 when it is a role for machines, or one of them already holds it. */
export const addRoleUsers = operation([], async (unit, roleId: string, ids: readonly string[]): Promise<void> => {
  // in a fixed order, so that two requests with the same ids do not deadlock
  const userIds = [...new Set(ids)].sort()
  const role = await holdRole(unit, roleId)
  if (role.type !== 'User') throw new ApiError('user.invalid_role_type')
  await holdReferencedRows(unit, 'users', userIds, 'userIds')
  const added = new Set((await assign(unit, userIds, [roleId])).map(({ user_id }) => user_id))
  const held = userIds.filter((id) => !added.has(id))
  if (held.length > 0) throw new ApiError('role.user_exists', { userIds: held })
})
