/** `/administrators` and `/administrator-roles`. */
import { administratorRoleRoutes, administratorRoutes } from '@countersign/contract/administrators.ts'
import {
  type AdministratorRow,
  getAdministrator,
  listAdministrators,
  removeAdministrator,
  setAdministrator,
} from '../domain/administrators/administrators.ts'
import type { Held } from '../domain/administrators/built-in-roles.ts'
import {
  type AdministratorRoleRow,
  createAdministratorRole,
  deleteAdministratorRole,
  getAdministratorRole,
  listAdministratorRoles,
  updateAdministratorRole,
} from '../domain/administrators/roles.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'

const toAdministrator = (row: AdministratorRow) => ({
  userId: row.id,
  username: row.username,
  primaryEmail: row.primary_email,
  name: row.name,
  avatar: row.avatar,
  isSuspended: row.is_suspended,
  lastSignInAt: row.last_sign_in_at?.getTime() ?? null,
  roleIds: [...row.role_ids],
  createdAt: row.created_at.getTime(),
})

const toRole = (row: AdministratorRoleRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  description: row.description,
  permissions: row.permissions as Held[],
  isBuiltIn: row.is_built_in,
  createdAt: row.created_at.getTime(),
})

export const administratorHandlers = bind(administratorRoutes, {
  async listAdministrators(_input, { store, tenant, page }) {
    return mapPage(await listAdministrators(store, tenant, page), toAdministrator)
  },
  async getAdministrator({ params }, { store, tenant }) {
    return toAdministrator(await getAdministrator(store, tenant, params.userId))
  },
  async putAdministrator({ params, body }, { store, tenant, perform }) {
    await perform(setAdministrator, params.userId, body.roleIds)
    return toAdministrator(await getAdministrator(store, tenant, params.userId))
  },
  async deleteAdministrator({ params }, { perform }) {
    await perform(removeAdministrator, params.userId)
  },
})

export const administratorRoleHandlers = bind(administratorRoleRoutes, {
  async listAdministratorRoles(_input, { store, tenant, page }) {
    return mapPage(await listAdministratorRoles(store, tenant, page), toRole)
  },
  async getAdministratorRole({ params }, { store, tenant }) {
    return toRole(await getAdministratorRole(store, tenant, params.id))
  },
  async createAdministratorRole({ body }, { perform }) {
    return toRole(await perform(createAdministratorRole, body))
  },
  async updateAdministratorRole({ params, body }, { perform }) {
    return toRole(await perform(updateAdministratorRole, params.id, body))
  },
  async deleteAdministratorRole({ params }, { perform }) {
    await perform(deleteAdministratorRole, params.id)
  },
})
