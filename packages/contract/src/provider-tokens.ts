/** What is kept of the tokens that providers issue for users (DECISIONS P7); the tokens themselves are not shown here. */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id } from './schema.ts'

const kept = {
  id: Id,
  userId: Id,
  type: Type.Literal('federated_token_set'),
  metadata: Type.Object({
    scope: Type.Optional(Type.String()),
    expiresAt: Type.Optional(Type.Integer({ description: 'Seconds since 1970-01-01T00:00:00Z' })),
    tokenType: Type.Optional(Type.String()),
    hasRefreshToken: Type.Boolean(),
  }),
  createdAt: EpochMilliseconds,
  updatedAt: EpochMilliseconds,
  identityId: Type.String({ description: 'Of the user, at the provider' }),
}

/** The tokens that a social connector has brought. */
export const SocialTokenSecret = Type.Object({ ...kept, connectorId: Type.String(), target: Type.String() })

/** The tokens that an SSO connector has brought. */
export const SsoTokenSecret = Type.Object({ ...kept, ssoConnectorId: Type.String(), issuer: Type.String() })

/** In the query of routes that show accounts at providers. */
export const TokenSecretQuery = Type.Object({
  includeTokenSecret: Type.Optional(
    Type.String({ maxLength: 8, description: '`true` adds what is kept of the tokens that the provider has issued' }),
  ),
})

export const providerTokenRoutes = routes({
  deleteSecret: {
    method: 'DELETE',
    path: '/secrets/:id',
    permission: 'write:users',
    summary: 'Delete the tokens of a provider that are kept for a user',
    description:
      'The account at the provider stays that of the user, and the provider learns nothing. With the next sign-in there are tokens again.',
    params: Type.Object({ id: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
