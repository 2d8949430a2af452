/** The password as a proof of who the user is: the check, its limits and its lockout are those of sign-in (SECURITY R-28). */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { type PasswordProof, provePassword, redeemProof } from '../sign-in/password-proof.ts'
import { accountOf, getUser } from '../users/rows.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import { type Begun, beginVerification } from './verifications.ts'

const proved = operation(
  ['Identifier.Lockout'],
  async (unit, holder: AccountHolder, proof: PasswordProof): Promise<Begun> => {
    const { evidence } = await redeemProof(unit, proof)
    await lockHolder(unit, holder)
    return beginVerification(unit, holder, {
      type: 'Password',
      purpose: 'Proof',
      state: { evidence },
      isVerified: true,
    })
  },
)

/**
 * Verifies the password of the holder. Throws 422 `session.invalid_credentials`, also for a user without one, 400
 * `session.verification_blocked_too_many_attempts`, 429 `request.rate_limited`, 503 when too many passwords are being checked.
 */
export const verifyOwnPassword = async (
  work: Work,
  holder: AccountHolder,
  experience: SignInExperience,
  password: string,
): Promise<Begun> => {
  const { store, tenant } = work
  const user = await getUser(store, tenant, holder.userId)
  const [identifier] = accountOf(user, experience.usernamePolicy.caseSensitive).identifiers
  if (!identifier) throw new ApiError('session.invalid_credentials')
  const proof = await provePassword(work, experience, identifier, password)
  // the name went to another user in the meantime
  if (proof.userId !== holder.userId) throw new ApiError('session.invalid_credentials')
  return perform(work, proved, holder, proof)
}
