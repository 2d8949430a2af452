/** What permissions are for, in the words of whoever registered them: for the pages that ask a person to grant them. */
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { isOrganizationsResource } from './reserved-names.ts'

/**
 * Name → description, of the permissions with these names at these resources, or of organizations. A name that several resources have gets the
 * description of one of them; one without a description is left out.
 */
export const scopeDescriptions = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  indicators: readonly string[],
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (names.length === 0) return new Map()
  const ofOrganizations = indicators.some(isOrganizationsResource)
    ? await database.kysely
        .selectFrom('organization_scopes')
        .select(['name', 'description'])
        .where('tenant_id', '=', tenantId)
        .where('name', 'in', names)
        .execute()
    : []
  const apis = indicators.filter((indicator) => !isOrganizationsResource(indicator))
  const ofApis =
    apis.length === 0
      ? []
      : await database.kysely
          .selectFrom('scopes as s')
          .innerJoin('resources as r', (join) =>
            join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.id', '=', 's.resource_id'),
          )
          .select(['s.name', 's.description'])
          .where('s.tenant_id', '=', tenantId)
          .where('r.indicator', 'in', apis)
          .where('s.name', 'in', names)
          .orderBy('r.indicator')
          .execute()
  return new Map(
    [...ofOrganizations, ...ofApis].flatMap(({ name, description }) =>
      description ? [[name, description] as const] : [],
    ),
  )
}
