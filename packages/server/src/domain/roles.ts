/** Roles (DECISIONS E1). Which permissions a role has is role-scopes.ts; who holds it, application-roles.ts. */
import type { RoleCreate, RoleUpdate } from '@countersign/contract/roles.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { newId } from '../kernel/ids.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { type Page, type PageRequest, paginate } from '../storage/page.ts'
import type { Store } from '../storage/store.ts'
import { operation } from '../storage/unit-of-work.ts'
import { lockRole, type RoleRow, roleTag } from './role-rows.ts'
import { grantScopes } from './role-scopes.ts'
import { containing, scopeEntity } from './scopes.ts'

/** A role as events carry it. */
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
  readonly excludeApplicationId?: string | undefined
}

export const listRoles = (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest & RoleFilter,
): Promise<Page<RoleRow>> => {
  const db = store.database.kysely
  let query = db.selectFrom('roles').selectAll().where('tenant_id', '=', tenantId)
  if (request.type) query = query.where('type', '=', request.type)
  if (request.search) query = query.where('name', 'ilike', containing(request.search))
  const holder = request.excludeApplicationId
  if (holder) {
    query = query.where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('applications_roles as ar')
            .select('ar.role_id')
            .where('ar.tenant_id', '=', tenantId)
            .where('ar.application_id', '=', holder)
            .whereRef('ar.role_id', '=', 'roles.id'),
        ),
      ),
    )
  }
  return paginate(db, query, request)
}

/** Creates a role; emits Role.Scopes.Updated too exactly when it begins with permissions (DECISIONS K1). */
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
    const scopeIds = [...new Set(input.scopeIds)]
    if (scopeIds.length > 0) {
      const scopes = await grantScopes(unit, role, scopeIds)
      unit.emit('Role.Scopes.Updated', { roleId: role.id, data: scopes.map(scopeEntity) })
    }
    return role
  },
)

export const updateRole = operation(
  ['Role.Data.Updated'],
  async (unit, id: string, change: Static<typeof RoleUpdate>): Promise<RoleRow> => {
    const before = await lockRole(unit, id)
    const role = await unit.tx
      .updateTable('roles')
      .set({
        name: change.name ?? before.name,
        description: change.description ?? before.description,
        is_default: change.isDefault ?? before.is_default,
      })
      .where('tenant_id', '=', unit.tenant.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('Role.Data.Updated', { data: roleEntity(role) })
    return role
  },
)

export const deleteRole = operation(['Role.Deleted'], async (unit, id: string): Promise<void> => {
  const role = await lockRole(unit, id)
  await unit.tx.deleteFrom('roles').where('tenant_id', '=', unit.tenant.id).where('id', '=', id).execute()
  unit.emit('Role.Deleted', { data: roleEntity(role) })
  unit.changed(roleTag(id))
})

/** How many applications hold each role, and the first three of them by name. */
export const roleHolders = async (store: Store, { id: tenantId }: Tenant, roleIds: readonly string[]) => {
  const { rows } = await sql<{
    role_id: string
    count: number
    featured: { id: string; name: string; type: string }[]
  }>`
    SELECT r.id AS role_id,
      (SELECT count(*) FROM applications_roles ar WHERE ar.tenant_id = ${tenantId} AND ar.role_id = r.id) AS count,
      (SELECT coalesce(jsonb_agg(f), '[]') FROM (
        SELECT a.id, a.name, a.type FROM applications_roles ar
        JOIN applications a ON a.tenant_id = ar.tenant_id AND a.id = ar.application_id
        WHERE ar.tenant_id = ${tenantId} AND ar.role_id = r.id
        ORDER BY ar.created_at DESC, ar.application_id DESC LIMIT 3) f) AS featured
    FROM unnest(${roleIds}::text[]) AS r (id)`.execute(store.database.kysely)
  return new Map(rows.map((row) => [row.role_id, { count: row.count, featured: row.featured }]))
}
