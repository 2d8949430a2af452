/** Which roles a machine-to-machine application holds, from both sides. */

import type { ApplicationUpdate } from '@countersign/contract/applications.ts'
import { ALL_PERMISSION } from '@countersign/contract/permissions.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import { heldBy, type Pairs, takeHeld, takeOthers } from '../../storage/pairs.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { updateApplication } from '../applications/applications.ts'
import { type ApplicationRow, applicationTag, getApplication, lockApplication } from '../applications/rows.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { getRole, holdRole, type RoleRow } from '../permissions/role-rows.ts'
import { searchPattern } from '../permissions/scopes.ts'

const ROLES = {
  table: 'applications_roles',
  holder: 'application_id',
  held: 'role_id',
  kind: 'role',
  entity: 'role',
} as const satisfies Pairs
const HOLDERS = { ...ROLES, holder: 'role_id', held: 'application_id' } as const satisfies Pairs

const assertMachine = ({ type }: ApplicationRow): void => {
  if (type !== 'MachineToMachine') throw new ApiError('application.invalid_type')
}

export const listApplicationRoles = async (
  store: Store,
  tenant: Tenant,
  applicationId: string,
  request: PageRequest & { search?: string | undefined },
): Promise<Page<RoleRow>> => {
  assertMachine(await getApplication(store, tenant, applicationId))
  const db = store.database.kysely
  const all = db
    .selectFrom('roles as r')
    .selectAll('r')
    .where(inTenant(tenant.id))
    .where(heldBy(ROLES, tenant.id, applicationId, 'r'))
  const query = request.search ? all.where('r.name', 'ilike', searchPattern(request.search)) : all
  return paginate(db, query, request, { createdAt: 'r.created_at', id: 'r.id' })
}

export const listRoleApplications = async (
  store: Store,
  tenant: Tenant,
  roleId: string,
  request: PageRequest & { search?: string | undefined },
): Promise<Page<ApplicationRow>> => {
  await getRole(store, tenant, roleId)
  const db = store.database.kysely
  const all = db
    .selectFrom('applications as a')
    .selectAll('a')
    .where(inTenant(tenant.id))
    .where(heldBy(HOLDERS, tenant.id, roleId, 'a'))
  const query = request.search ? all.where('a.name', 'ilike', searchPattern(request.search)) : all
  return paginate(db, query, request, { createdAt: 'a.created_at', id: 'a.id' })
}

/**
 * Throws 422 naming the ids that are not roles of the tenant, or when one is a role for users; 403 for roles that the
 * caller may not grant.
 */
const assertMachineRoles = async (unit: Unit, roleIds: readonly string[]): Promise<void> => {
  const roles = await holdReferencedRows(unit, 'roles', roleIds, 'roleIds')
  if (roles.some(({ type }) => type !== 'MachineToMachine')) throw new ApiError('application.invalid_role_type')
  await assertHolds(unit, 'roles', roleIds)
}

/** An application whose roles the caller may change, locked. Throws 404, 422, 403. */
const lockMachine = async (unit: Unit, applicationId: string): Promise<void> => {
  assertMachine(await lockApplication(unit, applicationId))
  await assertHolds(unit, 'applications', [applicationId])
}

const assign = async ({ tx, tenant, now }: Unit, pairs: readonly { applicationId: string; roleId: string }[]) => {
  if (pairs.length === 0) return []
  const values = pairs.map(({ applicationId, roleId }) => ({
    tenant_id: tenant.id,
    application_id: applicationId,
    role_id: roleId,
    created_at: now,
  }))
  return tx
    .insertInto('applications_roles')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['application_id', 'role_id'])
    .execute()
}

/** Gives roles to an application; roles that it already holds stay. Returns the ids of the new ones. */
export const addApplicationRoles = operation(
  [],
  async (unit, applicationId: string, ids: readonly string[]): Promise<string[]> => {
    const roleIds = [...new Set(ids)]
    await lockMachine(unit, applicationId)
    await assertMachineRoles(unit, roleIds)
    const added = await assign(
      unit,
      roleIds.map((roleId) => ({ applicationId, roleId })),
    )
    unit.changed(applicationTag(applicationId))
    return added.map(({ role_id }) => role_id)
  },
)

/** Replaces the roles of the application with these. */
export const replaceApplicationRoles = operation(
  [],
  async (unit, applicationId: string, ids: readonly string[]): Promise<void> => {
    const roleIds = [...new Set(ids)]
    await lockMachine(unit, applicationId)
    await assertMachineRoles(unit, roleIds)
    await takeOthers(unit, ROLES, applicationId, roleIds)
    await assign(
      unit,
      roleIds.map((roleId) => ({ applicationId, roleId })),
    )
    unit.changed(applicationTag(applicationId))
  },
)

/** Takes a role from an application. Throws 404 when it does not hold it. */
export const removeApplicationRole = operation(
  [],
  async (unit, applicationId: string, roleId: string): Promise<void> => {
    await assertHolds(unit, 'applications', [applicationId])
    await takeHeld(unit, ROLES, applicationId, roleId)
    unit.concerns('application', applicationId)
    unit.concerns('role', roleId)
    unit.changed(applicationTag(applicationId))
  },
)

/**
 * Lets an application do everything in the Management API, or no longer: through the roles that hold `all`, as if they
 * had been given or removed one by one. Of several such roles, the one with the fewest other permissions is given.
 * Throws 404, 403, 422 for another type of application, and when no role holds `all`.
 */
const setAdmin = operation([], async (unit, applicationId: string, isAdmin: boolean): Promise<void> => {
  const { rows } = await sql<{ id: string; isHeld: boolean }>`
    SELECT r.id, EXISTS (
      SELECT FROM applications_roles ar
      WHERE ar.tenant_id = r.tenant_id AND ar.role_id = r.id AND ar.application_id = ${applicationId}) AS "isHeld"
    FROM roles r
    JOIN roles_scopes rs ON rs.tenant_id = r.tenant_id AND rs.role_id = r.id
    JOIN scopes s ON s.tenant_id = rs.tenant_id AND s.id = rs.scope_id
    WHERE r.tenant_id = ${unit.tenant.id} AND r.type = 'MachineToMachine' AND s.is_management AND s.name = ${ALL_PERMISSION}
    ORDER BY (SELECT count(*) FROM roles_scopes a WHERE a.tenant_id = r.tenant_id AND a.role_id = r.id), r.created_at, r.id
  `.execute(unit.tx)
  const held = rows.filter(({ isHeld }) => isHeld)
  if (held.length > 0 === isAdmin) return
  for (const { id } of held) await removeApplicationRole.run(unit, applicationId, id)
  if (!isAdmin) return
  const [role] = rows
  if (!role) throw new ApiError('role.default_role_missing')
  await addApplicationRoles.run(unit, applicationId, [role.id])
})

/**
 * Changes an application and, if requested, whether it may do everything: both or nothing. Throws what either throws.
 */
export const updateWithAdmin = operation(
  [],
  async (unit, id: string, change: Static<typeof ApplicationUpdate>, isAdmin?: boolean): Promise<ApplicationRow> => {
    const row = await updateApplication.run(unit, id, change)
    if (isAdmin !== undefined) await setAdmin.run(unit, id, isAdmin)
    return row
  },
)

/** Gives a role to applications. Throws 422 when one of them is not machine-to-machine or holds it already. */
export const addRoleApplications = operation(
  [],
  async (unit, roleId: string, ids: readonly string[]): Promise<void> => {
    // in a fixed order, so that two requests with the same ids do not deadlock
    const applicationIds = [...new Set(ids)].sort()
    const role = await holdRole(unit, roleId)
    if (role.type !== 'MachineToMachine') throw new ApiError('application.invalid_role_type')
    const applications = await holdReferencedRows(unit, 'applications', applicationIds, 'applicationIds')
    if (applications.some(({ type }) => type !== 'MachineToMachine')) throw new ApiError('application.invalid_type')
    await assertHolds(unit, 'roles', [roleId])
    await assertHolds(unit, 'applications', applicationIds)
    const added = await assign(
      unit,
      applicationIds.map((applicationId) => ({ applicationId, roleId })),
    )
    if (added.length < applicationIds.length) {
      const fresh = new Set(added.map(({ application_id }) => application_id))
      throw new ApiError('role.application_exists', { applicationIds: applicationIds.filter((id) => !fresh.has(id)) })
    }
    unit.changed(...applicationIds.map(applicationTag))
  },
)
