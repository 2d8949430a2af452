/** Verifications of the Account API: how users prove who they are before a sensitive change (DECISIONS T2). */
import Type from 'typebox'
import { routes } from './route.ts'
import { OneOf } from './schema.ts'

/** The header in which a request names the verification that permits it. */
export const VERIFICATION_HEADER = 'logto-verification-id'

const verificationRecordId = Type.String({ minLength: 1, maxLength: 64 })
const Address = Type.Object({
  type: OneOf(['email', 'phone']),
  value: Type.String({ minLength: 1, maxLength: 256 }),
})
const expiresAt = Type.String({ format: 'date-time' })

/** A verification that has begun or was passed. */
export const VerificationBegun = Type.Object({ verificationRecordId, expiresAt })

export const accountVerificationRoutes = routes({
  verifyMyPassword: {
    method: 'POST',
    path: '/verifications/password',
    permission: null,
    scopes: [],
    summary: 'Prove who one is with the password',
    description: `The header \`${VERIFICATION_HEADER}\` of a sensitive change names the verification, within ten minutes. Wrong passwords count towards the lockout of the account.`,
    body: Type.Object({ password: Type.String({ minLength: 1, maxLength: 256 }) }),
    status: 201,
    response: VerificationBegun,
    errors: [
      'session.invalid_credentials',
      'session.verification_blocked_too_many_attempts',
      'request.rate_limited',
      'request.unavailable',
    ],
  },
  sendMyCode: {
    method: 'POST',
    path: '/verifications/verification-code',
    permission: null,
    scopes: [],
    summary: 'Send a code to an address of one’s own, or to one that is to become that',
    description:
      'Sent to the email address or the phone number of the account, the code proves who the user is. Sent to any other, it verifies that address for `POST /my-account/primary-email` or `primary-phone`; whether another account has it is not told here.',
    body: Type.Object({
      identifier: Address,
      templateType: Type.Optional(
        OneOf(['UserPermissionValidation', 'BindMfa'], {
          description: 'What the message says. Only UserPermissionValidation proves who the user is',
        }),
      ),
    }),
    status: 201,
    response: VerificationBegun,
    errors: [
      'account_center.field_not_enabled',
      'account_center.field_not_editable',
      'connector.not_found',
      'request.message_rate_limited',
      'request.rate_limited',
      'session.email_blocklist.email_not_allowed',
      'session.email_blocklist.email_subaddressing_not_allowed',
      'session.sso_enabled',
      'session.verification_blocked_too_many_attempts',
      'user.invalid_email',
      'user.invalid_phone',
    ],
  },
  verifyMyCode: {
    method: 'POST',
    path: '/verifications/verification-code/verify',
    permission: null,
    scopes: [],
    summary: 'Verify an address with the code that was sent there',
    description: 'Wrong codes count towards the lockout of the address and of its account.',
    body: Type.Object({
      identifier: Address,
      verificationId: verificationRecordId,
      code: Type.String({ minLength: 1, maxLength: 64 }),
    }),
    status: 200,
    response: Type.Object({ verificationRecordId }),
    errors: [
      'request.rate_limited',
      'session.verification_blocked_too_many_attempts',
      'user.invalid_email',
      'user.invalid_phone',
      'verification_code.code_mismatch',
      'verification_code.email_mismatch',
      'verification_code.exceed_max_try',
      'verification_code.expired',
      'verification_code.not_found',
      'verification_code.phone_mismatch',
      'verification_record.not_found',
    ],
  },
})
