/** One's own second factors in the Account API (DECISIONS T6). */
import Type from 'typebox'
import { FIELD_ERRORS } from './account.ts'
import { routes } from './route.ts'
import { Id, OneOf } from './schema.ts'
import { FactorChoices, FactorChoicesUpdate, UserFactor } from './user-factors.ts'

const secret = Type.String({ maxLength: 128, description: 'Base32 of 16 to 64 bytes' })
const code = Type.String({ minLength: 1, maxLength: 64, description: 'That the app shows' })
const Skipping = Type.Object({
  skipMfaOnSignIn: Type.Boolean({
    description: 'Whether factors are kept and not asked for, where the policy allows it',
  }),
})
const OneFactor = Type.Object({ verificationId: Id })

const base = { permission: null, scopes: ['identities'] } as const

export const accountFactorRoutes = routes({
  listMyFactors: {
    ...base,
    method: 'GET',
    path: '/my-account/mfa-verifications',
    summary: 'List one’s own second factors, the oldest first',
    description: 'Without their secrets. Codes by email and text message need no setting up and are not listed.',
    status: 200,
    response: Type.Array(UserFactor),
    errors: FIELD_ERRORS,
  },
  createMyFactor: {
    ...base,
    method: 'POST',
    path: '/my-account/mfa-verifications',
    proof: true,
    summary: 'Add a second factor to one’s own account',
    description:
      'A passkey of a verified `POST /verifications/web-authn/registration`, an authenticator app, or ten backup codes, which replace earlier ones and need another factor beside them. With `code` it is certain that the app has the secret.',
    body: Type.Union([
      Type.Object({
        type: OneOf(['WebAuthn']),
        newIdentifierVerificationRecordId: Type.String({ minLength: 1, maxLength: 64 }),
        name: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      }),
      Type.Object({ type: OneOf(['Totp', 'TOTP']), secret, code: Type.Optional(code) }),
      Type.Object({
        type: OneOf(['BackupCode']),
        codes: Type.Array(Type.String({ maxLength: 10 }), {
          maxItems: 10,
          description: 'Ten of ten hexadecimal digits',
        }),
      }),
    ]),
    status: 204,
    errors: [
      ...FIELD_ERRORS,
      'session.mfa.mfa_factor_not_enabled',
      'session.mfa.invalid_totp_code',
      'session.mfa.bind_mfa_existed',
      'session.mfa.backup_code_can_not_be_alone',
      'user.totp_already_in_use',
      'user.totp_secret_invalid',
      'user.wrong_backup_code_format',
      'verification_record.not_found',
    ],
  },
  replaceMyTotp: {
    ...base,
    method: 'PUT',
    path: '/my-account/mfa-verifications/totp',
    proof: true,
    summary: 'Set up one’s own authenticator app anew',
    description: 'In place of the one that the account has, if it has one.',
    body: Type.Object({ secret, code }),
    status: 204,
    errors: [
      ...FIELD_ERRORS,
      'session.mfa.mfa_factor_not_enabled',
      'session.mfa.invalid_totp_code',
      'user.totp_secret_invalid',
    ],
  },
  generateMyTotpSecret: {
    ...base,
    method: 'POST',
    path: '/my-account/mfa-verifications/totp-secret/generate',
    summary: 'Make a secret for an authenticator app',
    description: 'As text and as an image for the app to read. It is not stored: adding it sends it back.',
    status: 200,
    response: Type.Object({
      secret: Type.String({ description: 'Base32' }),
      secretQrCode: Type.String({ description: 'A `data:` address of an SVG' }),
    }),
    errors: FIELD_ERRORS,
  },
  generateMyBackupCodes: {
    ...base,
    method: 'POST',
    path: '/my-account/mfa-verifications/backup-codes/generate',
    summary: 'Make ten backup codes',
    description: 'They are not stored: adding them sends them back.',
    status: 200,
    response: Type.Object({ codes: Type.Array(Type.String()) }),
    errors: FIELD_ERRORS,
  },
  listMyBackupCodes: {
    ...base,
    method: 'GET',
    path: '/my-account/mfa-verifications/backup-codes',
    summary: 'List which of one’s own backup codes are used',
    description: 'The codes themselves are stored as hashes and shown only when they are made.',
    status: 200,
    response: Type.Object({
      codes: Type.Array(
        Type.Object({ usedAt: Type.Optional(Type.String({ description: 'ISO 8601; absent while it is unused' })) }),
      ),
    }),
    errors: [...FIELD_ERRORS, 'entity.not_found'],
  },
  renameMyPasskey: {
    ...base,
    method: 'PATCH',
    path: '/my-account/mfa-verifications/:verificationId/name',
    proof: true,
    summary: 'Rename one of one’s own passkeys',
    params: OneFactor,
    body: Type.Object({ name: Type.String({ minLength: 1, maxLength: 64 }) }),
    status: 200,
    errors: [...FIELD_ERRORS, 'entity.not_found'],
  },
  deleteMyFactor: {
    ...base,
    method: 'DELETE',
    path: '/my-account/mfa-verifications/:verificationId',
    proof: true,
    summary: 'Remove one of one’s own second factors',
    description:
      'Backup codes go with the last of the other factors. The last factor stays where one is required, and a passkey that is the only way to sign in.',
    params: OneFactor,
    status: 204,
    errors: [...FIELD_ERRORS, 'entity.not_exists_with_id', 'user.missing_mfa', 'user.last_sign_in_method_required'],
  },
  getMyFactorSettings: {
    ...base,
    method: 'GET',
    path: '/my-account/mfa-settings',
    summary: 'Get whether one skips second factors at sign-in',
    status: 200,
    response: Skipping,
    errors: FIELD_ERRORS,
  },
  updateMyFactorSettings: {
    ...base,
    method: 'PATCH',
    path: '/my-account/mfa-settings',
    proof: true,
    summary: 'Decide whether one skips second factors at sign-in',
    description: 'A mandatory policy of the tenant is stronger.',
    body: Skipping,
    status: 200,
    response: Skipping,
    errors: FIELD_ERRORS,
  },
  getMyFactorChoices: {
    ...base,
    method: 'GET',
    path: '/my-account/logto-configs',
    summary: 'Get what one decided about second factors',
    status: 200,
    response: FactorChoices,
    errors: FIELD_ERRORS,
  },
  updateMyFactorChoices: {
    ...base,
    method: 'PATCH',
    path: '/my-account/logto-configs',
    proof: true,
    summary: 'Decide about one’s own second factors',
    description:
      'What is left out stays. A choice by which factors are asked for less often needs a proof of who the user is. A mandatory policy of the tenant is stronger.',
    body: FactorChoicesUpdate,
    status: 200,
    response: FactorChoices,
    errors: FIELD_ERRORS,
  },
})
