/**
 * Whom the SSO connector of an organization signs in (DECISIONS P21): members of the organization, and no administrator of the tenant.
 * Who looks after a connector could otherwise sign in as any user.
 */
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'

/** Those of these organizations whose connectors may sign the user in. */
export const organizationsAdmitting = async (
  db: Db,
  { id: tenantId }: Pick<Tenant, 'id'>,
  userId: string,
  organizationIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  if (organizationIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('organization_users as m')
    .select('m.organization_id')
    .where(inTenant(tenantId, 'm'))
    .where('m.user_id', '=', userId)
    .where('m.organization_id', 'in', [...organizationIds])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('administrators as a')
            .select('a.user_id')
            .whereRef('a.tenant_id', '=', 'm.tenant_id')
            .whereRef('a.user_id', '=', 'm.user_id'),
        ),
      ),
    )
    .execute()
  return new Set(rows.map(({ organization_id }) => organization_id))
}
