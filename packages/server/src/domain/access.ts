/** The one RBAC question: which permissions for a resource does a subject hold (SPEC 2.2)? Nothing else answers it. */
import { sql } from 'kysely'
import type { Tenant } from '../kernel/tenant.ts'
import type { Db } from '../storage/database.ts'
import type { Store } from '../storage/store.ts'
import { applicationTag } from './application-rows.ts'
import { resourceTag } from './resources.ts'
import { roleTag } from './role-rows.ts'

/** The names of the permissions that an application holds for a resource through its roles, from the cache. */
export const permissionsOfApplication = (
  store: Store,
  { id: tenantId }: Tenant,
  applicationId: string,
  resourceId: string,
): Promise<ReadonlySet<string>> =>
  store.cache.get(tenantId, `access:${applicationId}:${resourceId}`, async () => {
    const { rows } = await sql<{ role_id: string; name: string | null }>`
      SELECT ar.role_id, s.name
      FROM applications_roles ar
      LEFT JOIN (roles_scopes rs
        JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id AND s.resource_id = ${resourceId})
        ON rs.tenant_id = ar.tenant_id AND rs.role_id = ar.role_id
      WHERE ar.tenant_id = ${tenantId} AND ar.application_id = ${applicationId}`.execute(store.database.configuration)
    const value: ReadonlySet<string> = new Set(rows.flatMap(({ name }) => (name === null ? [] : [name])))
    const roleTags = [...new Set(rows.map(({ role_id }) => roleTag(role_id)))]
    return { value, tags: [applicationTag(applicationId), resourceTag(resourceId), ...roleTags] }
  })

/** The names of the permissions that a user holds for a resource through their roles, read now: users are never cached. */
export const permissionsOfUser = async (
  db: Db,
  { id: tenantId }: Tenant,
  userId: string,
  resourceId: string,
): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('users_roles as ur')
    .innerJoin('roles_scopes as rs', (join) =>
      join.onRef('rs.tenant_id', '=', 'ur.tenant_id').onRef('rs.role_id', '=', 'ur.role_id'),
    )
    .innerJoin('scopes as s', (join) =>
      join.onRef('s.tenant_id', '=', 'rs.tenant_id').onRef('s.id', '=', 'rs.scope_id'),
    )
    .select('s.name')
    .where('ur.tenant_id', '=', tenantId)
    .where('ur.user_id', '=', userId)
    .where('s.resource_id', '=', resourceId)
    .execute()
  return new Set(rows.map(({ name }) => name))
}
