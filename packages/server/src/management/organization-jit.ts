/** `/organizations/:id/jit`: who becomes a member by themselves, and with which roles. */
import { organizationJitRoutes } from '@countersign/contract/organization-jit.ts'
import {
  addJitEmailDomain,
  listJitEmailDomains,
  removeJitEmailDomain,
  replaceJitEmailDomains,
} from '../domain/organizations/email-domains.ts'
import { addJitRoles, listJitRoles, removeJitRole, replaceJitRoles } from '../domain/organizations/jit-roles.ts'
import {
  addJitSsoConnectors,
  listJitSsoConnectors,
  removeJitSsoConnector,
  replaceJitSsoConnectors,
} from '../domain/organizations/jit-sso-connectors.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'
import { toOrganizationRole } from './organization-template.ts'
import { toShownSsoConnector } from './sso-connectors.ts'

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
    return mapPage(await listJitSsoConnectors(store, tenant, params.id, page), toShownSsoConnector)
  },
  async addJitSsoConnectors({ params, body }, { perform }) {
    await perform(addJitSsoConnectors, params.id, body.ssoConnectorIds)
  },
  async replaceJitSsoConnectors({ params, body }, { perform }) {
    await perform(replaceJitSsoConnectors, params.id, body.ssoConnectorIds)
  },
  async removeJitSsoConnector({ params }, { perform }) {
    await perform(removeJitSsoConnector, params.id, params.ssoConnectorId)
  },
})
