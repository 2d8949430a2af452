/** What the routes of the Experience API share: schemas, errors, and how a call is bound to its interaction. */
import Type from 'typebox'
import { OneOf } from './schema.ts'

export const VerificationId = Type.String({ minLength: 1, maxLength: 21 })
export const Verified = Type.Object({ verificationId: VerificationId })
export const AnyIdentifier = Type.Object({
  type: OneOf(['username', 'email', 'phone']),
  value: Type.String({ minLength: 1, maxLength: 256 }),
})

/** What a record shows of an account elsewhere. */
export const FederatedInfo = {
  socialUserInfo: Type.Optional(Type.Record(Type.String(), Type.String())),
  enterpriseSsoUserInfo: Type.Optional(Type.Record(Type.String(), Type.String())),
  issuer: Type.Optional(Type.String()),
}

/** Of the interaction that the browser's cookies name. */
export const bound = { permission: null, cookie: true } as const

/** Of a step that concerns a user who was identified before. */
export const identifiedErrors = [
  'session.identifier_not_found',
  'session.invalid_credentials',
  'user.suspended',
] as const

/** Of a step that verifies a code. */
export const codeErrors = [
  'verification_code.not_found',
  'verification_code.email_mismatch',
  'verification_code.phone_mismatch',
  'verification_code.expired',
  'verification_code.exceed_max_try',
  'verification_code.code_mismatch',
] as const

/** Of an account at a provider. */
export const accountElsewhereErrors = [
  'user.identity_not_exist',
  'user.identity_already_in_use',
  'organization.require_membership',
] as const

/** Of an identifier that another account has. */
export const takenErrors = [
  'user.username_already_in_use',
  'user.email_already_in_use',
  'user.phone_already_in_use',
] as const

/** Of an identifier that is entered. */
export const identifierErrors = [
  ...takenErrors,
  'user.username_starts_with_number',
  'user.username_invalid_charset_hard',
  'user.username_too_short',
  'user.username_too_long',
  'user.username_uppercase_not_allowed',
  'user.username_lowercase_not_allowed',
  'user.username_numbers_not_allowed',
  'user.username_underscore_not_allowed',
  'user.invalid_email',
  'user.invalid_phone',
  'session.email_blocklist.email_not_allowed',
  'session.email_blocklist.email_subaddressing_not_allowed',
  'session.sso_enabled',
] as const

/** Of a step that the tenant may not offer. */
export const offeredErrors = [
  'user.sign_in_method_not_enabled',
  'user.sign_up_method_not_enabled',
  'session.forgot_password_not_enabled',
] as const

/** Of a submission that needs a second factor proved or set up. */
export const neededFactorErrors = [
  'session.mfa.require_mfa_verification',
  'session.mfa.backup_code_required',
  'session.mfa.suggest_additional_mfa',
  'user.missing_mfa',
  'user.suggest_mfa',
  'user.passkey_preferred',
  'user.totp_already_in_use',
  'user.backup_code_already_in_use',
] as const
