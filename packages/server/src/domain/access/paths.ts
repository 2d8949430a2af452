/** Through which roles a user holds permissions: for explanations. What they hold is decided by access.ts and organizations/access.ts. */
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'

export interface PathToPermission {
  /** The name of the permission. */
  readonly permission: string
  readonly type: 'role' | 'organizationRole'
  readonly id: string
  readonly name: string
}

/** Where it is asked: for an API, in an organization, or both; for neither nobody holds anything. */
interface Place {
  readonly resourceId: string | undefined
  readonly organizationId: string | undefined
}

/** The permissions of a user there with the roles that hold them, by the names of the roles. */
export const pathsOfUser = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  userId: string,
  { resourceId, organizationId }: Place,
): Promise<readonly PathToPermission[]> => {
  const { rows } = await sql<PathToPermission>`
    SELECT s.name AS permission, 'role' AS type, r.id, r.name FROM users_roles ur
    JOIN roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.role_id
    JOIN roles_scopes rs ON rs.tenant_id = r.tenant_id AND rs.role_id = r.id
    JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id AND s.resource_id = ${resourceId ?? null}
    WHERE ur.tenant_id = ${tenantId} AND ur.user_id = ${userId}
    UNION ALL
    SELECT s.name, 'organizationRole', r.id, r.name FROM organization_user_roles ur
    JOIN organization_roles r ON r.tenant_id = ur.tenant_id AND r.id = ur.organization_role_id
    JOIN (
      SELECT rs.tenant_id, rs.organization_role_id, s.name FROM organization_roles_resource_scopes rs
      JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id AND s.resource_id = ${resourceId ?? null}
      WHERE rs.tenant_id = ${tenantId}
      UNION ALL
      SELECT rs.tenant_id, rs.organization_role_id, s.name FROM organization_roles_scopes rs
      JOIN organization_scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.organization_scope_id
      WHERE rs.tenant_id = ${tenantId} AND ${resourceId ?? null}::text IS NULL
    ) s ON s.tenant_id = r.tenant_id AND s.organization_role_id = r.id
    WHERE ur.tenant_id = ${tenantId} AND ur.user_id = ${userId} AND ur.organization_id = ${organizationId ?? null}
    ORDER BY permission, type, name`.execute(database.kysely)
  return rows
}

/** The names of the permissions that there are in a place, in alphabetical order: what a simulated request asks for by default. */
export const permissionNames = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  { resourceId, organizationId }: Place,
  most: number,
): Promise<string[]> => {
  if (resourceId === undefined && organizationId === undefined) return []
  const { rows } =
    resourceId === undefined
      ? await sql<{ name: string }>`
          SELECT name FROM organization_scopes WHERE tenant_id = ${tenantId} ORDER BY name LIMIT ${most}`.execute(
          database.kysely,
        )
      : await sql<{ name: string }>`
          SELECT name FROM scopes WHERE tenant_id = ${tenantId} AND resource_id = ${resourceId}
          ORDER BY name LIMIT ${most}`.execute(database.kysely)
  return rows.map(({ name }) => name)
}
