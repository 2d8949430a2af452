/** A user as a line of JSON: what `countersign users import` takes and `countersign users export` writes. */
import Type, { type Static, type TSchema } from 'typebox'
import { JsonObject, Moment, Nullable, OneOf } from './schema.ts'
import { ConnectorName } from './sso-connectors.ts'
import { IdentityToSet, Target } from './user-identities.ts'
import { UserCreate } from './users.ts'

const { username, primaryEmail, primaryPhone, name, ...others } = UserCreate.properties
const Absent = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))
const Roles = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 1000 })

const Base64Url = Type.String({ minLength: 1, maxLength: 4096, pattern: '^[A-Za-z0-9_-]+$' })

/** A second factor as another system kept it. */
const ImportedFactor = Type.Union([
  Type.Object({
    type: OneOf(['Totp']),
    secret: Type.String({ maxLength: 128, description: 'Base32 of 16 to 64 bytes' }),
  }),
  Type.Object({
    type: OneOf(['WebAuthn']),
    credentialId: Base64Url,
    publicKey: Type.String({ ...Base64Url, description: 'A COSE key (RFC 9052) in base64url' }),
    counter: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    rpId: Type.String({ maxLength: 253, description: 'The host that it was made for' }),
    agent: Absent(Type.String({ maxLength: 1024, description: 'The browser that made it' })),
    name: Absent(Type.String({ maxLength: 128 })),
  }),
  Type.Object({
    type: OneOf(['BackupCode']),
    codes: Type.Array(Type.String({ pattern: '^[0-9A-Za-z -]{8,64}$' }), {
      minItems: 1,
      maxItems: 50,
      description: 'Those that are unused',
    }),
  }),
])
export type ImportedFactor = Static<typeof ImportedFactor>

/** An account at the identity provider of an SSO connector, which is named because its id is another elsewhere. */
const ImportedSsoIdentity = Type.Object({
  connectorName: ConnectorName,
  issuer: Type.String({ minLength: 1, maxLength: 2048 }),
  identityId: Type.String({ minLength: 1, maxLength: 1024, description: 'Of the user, at the identity provider' }),
  detail: Type.Optional(JsonObject),
})

/** The body of `POST /users`, and what an administrator of another system knows beside it. */
export const UserLine = Type.Object({
  id: Type.Optional(
    Type.String({
      pattern: '^[0-9a-z]{12}$',
      description: '12 characters of 0-9 and a-z, like all user ids: any other could be the id of an application',
    }),
  ),
  username: Absent(username),
  primaryEmail: Absent(primaryEmail),
  primaryPhone: Absent(primaryPhone),
  name: Absent(name),
  ...others,
  emailVerified: Type.Optional(Type.Boolean()),
  phoneVerified: Type.Optional(Type.Boolean()),
  isSuspended: Type.Optional(Type.Boolean()),
  createdAt: Type.Optional(Moment),
  lastSignInAt: Absent(Moment),
  roleNames: Type.Optional(Roles),
  roleIds: Type.Optional(Roles),
  identities: Type.Optional(
    Type.Record(Target, IdentityToSet, {
      additionalProperties: false,
      maxProperties: 100,
      description: 'The accounts at social providers, by the `target` of the connector',
    }),
  ),
  ssoIdentities: Type.Optional(Type.Array(ImportedSsoIdentity, { maxItems: 100 })),
  mfaVerifications: Type.Optional(Type.Array(ImportedFactor, { maxItems: 50 })),
})

export type UserLineFields = Static<typeof UserLine>
