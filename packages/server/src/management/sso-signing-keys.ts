/** `/sso-connectors/:id/signing-keys`. */
import { ssoSigningKeyRoutes } from '@countersign/contract/sso-signing-keys.ts'
import { getSsoConnector } from '../domain/federation/enterprise/connectors.ts'
import {
  activateSigningKey,
  createSigningKey,
  deleteSigningKey,
  listSigningKeys,
  newSigningKey,
  type SigningKey,
} from '../domain/federation/saml/signing-keys.ts'
import { bind } from '../http/api.ts'
import { certificateFacts } from '../kernel/certificates.ts'

const toSigningKey = ({ id, certificate, createdAt, expiresAt, isActive }: SigningKey) => {
  const formatted = certificateFacts(certificate)?.fingerprint ?? ''
  return {
    ...{ id, certificate, active: isActive },
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt.getTime(),
    fingerprints: { sha256: { formatted, unformatted: formatted.replaceAll(':', '') } },
  }
}

export const ssoSigningKeyHandlers = bind(ssoSigningKeyRoutes, {
  async listSsoSigningKeys({ params }, { store, tenant }) {
    await getSsoConnector(store, tenant, params.id)
    return (await listSigningKeys(store, tenant, params.id)).map(toSigningKey)
  },
  async createSsoSigningKey({ params, body }, { store, tenant, perform }) {
    const { id } = await getSsoConnector(store, tenant, params.id)
    return toSigningKey(await perform(createSigningKey, id, body.active, await newSigningKey(store, id)))
  },
  async updateSsoSigningKey({ params, body }, { perform }) {
    return toSigningKey(await perform(activateSigningKey, params.id, params.keyId, body.active))
  },
  async deleteSsoSigningKey({ params }, { perform }) {
    await perform(deleteSigningKey, params.id, params.keyId)
  },
})
