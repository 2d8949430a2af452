/** `/sso-connectors/:id/idp-initiated-auth-config`. */
import { ssoIdpInitiatedRoutes } from '@countersign/contract/sso-idp-initiated.ts'
import { getSsoConnector } from '../domain/federation/enterprise/connectors.ts'
import {
  deleteIdpInitiated,
  findIdpInitiated,
  type IdpInitiated,
  putIdpInitiated,
} from '../domain/federation/enterprise/idp-initiated.ts'
import { bind } from '../http/api.ts'
import { notFound } from '../kernel/api-error.ts'

const toConfig = (config: IdpInitiated) => ({
  connectorId: config.connectorId,
  defaultApplicationId: config.applicationId,
  redirectUri: config.redirectUri,
  authParameters: config.authParameters,
  autoSendAuthorizationRequest: config.isSentByServer,
  clientIdpInitiatedAuthCallbackUri: config.clientCallbackUri,
  createdAt: config.createdAt.getTime(),
})

export const ssoIdpInitiatedHandlers = bind(ssoIdpInitiatedRoutes, {
  async getSsoIdpInitiatedConfig({ params }, { store, tenant }) {
    const { id } = await getSsoConnector(store, tenant, params.id)
    const config = await findIdpInitiated(store.database.kysely, tenant, id)
    if (!config) throw notFound('configuration of sign-in at the identity provider', id)
    return toConfig(config)
  },
  async putSsoIdpInitiatedConfig({ params, body }, { perform }) {
    return toConfig(await perform(putIdpInitiated, params.id, body))
  },
  async deleteSsoIdpInitiatedConfig({ params }, { perform }) {
    await perform(deleteIdpInitiated, params.id)
  },
})
