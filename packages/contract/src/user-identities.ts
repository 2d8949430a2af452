/** The accounts that users have at social providers (DECISIONS P). */
import Type from 'typebox'
import { SocialTokenSecret, TokenSecretQuery } from './provider-tokens.ts'
import { ConnectorData } from './provider-visits.ts'
import { routes } from './route.ts'
import { Id, JsonObject } from './schema.ts'
import { Identity, User } from './user.ts'

/** What a provider is called in the identities of users. */
export const Target = Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.-]+$' })
const ofTarget = { params: Type.Object({ userId: Id, target: Target }) }
/** The account that a user is to have at a provider. */
export const IdentityToSet = Type.Object({
  userId: Type.String({ minLength: 1, maxLength: 256, pattern: '^[^\\x00-\\x1f\\x7f]+$' }),
  details: Type.Optional(JsonObject),
})
const Identities = Type.Record(Type.String(), Identity)

export const userIdentityRoutes = routes({
  getUserIdentity: {
    method: 'GET',
    path: '/users/:userId/identities/:target',
    permission: 'read:users',
    summary: 'Get the account that a user has at a provider',
    ...ofTarget,
    query: TokenSecretQuery,
    status: 200,
    response: Type.Object({ identity: Identity, tokenSecret: Type.Optional(SocialTokenSecret) }),
    errors: ['entity.not_exists_with_id', 'user.identity_not_exist'],
  },
  putUserIdentity: {
    method: 'PUT',
    path: '/users/:userId/identities/:target',
    permission: 'write:users',
    summary: 'Set the account that a user has at a provider',
    description: 'Who has that account there signs in as the user from now on. 201 if the user had none there.',
    ...ofTarget,
    body: IdentityToSet,
    status: 200,
    otherStatus: 201,
    response: Identities,
    errors: ['entity.not_exists_with_id', 'user.identity_already_in_use'],
  },
  deleteUserIdentity: {
    method: 'DELETE',
    path: '/users/:userId/identities/:target',
    permission: 'write:users',
    summary: 'Take the account at a provider from a user',
    ...ofTarget,
    status: 200,
    response: User,
    errors: ['entity.not_exists_with_id', 'user.identity_not_exist'],
  },
  addUserIdentity: {
    method: 'POST',
    path: '/users/:userId/identities',
    permission: 'write:users',
    alsoPermission: 'write:connectors',
    summary: 'Set it by what a user came back with from the provider',
    description: 'After `POST /connectors/:connectorId/authorization-uri`; good once.',
    params: Type.Object({ userId: Id }),
    body: Type.Object({
      connectorId: Type.String({ minLength: 1, maxLength: 21 }),
      connectorData: ConnectorData(),
    }),
    status: 200,
    response: Identities,
    errors: [
      'entity.not_exists_with_id',
      'user.identity_already_in_use',
      'connector.unexpected_type',
      'session.connector_session_not_found',
      'connector.authorization_failed',
      'connector.social_auth_code_invalid',
      'connector.social_invalid_id_token',
      'connector.invalid_response',
    ],
  },
})
