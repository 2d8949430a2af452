/** Dynamic client registration (RFC 7591): who may register, with what, and the tokens that permit it. */
import Type, { type Static } from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, JsonObject, Moment, Nullable, OneOf, SECRET } from './schema.ts'
import { USER_SCOPES } from './user-consent-scopes.ts'

export const REGISTRATION_MODES = ['closed', 'initial-access-token', 'open'] as const
/** The grants of users: an application that registers itself never acts in its own name. */
export const REGISTRABLE_GRANTS = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const

const Seconds = (maximum: number, description: string) =>
  Type.Optional(
    Nullable(
      Type.Integer({ minimum: 60, maximum, description: `${description}, in seconds; null: as of any application` }),
    ),
  )

export const RegistrationPolicy = Type.Object({
  grantTypes: Type.Array(OneOf(REGISTRABLE_GRANTS), {
    minItems: 1,
    maxItems: 3,
    description: 'The grants that it may use',
  }),
  applicationTypes: Type.Array(OneOf(['web', 'native']), {
    minItems: 1,
    maxItems: 2,
    description: 'native: an application on a device, which listens on loopback or has a scheme of its own',
  }),
  redirectHosts: Type.Array(
    Type.String({
      maxLength: 253,
      pattern: '^((\\*\\.)?[a-z0-9-]+(\\.[a-z0-9-]+)*|[a-z][a-z0-9+.-]*:)$',
      examples: ['app.example.com'],
    }),
    {
      maxItems: 100,
      description:
        'Where its redirect URIs may lead: hosts, `*.example.com` for all names below one, `com.example.app:` for a private scheme; native applications may always listen on loopback. Empty: anywhere',
    },
  ),
  userScopes: Type.Array(OneOf(USER_SCOPES), {
    maxItems: 100,
    description: 'What of the user it may ask them for, beside openid and offline_access',
  }),
  permissions: Type.Array(
    Type.Object({
      resource: Type.String({ minLength: 1, maxLength: 2048, description: 'The indicator of an API' }),
      scopes: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 200 }),
    }),
    { maxItems: 100, description: 'Which permissions of which APIs it may ask users for' },
  ),
  idTokenTtl: Seconds(31_536_000, 'Lifetime of its ID tokens'),
  refreshTokenTtl: Seconds(15_552_000, 'Lifetime of its refresh tokens'),
  softwareStatement: OneOf(['optional', 'required'], {
    description:
      'Whether it needs a software statement (RFC 7591 section 2.3) of an issuer in softwareStatementIssuers, which then says what it is',
  }),
  namePrefix: Type.Optional(
    Type.String({ maxLength: 64, description: 'Stands before the name that it gives itself; empty: nothing' }),
  ),
})
export type RegistrationPolicy = Static<typeof RegistrationPolicy>

const SoftwareStatementIssuer = Type.Object({
  issuer: Type.String({ minLength: 1, maxLength: 2048, description: '`iss` of its statements' }),
  jwks: Type.Optional(Type.Object({ keys: Type.Array(JsonObject, { minItems: 1, maxItems: 20 }) })),
  jwksUri: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2048, description: 'Where it publishes its keys, in place of jwks' }),
  ),
})

const settings = {
  mode: OneOf(REGISTRATION_MODES, {
    description:
      'closed: nobody registers, which is the default. initial-access-token: whoever has one. open: anyone, within the limits below',
  }),
  policy: RegistrationPolicy,
  softwareStatementIssuers: Type.Array(SoftwareStatementIssuer, {
    maxItems: 20,
    description: 'Whose software statements are trusted: what they say of an application wins over what it says itself',
  }),
  maxClients: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'How many registered applications there are at most',
  }),
  openRegistrationsPerHour: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: 'How many register within an hour at most without an initial access token',
  }),
  unusedClientDays: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'After so many days a registered application that nobody has signed in to is deleted; null: never',
    }),
  ),
}

export const RegistrationSettings = Type.Object(settings)
export type RegistrationSettings = Static<typeof RegistrationSettings>
/** What can be set; a part of the policy leaves the rest of it. */
export const RegistrationSettingsChange = Type.Object({
  ...Type.Partial(RegistrationSettings).properties,
  policy: Type.Optional(Type.Partial(RegistrationPolicy)),
})

/** What holds as long as nothing is set. */
export const DEFAULT_POLICY: RegistrationPolicy = {
  grantTypes: [...REGISTRABLE_GRANTS],
  applicationTypes: ['web', 'native'],
  redirectHosts: [],
  userScopes: ['profile', 'email'],
  permissions: [],
  softwareStatement: 'optional',
}
export const DEFAULT_REGISTRATION: RegistrationSettings = {
  mode: 'closed',
  policy: DEFAULT_POLICY,
  softwareStatementIssuers: [],
  maxClients: 1000,
  openRegistrationsPerHour: 60,
  unusedClientDays: 30,
}

const Name = Type.String({ minLength: 1, maxLength: 256 })
const InitialAccessToken = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Name,
  policy: RegistrationPolicy,
  maxRegistrations: Nullable(Type.Integer()),
  registrations: Type.Integer({ description: 'How many have used it' }),
  createdAt: EpochMilliseconds,
  expiresAt: Nullable(EpochMilliseconds),
})

export const registrationRoutes = routes({
  getClientRegistration: {
    method: 'GET',
    path: '/configs/client-registration',
    permission: 'read:configs',
    summary: 'Get who may register applications dynamically',
    status: 200,
    response: RegistrationSettings,
  },
  updateClientRegistration: {
    method: 'PATCH',
    path: '/configs/client-registration',
    permission: 'write:configs',
    alsoPermission: 'write:applications',
    summary: 'Change who may register applications dynamically',
    description:
      'Registered applications are third-party: users consent to what they ask for. They never hold roles or permissions of this API. What they may register is what the policy permitted when they registered.',
    body: RegistrationSettingsChange,
    status: 200,
    response: RegistrationSettings,
  },
  listInitialAccessTokens: {
    method: 'GET',
    path: '/initial-access-tokens',
    permission: 'read:applications',
    list: true,
    summary: 'List initial access tokens',
    status: 200,
    response: Type.Array(InitialAccessToken),
  },
  createInitialAccessToken: {
    method: 'POST',
    path: '/initial-access-tokens',
    permission: 'write:applications',
    summary: 'Create an initial access token',
    description:
      'Whoever has it can register applications (RFC 7591 section 3), unless registration is closed. `value` is shown once. What the policy leaves out is as in the policy of the tenant.',
    body: Type.Object({
      name: Name,
      policy: Type.Optional(Type.Partial(RegistrationPolicy)),
      maxRegistrations: Type.Optional(
        Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description: '1 by default; null: any number' })),
      ),
      expiresAt: Type.Optional(Nullable(Moment)),
    }),
    status: 201,
    response: Type.Object({ ...InitialAccessToken.properties, value: Type.String(SECRET) }),
    errors: ['request.invalid_input'],
  },
  deleteInitialAccessToken: {
    method: 'DELETE',
    path: '/initial-access-tokens/:id',
    permission: 'write:applications',
    summary: 'Delete an initial access token',
    description: 'Nobody registers with it from then on. Applications that did stay.',
    params: Type.Object({ id: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
