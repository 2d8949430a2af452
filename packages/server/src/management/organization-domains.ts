/** `/organizations/:id/domains`: the email domains that lead to the SSO connectors of an organization. */
import { organizationDomainRoutes } from '@countersign/contract/organization-domains.ts'
import {
  addOrganizationDomain,
  listOrganizationDomains,
  proveOrganizationDomain,
  removeOrganizationDomain,
  shownDomain,
} from '../domain/organizations/domains.ts'
import { getOrganization } from '../domain/organizations/rows.ts'
import { bind } from '../http/api.ts'

export const organizationDomainHandlers = bind(organizationDomainRoutes, {
  async listOrganizationDomains({ params }, { store, tenant }) {
    await getOrganization(store, tenant, params.id)
    return (await listOrganizationDomains(store, tenant, params.id)).map(shownDomain)
  },
  async addOrganizationDomain({ params, body }, { perform }) {
    return shownDomain(await perform(addOrganizationDomain, params.id, body.domain, body.isVerified ?? false))
  },
  async verifyOrganizationDomain({ params }, { store, tenant, caller }) {
    return shownDomain(await proveOrganizationDomain({ store, tenant, caller }, params.id, params.domain))
  },
  async removeOrganizationDomain({ params }, { perform }) {
    await perform(removeOrganizationDomain, params.id, params.domain)
  },
})
