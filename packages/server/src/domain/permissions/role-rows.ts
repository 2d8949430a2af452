/** The rows of roles: reading one, and locking one for a change. */

import type { Selectable } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

export type RoleRow = Selectable<Tables['roles']>

/** The tag of every cached set of permissions that was built from this role. */
export const roleTag = (id: string) => `role:${id}`

export const getRole = async (store: Store, { id: tenantId }: Tenant, id: string): Promise<RoleRow> => {
  const row = await store.database.kysely
    .selectFrom('roles')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('role', id)
  return row
}

/** The row, locked against concurrent changes to the role or its dependents. Throws 404. */
export const lockRole = async ({ tx, tenant }: Unit, id: string): Promise<RoleRow> => {
  const row = await tx
    .selectFrom('roles')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('role', id)
  return row
}

/**
 * The row, locked against deletion; a role's type never changes. For rows that depend on the role and on
 * something else, which others may lock before the role: shared locks do not wait for each other. Throws 404.
 */
export const holdRole = async ({ tx, tenant }: Unit, id: string): Promise<RoleRow> => {
  const row = await tx
    .selectFrom('roles')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forKeyShare()
    .executeTakeFirst()
  if (!row) throw notFound('role', id)
  return row
}
