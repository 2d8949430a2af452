/** Codes that an operator's application sends to prove an address or a number. The paths are those of the reference. */
import Type from 'typebox'
import { routes } from './route.ts'

const recipient = {
  email: Type.Optional(Type.String({ minLength: 1, maxLength: 128, examples: ['me@example.com'] })),
  phone: Type.Optional(Type.String({ minLength: 1, maxLength: 32, examples: ['+49 30 901820'] })),
}

export const verificationCodeRoutes = routes({
  sendOperatorCode: {
    method: 'POST',
    path: '/verification-codes',
    permission: 'write:users',
    summary: 'Send a code to an email address or a phone number',
    description:
      'The body has either `email` or `phone`. An earlier code for the same recipient becomes invalid. A recipient gets at most ten messages in ten minutes, whatever they are for.',
    body: Type.Object(recipient),
    status: 204,
    errors: ['connector.not_found', 'request.message_rate_limited', 'user.invalid_email', 'user.invalid_phone'],
  },
  verifyOperatorCode: {
    method: 'POST',
    path: '/verification-codes/verify',
    permission: 'write:users',
    summary: 'Verify a code that was sent to an email address or a phone number',
    description: 'A code can be used once. Whether an account has the recipient does not matter and is not changed.',
    body: Type.Object({ ...recipient, verificationCode: Type.String({ minLength: 1, maxLength: 32 }) }),
    status: 204,
    errors: [
      'user.invalid_email',
      'user.invalid_phone',
      'verification_code.code_mismatch',
      'verification_code.exceed_max_try',
      'verification_code.expired',
      'verification_code.not_found',
    ],
  },
})
