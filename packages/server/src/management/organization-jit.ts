/** `/organizations/:id/jit`: who becomes a member by themselves, and with which roles. */
import { organizationJitRoutes } from '@countersign/contract/organization-jit.ts'
import {
  addJitEmailDomain,
  listJitEmailDomains,
  removeJitEmailDomain,
  replaceJitEmailDomains,
} from '../domain/organizations/email-domains.ts'
import { addJitRoles, listJitRoles, removeJitRole, replaceJitRoles } from '../domain/organizations/jit-roles.ts'
import { getOrganization } from '../domain/organizations/rows.ts'
import { bind, type Call } from '../http/api.ts'
import { ApiError } from '../kernel/api-error.ts'
import { emptyPage, mapPage } from '../storage/page.ts'
import { toOrganizationRole } from './organization-template.ts'

/** There are none yet that could be named. */
const assertNoSsoConnectors = async ({ store, tenant }: Call, organizationId: string, ids: readonly string[]) => {
  await getOrganization(store, tenant, organizationId)
  if (ids.length > 0) throw new ApiError('request.feature_not_supported', { feature: 'SSO connectors' })
}

export const organizationJitHandlers = bind(organizationJitRoutes, {
  async listJitEmailDomains({ params }, { store, tenant, page }) {
    const domains = await listJitEmailDomains(store, tenant, params.id, page)
    return mapPage(domains, ({ organization_id, id }) => ({
      tenantId: tenant.id,
      organizationId: organization_id,
      emailDomain: id,
    }))
  },
  async addJitEmailDomain({ params, body }, { tenant, perform }) {
    const emailDomain = await perform(addJitEmailDomain, params.id, body.emailDomain)
    return { tenantId: tenant.id, organizationId: params.id, emailDomain }
  },
  async replaceJitEmailDomains({ params, body }, { perform }) {
    await perform(replaceJitEmailDomains, params.id, body.emailDomains)
  },
  async removeJitEmailDomain({ params }, { perform }) {
    await perform(removeJitEmailDomain, params.id, params.emailDomain)
  },
  async listJitRoles({ params }, { store, tenant, page }) {
    return mapPage(await listJitRoles(store, tenant, params.id, page), toOrganizationRole)
  },
  async addJitRoles({ params, body }, { perform }) {
    await perform(addJitRoles, params.id, body.organizationRoleIds)
  },
  async replaceJitRoles({ params, body }, { perform }) {
    await perform(replaceJitRoles, params.id, body.organizationRoleIds)
  },
  async removeJitRole({ params }, { perform }) {
    await perform(removeJitRole, params.id, params.organizationRoleId)
  },
  async listJitSsoConnectors({ params }, { store, tenant, page }) {
    await getOrganization(store, tenant, params.id)
    return emptyPage(page)
  },
  async addJitSsoConnectors({ params, body }, call) {
    await assertNoSsoConnectors(call, params.id, body.ssoConnectorIds)
  },
  async replaceJitSsoConnectors({ params, body }, call) {
    await assertNoSsoConnectors(call, params.id, body.ssoConnectorIds)
  },
})
