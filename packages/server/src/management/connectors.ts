/** `/connectors` and `/connector-factories`. */
import type { SmtpSettings } from '@countersign/contract/connector-configs.ts'
import { connectorRoutes } from '@countersign/contract/connectors.ts'
import { keepIdentifier } from '../domain/credentials/identifiers.ts'
import { soundConfig } from '../domain/delivery/connector-configs.ts'
import { CONNECTOR_FACTORIES, connectorFactory } from '../domain/delivery/connector-factories.ts'
import {
  type Connector,
  concludeConnectorTest,
  createConnector,
  deleteConnector,
  getConnector,
  listConnectors,
  type TestFailure,
  updateConnector,
} from '../domain/delivery/connectors.ts'
import { bind } from '../http/api.ts'
import { notFound } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'

/** Sends a message at once; gives what went wrong, if something did, as it may be told. */
export type SendTestMail = (tenant: Tenant, config: SmtpSettings, to: string) => Promise<TestFailure | undefined>

const toConnector = ({ tenantId, id, factory, config, metadata }: Connector) => ({
  ...factory,
  tenantId,
  id,
  connectorId: factory.id,
  syncProfile: false,
  enableTokenStorage: false,
  config,
  metadata,
})

const factoryNamed = (id: string) => {
  const factory = connectorFactory(id)
  if (!factory) throw notFound('connector factory', id)
  return factory
}

/** @param sendTestMail how a configuration is tried */
export const connectorHandlers = (sendTestMail: SendTestMail) =>
  bind(connectorRoutes, {
    async listConnectors({ query }, { store, tenant }) {
      return (await listConnectors(store, tenant, query.target)).map(toConnector)
    },
    async createConnector({ body }, { perform }) {
      return toConnector(await perform(createConnector, body))
    },
    async getConnector({ params }, { store, tenant }) {
      return toConnector(await getConnector(store, tenant, params.id))
    },
    async updateConnector({ params, body }, { perform }) {
      return toConnector(await perform(updateConnector, params.id, body))
    },
    async deleteConnector({ params }, { perform }) {
      await perform(deleteConnector, params.id)
    },
    async testConnector({ params, body }, { tenant, perform }) {
      const { id: connectorId } = factoryNamed(params.factoryId)
      const { value: to } = keepIdentifier({ type: 'email', value: body.email })
      const failure = await sendTestMail(tenant, soundConfig(connectorId, body.config) as SmtpSettings, to)
      await perform(concludeConnectorTest, connectorId, failure)
    },
    listConnectorFactories: async () => [...CONNECTOR_FACTORIES],
    getConnectorFactory: async ({ params }) => factoryNamed(params.id),
  })
