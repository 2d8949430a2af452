/** Self-registration (DECISIONS K1, L1): an account, a session, and the events of both. Pages and API both end here. */
import { ApiError } from '../kernel/api-error.ts'
import { operation, perform, type Unit, type Work } from '../storage/unit-of-work.ts'
import type { DraftFields } from './draft.ts'
import { PASSWORD } from './password-proof.ts'
import { hashPassword, type StoredPassword } from './passwords.ts'
import { interactionFields, type PasswordAttempt, type Submission, startSessionOf } from './sign-in.ts'
import { assertNewPassword, assertOffered, FIELD_OF, newIdentifier, readIdentifier } from './sign-in-rules.ts'
import { userEntity } from './user-rows.ts'
import { createUserRow } from './users.ts'

/** What an account is made of. */
export interface NewAccount {
  readonly fields: DraftFields
  readonly password: StoredPassword | undefined
  /** How the user proved who they are; RFC 8176. */
  readonly amr: readonly string[]
}

/** Makes the account and signs it in; returns the secret of the session. Throws 422 when an identifier is somebody's. */
export const completeRegistration = async (
  unit: Unit<'PostRegister' | 'User.Created'>,
  submission: Submission,
  { fields, password, amr }: NewAccount,
): Promise<string> => {
  const { interaction } = submission
  const user = await createUserRow(unit, fields, password, interaction.request.clientId)
  unit.emit('User.Created', { data: userEntity(user) })
  const secret = await startSessionOf(unit, submission, { userId: user.id, amr }, 'Register')
  unit.emit('PostRegister', interactionFields(unit, interaction, 'Register', user))
  return secret
}

const registered = operation(
  ['PostRegister', 'User.Created'],
  (unit, submission: Submission, account: NewAccount): Promise<string> =>
    completeRegistration(unit, submission, account),
)

/**
 * Registers and signs in, in one step as the page does; returns the secret of the session. Whether an address is theirs is
 * not asked. Throws 400 and 422 `user.…` for the identifier, 422 `password.rejected`, 503.
 */
export const registerWithPassword = async (work: Work, attempt: PasswordAttempt): Promise<string> => {
  const { experience, identifier: typed, password } = attempt
  assertOffered(experience, 'Register')
  if (!experience.signUp.password) throw new ApiError('user.sign_up_method_not_enabled')
  const { type, value } = newIdentifier(readIdentifier(typed, experience.signUp.identifiers), experience)
  assertNewPassword(password, experience, [value])
  const account = { fields: { [FIELD_OF[type]]: value }, password: await hashPassword(password), amr: PASSWORD }
  return perform(work, registered, attempt, account)
}
