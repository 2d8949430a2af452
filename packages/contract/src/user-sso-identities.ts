/** The accounts that users have at the identity providers of companies (DECISIONS P5, P6). */
import Type from 'typebox'
import { SocialTokenSecret, SsoTokenSecret, TokenSecretQuery } from './provider-tokens.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, JsonObject } from './schema.ts'
import { Identity } from './user.ts'

export const SsoIdentity = Type.Object({
  tenantId: Type.String(),
  id: Id,
  userId: Id,
  ssoConnectorId: Id,
  issuer: Type.String({ description: 'The identity provider' }),
  identityId: Type.String({ description: 'Of the user, at the identity provider' }),
  detail: JsonObject,
  createdAt: EpochMilliseconds,
  updatedAt: EpochMilliseconds,
})

const ofConnector = { params: Type.Object({ userId: Id, ssoConnectorId: Id }) }

export const userSsoIdentityRoutes = routes({
  getUserSsoIdentity: {
    method: 'GET',
    path: '/users/:userId/sso-identities/:ssoConnectorId',
    permission: 'read:users',
    summary: 'Get the account that a user has at the identity provider of an SSO connector',
    ...ofConnector,
    query: TokenSecretQuery,
    status: 200,
    response: Type.Object({ ssoIdentity: SsoIdentity, tokenSecret: Type.Optional(SsoTokenSecret) }),
    errors: ['entity.not_exists_with_id', 'user.identity_not_exist'],
  },
  deleteUserSsoIdentity: {
    method: 'DELETE',
    path: '/users/:userId/sso-identities/:ssoConnectorId',
    permission: 'write:users',
    summary: 'Take the account at the identity provider of an SSO connector from a user',
    description:
      'For a person who has another account there now: the next one with the verified address of the user becomes theirs. Sessions stay.',
    ...ofConnector,
    status: 204,
    errors: ['entity.not_exists_with_id', 'user.identity_not_exist'],
  },
  listUserIdentities: {
    method: 'GET',
    path: '/users/:userId/all-identities',
    permission: 'read:users',
    summary: 'Get all accounts that a user has elsewhere',
    params: Type.Object({ userId: Id }),
    query: TokenSecretQuery,
    status: 200,
    response: Type.Object({
      socialIdentities: Type.Array(
        Type.Object({ target: Type.String(), identity: Identity, tokenSecret: Type.Optional(SocialTokenSecret) }),
      ),
      ssoIdentities: Type.Array(
        Type.Object({ ssoConnectorId: Id, ssoIdentity: SsoIdentity, tokenSecret: Type.Optional(SsoTokenSecret) }),
      ),
    }),
    errors: ['entity.not_exists_with_id'],
  },
})
