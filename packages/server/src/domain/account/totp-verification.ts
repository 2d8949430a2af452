/** The authenticator app as a proof of who the user is, with the limits that it has as a second factor (DECISIONS T2, O1). */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import type { LockoutPolicy } from '../credentials/lockout.ts'
import { findTotp, useTotpCode } from '../factors/totp.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { counted, guess, INVALID_TOTP } from '../sign-in/factor-proof.ts'
import { lockoutPolicy } from '../sign-in/lockout-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import { type Begun, beginVerification } from './verifications.ts'

const totpProved = operation(
  [],
  async (unit, holder: AccountHolder, code: string, policy: LockoutPolicy): Promise<Begun> => {
    const { id: userId } = await lockHolder(unit, holder)
    const use = async () => useTotpCode(unit, await findTotp(unit, userId), code)
    const factorId = await guess(unit, 'totp', userId, policy, new ApiError(INVALID_TOTP), use)
    unit.note({ factor: 'Totp' })
    return beginVerification(unit, holder, { type: 'Totp', purpose: 'Proof', state: { factorId }, isVerified: true })
  },
)

/**
 * Verifies a code of the user's app. Throws 400 `session.mfa.invalid_totp_code`, also for a user without one, and
 * `session.verification_blocked_too_many_attempts`; 429.
 */
export const verifyOwnTotp = (
  work: Work,
  holder: AccountHolder,
  experience: SignInExperience,
  code: string,
): Promise<Begun> =>
  counted(
    { work },
    (error) => error === INVALID_TOTP,
    () => perform(work, totpProved, holder, code.trim(), lockoutPolicy(work, experience)),
  )
