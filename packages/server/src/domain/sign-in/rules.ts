/** What the settings of a tenant allow at sign-in and registration: which methods, identifiers and passwords. */
import { ApiError } from '../../kernel/api-error.ts'
import type { Work } from '../../storage/unit-of-work.ts'
import { assertEmailAllowed } from '../credentials/email-blocklist.ts'
import { type Identifier, identifierKey, keepIdentifier } from '../credentials/identifiers.ts'
import { findPasswordIssues, type UserInfo } from '../credentials/password-policy.ts'
import type { Address, InteractionEvent } from './draft.ts'
import type { SignInExperience } from './experience.ts'

export type IdentifierType = Identifier['type']

/** The identifiers that may be used together with a password. */
export const passwordIdentifiers = ({ signIn }: SignInExperience): IdentifierType[] =>
  signIn.methods.filter(({ password }) => password).map(({ identifier }) => identifier)

/** The addresses that users may sign in with by a code: those that messages reach. */
export const codeIdentifiers = ({ signIn, canMail, canText }: SignInExperience): Address['type'][] =>
  signIn.methods.flatMap(({ identifier, verificationCode }) => {
    if (!verificationCode || identifier === 'username') return []
    return (identifier === 'email' ? canMail : canText) ? [identifier] : []
  })

/** Throws 501 `connector.not_found` where nothing carries messages to addresses of this kind. */
export const assertCarried = ({ canMail, canText }: SignInExperience, type: Address['type']): void => {
  if (!(type === 'email' ? canMail : canText))
    throw new ApiError('connector.not_found', { type: type === 'email' ? 'Email' : 'Sms' })
}

/** The kind of an entered name: the first allowed kind that it can be, an address or a number before a username. */
export const readIdentifier = (text: string, types: readonly IdentifierType[]): Identifier => {
  const order: readonly IdentifierType[] = ['email', 'phone', 'username']
  const candidates = order.filter((type) => types.includes(type)).map((type) => ({ type, value: text }))
  return candidates.find((each) => identifierKey(each) !== undefined) ?? { type: types[0] ?? 'username', value: text }
}

/** An entered identifier as the tenant compares it: with the case of a username if its policy says so. */
export const comparedBy = ({ usernamePolicy }: SignInExperience, identifier: Identifier): Identifier =>
  identifier.type === 'username' && usernamePolicy.caseSensitive ? { ...identifier, isExact: true } : identifier

/** An entered address or number, as one of these kinds; undefined: it can be neither. */
export const readAddress = (text: string, types: readonly Address['type'][]): Address | undefined =>
  types.map((type) => ({ type, value: text })).find((each) => identifierKey(each) !== undefined)

/** Whether accounts can be registered: registration is on, and there is an identifier to register with. */
export const canRegister = ({ signInMode, signUp }: SignInExperience): boolean =>
  signInMode !== 'SignIn' && signUp.identifiers.length > 0

/** Whether accounts can be registered with an identifier of this kind: a code to sign in may register one instead. */
export const mayRegisterBy = (experience: SignInExperience, type: IdentifierType): boolean =>
  canRegister(experience) && experience.signUp.identifiers.includes(type)

/**
 * Throws 422 when the tenant does not offer this. @param how isOther: 403, if an interaction would be switched to it; isInvited: a
 * one-time token registers wherever registration is off, because the operator has created it; isSocial: by an account elsewhere, which
 * needs no identifier to register with
 */
export const assertOffered = (
  experience: SignInExperience,
  event: InteractionEvent,
  how: { readonly isOther?: boolean; readonly isInvited?: boolean; readonly isSocial?: boolean } = {},
): void => {
  const { isOther = false, isInvited = false, isSocial = false } = how
  const mayRegister = isSocial ? experience.signInMode !== 'SignIn' : canRegister(experience)
  const status = isOther ? ({ isOther } as const) : undefined
  if (event === 'SignIn' && experience.signInMode === 'Register')
    throw new ApiError('user.sign_in_method_not_enabled', undefined, status)
  if (event === 'Register' && !isInvited && !mayRegister)
    throw new ApiError('user.sign_up_method_not_enabled', undefined, status)
  if (event === 'ForgotPassword' && !experience.canResetPassword)
    throw new ApiError('session.forgot_password_not_enabled')
}

/** Throws 400 for a username that is invalid, or that the tenant does not allow. */
const assertUsername = (
  value: string,
  { minLength, maxLength, allowedChars }: SignInExperience['usernamePolicy'],
): void => {
  if (value.length < minLength) throw new ApiError('user.username_too_short', { min: minLength })
  if (value.length > maxLength) throw new ApiError('user.username_too_long', { max: maxLength })
  if (!allowedChars.lowercase && /[a-z]/.test(value)) throw new ApiError('user.username_lowercase_not_allowed')
  if (!allowedChars.uppercase && /[A-Z]/.test(value)) throw new ApiError('user.username_uppercase_not_allowed')
  if (!allowedChars.numbers && /\d/.test(value)) throw new ApiError('user.username_numbers_not_allowed')
  if (!allowedChars.underscore && value.includes('_')) throw new ApiError('user.username_underscore_not_allowed')
}

/**
 * A new identifier, as it is stored. Throws 400, for a phone number 422, and 422 `session.email_blocklist.…`. Does not check
 * whether it is taken.
 */
export const newIdentifier = async (
  identifier: Identifier,
  { usernamePolicy, emailBlocklistPolicy }: SignInExperience,
): Promise<Identifier> => {
  const { value } = keepIdentifier(identifier)
  if (identifier.type === 'username') assertUsername(value, usernamePolicy)
  if (identifier.type === 'email') await assertEmailAllowed(value, emailBlocklistPolicy)
  return { type: identifier.type, value }
}

/**
 * Throws 422 `password.rejected` for a password that the tenant's policy refuses, with the issues as its data, as existing
 * clients expect. @param info the user's names
 */
export const assertNewPassword = async (
  { store }: Work,
  password: string,
  { passwordPolicy }: SignInExperience,
  info: UserInfo,
): Promise<void> => {
  const issues = await findPasswordIssues(store, password, passwordPolicy, info)
  // the only error whose data is a list
  if (issues.length > 0) throw new ApiError('password.rejected', issues as unknown as Record<string, unknown>)
}

export const FIELD_OF = { username: 'username', email: 'primaryEmail', phone: 'primaryPhone' } as const
