/** A user as the Management API shows them. The routes are users.ts; roles.ts speaks of users too. */
import Type from 'typebox'
import { EpochMilliseconds, Id, JsonObject, Nullable } from './schema.ts'

const Short = Type.Optional(Type.String({ maxLength: 256 }))
const Long = Type.Optional(Type.String({ maxLength: 2048 }))

/** The standard claims of OpenID Connect Core 5.1 that have no field of their own. */
export const UserAddress = Type.Object({
  formatted: Long,
  streetAddress: Long,
  locality: Short,
  region: Short,
  postalCode: Short,
  country: Short,
})

export const UserProfile = Type.Object({
  familyName: Short,
  givenName: Short,
  middleName: Short,
  nickname: Short,
  preferredUsername: Short,
  profile: Long,
  website: Long,
  gender: Short,
  birthdate: Short,
  zoneinfo: Short,
  locale: Short,
  address: Type.Optional(UserAddress),
})

export const Identity = Type.Object({ userId: Type.String(), details: Type.Optional(JsonObject) })

export const User = Type.Object({
  tenantId: Type.String(),
  id: Id,
  username: Nullable(Type.String()),
  primaryEmail: Nullable(Type.String()),
  primaryPhone: Nullable(Type.String({ description: 'Digits only, country code first' })),
  name: Nullable(Type.String()),
  avatar: Nullable(Type.String()),
  customData: JsonObject,
  identities: Type.Record(Type.String(), Identity),
  profile: UserProfile,
  applicationId: Nullable(Type.String({ description: 'The application through which the user first signed in' })),
  cimdClientId: Nullable(
    Type.String({
      description: 'The same for a client whose id is the address of its metadata: one of the two is null',
    }),
  ),
  isSuspended: Type.Boolean(),
  hasPassword: Type.Boolean(),
  lastSignInAt: Nullable(EpochMilliseconds),
  createdAt: EpochMilliseconds,
  updatedAt: EpochMilliseconds,
})
