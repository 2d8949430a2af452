/** The rows of organization roles: reading one, locking one for a change, and finding those that a request names. */

import { type Selectable, sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

export type OrganizationRoleRow = Selectable<Tables['organization_roles']>
export type OrganizationRoleType = OrganizationRoleRow['type']

/** The tag of everything cached that was built from this organization role and its permissions. */
export const organizationRoleTag = (id: string) => `organization-role:${id}`

/** Throws 404. */
export const getOrganizationRole = async (
  store: Store,
  { id: tenantId }: Tenant,
  id: string,
): Promise<OrganizationRoleRow> => {
  const row = await store.database.kysely
    .selectFrom('organization_roles')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('organization role', id)
  return row
}

/** The row, locked against concurrent changes to the role or its dependents. Throws 404. */
export const lockOrganizationRole = async ({ tx, tenant }: Unit, id: string): Promise<OrganizationRoleRow> => {
  const row = await tx
    .selectFrom('organization_roles')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('organization role', id)
  return row
}

/** Which type of role each kind of member has, and the error code for the other. */
const WRONG_TYPE = { User: 'user.invalid_role_type', MachineToMachine: 'application.invalid_role_type' } as const

/**
 * Locks the roles against deletion. Throws 422 naming the ids that are not organization roles of the tenant, or when
 * one is of the other type.
 */
export const holdOrganizationRoles = async (
  unit: Unit,
  roleIds: readonly string[],
  type: OrganizationRoleType,
): Promise<void> => {
  const roles = await holdReferencedRows(unit, 'organization_roles', roleIds, 'organizationRoleIds')
  if (roles.some((role) => role.type !== type)) throw new ApiError(WRONG_TYPE[type])
}

/** The ids of organization roles by their names. Throws 422 listing the names that no role has. */
export const organizationRoleIdsByName = async ({ tx, tenant }: Unit, names: readonly string[]): Promise<string[]> => {
  if (names.length === 0) return []
  const roles = await tx
    .selectFrom('organization_roles')
    .select(['id', 'name'])
    .where(inTenant(tenant.id))
    .where('name', '=', sql<string>`ANY(${names}::text[])`)
    .execute()
  const known = new Set(roles.map(({ name }) => name))
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) throw new ApiError('organization.role_names_not_found', { organizationRoleNames: unknown })
  return roles.map(({ id }) => id)
}
