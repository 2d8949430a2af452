/** Which permissions a role has. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inParts } from '../../storage/event-parts.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import { heldBy, type Pairs, takeHeld } from '../../storage/pairs.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHolds } from './management-access.ts'
import { getRole, lockRole, type RoleRow, roleTag } from './role-rows.ts'
import { type ScopeRow, scopeEntity, searchPattern } from './scopes.ts'

const SCOPES = { table: 'roles_scopes', holder: 'role_id', held: 'scope_id', kind: 'scope' } as const satisfies Pairs

type ScopeWithResourceRow = ScopeRow & { resource: Selectable<Tables['resources']> }

export const listRoleScopes = async (
  store: Store,
  tenant: Tenant,
  roleId: string,
  request: PageRequest & { search?: string | undefined },
): Promise<Page<ScopeWithResourceRow>> => {
  await getRole(store, tenant, roleId)
  const db = store.database.kysely
  const all = db
    .selectFrom('scopes as s')
    .innerJoin('resources as r', (join) =>
      join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.id', '=', 's.resource_id'),
    )
    .selectAll('s')
    .select(sql<Selectable<Tables['resources']>>`to_jsonb(r)`.as('resource'))
    .where(inTenant(tenant.id, 's'))
    .where(heldBy(SCOPES, tenant.id, roleId, 's'))
  const query = request.search ? all.where('s.name', 'ilike', searchPattern(request.search)) : all
  return paginate(db, query, request, { createdAt: 's.created_at', id: 's.id' })
}

const scopesOf = ({ tx, tenant }: Unit, roleId: string): Promise<ScopeRow[]> =>
  tx
    .selectFrom('scopes as s')
    .selectAll('s')
    .where(inTenant(tenant.id, 's'))
    .where(heldBy(SCOPES, tenant.id, roleId, 's'))
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute()

/**
 * Gives the role permissions; returns its current ones. Throws 422 when an id is not a permission of the tenant or the
 * role already has it, 400 for a permission of the Management API in a role for users (DECISIONS B4), 403 for one that
 * the caller does not hold.
 */
export const grantScopes = async (unit: Unit, role: RoleRow, scopeIds: readonly string[]): Promise<ScopeRow[]> => {
  const { tx, tenant, changed } = unit
  const scopes = await holdReferencedRows(unit, 'scopes', scopeIds, 'scopeIds')
  if (role.type === 'User' && scopes.some(({ is_management }) => is_management)) {
    throw new ApiError('role.management_api_scopes_not_assignable_to_user_role')
  }
  await assertHolds(unit, 'scopes', scopeIds)
  const values = scopes.map((scope) => ({
    tenant_id: tenant.id,
    role_id: role.id,
    scope_id: scope.id,
    role_type: role.type,
    scope_is_management: scope.is_management,
  }))
  const added = await tx
    .insertInto('roles_scopes')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning('scope_id')
    .execute()
  if (added.length < scopeIds.length) {
    const fresh = new Set(added.map(({ scope_id }) => scope_id))
    throw new ApiError('role.scope_exists', { scopeIds: scopeIds.filter((id) => !fresh.has(id)) })
  }
  unit.concerns('scope', scopeIds)
  changed(roleTag(role.id))
  return scopesOf(unit, role.id)
}

/** Emits Role.Scopes.Updated with every permission that the role holds now, in parts if one event cannot hold them. */
export const emitScopes = (unit: Unit<'Role.Scopes.Updated'>, roleId: string, held: readonly ScopeRow[]): void => {
  for (const { items, numbering } of inParts(held))
    unit.emit('Role.Scopes.Updated', { roleId, data: items.map(scopeEntity), ...numbering })
}

/** Announces what a locked role holds now: through the event and to the caches. */
export const announceScopes = async (unit: Unit<'Role.Scopes.Updated'>, roleId: string): Promise<void> => {
  emitScopes(unit, roleId, await scopesOf(unit, roleId))
  unit.changed(roleTag(roleId))
}

/**
 * Locks the roles that hold any of these permissions against another change of what they hold.
 * @param scopeIds SQL that gives the ids of the permissions
 */
export const lockRolesHolding = async ({ tx, tenant }: Unit, scopeIds: RawBuilder<unknown>): Promise<void> => {
  await sql`
    SELECT FROM roles
    WHERE tenant_id = ${tenant.id}
      AND id IN (SELECT role_id FROM roles_scopes WHERE tenant_id = ${tenant.id} AND scope_id IN (${scopeIds}))
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)
}

/**
 * Takes permissions from every role that holds one; returns the ids of the roles, which the caller has locked. What is deleted,
 * not what was read before the locks, is what events tell.
 * @param scopeIds SQL that gives the ids of the permissions
 */
export const takeFromRoles = async ({ tx, tenant }: Unit, scopeIds: RawBuilder<unknown>): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    WITH taken AS (
      DELETE FROM roles_scopes WHERE tenant_id = ${tenant.id} AND scope_id IN (${scopeIds}) RETURNING role_id AS id
    ) SELECT DISTINCT id FROM taken ORDER BY id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Adds permissions to a role; returns the added ones. */
export const addRoleScopes = operation(
  ['Role.Scopes.Updated'],
  async (unit, roleId: string, ids: readonly string[]): Promise<ScopeRow[]> => {
    const scopeIds = [...new Set(ids)]
    const role = await lockRole(unit, roleId)
    const scopes = await grantScopes(unit, role, scopeIds)
    emitScopes(unit, roleId, scopes)
    const added = new Set(scopeIds)
    return scopes.filter(({ id }) => added.has(id))
  },
)

export const removeRoleScope = operation(
  ['Role.Scopes.Updated'],
  async (unit, roleId: string, scopeId: string): Promise<void> => {
    await lockRole(unit, roleId)
    await assertHolds(unit, 'scopes', [scopeId])
    await takeHeld(unit, SCOPES, roleId, scopeId)
    await announceScopes(unit, roleId)
  },
)
