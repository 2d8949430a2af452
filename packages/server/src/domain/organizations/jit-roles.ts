/** The roles that users get when they become members of an organization automatically (DECISIONS E5). */

import { sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { holdOrganizationRoles, type OrganizationRoleRow } from './role-rows.ts'
import { getOrganization, lockOrganization } from './rows.ts'

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
    .selectFrom('organization_jit_roles as jr')
    .innerJoin('organization_roles as r', (join) =>
      join.onRef('r.tenant_id', '=', 'jr.tenant_id').onRef('r.id', '=', 'jr.organization_role_id'),
    )
    .selectAll('r')
    .where(inTenant(tenant.id, 'jr'))
    .where('jr.organization_id', '=', organizationId)
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
    const { tx, tenant } = unit
    await lockOrganization(unit, organizationId)
    await holdOrganizationRoles(unit, roleIds, 'User')
    await sql`
      DELETE FROM organization_jit_roles
      WHERE tenant_id = ${tenant.id} AND organization_id = ${organizationId}
        AND organization_role_id <> ALL(${roleIds}::text[])`.execute(tx)
    await insert(unit, organizationId, roleIds)
  },
)

/** Throws 404 also when the role is not among them. */
export const removeJitRole = operation([], async (unit, organizationId: string, roleId: string): Promise<void> => {
  await lockOrganization(unit, organizationId)
  const removed = await unit.tx
    .deleteFrom('organization_jit_roles')
    .where(inTenant(unit.tenant.id))
    .where('organization_id', '=', organizationId)
    .where('organization_role_id', '=', roleId)
    .returning('organization_role_id')
    .execute()
  if (removed.length === 0) throw notFound('organization role', roleId)
})
