/** `/organizations/:id/users` and `/organizations/:id/applications`: members and their roles. */
import { organizationApplicationRoutes, organizationUserRoutes } from '@countersign/contract/organization-members.ts'
import {
  listMemberRoles,
  listMemberScopes,
  listOrganizationApplications,
  listOrganizationUsers,
  rolesOfMembers,
} from '../domain/organizations/member-lists.ts'
import { organizationApplications, organizationUsers } from '../domain/organizations/members.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'
import { toApplication } from './applications.ts'
import { toOrganizationRole, toOrganizationScope } from './organization-template.ts'
import { toUser } from './users.ts'

const userHandlers = bind(organizationUserRoutes, {
  async listOrganizationUsers({ params, query }, { store, tenant, page }) {
    const users = await listOrganizationUsers(store, tenant, params.id, { ...page, ...query })
    const userIds = users.items.map(({ id }) => id)
    const rolesOf = await rolesOfMembers(store, tenant, 'user', params.id, userIds)
    return mapPage(users, (row) => ({ ...toUser(row), organizationRoles: rolesOf(row.id) }))
  },
  async addOrganizationUsers({ params, body }, { perform }) {
    await perform(organizationUsers.add, params.id, body.userIds)
    return { userIds: body.userIds }
  },
  async replaceOrganizationUsers({ params, body }, { perform }) {
    await perform(organizationUsers.replace, params.id, body.userIds)
  },
  async removeOrganizationUser({ params }, { perform }) {
    await perform(organizationUsers.remove, params.id, params.userId)
  },
  async assignOrganizationUserRoles({ params, body }, { perform }) {
    await perform(organizationUsers.assignRoles, params.id, body.userIds, body.organizationRoleIds)
  },
  async listOrganizationUserRoles({ params }, { store, tenant, page }) {
    return mapPage(await listMemberRoles(store, tenant, 'user', params.id, params.userId, page), toOrganizationRole)
  },
  async addOrganizationUserRoles({ params, body }, { perform }) {
    return { organizationRoleIds: await perform(organizationUsers.addRoles, params.id, params.userId, body) }
  },
  async replaceOrganizationUserRoles({ params, body }, { perform }) {
    await perform(organizationUsers.replaceRoles, params.id, params.userId, body)
  },
  async removeOrganizationUserRole({ params }, { perform }) {
    await perform(organizationUsers.removeRole, params.id, params.userId, params.organizationRoleId)
  },
  async listOrganizationUserScopes({ params }, { store, tenant }) {
    return (await listMemberScopes(store, tenant, params.id, params.userId)).map(toOrganizationScope)
  },
})

const applicationHandlers = bind(organizationApplicationRoutes, {
  async listOrganizationApplications({ params, query }, { store, tenant, page }) {
    const applications = await listOrganizationApplications(store, tenant, params.id, { ...page, ...query })
    const applicationIds = applications.items.map(({ id }) => id)
    const rolesOf = await rolesOfMembers(store, tenant, 'application', params.id, applicationIds)
    return mapPage(applications, (row) => ({ ...toApplication(row), organizationRoles: rolesOf(row.id) }))
  },
  async addOrganizationApplications({ params, body }, { perform }) {
    await perform(organizationApplications.add, params.id, body.applicationIds)
  },
  async replaceOrganizationApplications({ params, body }, { perform }) {
    await perform(organizationApplications.replace, params.id, body.applicationIds)
  },
  async removeOrganizationApplication({ params }, { perform }) {
    await perform(organizationApplications.remove, params.id, params.applicationId)
  },
  async assignOrganizationApplicationRoles({ params, body }, { perform }) {
    await perform(organizationApplications.assignRoles, params.id, body.applicationIds, body.organizationRoleIds)
  },
  async listOrganizationApplicationRoles({ params }, { store, tenant, page }) {
    const roles = await listMemberRoles(store, tenant, 'application', params.id, params.applicationId, page)
    return mapPage(roles, toOrganizationRole)
  },
  async addOrganizationApplicationRoles({ params, body }, { perform }) {
    await perform(organizationApplications.addRoles, params.id, params.applicationId, body)
  },
  async replaceOrganizationApplicationRoles({ params, body }, { perform }) {
    await perform(organizationApplications.replaceRoles, params.id, params.applicationId, body)
  },
  async removeOrganizationApplicationRole({ params }, { perform }) {
    await perform(organizationApplications.removeRole, params.id, params.applicationId, params.organizationRoleId)
  },
})

export const organizationMemberHandlers = [...userHandlers, ...applicationHandlers]
