/** Which token an application would get by an exchange, and why: what a token exchange (RFC 8693) would come to now. */
import Type from 'typebox'
import { EXCHANGE_SUBJECTS } from './exchange-policies.ts'
import { routes } from './route.ts'
import { Id, Nullable, OneOf } from './schema.ts'

const Rule = Type.Object({
  source: OneOf(['exchangeSubjectAudiences', 'exchangeTargetResources', 'exchangePolicies', 'default'], {
    description: 'The setting that it comes from; default: what holds where no other rule applies',
  }),
  name: Type.String(),
  effect: OneOf(['allow', 'deny']),
  whyNot: Nullable(Type.String({ description: 'Why it does not apply; null: it applies, and decides' })),
})

export const ExchangeExplanation = Type.Object({
  refusal: Nullable(
    Type.Object(
      {
        error: Type.String({ examples: ['invalid_target'] }),
        description: Type.String(),
        reason: Nullable(Type.String({ description: 'What the log says beyond the answer' })),
      },
      { description: 'The error of the token endpoint; null: there would be a token' },
    ),
  ),
  rules: Type.Array(Rule, { description: 'Those that were considered, in order: the last one decides' }),
  audience: Nullable(Type.String()),
  expiresIn: Nullable(Type.Integer({ description: 'Seconds, at most' })),
  scopes: Type.Array(
    Type.Object({
      name: Type.String(),
      isGranted: Type.Boolean(),
      why: Nullable(Type.String({ description: 'Why it is not granted' })),
    }),
    { description: 'The requested scopes, in order' },
  ),
})

const Names = Type.String({ maxLength: 4096 })

export const exchangeExplanationRoutes = routes({
  explainExchange: {
    method: 'GET',
    path: '/users/:userId/applications/:applicationId/exchange-explanation',
    permission: 'read:applications',
    alsoPermission: 'read:users',
    summary: 'Explain what an application would get by a token exchange for a user',
    description:
      'Decided by the same code as at the token endpoint, from what is known about the subject token instead of the token itself: nothing is issued, used up or recorded. The tokens are taken to be valid and far from their ends, and a may_act of the subject token to be met; what a script of custom claims does is not asked.',
    params: Type.Object({ userId: Id, applicationId: Id }),
    query: Type.Object({
      subjectType: Type.Optional(OneOf(EXCHANGE_SUBJECTS, { description: 'access_token by default' })),
      subjectAudience: Type.Optional(
        Type.String({ maxLength: 2048, description: 'The API that the access token is for; userinfo by default' }),
      ),
      subjectApplicationId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 21,
          description: 'The application that the access token was issued to',
        }),
      ),
      subjectScope: Type.Optional(
        Type.String({
          maxLength: 4096,
          description:
            'The scopes of the access token, which matter where the tenant restricts exchanges to them; those that are asked for by default',
        }),
      ),
      subjectOrganizationId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 21,
          description:
            'The organization that the access token is for, which matters there too; that of the exchange by default',
        }),
      ),
      hasActor: Type.Optional(OneOf(['true', 'false'], { description: 'Whether there is an actor token' })),
      resource: Type.Optional(Type.String({ maxLength: 2048, description: 'The indicator of an API' })),
      scope: Type.Optional({
        ...Names,
        description: 'With spaces between; every permission of the resource by default',
      }),
      organizationId: Type.Optional(Type.String({ minLength: 1, maxLength: 21 })),
    }),
    status: 200,
    response: ExchangeExplanation,
    errors: ['entity.not_exists_with_id'],
  },
})
