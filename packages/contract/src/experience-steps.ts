/** What the routes of the Experience API share: schemas, errors, and how a call is bound to its interaction. */
import Type from 'typebox'
import { OneOf } from './schema.ts'

export const VerificationId = Type.String({ minLength: 1, maxLength: 21 })
export const Verified = Type.Object({ verificationId: VerificationId })
export const AnyIdentifier = Type.Object({
  type: OneOf(['username', 'email', 'phone']),
  value: Type.String({ minLength: 1, maxLength: 256 }),
})

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
