/**
 * Callers can grant only those permissions of the Management API that they hold (DECISIONS B4, B11): the rule against
 * escalation from a single permission to `all`. A caller who lacks a permission of that API
 *
 * - can neither grant nor remove it: for a role, an organization role, an application or a member of an organization;
 * - cannot rename or describe a role that holds it, which would pass it off as another one;
 * - can neither see nor create secrets of an application that holds it, nor change or delete that application,
 *   its keys or its roles: anyone who can authenticate as it holds what it holds.
 *
 * What a caller holds is what its token carries, so that a token requested with fewer permissions stays limited. `all`
 * is everything. The command line, `apply` and the server's own work call as the system, which has no limits.
 *
 * An administrator who holds them all, but signed in too long ago, is asked to sign in again first (DECISIONS U3).
 *
 * Each operation that does such a thing calls `assertHolds` within its transaction, before it writes and after it has
 * locked the rows; so does reading secrets. packages/server/test/management/r33-handing-on.test.ts has a line for every
 * route that writes. Users never hold permissions of the Management API by roles (a constraint of the database); those who
 * are administrators hold them by roles of their own, about which domain/administrators asks `assertHoldsNamed`.
 */
import { ALL_PERMISSION, type Permission } from '@countersign/contract/permissions.ts'
import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** The caller's limits; undefined: none. An application without a list holds nothing. */
const limitOf = ({ actor, permissions = [] }: Caller): readonly string[] | undefined =>
  actor.type === 'system' || permissions.includes(ALL_PERMISSION) ? undefined : permissions

/** Whether a caller of the Management API holds a permission of it, or `all`. */
export const holds = (caller: Caller, permission: Permission | typeof ALL_PERMISSION): boolean =>
  limitOf(caller)?.includes(permission) ?? true

/** Throws 403 naming those that the caller lacks, and 401 where there are any and the caller's sign-in is too long ago. */
const assertCovered = (caller: Caller, names: readonly string[]): void => {
  const limit = limitOf(caller)
  const missing = limit ? [...new Set(names)].filter((name) => !limit.includes(name)).sort() : []
  if (missing.length > 0) throw new ApiError('auth.forbidden', { permission: missing.join(' ') })
  if (caller.needsSignIn && names.length > 0) throw new ApiError('auth.step_up_required', caller.needsSignIn)
}

/** Whether there is nothing to check. */
const isUnlimited = (caller: Caller): boolean => limitOf(caller) === undefined && caller.needsSignIn === undefined

/** SQL that gives ids. */
type Ids = RawBuilder<unknown>

const ofRoles = (tenantId: string, roleIds: Ids): Ids => sql`
  SELECT scope_id FROM roles_scopes
  WHERE tenant_id = ${tenantId} AND scope_is_management AND role_id IN (${roleIds})`

const ofOrganizationRoles = (tenantId: string, roleIds: Ids): Ids => sql`
  SELECT scope_id FROM organization_roles_resource_scopes
  WHERE tenant_id = ${tenantId} AND scope_is_management AND organization_role_id IN (${roleIds})`

/** Through their roles, and their organization roles. */
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

/** The kind of the ids, and the ids of the permissions in question. */
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
 * Throws 403 `auth.forbidden` naming the permissions of the Management API that these are or hold and the caller
 * lacks, and 401 `auth.step_up_required` for an administrator whose sign-in is too long ago. Ids that do not exist hold none: others check whether they exist. Costs a statement only for a limited caller.
 */
export const assertHolds = async (
  { tx, tenant, caller }: Pick<Unit, 'tx' | 'tenant' | 'caller'>,
  what: keyof typeof SCOPES_OF,
  ids: readonly string[],
): Promise<void> => {
  if (isUnlimited(caller) || ids.length === 0) return
  const { rows } = await sql<{ name: string }>`
    SELECT name FROM scopes
    WHERE tenant_id = ${tenant.id} AND is_management
      AND id IN (${SCOPES_OF[what](tenant.id, sql`SELECT unnest(${ids}::text[])`)})
    ORDER BY name`.execute(tx)
  assertCovered(
    caller,
    rows.map(({ name }) => name),
  )
}

/**
 * Throws 403 `auth.forbidden` naming those of these permissions that the caller lacks, and 401 as assertHolds. @param read is called
 * for a limited caller only
 */
export const assertHoldsNamed = async (caller: Caller, read: () => Promise<readonly string[]>): Promise<void> => {
  if (!isUnlimited(caller)) assertCovered(caller, await read())
}
