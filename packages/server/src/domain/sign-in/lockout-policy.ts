/** The tenant's lockout settings, for lockout.ts. */
import type { Work } from '../../storage/unit-of-work.ts'
import { mayTellOfUnknown } from '../credentials/address-failures.ts'
import type { LockoutPolicy } from '../credentials/lockout.ts'
import type { SignInExperience } from './experience.ts'

export const lockoutPolicy = (
  work: Work,
  { sentinelPolicy: { maxAttempts, lockoutDuration }, usernamePolicy }: SignInExperience,
): LockoutPolicy => ({
  maxAttempts,
  lockSeconds: lockoutDuration * 60,
  hasExactNames: usernamePolicy.caseSensitive,
  mayTellUnknown: () => mayTellOfUnknown(work),
})
