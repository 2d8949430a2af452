/**
 * Roles (DECISIONS E1). A role's permissions are in role-scopes.ts, its holders in application-roles.ts and
 * user-roles.ts.
 */

import type { RoleCreate, RoleUpdate } from '@countersign/contract/roles.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { notRelated } from '../../storage/not-related.ts'
import { keptTotal, type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { assertHolds } from './management-access.ts'
import { lockRole, type RoleRow, roleTag } from './role-rows.ts'
import { emitScopes, grantScopes } from './role-scopes.ts'
import { searchPattern } from './scopes.ts'

/** How many there are. */
const TOTAL_TAG = 'roles'

/** A role as events represent it. */
export const roleEntity = ({ id, name, description, type, is_default }: RoleRow) => ({
  id,
  name,
  description,
  type,
  isDefault: is_default,
})

export interface RoleFilter {
  readonly type?: 'User' | 'MachineToMachine' | undefined
  readonly search?: string | undefined
  readonly excludeUserId?: string | undefined
  readonly excludeApplicationId?: string | undefined
}

export const listRoles = (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest & RoleFilter,
): Promise<Page<RoleRow>> => {
  const db = store.database.kysely
  let query = db.selectFrom('roles').selectAll().where(inTenant(tenantId))
  if (request.type) query = query.where('type', '=', request.type)
  if (request.search) query = query.where('name', 'ilike', searchPattern(request.search))
  const { excludeUserId, excludeApplicationId } = request
  if (excludeUserId) {
    const relation = {
      table: 'users_roles',
      column: 'user_id',
      id: excludeUserId,
      listed: ['role_id', 'roles.id'],
    } as const
    query = query.where(notRelated(tenantId, relation))
  }
  if (excludeApplicationId) {
    const relation = {
      table: 'applications_roles',
      column: 'application_id',
      id: excludeApplicationId,
      listed: ['role_id', 'roles.id'],
    } as const
    query = query.where(notRelated(tenantId, relation))
  }
  const isWhole = !request.type && !request.search && !excludeUserId && !excludeApplicationId
  return paginate(db, query, request, isWhole ? { total: keptTotal(store, tenantId, TOTAL_TAG) } : {})
}

/** Creates a role; also emits Role.Scopes.Updated exactly when it starts with permissions (DECISIONS K1). */
export const createRole = operation(
  ['Role.Created', 'Role.Scopes.Updated'],
  async (unit, input: Static<typeof RoleCreate>): Promise<RoleRow> => {
    const role = await unit.tx
      .insertInto('roles')
      .values({
        tenant_id: unit.tenant.id,
        id: newId(),
        name: input.name,
        description: input.description ?? '',
        type: input.type ?? 'User',
        is_default: input.isDefault ?? false,
        created_at: unit.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('Role.Created', { data: roleEntity(role) })
    unit.concerns('role', role.id, { after: roleEntity(role) })
    unit.changed(TOTAL_TAG)
    const scopeIds = [...new Set(input.scopeIds)]
    if (scopeIds.length > 0) {
      emitScopes(unit, role.id, await grantScopes(unit, role, scopeIds))
    }
    return role
  },
)

export const updateRole = operation(
  ['Role.Data.Updated'],
  async (unit, id: string, change: Static<typeof RoleUpdate>): Promise<RoleRow> => {
    const before = await lockRole(unit, id)
    await assertHolds(unit, 'roles', [id])
    const role = await unit.tx
      .updateTable('roles')
      .set({
        name: change.name ?? before.name,
        description: change.description ?? before.description,
        is_default: change.isDefault ?? before.is_default,
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('Role.Data.Updated', { data: roleEntity(role) })
    unit.concerns('role', id, { before: roleEntity(before), after: roleEntity(role) })
    return role
  },
)

export const deleteRole = operation(['Role.Deleted'], async (unit, id: string): Promise<void> => {
  const role = await lockRole(unit, id)
  await assertHolds(unit, 'roles', [id])
  await unit.tx.deleteFrom('roles').where(inTenant(unit.tenant.id)).where('id', '=', id).execute()
  unit.emit('Role.Deleted', { data: roleEntity(role) })
  unit.concerns('role', id, { before: roleEntity(role) })
  unit.changed(roleTag(id), TOTAL_TAG)
})

/** Counting the holders of a role stops here, so that no request waits for a count of a million. */
const HOLDERS_COUNTED = 10_000

interface Holders {
  readonly roleId: string
  readonly usersCount: number
  readonly featuredUsers: { id: string; name: string | null; avatar: string | null }[]
  readonly applicationsCount: number
  readonly featuredApplications: { id: string; name: string; type: string }[]
}

/** How many users and applications hold each role, and the three most recent of each. */
export const roleHolders = async (
  store: Store,
  { id: tenantId }: Tenant,
  roleIds: readonly string[],
): Promise<Map<string, Holders>> => {
  const { rows } = await sql<Holders>`
    SELECT r.id AS "roleId",
      (SELECT count(*) FROM (
        SELECT FROM users_roles ur WHERE ur.tenant_id = ${tenantId} AND ur.role_id = r.id
        LIMIT ${HOLDERS_COUNTED}) AS counted) AS "usersCount",
      (SELECT coalesce(jsonb_agg(f), '[]') FROM (
        SELECT u.id, u.name, u.avatar FROM users_roles ur
        JOIN users u ON u.tenant_id = ur.tenant_id AND u.id = ur.user_id
        WHERE ur.tenant_id = ${tenantId} AND ur.role_id = r.id
        ORDER BY ur.created_at DESC, ur.user_id DESC LIMIT 3) f) AS "featuredUsers",
      (SELECT count(*) FROM (
        SELECT FROM applications_roles ar WHERE ar.tenant_id = ${tenantId} AND ar.role_id = r.id
        LIMIT ${HOLDERS_COUNTED}) AS counted) AS "applicationsCount",
      (SELECT coalesce(jsonb_agg(f), '[]') FROM (
        SELECT a.id, a.name, a.type FROM applications_roles ar
        JOIN applications a ON a.tenant_id = ar.tenant_id AND a.id = ar.application_id
        WHERE ar.tenant_id = ${tenantId} AND ar.role_id = r.id
        ORDER BY ar.created_at DESC, ar.application_id DESC LIMIT 3) f) AS "featuredApplications"
    FROM unnest(${roleIds}::text[]) AS r (id)`.execute(store.database.kysely)
  return new Map(rows.map((row) => [row.roleId, row]))
}
