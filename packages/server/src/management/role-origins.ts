/** `/users/:userId/role-origins` and `/organization-role-origins`: where the roles of a user came from. */
import { roleOriginRoutes } from '@countersign/contract/role-origins.ts'
import { listOrganizationRoleOrigins, listRoleOrigins } from '../domain/provisioning/role-origins.ts'
import { bind } from '../http/api.ts'

const shown = <T extends { readonly givenAt: Date }>(origins: readonly T[]) =>
  origins.map((each) => ({ ...each, givenAt: each.givenAt.getTime() }))

export const roleOriginHandlers = bind(roleOriginRoutes, {
  async listUserRoleOrigins({ params }, { store, tenant }) {
    return { origins: shown(await listRoleOrigins(store, tenant, params.userId)) }
  },
  async listUserOrganizationRoleOrigins({ params }, { store, tenant }) {
    return { origins: shown(await listOrganizationRoleOrigins(store, tenant, params.userId)) }
  },
})
