/** Which permissions an organization role has: those of organizations, and those of API resources (DECISIONS E2). */
import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inParts } from '../../storage/event-parts.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import { heldBy, type Pairs, takeHeld, takeOthers } from '../../storage/pairs.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { type ScopeRow, scopeEntity } from '../permissions/scopes.ts'
import {
  getOrganizationRole,
  lockOrganizationRole,
  type OrganizationRoleRow,
  organizationRoleTag,
} from './role-rows.ts'
import { type OrganizationScopeRow, organizationScopeEntity } from './scopes.ts'

const ORGANIZATION_SCOPES = {
  table: 'organization_roles_scopes',
  holder: 'organization_role_id',
  held: 'organization_scope_id',
  kind: 'organization scope',
  entity: 'organizationScope',
} as const satisfies Pairs
const RESOURCE_SCOPES = {
  table: 'organization_roles_resource_scopes',
  holder: 'organization_role_id',
  held: 'scope_id',
  kind: 'scope',
  entity: 'scope',
} as const satisfies Pairs

const organizationScopesOf = (db: Db, tenantId: string, roleId: string) =>
  db
    .selectFrom('organization_scopes as s')
    .selectAll('s')
    .where(inTenant(tenantId, 's'))
    .where(heldBy(ORGANIZATION_SCOPES, tenantId, roleId, 's'))

const resourceScopesOf = (db: Db, tenantId: string, roleId: string) =>
  db
    .selectFrom('scopes as s')
    .selectAll('s')
    .where(inTenant(tenantId, 's'))
    .where(heldBy(RESOURCE_SCOPES, tenantId, roleId, 's'))

/** Throws 404. */
export const listOrganizationRoleScopes = async (
  store: Store,
  tenant: Tenant,
  roleId: string,
  request: PageRequest,
): Promise<Page<OrganizationScopeRow>> => {
  await getOrganizationRole(store, tenant, roleId)
  const db = store.database.kysely
  return paginate(db, organizationScopesOf(db, tenant.id, roleId), request, { createdAt: 's.created_at', id: 's.id' })
}

/** Throws 404. */
export const listOrganizationRoleResourceScopes = async (
  store: Store,
  tenant: Tenant,
  roleId: string,
  request: PageRequest,
): Promise<Page<ScopeRow>> => {
  await getOrganizationRole(store, tenant, roleId)
  const db = store.database.kysely
  return paginate(db, resourceScopesOf(db, tenant.id, roleId), request, { createdAt: 's.created_at', id: 's.id' })
}

/**
 * Announces what a locked role holds now: through the event, in parts if one cannot hold all, and to the caches. The
 * event has organization permissions and API permissions, which have a `resourceId`; it is empty for a role without
 * any.
 */
export const announceScopes = async (unit: Unit<'OrganizationRole.Scopes.Updated'>, roleId: string): Promise<void> => {
  const { tx, tenant, emit, changed } = unit
  const organizationScopes = await organizationScopesOf(tx, tenant.id, roleId)
    .orderBy('s.created_at')
    .orderBy('s.id')
    .execute()
  const resourceScopes = await resourceScopesOf(tx, tenant.id, roleId).orderBy('s.created_at').orderBy('s.id').execute()
  const held = [...organizationScopes.map(organizationScopeEntity), ...resourceScopes.map(scopeEntity)]
  for (const { items, numbering } of inParts(held))
    emit('OrganizationRole.Scopes.Updated', { organizationRoleId: roleId, data: [...items], ...numbering })
  changed(organizationRoleTag(roleId))
}

/** SQL that returns the ids of permissions, and their kind. */
interface Permissions {
  readonly table: 'organization_roles_scopes' | 'organization_roles_resource_scopes'
  readonly column: 'organization_scope_id' | 'scope_id'
  readonly ids: RawBuilder<unknown>
}

/** Locks the organization roles that hold any of these permissions against another change of what they hold. */
export const lockOrganizationRolesHolding = async (
  { tx, tenant }: Unit,
  { table, column, ids }: Permissions,
): Promise<void> => {
  await sql`
    SELECT FROM organization_roles
    WHERE tenant_id = ${tenant.id} AND id IN (
      SELECT organization_role_id FROM ${sql.table(table)}
      WHERE tenant_id = ${tenant.id} AND ${sql.ref(column)} IN (${ids}))
    ORDER BY id FOR NO KEY UPDATE`.execute(tx)
}

/**
 * Takes permissions from every organization role that holds one; returns the ids of the roles, which the caller has locked.
 * What is deleted, not what was read before the locks, is what events tell.
 */
export const takeFromOrganizationRoles = async (
  { tx, tenant }: Unit,
  { table, column, ids }: Permissions,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    WITH taken AS (
      DELETE FROM ${sql.table(table)} WHERE tenant_id = ${tenant.id} AND ${sql.ref(column)} IN (${ids})
      RETURNING organization_role_id AS id
    ) SELECT DISTINCT id FROM taken ORDER BY id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Gives organization permissions to a locked role; those that it already has stay. Throws 422 naming unknown ids. */
export const grantOrganizationScopes = async (
  { tx, tenant }: Unit,
  roleId: string,
  ids: readonly string[],
): Promise<void> => {
  const scopeIds = [...new Set(ids)]
  await holdReferencedRows({ tx, tenant }, 'organization_scopes', scopeIds, 'organizationScopeIds')
  await sql`
    INSERT INTO organization_roles_scopes (tenant_id, organization_role_id, organization_scope_id)
    SELECT ${tenant.id}, ${roleId}, id FROM unnest(${scopeIds}::text[]) AS s (id) ON CONFLICT DO NOTHING`.execute(tx)
}

/**
 * Gives API permissions to a locked role; those that it already has stay. Throws 422 naming unknown ids, 400 for a
 * permission of the Management API in a role for users (DECISIONS B4), 403 for one that the caller does not hold.
 * @param field the name of the ids in the request
 */
export const grantResourceScopes = async (
  unit: Unit,
  { id: roleId, type }: Pick<OrganizationRoleRow, 'id' | 'type'>,
  ids: readonly string[],
  field: 'scopeIds' | 'resourceScopeIds',
): Promise<void> => {
  const { tx, tenant } = unit
  const scopeIds = [...new Set(ids)]
  const rows = await holdReferencedRows(unit, 'scopes', scopeIds, field)
  if (type === 'User' && rows.some(({ is_management }) => is_management))
    throw new ApiError('role.management_api_scopes_not_assignable_to_user_role')
  await assertHolds(unit, 'scopes', scopeIds)
  await sql`
    INSERT INTO organization_roles_resource_scopes
      (tenant_id, organization_role_id, scope_id, role_type, scope_is_management)
    SELECT ${tenant.id}, ${roleId}, id, ${type}, is_management FROM scopes
    WHERE tenant_id = ${tenant.id} AND id = ANY(${scopeIds}::text[])
    ON CONFLICT DO NOTHING`.execute(tx)
}

/** Adds organization permissions; those that the role already has stay. Throws 404, 422. */
export const addOrganizationRoleScopes = operation(
  ['OrganizationRole.Scopes.Updated'],
  async (unit, roleId: string, ids: readonly string[]): Promise<void> => {
    await lockOrganizationRole(unit, roleId)
    await grantOrganizationScopes(unit, roleId, ids)
    await announceScopes(unit, roleId)
  },
)

/** Replaces the organization permissions of the role with these. Throws 404, 422. */
export const replaceOrganizationRoleScopes = operation(
  ['OrganizationRole.Scopes.Updated'],
  async (unit, roleId: string, ids: readonly string[]): Promise<void> => {
    await lockOrganizationRole(unit, roleId)
    await takeOthers(unit, ORGANIZATION_SCOPES, roleId, ids)
    await grantOrganizationScopes(unit, roleId, ids)
    await announceScopes(unit, roleId)
  },
)

/** Takes an organization permission from a role. Throws 404 also when it does not have it. */
export const removeOrganizationRoleScope = operation(
  ['OrganizationRole.Scopes.Updated'],
  async (unit, roleId: string, scopeId: string): Promise<void> => {
    await lockOrganizationRole(unit, roleId)
    await takeHeld(unit, ORGANIZATION_SCOPES, roleId, scopeId)
    await announceScopes(unit, roleId)
  },
)

/** Adds API permissions; those that the role already has stay. Throws 404, 422, 400 (DECISIONS B4). */
export const addOrganizationRoleResourceScopes = operation(
  ['OrganizationRole.Scopes.Updated'],
  async (unit, roleId: string, ids: readonly string[]): Promise<void> => {
    await grantResourceScopes(unit, await lockOrganizationRole(unit, roleId), ids, 'scopeIds')
    await announceScopes(unit, roleId)
  },
)

/** Replaces the API permissions of the role with these. Throws 404, 422, 400 (DECISIONS B4). */
export const replaceOrganizationRoleResourceScopes = operation(
  ['OrganizationRole.Scopes.Updated'],
  async (unit, roleId: string, ids: readonly string[]): Promise<void> => {
    const role = await lockOrganizationRole(unit, roleId)
    await assertHolds(unit, 'organizationRoles', [roleId])
    await takeOthers(unit, RESOURCE_SCOPES, roleId, ids)
    await grantResourceScopes(unit, role, ids, 'scopeIds')
    await announceScopes(unit, roleId)
  },
)

/** Takes an API permission from a role. Throws 404 also when it does not have it. */
export const removeOrganizationRoleResourceScope = operation(
  ['OrganizationRole.Scopes.Updated'],
  async (unit, roleId: string, scopeId: string): Promise<void> => {
    await lockOrganizationRole(unit, roleId)
    await assertHolds(unit, 'scopes', [scopeId])
    await takeHeld(unit, RESOURCE_SCOPES, roleId, scopeId)
    await announceScopes(unit, roleId)
  },
)
