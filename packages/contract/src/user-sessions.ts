/** Where a user is signed in, and what they gave applications: sessions and grants (DECISIONS F3, F5). */
import Type from 'typebox'
import { routes } from './route.ts'
import { ClientId, EpochMilliseconds, Id, JsonObject, Nullable, OneOf } from './schema.ts'

const Seconds = Type.Integer({ description: 'Seconds since 1970-01-01T00:00:00Z' })

export const UserSession = Type.Object({
  payload: Type.Object({
    exp: Seconds,
    iat: Seconds,
    jti: Id,
    uid: Type.String({ description: 'The id of the session: the `sid` of its tokens' }),
    kind: OneOf(['Session']),
    loginTs: Type.Integer({ description: 'When the user last proved who they are, in seconds' }),
    accountId: Id,
    authorizations: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Object({ sid: Type.String(), grantId: Type.String(), persistsLogout: Type.Boolean() }),
        {
          description:
            'By application, for several devices the newest; persistsLogout: the grant outlives the session (offline_access)',
        },
      ),
    ),
  }),
  lastSubmission: Nullable(
    Type.Object(
      {
        interactionEvent: OneOf(['SignIn', 'Register', 'ForgotPassword']),
        userId: Id,
        verificationRecords: Type.Array(JsonObject),
        signInContext: Type.Optional(Type.Record(Type.String(), Type.String())),
      },
      { description: 'How it began; signInContext holds ip and userAgent where they are known' },
    ),
  ),
  clientId: Nullable(ClientId),
  accountId: Nullable(Id),
  expiresAt: EpochMilliseconds,
})

export const UserGrant = Type.Object({
  id: Id,
  payload: Type.Object({
    exp: Seconds,
    iat: Seconds,
    jti: Id,
    kind: OneOf(['Grant']),
    clientId: ClientId,
    accountId: Id,
  }),
  expiresAt: EpochMilliseconds,
  application: Type.Object({ id: ClientId, name: Type.String() }),
})

/** Which grants that outlive a session end with it nevertheless. */
export const RevokeGrantsTarget = Type.Optional(
  OneOf(['all', 'firstParty'], {
    description: 'The applications whose grants with offline_access end too; none by default',
  }),
)

const OfUser = Type.Object({ userId: Id })
const OneSession = Type.Object({ userId: Id, sessionId: Id })

export const userSessionRoutes = routes({
  listUserSessions: {
    method: 'GET',
    path: '/users/:userId/sessions',
    permission: 'read:users',
    summary: 'List the sessions of a user, newest first',
    params: OfUser,
    status: 200,
    response: Type.Object({ sessions: Type.Array(UserSession) }),
    errors: ['entity.not_exists_with_id'],
  },
  getUserSession: {
    method: 'GET',
    path: '/users/:userId/sessions/:sessionId',
    permission: 'read:users',
    summary: 'Get a session of a user',
    params: OneSession,
    status: 200,
    response: UserSession,
    errors: ['entity.not_exists_with_id', 'oidc.session_not_found', 'oidc.invalid_session_account_id'],
  },
  endUserSession: {
    method: 'DELETE',
    path: '/users/:userId/sessions/:sessionId',
    permission: 'write:users',
    summary: 'End a session of a user',
    description:
      'Its grants end with it, except those with offline_access, which revokeGrantsTarget can end too. With a grant, its codes, refresh tokens and opaque tokens end; JWTs stay valid until they expire.',
    params: OneSession,
    query: Type.Object({
      revokeGrantsTarget: RevokeGrantsTarget,
    }),
    status: 204,
    errors: ['oidc.session_not_found', 'oidc.invalid_session_account_id'],
  },
  listUserGrants: {
    method: 'GET',
    path: '/users/:userId/grants',
    permission: 'read:users',
    summary: 'List the grants that a user gave to applications, newest first',
    params: OfUser,
    query: Type.Object({ appType: Type.Optional(OneOf(['firstParty', 'thirdParty'])) }),
    status: 200,
    response: Type.Object({ grants: Type.Array(UserGrant) }),
    errors: ['entity.not_exists_with_id'],
  },
  revokeUserGrant: {
    method: 'DELETE',
    path: '/users/:userId/grants/:grantId',
    permission: 'write:users',
    summary: 'Revoke a grant that a user gave to an application',
    description: 'Its codes, refresh tokens and opaque tokens end at once; JWTs stay valid until they expire.',
    params: Type.Object({ userId: Id, grantId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
