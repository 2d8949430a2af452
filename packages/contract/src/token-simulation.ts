/** Which token a user would get at an application, and why: what an authorization and its token request would come to now. */
import Type from 'typebox'
import { routes } from './route.ts'
import { Id, Nullable, OneOf } from './schema.ts'

const Path = Type.Object({
  type: OneOf(['role', 'organizationRole'], { description: 'A role of the user, or one in the organization' }),
  id: Id,
  name: Type.String(),
})

export const SimulatedToken = Type.Object({
  refusal: Nullable(
    Type.Object(
      {
        error: Type.String({ examples: ['access_denied'] }),
        description: Type.String(),
        reason: Nullable(Type.String({ description: 'What the log says beyond the answer' })),
      },
      { description: 'The error of the token endpoint; null: there would be a token' },
    ),
  ),
  kind: Nullable(OneOf(['jwt', 'opaque'])),
  why: Nullable(Type.String({ description: 'Why a token of this kind, for this audience' })),
  audience: Nullable(Type.String()),
  expiresIn: Nullable(Type.Integer({ description: 'Seconds' })),
  scopes: Type.Array(
    Type.Object({
      name: Type.String(),
      isGranted: Type.Boolean(),
      why: Nullable(Type.String({ description: 'Why it is not granted' })),
      paths: Type.Array(Path, { description: 'The roles of the user that hold it' }),
    }),
    { description: 'The requested scopes, in order' },
  ),
})

export const tokenSimulationRoutes = routes({
  simulateUserToken: {
    method: 'GET',
    path: '/users/:userId/applications/:applicationId/simulated-token',
    permission: 'read:users',
    alsoPermission: 'read:roles',
    summary: 'Explain which token a user would get',
    description:
      'What a sign-in at the application would lead to now, decided by the same code as at the token endpoint: nothing is issued or recorded. The user is taken to agree to everything that a third-party application asks for, and to pass a second factor.',
    params: Type.Object({ userId: Id, applicationId: Id }),
    query: Type.Object({
      scope: Type.Optional(
        Type.String({
          maxLength: 4096,
          description: 'Names with spaces between; every permission of the resource by default',
        }),
      ),
      resource: Type.Optional(Type.String({ maxLength: 2048, description: 'The indicator of an API' })),
      organizationId: Type.Optional(Type.String({ minLength: 1, maxLength: 21 })),
    }),
    status: 200,
    response: SimulatedToken,
    errors: ['entity.not_exists_with_id'],
  },
})
