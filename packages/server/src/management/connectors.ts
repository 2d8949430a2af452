/** `/connectors` and `/connector-factories`. */
import { connectorRoutes } from '@countersign/contract/connectors.ts'
import { keepIdentifier } from '../domain/credentials/identifiers.ts'
import { type Carrier, soundConfig } from '../domain/delivery/connector-configs.ts'
import { CONNECTOR_FACTORIES, connectorFactory } from '../domain/delivery/connector-factories.ts'
import {
  assertTestLeft,
  type Connector,
  concludeConnectorTest,
  createConnector,
  deleteConnector,
  getConnector,
  listConnectors,
  providerOfConnector,
  type TestFailure,
  updateConnector,
} from '../domain/delivery/connectors.ts'
import { beginVisit, visitBegun } from '../domain/federation/visits.ts'
import { bind } from '../http/api.ts'
import { ApiError, notFound } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { recipientOf } from './recipient.ts'

/** Sends a message at once; returns the failure, if there is one, in a form that callers may see. */
export type SendTestMessage = (
  tenant: Tenant,
  channel: 'Email' | 'Sms',
  carrier: Carrier,
  to: string,
  locale?: string,
) => Promise<TestFailure | undefined>

const toConnector = ({
  tenantId,
  id,
  factory,
  target,
  syncProfile,
  enableTokenStorage,
  config,
  metadata,
}: Connector) => ({
  ...factory,
  tenantId,
  id,
  target,
  connectorId: factory.id,
  syncProfile,
  enableTokenStorage,
  config,
  metadata,
})

const factoryNamed = (id: string) => {
  const factory = connectorFactory(id)
  if (!factory) throw notFound('connector factory', id)
  return factory
}

/** @param sendTestMessage tests a configuration */
export const connectorHandlers = (sendTestMessage: SendTestMessage) =>
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
    async testConnector({ params, body }, { store, tenant, perform }) {
      const { id: kind, type } = factoryNamed(params.factoryId)
      if (type === 'Social') throw new ApiError('connector.unexpected_type')
      const carrier = { kind, config: soundConfig(kind, body.config) } as Carrier
      const recipient = recipientOf(type, body)
      await assertTestLeft(store, tenant, recipient)
      const { value: to } = keepIdentifier(recipient)
      const failure = await sendTestMessage(tenant, type, carrier, to, body.locale)
      await perform(concludeConnectorTest, kind, recipient, failure)
    },
    async getConnectorAuthorizationUri({ params, body }, call) {
      const { connectorId } = params
      const { provider } = providerOfConnector(await getConnector(call.store, call.tenant, connectorId))
      const { uri, expected } = await beginVisit(call, provider, connectorId, body)
      await call.perform(visitBegun, connectorId, expected)
      return { redirectTo: uri }
    },
    listConnectorFactories: async () => [...CONNECTOR_FACTORIES],
    getConnectorFactory: async ({ params }) => factoryNamed(params.id),
  })
