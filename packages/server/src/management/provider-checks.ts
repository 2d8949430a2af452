/** `/connectors/:connectorId/provider-check` and `/sso-connectors/:id/provider-check`. */
import { providerCheckRoutes } from '@countersign/contract/provider-checks.ts'
import { getConnector, providerOfConnector } from '../domain/delivery/connectors.ts'
import { ssoProviderOf } from '../domain/federation/enterprise/config.ts'
import { getSsoConnector } from '../domain/federation/enterprise/connectors.ts'
import { checkProvider } from '../domain/federation/provider-check.ts'
import { bind } from '../http/api.ts'

export const providerCheckHandlers = bind(providerCheckRoutes, {
  async checkConnectorProvider({ params }, { store, tenant }) {
    const { provider } = providerOfConnector(await getConnector(store, tenant, params.connectorId))
    return checkProvider(store, tenant, provider)
  },
  async checkSsoConnectorProvider({ params }, { store, tenant }) {
    const connector = await getSsoConnector(store, tenant, params.id)
    return connector.isComplete
      ? checkProvider(store, tenant, ssoProviderOf(connector))
      : { verdict: 'problem' as const, text: 'no user is sent there: the configuration is not complete' }
  },
})
