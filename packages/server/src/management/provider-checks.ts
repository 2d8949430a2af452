/** `/connectors/:connectorId/provider-check` and `/sso-connectors/:id/provider-check`. */
import { providerCheckRoutes } from '@countersign/contract/provider-checks.ts'
import { getConnector, providerOfConnector } from '../domain/delivery/connectors.ts'
import { checkSsoConnector } from '../domain/federation/enterprise/check.ts'
import { getSsoConnector } from '../domain/federation/enterprise/connectors.ts'
import { checkProvider } from '../domain/federation/provider-check.ts'
import { bind } from '../http/api.ts'

export const providerCheckHandlers = bind(providerCheckRoutes, {
  async checkConnectorProvider({ params }, { store, tenant }) {
    const { provider } = providerOfConnector(await getConnector(store, tenant, params.connectorId))
    return checkProvider(store, tenant, provider)
  },
  async checkSsoConnectorProvider({ params }, { store, tenant }) {
    return checkSsoConnector({ store, tenant }, await getSsoConnector(store, tenant, params.id))
  },
})
