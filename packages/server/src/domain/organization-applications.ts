/**
 * The machine-to-machine applications of an organization and their roles in it. They are configuration: what is made from
 * them is cached, and every change is announced.
 */
import { type SqlBool, sql } from 'kysely'
import { ApiError, notFound } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { type Page, type PageRequest, paginate } from '../storage/page.ts'
import type { Store } from '../storage/store.ts'
import { operation, type Unit } from '../storage/unit-of-work.ts'
import type { ApplicationRow } from './application-rows.ts'
import { holdRows } from './held-rows.ts'
import {
  deleteMember,
  deleteMemberRole,
  deleteOtherMemberRoles,
  deleteOtherMembers,
  emitMembership,
  holdMembers,
  insertMemberRoles,
  insertMembers,
} from './organization-membership.ts'
import { holdOrganizationRoles } from './organization-role-rows.ts'
import { getOrganization, lockOrganization } from './organization-rows.ts'
import { containing } from './scopes.ts'

/** Dropped from everything cached that was made from this membership or its roles. */
export const organizationApplicationTag = (organizationId: string, applicationId: string) =>
  `organization-application:${organizationId}:${applicationId}`

/** The applications of an organization, those that joined last first: that order has an index. Throws 404. */
export const listOrganizationApplications = async (
  store: Store,
  tenant: Tenant,
  organizationId: string,
  request: PageRequest & { q?: string | undefined },
): Promise<Page<ApplicationRow>> => {
  await getOrganization(store, tenant, organizationId)
  const db = store.database.kysely
  const { q } = request
  const all = db
    .selectFrom('organization_applications as m')
    .select(['m.created_at as created_at', 'm.application_id as id'])
    .where('m.tenant_id', '=', tenant.id)
    .where('m.organization_id', '=', organizationId)
  const query = q
    ? all.where(
        sql<SqlBool>`EXISTS (SELECT FROM applications a
          WHERE a.tenant_id = m.tenant_id AND a.id = m.application_id
            AND (a.name ILIKE ${containing(q)} OR a.id = ${q}))`,
      )
    : all
  const page = await paginate(db, query, request, { createdAt: 'm.created_at', id: 'm.application_id' })
  const rows = await db
    .selectFrom('applications')
    .selectAll()
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', sql<string>`ANY(${page.items.map(({ id }) => id)}::text[])`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return { ...page, items: page.items.flatMap(({ id }) => byId.get(id) ?? []) }
}

/** Holds the applications against deletion. Throws 422 naming unknown ids, or when one is not machine-to-machine. */
const holdMachines = async (unit: Unit, applicationIds: readonly string[]): Promise<void> => {
  const applications = await holdRows(unit, 'applications', applicationIds, 'applicationIds')
  if (applications.some(({ type }) => type !== 'MachineToMachine')) throw new ApiError('application.invalid_type')
}

const announce = ({ changed }: Unit, organizationId: string, applicationIds: readonly string[]): void =>
  changed(...applicationIds.map((id) => organizationApplicationTag(organizationId, id)))

/** Adds applications; those that are members already stay as they are. Throws 404, 422. */
export const addOrganizationApplications = operation(
  ['Organization.Membership.Updated'],
  async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
    const applicationIds = [...new Set(ids)].sort()
    await lockOrganization(unit, organizationId)
    await holdMachines(unit, applicationIds)
    const addedApplicationIds = await insertMembers(unit, 'application', organizationId, applicationIds)
    emitMembership(unit, organizationId, { addedApplicationIds })
    announce(unit, organizationId, addedApplicationIds)
  },
)

/** Makes these the applications of the organization, and no others. Throws 404, 422. */
export const replaceOrganizationApplications = operation(
  ['Organization.Membership.Updated'],
  async (unit, organizationId: string, ids: readonly string[]): Promise<void> => {
    const applicationIds = [...new Set(ids)].sort()
    await lockOrganization(unit, organizationId)
    await holdMachines(unit, applicationIds)
    const removedApplicationIds = await deleteOtherMembers(unit, 'application', organizationId, applicationIds)
    const addedApplicationIds = await insertMembers(unit, 'application', organizationId, applicationIds)
    emitMembership(unit, organizationId, { addedApplicationIds, removedApplicationIds })
    announce(unit, organizationId, [...removedApplicationIds, ...addedApplicationIds])
  },
)

/** Removes an application. Throws 404 also when it is no member. */
export const removeOrganizationApplication = operation(
  ['Organization.Membership.Updated'],
  async (unit, organizationId: string, applicationId: string): Promise<void> => {
    await lockOrganization(unit, organizationId)
    if (!(await deleteMember(unit, 'application', organizationId, applicationId)))
      throw notFound('member', applicationId)
    emitMembership(unit, organizationId, { removedApplicationIds: [applicationId] })
    announce(unit, organizationId, [applicationId])
  },
)

const unknownMembers = (applicationIds: readonly string[]) =>
  new ApiError('entity.relation_foreign_key_not_found', { applicationIds })
const noMember = () => new ApiError('organization.require_membership')

/** Gives roles to members; those that they hold stay. Throws 404, 422, 400 for too many pairs. */
export const assignOrganizationApplicationRoles = operation(
  [],
  async (unit, organizationId: string, ids: readonly string[], roleIds: readonly string[]): Promise<void> => {
    const applicationIds = [...new Set(ids)].sort()
    const organizationRoleIds = [...new Set(roleIds)]
    await lockOrganization(unit, organizationId)
    await holdMembers(unit, 'application', organizationId, applicationIds, unknownMembers)
    await holdOrganizationRoles(unit, organizationRoleIds, 'MachineToMachine')
    await insertMemberRoles(unit, 'application', organizationId, applicationIds, organizationRoleIds)
    announce(unit, organizationId, applicationIds)
  },
)

/** Gives a member roles; those that it holds stay. Throws 404, 422. */
export const addOrganizationApplicationRoles = operation(
  [],
  async (unit, organizationId: string, applicationId: string, ids: readonly string[]): Promise<void> => {
    const roleIds = [...new Set(ids)]
    await lockOrganization(unit, organizationId)
    await holdMembers(unit, 'application', organizationId, [applicationId], noMember)
    await holdOrganizationRoles(unit, roleIds, 'MachineToMachine')
    await insertMemberRoles(unit, 'application', organizationId, [applicationId], roleIds)
    announce(unit, organizationId, [applicationId])
  },
)

/** Makes these the roles of the member, and no others. Throws 404, 422. */
export const replaceOrganizationApplicationRoles = operation(
  [],
  async (unit, organizationId: string, applicationId: string, ids: readonly string[]): Promise<void> => {
    const roleIds = [...new Set(ids)]
    await lockOrganization(unit, organizationId)
    await holdMembers(unit, 'application', organizationId, [applicationId], noMember)
    await holdOrganizationRoles(unit, roleIds, 'MachineToMachine')
    await deleteOtherMemberRoles(unit, 'application', organizationId, applicationId, roleIds)
    await insertMemberRoles(unit, 'application', organizationId, [applicationId], roleIds)
    announce(unit, organizationId, [applicationId])
  },
)

/** Takes a role from a member. Throws 404 also when it does not hold it, 422 when it is no member. */
export const removeOrganizationApplicationRole = operation(
  [],
  async (unit, organizationId: string, applicationId: string, roleId: string): Promise<void> => {
    await lockOrganization(unit, organizationId)
    await holdMembers(unit, 'application', organizationId, [applicationId], noMember)
    if (!(await deleteMemberRole(unit, 'application', organizationId, applicationId, roleId)))
      throw notFound('organization role', roleId)
    announce(unit, organizationId, [applicationId])
  },
)
