/** Which roles a machine-to-machine application holds, from both sides. */
import { sql } from 'kysely'
import { ApiError, notFound } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { type Page, type PageRequest, paginate } from '../storage/page.ts'
import type { Store } from '../storage/store.ts'
import { operation, type Unit } from '../storage/unit-of-work.ts'
import { type ApplicationRow, applicationTag, getApplication, lockApplication } from './application-rows.ts'
import { holdRows } from './held-rows.ts'
import { getRole, holdRole, type RoleRow } from './role-rows.ts'
import { containing } from './scopes.ts'

const assertMachine = ({ type }: ApplicationRow): void => {
  if (type !== 'MachineToMachine') throw new ApiError('application.invalid_type')
}

export const listApplicationRoles = async (
  store: Store,
  tenant: Tenant,
  applicationId: string,
  request: PageRequest,
): Promise<Page<RoleRow>> => {
  assertMachine(await getApplication(store, tenant, applicationId))
  const db = store.database.kysely
  const query = db
    .selectFrom('applications_roles as ar')
    .innerJoin('roles as r', (join) => join.onRef('r.tenant_id', '=', 'ar.tenant_id').onRef('r.id', '=', 'ar.role_id'))
    .selectAll('r')
    .where('ar.tenant_id', '=', tenant.id)
    .where('ar.application_id', '=', applicationId)
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
    .selectFrom('applications_roles as ar')
    .innerJoin('applications as a', (join) =>
      join.onRef('a.tenant_id', '=', 'ar.tenant_id').onRef('a.id', '=', 'ar.application_id'),
    )
    .selectAll('a')
    .where('ar.tenant_id', '=', tenant.id)
    .where('ar.role_id', '=', roleId)
  const query = request.search ? all.where('a.name', 'ilike', containing(request.search)) : all
  return paginate(db, query, request, { createdAt: 'a.created_at', id: 'a.id' })
}

/** Throws 422 naming the ids that are no roles of the tenant, or when one is a role of users. */
const assertMachineRoles = async (unit: Unit, roleIds: readonly string[]): Promise<void> => {
  const roles = await holdRows(unit, 'roles', roleIds, 'roleIds')
  if (roles.some(({ type }) => type !== 'MachineToMachine')) throw new ApiError('application.invalid_role_type')
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

/** Gives roles to an application; those that it holds already are left as they are. Returns the ids of the new ones. */
export const addApplicationRoles = operation(
  [],
  async (unit, applicationId: string, ids: readonly string[]): Promise<string[]> => {
    const roleIds = [...new Set(ids)]
    assertMachine(await lockApplication(unit, applicationId))
    await assertMachineRoles(unit, roleIds)
    const added = await assign(
      unit,
      roleIds.map((roleId) => ({ applicationId, roleId })),
    )
    unit.changed(applicationTag(applicationId))
    return added.map(({ role_id }) => role_id)
  },
)

/** Makes these the roles of the application, and no others. */
export const replaceApplicationRoles = operation(
  [],
  async (unit, applicationId: string, ids: readonly string[]): Promise<void> => {
    const roleIds = [...new Set(ids)]
    assertMachine(await lockApplication(unit, applicationId))
    await assertMachineRoles(unit, roleIds)
    await unit.tx
      .deleteFrom('applications_roles')
      .where('tenant_id', '=', unit.tenant.id)
      .where('application_id', '=', applicationId)
      .where('role_id', '!=', sql<string>`ALL(${roleIds}::text[])`)
      .execute()
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
  async ({ tx, tenant, changed }, applicationId: string, roleId: string): Promise<void> => {
    const removed = await tx
      .deleteFrom('applications_roles')
      .where('tenant_id', '=', tenant.id)
      .where('application_id', '=', applicationId)
      .where('role_id', '=', roleId)
      .returning('role_id')
      .execute()
    if (removed.length === 0) throw notFound('role', roleId)
    changed(applicationTag(applicationId))
  },
)

/** Gives a role to applications. Throws 422 when one of them is not machine-to-machine or holds it already. */
export const addRoleApplications = operation(
  [],
  async (unit, roleId: string, ids: readonly string[]): Promise<void> => {
    // in one order, so that two requests with the same ids do not wait for each other's rows
    const applicationIds = [...new Set(ids)].sort()
    const role = await holdRole(unit, roleId)
    if (role.type !== 'MachineToMachine') throw new ApiError('application.invalid_role_type')
    const applications = await holdRows(unit, 'applications', applicationIds, 'applicationIds')
    if (applications.some(({ type }) => type !== 'MachineToMachine')) throw new ApiError('application.invalid_type')
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
