/** `/roles`: roles, their permissions, and the users and applications that hold them. */
import { roleRoutes } from '@countersign/contract/roles.ts'
import { addRoleApplications, listRoleApplications, removeApplicationRole } from '../domain/access/application-roles.ts'
import { addRoleUsers, listRoleUsers, removeUserRole } from '../domain/access/user-roles.ts'
import { holds } from '../domain/permissions/management-access.ts'
import { getRole } from '../domain/permissions/role-rows.ts'
import { addRoleScopes, listRoleScopes, removeRoleScope } from '../domain/permissions/role-scopes.ts'
import { createRole, deleteRole, listRoles, roleHolders, updateRole } from '../domain/permissions/roles.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'
import { toApplication } from './applications.ts'
import { toResource, toScope } from './resources.ts'
import { toRole } from './role-shape.ts'
import { toUser } from './users.ts'

export const roleHandlers = bind(roleRoutes, {
  async listRoles({ query }, { store, tenant, caller, page }) {
    const roles = await listRoles(store, tenant, { ...page, ...query })
    const holders = await roleHolders(
      store,
      tenant,
      roles.items.map(({ id }) => id),
    )
    return mapPage(roles, (row) => ({
      ...toRole(row),
      usersCount: holders.get(row.id)?.usersCount ?? 0,
      featuredUsers: (holds(caller, 'read:users') && holders.get(row.id)?.featuredUsers) || [],
      applicationsCount: holders.get(row.id)?.applicationsCount ?? 0,
      featuredApplications: (holds(caller, 'read:applications') && holders.get(row.id)?.featuredApplications) || [],
    }))
  },
  async createRole({ body }, { perform }) {
    return toRole(await perform(createRole, body))
  },
  async getRole({ params }, { store, tenant }) {
    return toRole(await getRole(store, tenant, params.id))
  },
  async updateRole({ params, body }, { perform }) {
    return toRole(await perform(updateRole, params.id, body))
  },
  async deleteRole({ params }, { perform }) {
    await perform(deleteRole, params.id)
  },
  async listRoleScopes({ params, query }, { store, tenant, page }) {
    const scopes = await listRoleScopes(store, tenant, params.id, { ...page, search: query.search })
    return mapPage(scopes, (row) => ({ ...toScope(row), resource: toResource(row.resource) }))
  },
  async addRoleScopes({ params, body }, { perform }) {
    return (await perform(addRoleScopes, params.id, body.scopeIds)).map(toScope)
  },
  async removeRoleScope({ params }, { perform }) {
    await perform(removeRoleScope, params.id, params.scopeId)
  },
  async listRoleUsers({ params, query }, { store, tenant, page }) {
    return mapPage(await listRoleUsers(store, tenant, params.id, page, query), toUser)
  },
  async addRoleUsers({ params, body }, { perform }) {
    await perform(addRoleUsers, params.id, body.userIds)
  },
  async removeRoleUser({ params }, { perform }) {
    await perform(removeUserRole, params.userId, params.id)
  },
  async listRoleApplications({ params, query }, { store, tenant, page }) {
    return mapPage(
      await listRoleApplications(store, tenant, params.id, { ...page, search: query.search }),
      toApplication,
    )
  },
  async addRoleApplications({ params, body }, { perform }) {
    await perform(addRoleApplications, params.id, body.applicationIds)
  },
  async removeRoleApplication({ params }, { perform }) {
    await perform(removeApplicationRole, params.applicationId, params.id)
  },
})
