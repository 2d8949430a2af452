/** Verifications of the Account API: how users prove who they are before a sensitive change (DECISIONS T2). */
import Type from 'typebox'
import { routes } from './route.ts'

/** The header in which a request names the verification that permits it. */
export const VERIFICATION_HEADER = 'logto-verification-id'

const verificationRecordId = Type.String({ minLength: 1, maxLength: 64 })
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
})
