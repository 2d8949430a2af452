/** The second factors of a user, for administrators, and what the user decided about them (DECISIONS O). */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, Nullable, OneOf } from './schema.ts'

/** A second factor without its secrets. */
export const UserFactor = Type.Object({
  id: Id,
  createdAt: Type.String({ description: 'ISO 8601' }),
  lastUsedAt: Type.Optional(Type.String({ description: 'ISO 8601' })),
  type: OneOf(['Totp', 'WebAuthn', 'BackupCode']),
  agent: Type.Optional(Type.String({ description: 'Of a passkey: the browser that made it' })),
  name: Type.Optional(
    Type.String({ description: 'Of a passkey: as the user named it, or what its authenticator is called' }),
  ),
  remainCodes: Type.Optional(Type.Integer({ description: 'Of backup codes: how many are unused' })),
})

/** What a user decided about second factors. */
export const FactorChoices = Type.Object({
  mfa: Type.Object({
    enabled: Type.Optional(Type.Boolean({ description: 'Absent: they were never asked' })),
    skipped: Type.Boolean(),
    skipMfaOnSignIn: Type.Boolean(),
  }),
  passkeySignIn: Type.Object({ skipped: Type.Boolean() }),
})

/** A change of it. */
export const FactorChoicesUpdate = Type.Object({
  mfa: Type.Optional(
    Type.Object({
      enabled: Type.Optional(Type.Boolean()),
      skipped: Type.Optional(Type.Boolean()),
      additionalBindingSuggestionSkipped: Type.Optional(Type.Boolean()),
      skipMfaOnSignIn: Type.Optional(Type.Boolean()),
    }),
  ),
  passkeySignIn: Type.Optional(Type.Object({ skipped: Type.Optional(Type.Boolean()) })),
})

/** A device on which a user is not asked for a second factor. */
export const TrustedDevice = Type.Object({
  id: Id,
  userAgent: Nullable(Type.String()),
  country: Nullable(
    Type.String({
      description: 'Where it was trusted: two letters (ISO 3166-1), as `GEOIP_FILE` says; null if unknown',
    }),
  ),
  city: Nullable(Type.String({ description: 'In English; null if unknown' })),
  createdAt: EpochMilliseconds,
  lastUsedAt: EpochMilliseconds,
  expiresAt: EpochMilliseconds,
})

const OfUser = Type.Object({ userId: Id })

export const userFactorRoutes = routes({
  listUserFactors: {
    method: 'GET',
    path: '/users/:userId/mfa-verifications',
    permission: 'read:users',
    summary: 'List the second factors of a user, the oldest first',
    description: 'No secret of theirs is in it. Codes by email and text message need no setting up and are not listed.',
    params: OfUser,
    status: 200,
    response: Type.Array(UserFactor),
    errors: ['entity.not_exists_with_id'],
  },
  createUserFactor: {
    method: 'POST',
    path: '/users/:userId/mfa-verifications',
    permission: 'write:users',
    summary: 'Give a user an authenticator app or backup codes',
    description:
      'With a secret or codes from elsewhere, or new ones; the answer is the only time that they are told. Backup codes need another factor beside them. A passkey can only be made in the browser of the user.',
    params: OfUser,
    body: Type.Union([
      Type.Object({
        type: OneOf(['Totp']),
        secret: Type.Optional(Type.String({ maxLength: 128, description: 'Base32 of 16 to 64 bytes' })),
      }),
      Type.Object({
        type: OneOf(['BackupCode']),
        codes: Type.Optional(
          Type.Array(Type.String({ maxLength: 10 }), { maxItems: 10, description: 'Ten of ten hexadecimal digits' }),
        ),
      }),
    ]),
    status: 200,
    response: Type.Union([
      Type.Object({ type: OneOf(['Totp']), secret: Type.String(), secretQrCode: Type.String() }),
      Type.Object({ type: OneOf(['BackupCode']), codes: Type.Array(Type.String()) }),
    ]),
    errors: [
      'entity.not_exists_with_id',
      'user.totp_already_in_use',
      'user.totp_secret_invalid',
      'user.backup_code_already_in_use',
      'user.wrong_backup_code_format',
      'session.mfa.backup_code_can_not_be_alone',
    ],
  },
  deleteUserFactor: {
    method: 'DELETE',
    path: '/users/:userId/mfa-verifications/:verificationId',
    permission: 'write:users',
    summary: 'Take a second factor from a user',
    description: 'Backup codes go with the last of the other factors.',
    params: Type.Object({ userId: Id, verificationId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listTrustedDevices: {
    method: 'GET',
    path: '/users/:userId/trusted-devices',
    permission: 'read:users',
    summary: 'List the devices that a user trusts, the latest first',
    description: 'On these the user is not asked for a second factor. At most 50.',
    params: OfUser,
    status: 200,
    response: Type.Array(TrustedDevice),
    errors: ['entity.not_exists_with_id'],
  },
  deleteTrustedDevice: {
    method: 'DELETE',
    path: '/users/:userId/trusted-devices/:trustedDeviceId',
    permission: 'write:users',
    summary: 'End the trust in a device',
    params: Type.Object({ userId: Id, trustedDeviceId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  getUserFactorChoices: {
    method: 'GET',
    path: '/users/:userId/logto-configs',
    permission: 'read:users',
    summary: 'Get what a user decided about second factors',
    params: OfUser,
    status: 200,
    response: FactorChoices,
    errors: ['entity.not_exists_with_id'],
  },
  updateUserFactorChoices: {
    method: 'PATCH',
    path: '/users/:userId/logto-configs',
    permission: 'write:users',
    summary: 'Decide about second factors for a user',
    description: 'What is left out stays. A mandatory policy of the tenant is stronger.',
    params: OfUser,
    body: FactorChoicesUpdate,
    status: 200,
    response: FactorChoices,
    errors: ['entity.not_exists_with_id'],
  },
})
