/** What permissions are for, in the words of whoever registered them: for the pages that ask a person to grant them. */
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'

/**
 * Name → description, of the permissions with these names at these resources. A name that several resources have gets the
 * description of one of them; one without a description is left out.
 */
export const scopeDescriptions = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  indicators: readonly string[],
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (indicators.length === 0 || names.length === 0) return new Map()
  const rows = await database.kysely
    .selectFrom('scopes as s')
    .innerJoin('resources as r', (join) =>
      join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.id', '=', 's.resource_id'),
    )
    .select(['s.name', 's.description'])
    .where('s.tenant_id', '=', tenantId)
    .where('r.indicator', 'in', indicators)
    .where('s.name', 'in', names)
    .orderBy('r.indicator')
    .execute()
  return new Map(rows.flatMap(({ name, description }) => (description ? [[name, description] as const] : [])))
}
