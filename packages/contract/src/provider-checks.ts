/** Whether users could be sent to a provider now: the server asks it, and says what is wrong. */
import Type from 'typebox'
import { FindingOf, PROVIDER_FINDINGS } from './findings.ts'
import { routes } from './route.ts'
import { Id } from './schema.ts'

export const ProviderCheck = FindingOf(
  PROVIDER_FINDINGS,
  'warning: users can sign in now, and soon no longer; problem: they cannot',
)

export const CHECK_DESCRIPTION =
  'Asks an OpenID provider for its metadata and keys, and a SAML identity provider for its metadata and certificates, as `countersign doctor` does. Whether the provider knows the client and the redirect URI shows at a sign-in. Nothing is changed.'

const check = {
  method: 'GET',
  permission: 'write:connectors',
  description: CHECK_DESCRIPTION,
  params: Type.Object({ id: Id }),
  status: 200,
  response: ProviderCheck,
} as const

export const providerCheckRoutes = routes({
  checkConnectorProvider: {
    ...check,
    params: Type.Object({ connectorId: Id }),
    path: '/connectors/:connectorId/provider-check',
    summary: 'Check the provider of a social connector',
    errors: ['entity.not_exists_with_id', 'connector.unexpected_type'],
  },
  checkSsoConnectorProvider: {
    ...check,
    path: '/sso-connectors/:id/provider-check',
    summary: 'Check the identity provider of an SSO connector',
    errors: ['entity.not_exists_with_id'],
  },
})
