/** What permissions are for, in the words of those who registered them: for the pages that ask a person to grant them. */

import { ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { hasReservedScope, isOrganizationsResource } from '../permissions/reserved-names.ts'
import type { Requested } from './requested-consent.ts'

export interface DescribedPermission {
  readonly id: string
  readonly name: string
  readonly description: string | null
}

/** An API with those of its permissions that are asked for. */
export interface DescribedApi {
  readonly id: string
  readonly name: string
  readonly indicator: string
  readonly permissions: readonly DescribedPermission[]
}

/** The APIs with these indicators, in this order, each with its permissions of these names, in theirs. */
export const describedApis = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  indicators: readonly string[],
  names: readonly string[],
): Promise<readonly DescribedApi[]> => {
  if (indicators.length === 0) return []
  const { rows } = await sql<DescribedApi>`
    SELECT r.id, r.name, r.indicator, (
      SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'description', s.description)
        ORDER BY array_position(${[...names]}::text[], s.name)), '[]')
      FROM scopes s WHERE s.tenant_id = r.tenant_id AND s.resource_id = r.id AND s.name = ANY(${[...names]}::text[])
    ) AS permissions
    FROM resources r WHERE r.tenant_id = ${tenantId} AND r.indicator = ANY(${[...indicators]}::text[])
    ORDER BY array_position(${[...indicators]}::text[], r.indicator)`.execute(database.kysely)
  return rows
}

/** The organization permissions with these names, if a request asks for organizations at all. */
export const describedOrganizationPermissions = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  { scopes, resources }: Requested,
  names: readonly string[],
): Promise<readonly DescribedPermission[]> => {
  if (!resources.some(isOrganizationsResource) && !hasReservedScope(scopes, ORGANIZATIONS_SCOPE)) return []
  return database.kysely
    .selectFrom('organization_scopes')
    .select(['id', 'name', 'description'])
    .where(inTenant(tenantId))
    .where('name', '=', sql<string>`ANY(${[...names]}::text[])`)
    .orderBy(sql`array_position(${[...names]}::text[], name)`)
    .execute()
}
