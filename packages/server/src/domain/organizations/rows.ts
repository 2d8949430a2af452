/** The rows of organizations: reading one, and locking one for a change. */

import type { Selectable } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

export type OrganizationRow = Selectable<Tables['organizations']>

/** Throws 404. */
export const getOrganization = async (store: Store, { id: tenantId }: Tenant, id: string): Promise<OrganizationRow> => {
  const row = await store.database.kysely
    .selectFrom('organizations')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('organization', id)
  return row
}

/**
 * The row, locked against other changes of the organization, its members and its invitations. Inserts that only refer
 * to it do not wait: they only need the row to stay. Undefined when it does not exist.
 */
export const findAndLockOrganization = ({ tx, tenant }: Unit, id: string): Promise<OrganizationRow | undefined> =>
  tx
    .selectFrom('organizations')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** The same. Throws 404. */
export const lockOrganization = async (unit: Unit, id: string): Promise<OrganizationRow> => {
  const row = await findAndLockOrganization(unit, id)
  if (!row) throw notFound('organization', id)
  return row
}
