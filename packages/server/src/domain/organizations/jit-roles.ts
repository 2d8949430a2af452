/** The roles that users get when they become members of an organization automatically (DECISIONS E5). */

import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import { heldBy, type Pairs, takeHeld, takeOthers } from '../../storage/pairs.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { holdOrganizationRoles, type OrganizationRoleRow } from './role-rows.ts'
import { getOrganization, lockOrganization } from './rows.ts'

const ROLES = {
  table: 'organization_jit_roles',
  holder: 'organization_id',
  held: 'organization_role_id',
  kind: 'organization role',
} as const satisfies Pairs

/** Throws 404. */
export const listJitRoles = async (
  store: Store,
  tenant: Tenant,
  organizationId: string,
  request: PageRequest,
): Promise<Page<OrganizationRoleRow>> => {
  await getOrganization(store, tenant, organizationId)
  const db = store.database.kysely
  const query = db
    .selectFrom('organization_roles as r')
    .selectAll('r')
    .where(inTenant(tenant.id, 'r'))
    .where(heldBy(ROLES, tenant.id, organizationId, 'r'))
  return paginate(db, query, request, { createdAt: 'r.created_at', id: 'r.id' })
}

const insert = ({ tx, tenant }: Unit, organizationId: string, roleIds: readonly string[]) =>
  sql`
    INSERT INTO organization_jit_roles (tenant_id, organization_id, organization_role_id)
    SELECT ${tenant.id}, ${organizationId}, unnest(${roleIds}::text[]) ON CONFLICT DO NOTHING`.execute(tx)

/** Adds roles; existing ones stay. Throws 404, 422. */
export const addJitRoles = operation(
  [],
  async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
    const roleIds = [...new Set(ids)]
    await lockOrganization(unit, organizationId)
    await holdOrganizationRoles(unit, roleIds, 'User')
    await insert(unit, organizationId, roleIds)
  },
)

/** Replaces the roles with these. Throws 404, 422. */
export const replaceJitRoles = operation(
  [],
  async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
    const roleIds = [...new Set(ids)]
    await lockOrganization(unit, organizationId)
    await holdOrganizationRoles(unit, roleIds, 'User')
    await takeOthers(unit, ROLES, organizationId, roleIds)
    await insert(unit, organizationId, roleIds)
  },
)

/** Throws 404 also when the role is not among them. */
export const removeJitRole = operation([], async (unit, organizationId: string, roleId: string): Promise<void> => {
  await lockOrganization(unit, organizationId)
  await takeHeld(unit, ROLES, organizationId, roleId)
})
