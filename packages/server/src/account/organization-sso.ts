/** `/my-account/organizations/:organizationId/domains` and `…/sso-connectors`, for members who look after the single sign-on there. */
import { accountOrganizationSsoRoutes } from '@countersign/contract/account-organization-sso.ts'
import {
  addManagedDomain,
  checkManagedConnector,
  connectorsManaged,
  createManagedConnector,
  deleteManagedConnector,
  domainsManaged,
  proveManagedDomain,
  removeManagedDomain,
  updateManagedConnector,
} from '../domain/account/organization-sso.ts'
import {
  activateManagedKey,
  createManagedKey,
  deleteManagedKey,
  keysManaged,
} from '../domain/account/organization-sso-keys.ts'
import type { SsoConnector } from '../domain/federation/enterprise/connectors.ts'
import { shownSigningKey } from '../domain/federation/saml/signing-keys.ts'
import { shownDomain } from '../domain/organizations/domains.ts'
import { bind, type Call } from '../http/api.ts'
import { holderOf } from './authorize.ts'
import { rulesOf } from './rules.ts'

/** The client secret is never shown. */
const toMyConnector = ({ tenant }: Pick<Call, 'tenant'>, connector: SsoConnector) => {
  const { id, name, organizationId, preset, domains, branding, syncProfile, isComplete, createdAt } = connector
  const { clientSecret: _, ...config } = connector.config
  const { providerName, providerType, logo, logoDark } = preset
  const address = providerType === 'saml' ? `/enterprise-sso/${id}` : `/callback/${id}`
  return {
    ...{ id, providerName, connectorName: name, organizationId, domains: [...domains], branding, syncProfile, config },
    ...{ providerType, name: preset.name, providerLogo: logo, providerLogoDark: logoDark, isComplete },
    redirectUri: `${tenant.baseUrl}${address}`,
    createdAt: createdAt.getTime(),
  }
}

export const accountOrganizationSsoHandlers = bind(accountOrganizationSsoRoutes, {
  async listMyOrganizationDomains({ params }, call) {
    const rows = await domainsManaged(call, holderOf(call), await rulesOf(call), params.organizationId)
    return rows.map(shownDomain)
  },
  async addMyOrganizationDomain({ params, body }, call) {
    const rules = await rulesOf(call)
    return shownDomain(await call.perform(addManagedDomain, holderOf(call), rules, params.organizationId, body.domain))
  },
  async verifyMyOrganizationDomain({ params: { organizationId, domain } }, call) {
    const { store, tenant, caller } = call
    const work = { store, tenant, caller }
    return shownDomain(await proveManagedDomain(work, holderOf(call), await rulesOf(call), organizationId, domain))
  },
  async removeMyOrganizationDomain({ params: { organizationId, domain } }, call) {
    await call.perform(removeManagedDomain, holderOf(call), await rulesOf(call), organizationId, domain)
  },
  async listMyOrganizationSsoConnectors({ params }, call) {
    const connectors = await connectorsManaged(call, holderOf(call), await rulesOf(call), params.organizationId)
    return connectors.map((each) => toMyConnector(call, each))
  },
  async createMyOrganizationSsoConnector({ params, body }, call) {
    const rules = await rulesOf(call)
    const created = await call.perform(createManagedConnector, holderOf(call), rules, params.organizationId, body)
    return toMyConnector(call, created)
  },
  async updateMyOrganizationSsoConnector({ params, body }, call) {
    const rules = await rulesOf(call)
    return toMyConnector(call, await call.perform(updateManagedConnector, holderOf(call), rules, params, body))
  },
  async deleteMyOrganizationSsoConnector({ params }, call) {
    await call.perform(deleteManagedConnector, holderOf(call), await rulesOf(call), params)
  },
  async checkMyOrganizationSsoConnector({ params }, call) {
    const { store, tenant, caller } = call
    return checkManagedConnector({ store, tenant, caller }, holderOf(call), await rulesOf(call), params)
  },
  async listMyOrganizationSsoSigningKeys({ params }, call) {
    const { store, tenant, caller } = call
    const keys = await keysManaged({ store, tenant, caller }, holderOf(call), await rulesOf(call), params)
    return keys.map(shownSigningKey)
  },
  async createMyOrganizationSsoSigningKey({ params, body }, call) {
    const { store, tenant, caller } = call
    const rules = await rulesOf(call)
    return shownSigningKey(
      await createManagedKey({ store, tenant, caller }, holderOf(call), rules, params, body.active),
    )
  },
  async updateMyOrganizationSsoSigningKey({ params, body }, call) {
    const rules = await rulesOf(call)
    return shownSigningKey(await call.perform(activateManagedKey, holderOf(call), rules, params, body.active))
  },
  async deleteMyOrganizationSsoSigningKey({ params }, call) {
    await call.perform(deleteManagedKey, holderOf(call), await rulesOf(call), params)
  },
})
