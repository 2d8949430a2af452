/** Which email domains the SSO connectors of an organization, or of the tenant, may lead from (DECISIONS P21). */
import { sql } from 'kysely'
import { ApiError } from '../../../kernel/api-error.ts'
import { inTenant } from '../../../storage/in-tenant.ts'
import type { Unit } from '../../../storage/unit-of-work.ts'

/**
 * Keeps whose domains are whose until the transaction ends: a domain that an organization proves and one that a connector of the tenant
 * gets are written in turn.
 */
export const holdDomains = async ({ tx, tenant }: Unit): Promise<void> => {
  // lockouts, messages and usernames use other seeds
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${tenant.id}, 5))`.execute(tx)
}

/**
 * Throws 422 `single_sign_on.domain_not_verified` for domains that the organization has not proved, and, for connectors of the tenant,
 * 422 `single_sign_on.domain_in_use` for those that an organization has proved. @param organizationId null: the tenant's
 */
export const assertDomainsOf = async (
  unit: Unit,
  organizationId: string | null,
  domains: readonly string[],
): Promise<void> => {
  if (domains.length === 0) return
  await holdDomains(unit)
  const { tx, tenant } = unit
  const rows = await tx
    .selectFrom('organization_domains')
    .select(['domain', 'organization_id'])
    .where(inTenant(tenant.id))
    .where('domain', 'in', [...domains])
    .where('verified_at', 'is not', null)
    .execute()
  if (organizationId === null) {
    if (rows.length > 0)
      throw new ApiError('single_sign_on.domain_in_use', { domains: rows.map(({ domain }) => domain) })
    return
  }
  const own = new Set(rows.flatMap((row) => (row.organization_id === organizationId ? [row.domain] : [])))
  const others = domains.filter((domain) => !own.has(domain))
  if (others.length > 0) throw new ApiError('single_sign_on.domain_not_verified', { domains: others })
}
