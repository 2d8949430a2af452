/** `/sso-connectors` and `/sso-connector-providers`. */
import { SSO_CONFIGS } from '@countersign/contract/sso-connector-configs.ts'
import { ssoConnectorRoutes } from '@countersign/contract/sso-connectors.ts'
import {
  createSsoConnector,
  deleteSsoConnector,
  getSsoConnector,
  listSsoConnectors,
  type SsoConnector,
  updateSsoConnector,
} from '../domain/federation/enterprise/connectors.ts'
import { SSO_PRESETS } from '../domain/federation/enterprise/presets.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'

/** Without the configuration, which holds secrets. */
export const toShownSsoConnector = (connector: SsoConnector) => ({
  tenantId: connector.tenantId,
  id: connector.id,
  providerName: connector.preset.providerName,
  connectorName: connector.name,
  organizationId: connector.organizationId,
  domains: [...connector.domains],
  branding: connector.branding,
  syncProfile: connector.syncProfile,
  enableTokenStorage: connector.enableTokenStorage,
  createdAt: connector.createdAt.getTime(),
})

const toSsoConnector = (connector: SsoConnector) => ({
  ...toShownSsoConnector(connector),
  config: connector.config,
  isComplete: connector.isComplete,
  providerType: connector.preset.providerType,
  name: connector.preset.name,
  providerLogo: connector.preset.logo,
  providerLogoDark: connector.preset.logoDark,
})

export const ssoConnectorHandlers = bind(ssoConnectorRoutes, {
  listSsoConnectorProviders: async () =>
    SSO_PRESETS.map(({ providerName, providerType, name, logo, logoDark, description }) => ({
      ...{ providerName, providerType, name, logo, logoDark, description },
      configSchema: SSO_CONFIGS[providerName],
    })),
  async listSsoConnectors(_input, { store, tenant, page }) {
    return mapPage(await listSsoConnectors(store, tenant, page), toSsoConnector)
  },
  async createSsoConnector({ body }, { perform }) {
    return toSsoConnector(await perform(createSsoConnector, body))
  },
  async getSsoConnector({ params }, { store, tenant }) {
    return toSsoConnector(await getSsoConnector(store, tenant, params.id))
  },
  async updateSsoConnector({ params, body }, { perform }) {
    return toSsoConnector(await perform(updateSsoConnector, params.id, body))
  },
  async deleteSsoConnector({ params }, { perform }) {
    await perform(deleteSsoConnector, params.id)
  },
})
