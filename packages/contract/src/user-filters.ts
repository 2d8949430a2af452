/** Which users a list shows beside those that a search finds: by state, second factors and age. All filters must be met. */
import Type from 'typebox'
import { Moment, OneOf } from './schema.ts'

/** Second factors that users set up; codes to addresses are not set up. */
export const FILTERED_FACTORS = ['Totp', 'WebAuthn', 'BackupCode'] as const

const Answer = OneOf(['true', 'false'])

export const userFilters = {
  isSuspended: Type.Optional(Answer),
  hasSecondFactor: Type.Optional(
    OneOf(['true', 'false'], { description: 'Whether the user has set up an authenticator app or a passkey' }),
  ),
  secondFactor: Type.Optional(OneOf(FILTERED_FACTORS, { description: 'The user has set up one of this kind' })),
  hasSignedIn: Type.Optional(OneOf(['true', 'false'], { description: 'Whether the user has ever signed in' })),
  lastSignInAfter: Type.Optional(Moment),
  lastSignInBefore: Type.Optional(Moment),
  createdAfter: Type.Optional(Moment),
  createdBefore: Type.Optional(Moment),
}

export const UserFilters = Type.Object(userFilters)
