/** Impersonations: an administrator, or an application of yours, acts as a user for a few minutes and says why (DECISIONS U9). */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, Nullable, OneOf, SECRET } from './schema.ts'

const Reference = Type.String({ minLength: 1, maxLength: 21 })

const Impersonation = Type.Object({
  id: Id,
  userId: Id,
  actor: Type.Object(
    { type: OneOf(['user', 'application']), id: Id },
    { description: 'Who acts as the user: an administrator, or the application that called' },
  ),
  applicationId: Id,
  resourceId: Id,
  organizationId: Nullable(Id),
  scope: Type.String({ description: 'Names with spaces between' }),
  reason: Type.String(),
  createdAt: EpochMilliseconds,
  expiresAt: EpochMilliseconds,
})

export const impersonationRoutes = routes({
  listImpersonations: {
    method: 'GET',
    path: '/impersonations',
    permission: 'read:impersonations',
    list: true,
    summary: 'List impersonations',
    description: 'Those that have not ended, without their tokens.',
    query: Type.Object({
      actorId: Type.Optional(Type.String({ maxLength: 21, description: 'Who acts' })),
      userId: Type.Optional(Type.String({ maxLength: 21, description: 'As whom' })),
    }),
    status: 200,
    response: Type.Array(Impersonation),
  },
  createImpersonation: {
    method: 'POST',
    path: '/impersonations',
    permission: 'write:impersonations',
    summary: 'Act as a user',
    description:
      'The access token is a JWT for one API, lives for at most ten minutes and comes without a refresh token. It has what the user may do there, and the caller in `act.sub`. It is made by the rules of a token exchange: the application has to allow it (`allowTokenExchange`) and has to admit the user. Tokens for the Management API cannot be had by it, and it cannot be exchanged for another one. The reason is in the audit log, and claims scripts see it as `context.grant.subjectTokenContext.reason`.',
    body: Type.Object({
      userId: Reference,
      reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', examples: ['Ticket 4711'] }),
      applicationId: Type.String({ minLength: 1, maxLength: 21, description: '`client_id` of the token' }),
      resourceId: Type.String({ minLength: 1, maxLength: 21, description: 'The API that the token is for' }),
      organizationId: Type.Optional(
        Type.String({ minLength: 1, maxLength: 21, description: 'The organization in which the user acts at the API' }),
      ),
      scope: Type.Optional(
        Type.String({
          maxLength: 4096,
          description: 'Names with spaces between; every permission that the user has at the API by default',
        }),
      ),
    }),
    status: 201,
    response: Type.Object({
      ...Impersonation.properties,
      accessToken: Type.String({ ...SECRET, description: 'Shown only once' }),
      tokenType: Type.Literal('Bearer'),
      expiresIn: Type.Integer({ description: 'Seconds' }),
    }),
    errors: ['entity.not_exists_with_id', 'subject_token.user_suspended', 'impersonation.refused'],
  },
  deleteImpersonation: {
    method: 'DELETE',
    path: '/impersonations/:id',
    permission: 'write:impersonations',
    summary: 'End an impersonation',
    description:
      'From then on the server refuses the token, at introspection too. An API that only checks the signature of tokens accepts it until it expires.',
    params: Type.Object({ id: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
