/** Sign-in that begins at the identity provider of a SAML connector: off, until an application is named that it leads to. */
import Type, { type Static } from 'typebox'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Id, Nullable } from './schema.ts'

const Uri = Type.String({ minLength: 1, maxLength: 2048 })
const AuthParameters = Type.Object({
  scope: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'Requested in addition to `openid` and `profile`, separated by spaces',
    }),
  ),
})
const IsSent = Type.Boolean({
  description:
    'Whether the server sends the authorization request in place of the application, which then gets a code without a `state` of its own. Otherwise the browser is sent to `clientIdpInitiatedAuthCallbackUri`',
})

/** Whatever is not about the application. */
export const idpInitiatedFields = {
  autoSendAuthorizationRequest: IsSent,
  redirectUri: Type.Optional(
    Nullable(Type.String({ ...Uri, description: 'A redirect URI of the application. Default: its first' })),
  ),
  authParameters: Type.Optional(AuthParameters),
  clientIdpInitiatedAuthCallbackUri: Type.Optional(
    Type.String({
      ...Uri,
      description:
        'Where the application starts an authorization request of its own. Required unless the server sends it; `ssoConnectorId` is added',
    }),
  ),
}

const IdpInitiatedConfigInput = Type.Object({
  defaultApplicationId: Type.String({
    minLength: 1,
    maxLength: 21,
    description:
      'Of type Traditional, or SPA if the application sends the request itself; the only application that the sign-in is for',
  }),
  ...idpInitiatedFields,
})

const IdpInitiatedConfig = Type.Object({
  connectorId: Id,
  defaultApplicationId: Id,
  redirectUri: Nullable(Type.String()),
  authParameters: AuthParameters,
  autoSendAuthorizationRequest: Type.Boolean(),
  clientIdpInitiatedAuthCallbackUri: Nullable(Type.String()),
  createdAt: EpochMilliseconds,
})

export type IdpInitiatedConfigInput = Static<typeof IdpInitiatedConfigInput>

const at = {
  path: '/sso-connectors/:id/idp-initiated-auth-config',
  params: Type.Object({ id: Id }),
} as const

export const ssoIdpInitiatedRoutes = routes({
  getSsoIdpInitiatedConfig: {
    ...at,
    method: 'GET',
    permission: 'read:connectors',
    version: WHOLE,
    summary: 'Get where sign-in that begins at the identity provider leads',
    description: '404 where it is off.',
    status: 200,
    response: IdpInitiatedConfig,
    errors: ['entity.not_exists_with_id'],
  },
  putSsoIdpInitiatedConfig: {
    ...at,
    method: 'PUT',
    permission: 'write:connectors',
    version: WHOLE,
    summary: 'Let sign-in begin at the identity provider of a SAML connector',
    description:
      'Anyone who has an account at the identity provider can then make the browser of another user arrive there as themselves: switch it on only where users start from a portal.',
    body: IdpInitiatedConfigInput,
    status: 200,
    response: IdpInitiatedConfig,
    errors: [
      'entity.not_exists_with_id',
      'single_sign_on.idp_initiated_authentication_not_supported',
      'single_sign_on.idp_initiated_authentication_invalid_application_type',
      'single_sign_on.idp_initiated_authentication_redirect_uri_not_registered',
    ],
  },
  deleteSsoIdpInitiatedConfig: {
    ...at,
    method: 'DELETE',
    permission: 'write:connectors',
    version: WHOLE,
    summary: 'Refuse sign-in that begins at the identity provider',
    description: 'Users who have arrived and are not signed in yet are refused too.',
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
