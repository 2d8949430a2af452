/** Organization roles: the template that all organizations of a tenant share. Their permissions are role-scopes.ts. */

import type { OrganizationRoleCreate, OrganizationRoleUpdate } from '@countersign/contract/organization-template.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { containing } from '../permissions/scopes.ts'
import {
  lockOrganizationRole,
  type OrganizationRoleRow,
  type OrganizationRoleType,
  organizationRoleTag,
} from './role-rows.ts'
import { announceScopes, grantOrganizationScopes, grantResourceScopes } from './role-scopes.ts'

export { organizationRoleTag } from './role-rows.ts'

/** An organization role as events represent it. */
export const organizationRoleEntity = ({ id, name, description, type }: OrganizationRoleRow) => ({
  id,
  name,
  description,
  type,
})

export const listOrganizationRoles = (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest & { q?: string | undefined },
): Promise<Page<OrganizationRoleRow>> => {
  const db = store.database.kysely
  const all = db.selectFrom('organization_roles').selectAll().where(inTenant(tenantId))
  const { q } = request
  const query = q ? all.where(({ or, eb }) => or([eb('name', 'ilike', containing(q)), eb('id', '=', q)])) : all
  return paginate(db, query, request)
}

interface Held {
  readonly roleId: string
  readonly scopes: { id: string; name: string }[]
  readonly resourceScopes: { id: string; name: string; resource: { id: string; name: string } }[]
}

/** The permissions of each of these roles, of both kinds. */
export const permissionsOfOrganizationRoles = async (
  store: Store,
  { id: tenantId }: Tenant,
  roleIds: readonly string[],
): Promise<Map<string, Held>> => {
  const { rows } = await sql<Held>`
    SELECT role.id AS "roleId",
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) ORDER BY s.name), '[]')
        FROM organization_roles_scopes rs
        JOIN organization_scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.organization_scope_id
        WHERE rs.tenant_id = ${tenantId} AND rs.organization_role_id = role.id) AS scopes,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name,
          'resource', jsonb_build_object('id', r.id, 'name', r.name)) ORDER BY r.name, s.name), '[]')
        FROM organization_roles_resource_scopes rs
        JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id
        JOIN resources r ON r.tenant_id = s.tenant_id AND r.id = s.resource_id
        WHERE rs.tenant_id = ${tenantId} AND rs.organization_role_id = role.id) AS "resourceScopes"
    FROM unnest(${roleIds}::text[]) AS role (id)`.execute(store.database.kysely)
  return new Map(rows.map((row) => [row.roleId, row]))
}

/**
 * Creates an organization role with its permissions; also emits OrganizationRole.Scopes.Updated exactly when it starts
 * with one of either kind (DECISIONS K1). Throws 422, 400 (DECISIONS B4).
 */
export const createOrganizationRole = operation(
  ['OrganizationRole.Created', 'OrganizationRole.Scopes.Updated'],
  async (unit, input: Static<typeof OrganizationRoleCreate>): Promise<OrganizationRoleRow> => {
    const { organizationScopeIds = [], resourceScopeIds = [] } = input
    const role = await unit.tx
      .insertInto('organization_roles')
      .values({
        tenant_id: unit.tenant.id,
        id: newId(),
        name: input.name,
        description: input.description ?? null,
        type: input.type ?? 'User',
        created_at: unit.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('OrganizationRole.Created', { data: organizationRoleEntity(role) })
    unit.concerns('organizationRole', role.id, { after: organizationRoleEntity(role) })
    if (organizationScopeIds.length + resourceScopeIds.length > 0) {
      await grantOrganizationScopes(unit, role.id, organizationScopeIds)
      await grantResourceScopes(unit, role, resourceScopeIds, 'resourceScopeIds')
      await announceScopes(unit, role.id)
    }
    return role
  },
)

/**
 * Throws 422 when a member holds the role, or an invitation or provisioning rule names it: their kind would no longer
 * match.
 */
const assertFree = async ({ tx, tenant }: Unit, id: string): Promise<void> => {
  const { rows } = await sql<{ isUsed: boolean }>`
    SELECT EXISTS (SELECT FROM organization_user_roles WHERE tenant_id = ${tenant.id} AND organization_role_id = ${id})
      OR EXISTS (SELECT FROM organization_application_roles
        WHERE tenant_id = ${tenant.id} AND organization_role_id = ${id})
      OR EXISTS (SELECT FROM organization_invitation_roles
        WHERE tenant_id = ${tenant.id} AND organization_role_id = ${id})
      OR EXISTS (SELECT FROM organization_jit_roles WHERE tenant_id = ${tenant.id} AND organization_role_id = ${id})
      AS "isUsed"`.execute(tx)
  if (rows[0]?.isUsed)
    throw new ApiError('entity.db_constraint_violated', { reason: 'the type of a role in use cannot be changed' })
}

/** Changes the type in the row; the API permissions store it too, and so are removed and added again. */
const changeType = async (unit: Unit, role: OrganizationRoleRow, type: OrganizationRoleType): Promise<void> => {
  const { tx, tenant } = unit
  await assertFree(unit, role.id)
  const held = await tx
    .deleteFrom('organization_roles_resource_scopes')
    .where(inTenant(tenant.id))
    .where('organization_role_id', '=', role.id)
    .returning('scope_id')
    .execute()
  await tx
    .updateTable('organization_roles')
    .set({ type })
    .where(inTenant(tenant.id))
    .where('id', '=', role.id)
    .execute()
  const scopeIds = held.map(({ scope_id }) => scope_id)
  await grantResourceScopes(unit, { id: role.id, type }, scopeIds, 'scopeIds')
}

/** Throws 404, and 422 if the name is taken or the type cannot be changed. */
export const updateOrganizationRole = operation(
  ['OrganizationRole.Data.Updated'],
  async (unit, id: string, change: Static<typeof OrganizationRoleUpdate>): Promise<OrganizationRoleRow> => {
    const before = await lockOrganizationRole(unit, id)
    await assertHolds(unit, 'organizationRoles', [id])
    if (change.type !== undefined && change.type !== before.type) await changeType(unit, before, change.type)
    const role = await unit.tx
      .updateTable('organization_roles')
      .set({
        name: change.name ?? before.name,
        description: change.description === undefined ? before.description : change.description,
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('OrganizationRole.Data.Updated', { data: organizationRoleEntity(role) })
    const after = organizationRoleEntity({ ...role, type: change.type ?? before.type })
    unit.concerns('organizationRole', id, { before: organizationRoleEntity(before), after })
    unit.changed(organizationRoleTag(id))
    return role
  },
)

/** Deletes the role and removes it from its holders (DECISIONS E6). Throws 404. */
export const deleteOrganizationRole = operation(
  ['OrganizationRole.Deleted'],
  async (unit, id: string): Promise<void> => {
    const role = await lockOrganizationRole(unit, id)
    await assertHolds(unit, 'organizationRoles', [id])
    await unit.tx.deleteFrom('organization_roles').where(inTenant(unit.tenant.id)).where('id', '=', id).execute()
    unit.emit('OrganizationRole.Deleted', { data: organizationRoleEntity(role) })
    unit.concerns('organizationRole', id, { before: organizationRoleEntity(role) })
    unit.changed(organizationRoleTag(id))
  },
)
