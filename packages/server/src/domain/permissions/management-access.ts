/**
 * No one hands on more of the Management API than they hold (DECISIONS B4, B11): the one rule against growing
 * from a fine permission to `all`. Anyone who lacks a permission of that API
 *
 * - neither gives nor takes it: not to or from a role, an organization role, an application or a member of an organization;
 * - renames and describes no role that holds it, which would pass it off as another one;
 * - neither sees nor makes secrets of an application that holds it, and changes nothing of that application, its keys, its
 *   roles and its end included: anyone who can sign in as it holds what it holds.
 *
 * What a caller holds is what its token carries, so that a token that was asked for with less stays less. `all` is everything.
 * The command line, `apply` and the server's own work call as the system, which nothing limits.
 *
 * Each operation that does such a thing asks `assertHolds` within its transaction, before it writes and once it holds what it
 * was given; reading secrets asks it too. packages/server/test/management/r33-handing-on.test.ts has a line for every route that
 * writes. Users never hold permissions of the Management API (a constraint of the database), so that nothing of theirs is asked.
 */
import { ALL_PERMISSION, type Permission } from '@countersign/contract/permissions.ts'
import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** What the caller is limited to; undefined: to nothing. An application without a list holds nothing. */
const limitOf = ({ actor, permissions = [] }: Caller): readonly string[] | undefined =>
  actor.type === 'system' || permissions.includes(ALL_PERMISSION) ? undefined : permissions

/** Whether a caller of the Management API holds a permission of it. */
export const holds = (caller: Caller, permission: Permission): boolean => limitOf(caller)?.includes(permission) ?? true

/** SQL that gives ids. */
type Ids = RawBuilder<unknown>

const ofRoles = (tenantId: string, roleIds: Ids): Ids => sql`
  SELECT scope_id FROM roles_scopes
  WHERE tenant_id = ${tenantId} AND scope_is_management AND role_id IN (${roleIds})`

const ofOrganizationRoles = (tenantId: string, roleIds: Ids): Ids => sql`
  SELECT scope_id FROM organization_roles_resource_scopes
  WHERE tenant_id = ${tenantId} AND scope_is_management AND organization_role_id IN (${roleIds})`

/** Through their roles, and those that they have in organizations. */
const ofApplications = (tenantId: string, applicationIds: Ids): Ids => sql`
  ${ofRoles(
    tenantId,
    sql`SELECT role_id FROM applications_roles WHERE tenant_id = ${tenantId} AND application_id IN (${applicationIds})`,
  )}
  UNION ALL
  ${ofOrganizationRoles(
    tenantId,
    sql`SELECT organization_role_id FROM organization_application_roles
      WHERE tenant_id = ${tenantId} AND application_id IN (${applicationIds})`,
  )}`

/** What the ids are of, and the ids of the permissions in question. */
const SCOPES_OF = {
  scopes: (_tenantId: string, ids: Ids) => ids,
  roles: ofRoles,
  organizationRoles: ofOrganizationRoles,
  applications: ofApplications,
  /** Those of the applications that are members. */
  organizations: (tenantId: string, ids: Ids) =>
    ofApplications(
      tenantId,
      sql`SELECT application_id FROM organization_applications
        WHERE tenant_id = ${tenantId} AND organization_id IN (${ids})`,
    ),
} as const

/**
 * Throws 403 `auth.forbidden` naming the permissions of the Management API that the caller lacks of those that these are or
 * have. Ids that name nothing have none: whether they exist is for others to ask. Costs a statement only for a limited caller.
 */
export const assertHolds = async (
  { tx, tenant, caller }: Pick<Unit, 'tx' | 'tenant' | 'caller'>,
  what: keyof typeof SCOPES_OF,
  ids: readonly string[],
): Promise<void> => {
  const limit = limitOf(caller)
  if (!limit || ids.length === 0) return
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM scopes
    WHERE tenant_id = ${tenant.id} AND is_management AND name <> ALL(${limit}::text[])
      AND id IN (${SCOPES_OF[what](tenant.id, sql`SELECT unnest(${ids}::text[])`)})
    ORDER BY name`.execute(tx)
  if (rows.length > 0) throw new ApiError('auth.forbidden', { permission: rows.map(({ name }) => name).join(' ') })
}
