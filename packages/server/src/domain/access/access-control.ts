/**
 * The rules that say who may use an application (migration 0005). Whether one applies is decided in
 * application-admission.ts.
 */
import type { AccessControl } from '@countersign/contract/access-control.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { applicationTag, getApplication, lockApplication } from '../applications/rows.ts'
import { holdOrganizationRoles } from '../organizations/role-rows.ts'

type Rules = Static<typeof AccessControl>

interface Stored extends Omit<Rules, 'organizationIds' | 'organizationRoleRules'> {
  readonly organizations: readonly { organizationId: string; organizationRoleId: string | null }[]
}

/** The rules of an existing application. */
export const readAccessRules = async (db: Db, tenantId: string, applicationId: string): Promise<Rules> => {
  const { rows } = await sql<Stored>`
    SELECT
      ARRAY(SELECT user_id FROM applications_access_users
        WHERE tenant_id = ${tenantId} AND application_id = ${applicationId} ORDER BY user_id) AS "userIds",
      ARRAY(SELECT role_id FROM applications_access_roles
        WHERE tenant_id = ${tenantId} AND application_id = ${applicationId} ORDER BY role_id) AS "userRoleIds",
      (SELECT coalesce(jsonb_agg(jsonb_build_object(
          'organizationId', organization_id, 'organizationRoleId', organization_role_id)
          ORDER BY organization_id, organization_role_id), '[]')
        FROM applications_access_organizations
        WHERE tenant_id = ${tenantId} AND application_id = ${applicationId}) AS organizations`.execute(db)
  const { userIds = [], userRoleIds = [], organizations = [] } = rows[0] ?? {}
  const byOrganization = Map.groupBy(
    organizations.filter(({ organizationRoleId }) => organizationRoleId !== null),
    ({ organizationId }) => organizationId,
  )
  return {
    userIds,
    userRoleIds,
    organizationIds: organizations.flatMap(({ organizationId, organizationRoleId }) =>
      organizationRoleId === null ? [organizationId] : [],
    ),
    organizationRoleRules: [...byOrganization].map(([organizationId, rules]) => ({
      organizationId,
      organizationRoleIds: rules.flatMap(({ organizationRoleId }) => organizationRoleId ?? []),
    })),
  }
}

/** Throws 404. */
export const getAccessControl = async (store: Store, tenant: Tenant, applicationId: string): Promise<Rules> => {
  await getApplication(store, tenant, applicationId)
  return readAccessRules(store.database.kysely, tenant.id, applicationId)
}

/**
 * Locks everything that the rules name against deletion. Throws 422 for ids that do not exist or are of another type.
 */
const holdNamed = async (unit: Unit, rules: Rules): Promise<void> => {
  await holdReferencedRows(unit, 'users', rules.userIds, 'userIds')
  const roles = await holdReferencedRows(unit, 'roles', rules.userRoleIds, 'userRoleIds')
  if (roles.some(({ type }) => type !== 'User')) throw new ApiError('user.invalid_role_type')
  const inRules = rules.organizationRoleRules.map(({ organizationId }) => organizationId)
  await holdReferencedRows(unit, 'organizations', rules.organizationIds, 'organizationIds')
  await holdReferencedRows(unit, 'organizations', inRules, 'organizationRoleRules')
  const roleIds = rules.organizationRoleRules.flatMap(({ organizationRoleIds }) => organizationRoleIds)
  await holdOrganizationRoles(unit, [...new Set(roleIds)], 'User')
}

const emptyRules = (reason: string) => new ApiError('application.access_control_empty', { reason })

/** Replaces the rules with these. Throws 404, 422. */
export const replaceAccessControl = operation([], async (unit, applicationId: string, rules: Rules): Promise<Rules> => {
  const { tx, tenant } = unit
  const application = await lockApplication(unit, applicationId)
  if (application.type === 'MachineToMachine') throw new ApiError('application.invalid_type')
  if (rules.organizationRoleRules.some(({ organizationRoleIds }) => organizationRoleIds.length === 0))
    throw emptyRules('a rule in organizationRoleRules names no role')
  const isEmpty = [rules.userIds, rules.userRoleIds, rules.organizationIds, rules.organizationRoleRules].every(
    ({ length }) => length === 0,
  )
  if (isEmpty && application.has_access_control) throw emptyRules('switch appLevelAccessControlEnabled off first')
  await holdNamed(unit, rules)
  for (const table of ['users', 'roles', 'organizations'] as const) {
    await sql`
      DELETE FROM ${sql.table(`applications_access_${table}`)}
      WHERE tenant_id = ${tenant.id} AND application_id = ${applicationId}`.execute(tx)
  }
  await sql`
    INSERT INTO applications_access_users (tenant_id, application_id, user_id)
    SELECT ${tenant.id}, ${applicationId}, unnest(${[...new Set(rules.userIds)]}::text[])`.execute(tx)
  await sql`
    INSERT INTO applications_access_roles (tenant_id, application_id, role_id)
    SELECT ${tenant.id}, ${applicationId}, unnest(${[...new Set(rules.userRoleIds)]}::text[])`.execute(tx)
  const pairs = [
    ...rules.organizationIds.map((organizationId) => ({ organizationId, roleId: null })),
    ...rules.organizationRoleRules.flatMap(({ organizationId, organizationRoleIds }) =>
      organizationRoleIds.map((roleId) => ({ organizationId, roleId })),
    ),
  ]
  await sql`
    INSERT INTO applications_access_organizations
      (tenant_id, id, application_id, organization_id, organization_role_id)
    SELECT ${tenant.id}, p.id, ${applicationId}, p.organization_id, p.role_id
    FROM unnest(${pairs.map(() => newId())}::text[], ${pairs.map(({ organizationId }) => organizationId)}::text[],
      ${pairs.map(({ roleId }) => roleId)}::text[]) AS p (id, organization_id, role_id)
    ON CONFLICT DO NOTHING`.execute(tx)
  unit.changed(applicationTag(applicationId))
  return readAccessRules(tx, tenant.id, applicationId)
})
