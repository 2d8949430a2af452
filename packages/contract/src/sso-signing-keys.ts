/** The keys of SAML connectors, which sign requests and decrypt assertions. Private keys never leave the server. */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id } from './schema.ts'

export const SsoSigningKey = Type.Object({
  id: Id,
  certificate: Type.String({ description: 'PEM' }),
  createdAt: EpochMilliseconds,
  expiresAt: EpochMilliseconds,
  active: Type.Boolean({ description: 'Whether requests are signed with it' }),
  fingerprints: Type.Object({
    sha256: Type.Object({
      formatted: Type.String({ description: 'With colons' }),
      unformatted: Type.String(),
    }),
  }),
})

export const ActiveKey = Type.Object({
  active: Type.Boolean({ description: 'Whether requests are signed with it; the active key becomes inactive' }),
})
const ofConnector = Type.Object({ id: Id })
const ofKey = Type.Object({ id: Id, keyId: Id })
const errors = ['entity.not_exists_with_id', 'single_sign_on.sso_signing_unavailable'] as const

export const ssoSigningKeyRoutes = routes({
  listSsoSigningKeys: {
    method: 'GET',
    path: '/sso-connectors/:id/signing-keys',
    permission: 'read:connectors',
    summary: 'List the keys of a SAML connector',
    params: ofConnector,
    status: 200,
    response: Type.Array(SsoSigningKey),
    errors: ['entity.not_exists_with_id'],
  },
  createSsoSigningKey: {
    method: 'POST',
    path: '/sso-connectors/:id/signing-keys',
    permission: 'write:connectors',
    summary: 'Create a key of a SAML connector',
    description:
      'An inactive key is in the metadata of the connector, so that the identity provider knows it before it is used. Assertions may be encrypted to any of the keys.',
    params: ofConnector,
    body: ActiveKey,
    status: 201,
    response: SsoSigningKey,
    errors,
  },
  updateSsoSigningKey: {
    method: 'PATCH',
    path: '/sso-connectors/:id/signing-keys/:keyId',
    permission: 'write:connectors',
    summary: 'Activate or deactivate a key of a SAML connector',
    description: 'Without an active key requests are not signed.',
    params: ofKey,
    body: ActiveKey,
    status: 200,
    response: SsoSigningKey,
    errors,
  },
  deleteSsoSigningKey: {
    method: 'DELETE',
    path: '/sso-connectors/:id/signing-keys/:keyId',
    permission: 'write:connectors',
    summary: 'Delete a key of a SAML connector',
    description: 'Not the active one. Assertions that are encrypted to it can no longer be read.',
    params: ofKey,
    status: 204,
    errors: [...errors, 'single_sign_on.can_not_delete_active_signing_key'],
  },
})
