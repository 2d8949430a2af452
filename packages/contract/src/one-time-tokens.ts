/** One-time tokens: what a link carries that signs the owner of an email address in once. The paths are those of the reference. */
import Type, { type Static } from 'typebox'
import { INTERACTION_EVENTS } from './experience.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, OneOf, SECRET } from './schema.ts'

const STATUSES = ['active', 'consumed', 'revoked', 'expired'] as const
export type OneTimeTokenStatus = (typeof STATUSES)[number]

/** The longest lifetime: a year. */
const LONGEST_SECONDS = 31_536_000

const Status = OneOf(STATUSES)
const Email = Type.String({ minLength: 1, maxLength: 128, examples: ['me@example.com'] })
const ById = Type.Object({ id: Id })

export const OneTimeTokenContext = Type.Object({
  jitOrganizationIds: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 21 }), {
      maxItems: 100,
      description: 'The organizations that the user joins when the token is used, with their just-in-time roles',
    }),
  ),
  interactionEvent: Type.Optional(
    OneOf(INTERACTION_EVENTS, {
      description:
        'What the token is for, and nothing else. Without it, the token signs in, or registers if no account has the address',
    }),
  ),
})
export type OneTimeTokenContext = Static<typeof OneTimeTokenContext>

const OneTimeToken = Type.Object({
  tenantId: Type.String(),
  id: Id,
  email: Email,
  context: OneTimeTokenContext,
  status: Status,
  createdAt: EpochMilliseconds,
  expiresAt: EpochMilliseconds,
})

const OneTimeTokenCreate = Type.Object({
  email: Email,
  context: Type.Optional(OneTimeTokenContext),
  expiresIn: Type.Optional(
    Type.Integer({ minimum: 1, maximum: LONGEST_SECONDS, description: 'Seconds; 600 if it is absent' }),
  ),
  messagePayload: Type.Optional(
    Type.Union(
      [
        Type.Object({
          link: Type.String({
            minLength: 1,
            maxLength: 2048,
            description:
              'An https address, of your application for example; the message has it with the parameters `one_time_token` and `login_hint`',
          }),
          uiLocales: Type.Optional(Type.String({ maxLength: 256, description: 'The language of the message' })),
        }),
        Type.Literal(false),
      ],
      { description: 'Has the server send the link by email; false or absent: no message is sent' },
    ),
  ),
})

const stateErrors = [
  'one_time_token.token_expired',
  'one_time_token.token_consumed',
  'one_time_token.token_revoked',
] as const

export const oneTimeTokenRoutes = routes({
  listOneTimeTokens: {
    method: 'GET',
    path: '/one-time-tokens',
    permission: 'read:users',
    list: 'whole',
    summary: 'List one-time tokens',
    description: 'Without their values. Tokens that have ended are kept for a day.',
    query: Type.Object({ email: Type.Optional(Type.String({ maxLength: 256 })), status: Type.Optional(Status) }),
    status: 200,
    response: Type.Array(OneTimeToken),
  },
  createOneTimeToken: {
    method: 'POST',
    path: '/one-time-tokens',
    permission: 'write:users',
    summary: 'Create a one-time token',
    description:
      'For the link that you send to the address, or have sent with `messagePayload`. It works once and in any browser. Several tokens for one address are independent of each other. `jitOrganizationIds` needs the permission `write:organizations` as well.',
    body: OneTimeTokenCreate,
    status: 201,
    response: Type.Object({
      ...OneTimeToken.properties,
      token: Type.String({ ...SECRET, description: 'Shown only once' }),
    }),
    errors: [
      'user.invalid_email',
      'entity.relation_foreign_key_not_found',
      'connector.not_found',
      'request.message_rate_limited',
    ],
  },
  getOneTimeToken: {
    method: 'GET',
    path: '/one-time-tokens/:id',
    permission: 'read:users',
    summary: 'Get a one-time token',
    params: ById,
    status: 200,
    response: OneTimeToken,
    errors: ['entity.not_exists_with_id'],
  },
  deleteOneTimeToken: {
    method: 'DELETE',
    path: '/one-time-tokens/:id',
    permission: 'write:users',
    summary: 'Delete a one-time token',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  verifyOneTimeToken: {
    method: 'POST',
    path: '/one-time-tokens/verify',
    permission: 'write:users',
    summary: 'Verify a one-time token and use it up',
    description: 'For an application that signs in its users itself. Wrong tokens do not count towards a lockout.',
    body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 256 }), email: Email }),
    status: 200,
    response: OneTimeToken,
    errors: ['user.invalid_email', 'one_time_token.token_not_found', 'one_time_token.email_mismatch', ...stateErrors],
  },
  setOneTimeTokenStatus: {
    method: 'PUT',
    path: '/one-time-tokens/:id/status',
    permission: 'write:users',
    summary: 'End a one-time token',
    description: 'An ended token keeps its status, and none becomes active again.',
    params: ById,
    body: Type.Object({ status: Status }),
    status: 200,
    response: OneTimeToken,
    errors: ['entity.not_exists_with_id', 'one_time_token.cannot_reactivate_token', ...stateErrors],
  },
})
