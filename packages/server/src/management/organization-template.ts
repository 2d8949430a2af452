/** `/organization-scopes` and `/organization-roles`: the template that the organizations of a tenant share. */
import { organizationRoleRoutes, organizationScopeRoutes } from '@countersign/contract/organization-template.ts'
import { deleteOrganizationScope } from '../domain/organizations/deletions.ts'
import { getOrganizationRole, type OrganizationRoleRow } from '../domain/organizations/role-rows.ts'
import {
  addOrganizationRoleResourceScopes,
  addOrganizationRoleScopes,
  listOrganizationRoleResourceScopes,
  listOrganizationRoleScopes,
  removeOrganizationRoleResourceScope,
  removeOrganizationRoleScope,
  replaceOrganizationRoleResourceScopes,
  replaceOrganizationRoleScopes,
} from '../domain/organizations/role-scopes.ts'
import {
  createOrganizationRole,
  deleteOrganizationRole,
  listOrganizationRoles,
  permissionsOfOrganizationRoles,
  updateOrganizationRole,
} from '../domain/organizations/roles.ts'
import {
  createOrganizationScope,
  getOrganizationScope,
  listOrganizationScopes,
  type OrganizationScopeRow,
  updateOrganizationScope,
} from '../domain/organizations/scopes.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'
import { toScope } from './resources.ts'

export const toOrganizationScope = (row: OrganizationScopeRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  description: row.description,
})

export const toOrganizationRole = (row: OrganizationRoleRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  description: row.description,
  type: row.type,
})

const scopeHandlers = bind(organizationScopeRoutes, {
  async listOrganizationScopes({ query }, { store, tenant, page }) {
    return mapPage(await listOrganizationScopes(store, tenant, { ...page, ...query }), toOrganizationScope)
  },
  async createOrganizationScope({ body }, { perform }) {
    return toOrganizationScope(await perform(createOrganizationScope, body))
  },
  async getOrganizationScope({ params }, { store, tenant }) {
    return toOrganizationScope(await getOrganizationScope(store, tenant, params.id))
  },
  async updateOrganizationScope({ params, body }, { perform }) {
    return toOrganizationScope(await perform(updateOrganizationScope, params.id, body))
  },
  async deleteOrganizationScope({ params }, { perform }) {
    await perform(deleteOrganizationScope, params.id)
  },
})

const roleHandlers = bind(organizationRoleRoutes, {
  async listOrganizationRoles({ query }, { store, tenant, page }) {
    const roles = await listOrganizationRoles(store, tenant, { ...page, ...query })
    const held = await permissionsOfOrganizationRoles(
      store,
      tenant,
      roles.items.map(({ id }) => id),
    )
    return mapPage(roles, (row) => ({
      ...toOrganizationRole(row),
      scopes: held.get(row.id)?.scopes ?? [],
      resourceScopes: held.get(row.id)?.resourceScopes ?? [],
    }))
  },
  async createOrganizationRole({ body }, { perform }) {
    return toOrganizationRole(await perform(createOrganizationRole, body))
  },
  async getOrganizationRole({ params }, { store, tenant }) {
    return toOrganizationRole(await getOrganizationRole(store, tenant, params.id))
  },
  async updateOrganizationRole({ params, body }, { perform }) {
    return toOrganizationRole(await perform(updateOrganizationRole, params.id, body))
  },
  async deleteOrganizationRole({ params }, { perform }) {
    await perform(deleteOrganizationRole, params.id)
  },
  async listOrganizationRoleScopes({ params }, { store, tenant, page }) {
    return mapPage(await listOrganizationRoleScopes(store, tenant, params.id, page), toOrganizationScope)
  },
  async addOrganizationRoleScopes({ params, body }, { perform }) {
    await perform(addOrganizationRoleScopes, params.id, body.organizationScopeIds)
  },
  async replaceOrganizationRoleScopes({ params, body }, { perform }) {
    await perform(replaceOrganizationRoleScopes, params.id, body.organizationScopeIds)
  },
  async removeOrganizationRoleScope({ params }, { perform }) {
    await perform(removeOrganizationRoleScope, params.id, params.organizationScopeId)
  },
  async listOrganizationRoleResourceScopes({ params }, { store, tenant, page }) {
    return mapPage(await listOrganizationRoleResourceScopes(store, tenant, params.id, page), toScope)
  },
  async addOrganizationRoleResourceScopes({ params, body }, { perform }) {
    await perform(addOrganizationRoleResourceScopes, params.id, body.scopeIds)
  },
  async replaceOrganizationRoleResourceScopes({ params, body }, { perform }) {
    await perform(replaceOrganizationRoleResourceScopes, params.id, body.scopeIds)
  },
  async removeOrganizationRoleResourceScope({ params }, { perform }) {
    await perform(removeOrganizationRoleResourceScope, params.id, params.scopeId)
  },
})

export const organizationTemplateHandlers = [...scopeHandlers, ...roleHandlers]
