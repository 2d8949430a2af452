/** The one RBAC question: which permissions for a resource does a subject hold (SPEC 2.2)? Nothing else answers it. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { SqlValue } from '../../storage/statement.ts'
import type { Store } from '../../storage/store.ts'
import { applicationTag } from '../applications/rows.ts'
import { namesNoResource } from '../permissions/reserved-names.ts'
import { resourceTag } from '../permissions/resources.ts'
import { roleTag } from '../permissions/role-rows.ts'

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

/**
 * The same for a user, as SQL that gives an object of names and ids: for a statement that reads more about the user,
 * who is never cached.
 * @param userId SQL of the user's id
 * @param resourceId undefined: no permissions
 */
export const permissionsOfUser = (
  { id: tenantId }: { readonly id: SqlValue<string> },
  userId: Expression<string>,
  resourceId: SqlValue<string> | undefined,
): RawBuilder<Record<string, string>> =>
  resourceId === undefined
    ? sql`'{}'::jsonb`
    : sql`(
    SELECT coalesce(jsonb_object_agg(s.name, s.id), '{}') FROM users_roles ur
    JOIN roles_scopes rs ON rs.tenant_id = ur.tenant_id AND rs.role_id = ur.role_id
    JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id
    WHERE ur.tenant_id = ${tenantId} AND ur.user_id = ${userId} AND s.resource_id = ${resourceId})`

/**
 * The requested scopes that are permissions which the user holds now for the named resources, or for any resource if
 * none was named, because the default API of the token request is meant; as SQL that gives an array of ids: what an
 * authorization grants, stored with what is issued from it (SPEC 3, DECISIONS G4).
 */
export const grantedScopeIds = (
  { id: tenantId }: Tenant,
  userId: string,
  scopes: readonly string[],
  indicators: readonly string[],
): RawBuilder<string[]> =>
  sql`ARRAY(
    SELECT DISTINCT s.id FROM users_roles ur
    JOIN roles_scopes rs ON rs.tenant_id = ur.tenant_id AND rs.role_id = ur.role_id
    JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id
    JOIN resources r ON r.tenant_id = s.tenant_id AND r.id = s.resource_id
    WHERE ur.tenant_id = ${tenantId} AND ur.user_id = ${userId} AND s.name = ANY(${[...scopes]}::text[])
      AND (${namesNoResource(indicators)} OR r.indicator = ANY(${[...indicators]}::text[])))`
