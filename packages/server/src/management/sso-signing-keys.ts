/** `/sso-connectors/:id/signing-keys`. */
import { ssoSigningKeyRoutes } from '@countersign/contract/sso-signing-keys.ts'
import { getSsoConnector } from '../domain/federation/enterprise/connectors.ts'
import {
  activateSigningKey,
  createSigningKey,
  deleteSigningKey,
  listSigningKeys,
  newSigningKey,
  shownSigningKey,
} from '../domain/federation/saml/signing-keys.ts'
import { bind } from '../http/api.ts'

export const ssoSigningKeyHandlers = bind(ssoSigningKeyRoutes, {
  async listSsoSigningKeys({ params }, { store, tenant }) {
    await getSsoConnector(store, tenant, params.id)
    return (await listSigningKeys(store, tenant, params.id)).map(shownSigningKey)
  },
  async createSsoSigningKey({ params, body }, { store, tenant, perform }) {
    const { id } = await getSsoConnector(store, tenant, params.id)
    return shownSigningKey(await perform(createSigningKey, id, body.active, await newSigningKey(store, id)))
  },
  async updateSsoSigningKey({ params, body }, { perform }) {
    return shownSigningKey(await perform(activateSigningKey, params.id, params.keyId, body.active))
  },
  async deleteSsoSigningKey({ params }, { perform }) {
    await perform(deleteSigningKey, params.id, params.keyId)
  },
})
