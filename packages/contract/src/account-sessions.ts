/** Where one is signed in, and what one gave applications, in the Account API (DECISIONS T5). */
import Type from 'typebox'
import { FIELD_ERRORS } from './account.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, Nullable, OneOf } from './schema.ts'
import { TrustedDevice } from './user-factors.ts'
import { RevokeGrantsTarget, UserGrant, UserSession } from './user-sessions.ts'

const isCurrent = (what: string) => Type.Boolean({ description: `Whether it is ${what}` })
const base = { permission: null, scopes: ['urn:logto:scope:sessions'] } as const

const MySession = Type.Object({
  ...UserSession.properties,
  isCurrent: isCurrent('the one that the access token is of'),
  applicationName: Nullable(Type.String({ description: 'Of the application that `clientId` names' })),
  userAgent: Nullable(Type.String()),
  ip: Nullable(Type.String({ description: 'Of the sign-in' })),
  country: Nullable(Type.String({ description: 'Two letters (ISO 3166-1), as `GEOIP_FILE` says; null if unknown' })),
  city: Nullable(Type.String({ description: 'In English; null if unknown' })),
  lastUsedAt: EpochMilliseconds,
})

const MyGrant = Type.Object({
  ...UserGrant.properties,
  scopes: Type.Array(Type.String(), { description: 'What the application may ask for' }),
  isThirdParty: Type.Boolean(),
  isCurrent: isCurrent('the one that the access token is of'),
  lastUsedAt: EpochMilliseconds,
})

export const accountSessionRoutes = routes({
  listMySessions: {
    ...base,
    method: 'GET',
    path: '/my-account/sessions',
    summary: 'List one’s own sessions, newest first',
    status: 200,
    response: Type.Object({ sessions: Type.Array(MySession) }),
    errors: FIELD_ERRORS,
  },
  endMyOtherSessions: {
    ...base,
    method: 'DELETE',
    path: '/my-account/sessions',
    proof: true,
    summary: 'Sign out everywhere else',
    description: 'Ends all of one’s own sessions and grants, except the session that the access token is of.',
    status: 204,
    errors: FIELD_ERRORS,
  },
  endMySession: {
    ...base,
    method: 'DELETE',
    path: '/my-account/sessions/:sessionId',
    proof: true,
    summary: 'End one of one’s own sessions',
    description:
      'Its grants end with it, except those with offline_access, which revokeGrantsTarget can end too. With a grant, its codes, refresh tokens and opaque tokens end; JWTs stay valid until they expire.',
    params: Type.Object({ sessionId: Id }),
    query: Type.Object({ revokeGrantsTarget: RevokeGrantsTarget }),
    status: 204,
    errors: [...FIELD_ERRORS, 'oidc.session_not_found'],
  },
  listMyGrants: {
    ...base,
    method: 'GET',
    path: '/my-account/grants',
    summary: 'List what one gave applications, newest first',
    query: Type.Object({ appType: Type.Optional(OneOf(['firstParty', 'thirdParty'])) }),
    status: 200,
    response: Type.Object({ grants: Type.Array(MyGrant) }),
    errors: FIELD_ERRORS,
  },
  revokeMyGrant: {
    ...base,
    method: 'DELETE',
    path: '/my-account/grants/:grantId',
    proof: true,
    summary: 'Take from an application what one gave it',
    description: 'Its codes, refresh tokens and opaque tokens end at once; JWTs stay valid until they expire.',
    params: Type.Object({ grantId: Id }),
    status: 204,
    errors: [...FIELD_ERRORS, 'entity.not_exists_with_id'],
  },
  listMyDevices: {
    permission: null,
    scopes: ['urn:logto:scope:trusted_devices'],
    method: 'GET',
    path: '/my-account/trusted-devices',
    summary: 'List the devices that one trusts, the latest first',
    description:
      'On these one is not asked for a second factor. At most 50, which `page` and `page_size` divide into pages. `isCurrent` is known only to pages of the server’s own origin, whose requests carry its cookies.',
    query: Type.Object({
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      page_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    }),
    status: 200,
    response: Type.Array(Type.Object({ ...TrustedDevice.properties, isCurrent: isCurrent('the one that asks') })),
    errors: FIELD_ERRORS,
  },
  deleteMyDevice: {
    permission: null,
    scopes: ['urn:logto:scope:trusted_devices'],
    method: 'DELETE',
    path: '/my-account/trusted-devices/:trustedDeviceId',
    proof: true,
    summary: 'End the trust in one of one’s own devices',
    params: Type.Object({ trustedDeviceId: Id }),
    status: 204,
    errors: [...FIELD_ERRORS, 'entity.not_exists_with_id'],
  },
})
