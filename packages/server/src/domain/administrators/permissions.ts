/** What an administrator holds, read at every use: nothing of it is cached, so that a removal takes effect at once (DECISIONS U2). */
import { ALL_PERMISSION } from '@countersign/contract/permissions.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { permissionsOfRole } from './built-in-roles.ts'

/** A permission is covered by itself and by `all`. */
export const covers = (held: readonly string[], permission: string): boolean =>
  held.includes(ALL_PERMISSION) || held.includes(permission)

/**
 * The permissions of the Management API that a user holds as an administrator, also while suspended. Undefined: the user is no
 * administrator.
 */
export const permissionsOfAdministrator = async (
  db: Db,
  { id: tenantId }: Pick<Tenant, 'id'>,
  userId: string,
): Promise<readonly string[] | undefined> => {
  const rows = await db
    .selectFrom('administrators_roles as h')
    .innerJoin('administrator_roles as r', (join) =>
      join.onRef('r.tenant_id', '=', 'h.tenant_id').onRef('r.id', '=', 'h.role_id'),
    )
    .select(['r.id', 'r.is_built_in', 'r.permissions'])
    .where(inTenant(tenantId, 'h'))
    .where('h.user_id', '=', userId)
    .execute()
  if (rows.length === 0) return undefined
  return [...new Set(rows.flatMap((row) => permissionsOfRole(row.id, row.is_built_in, row.permissions)))].sort()
}
