/** Where the roles of a user came from (DECISIONS U12): what gave each, and the groups of directories that give it now. */
import type { ROLE_ORIGINS } from '@countersign/contract/role-origins.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { getUser } from '../users/rows.ts'

interface Origin {
  readonly givenAt: Date
  /** Null: it was given before that was recorded. */
  readonly origin: (typeof ROLE_ORIGINS)[number] | null
  readonly originId: string | null
  readonly groups: { readonly directoryId: string; readonly groupId: string; readonly displayName: string }[]
}
type RoleOrigin = Origin & { readonly roleId: string }
type OrganizationRoleOrigin = Origin & { readonly organizationId: string; readonly organizationRoleId: string }

/** The groups that give what a row `ur` says. @param mapped the table of their roles, as `gr` @param given condition on `gr` and the directory `d` */
const groups = (mapped: RawBuilder<unknown>, given: RawBuilder<unknown>) => sql`
  coalesce((
    SELECT jsonb_agg(jsonb_build_object('directoryId', g.directory_id, 'groupId', g.id, 'displayName', g.display_name)
      ORDER BY g.display_name, g.id)
    FROM scim_users su
    JOIN scim_directories d ON d.tenant_id = su.tenant_id AND d.id = su.directory_id
    JOIN scim_group_members m
      ON m.tenant_id = su.tenant_id AND m.directory_id = su.directory_id AND m.user_id = su.user_id
    JOIN ${mapped} gr ON gr.tenant_id = m.tenant_id AND gr.directory_id = m.directory_id AND gr.group_id = m.group_id
    JOIN scim_groups g ON g.tenant_id = m.tenant_id AND g.directory_id = m.directory_id AND g.id = m.group_id
    WHERE su.tenant_id = ur.tenant_id AND su.user_id = ur.user_id AND ${given}), '[]')`

/** The roles of a user, the newest first. Throws 404. */
export const listRoleOrigins = async (store: Store, tenant: Tenant, userId: string): Promise<RoleOrigin[]> => {
  await getUser(store, tenant, userId)
  const given = groups(sql`scim_group_roles`, sql`gr.role_id = ur.role_id AND d.organization_id IS NULL`)
  const { rows } = await sql<RoleOrigin>`
    SELECT ur.role_id AS "roleId", ur.created_at AS "givenAt", ur.origin, ur.origin_id AS "originId", ${given} AS groups
    FROM users_roles ur WHERE ur.tenant_id = ${tenant.id} AND ur.user_id = ${userId}
    ORDER BY ur.created_at DESC, ur.role_id DESC`.execute(store.database.kysely)
  return rows
}

/** The roles of a user in organizations, the newest first. Throws 404. */
export const listOrganizationRoleOrigins = async (
  store: Store,
  tenant: Tenant,
  userId: string,
): Promise<OrganizationRoleOrigin[]> => {
  await getUser(store, tenant, userId)
  const given = groups(
    sql`scim_group_organization_roles`,
    sql`gr.organization_role_id = ur.organization_role_id AND d.organization_id = ur.organization_id`,
  )
  const { rows } = await sql<OrganizationRoleOrigin>`
    SELECT ur.organization_id AS "organizationId", ur.organization_role_id AS "organizationRoleId",
      ur.created_at AS "givenAt", ur.origin, ur.origin_id AS "originId", ${given} AS groups
    FROM organization_user_roles ur WHERE ur.tenant_id = ${tenant.id} AND ur.user_id = ${userId}
    ORDER BY ur.created_at DESC, ur.organization_id DESC, ur.organization_role_id DESC`.execute(store.database.kysely)
  return rows
}
