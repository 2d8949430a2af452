/** What an account must not lose (DECISIONS T4, T6): the last way to sign in, a second factor or an identifier that is required. */
import { ApiError } from '../../kernel/api-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { type Factor, factorsOf } from '../factors/factors.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { isMandatory } from '../sign-in/mfa-policy.ts'
import { missingAtSignIn } from '../sign-in/missing-profile.ts'
import { isWantedByOrganization, ownAmong } from '../sign-in/second-factors.ts'
import { canSignIn, type WaysOfAccount } from '../sign-in/ways-to-sign-in.ts'
import type { UserRow } from '../users/rows.ts'
import { ssoIdentitiesOf } from '../users/sso-identities.ts'

/** Logto's names for what is required. */
const REQUIRED = {
  username: 'user.username_required',
  email: 'user.email_required',
  phone: 'user.phone_required',
  emailOrPhone: 'user.email_or_phone_required',
} as const
const isNamed = (name: string): name is keyof typeof REQUIRED => Object.hasOwn(REQUIRED, name)

/** Throws 422 `user.missing_mfa` for a user who must have a second factor: of the tenant, or of an organization of theirs. */
const assertNotRequired = async (unit: Unit, { mfa }: SignInExperience, userId: string): Promise<void> => {
  const { factors, policy, organizationRequiredMfaPolicy } = mfa
  const isRequired =
    isMandatory(policy) ||
    (organizationRequiredMfaPolicy === 'Mandatory' && (await isWantedByOrganization(unit, userId)))
  if (isRequired) throw new ApiError('user.missing_mfa', { availableFactors: factors, skippable: false })
}

/**
 * Throws 422 if a change takes from a locked user the last way to sign in (`user.last_sign_in_method_required`), an identifier
 * without which the next sign-in would ask for one (`user.username_required` and the like), or the last second factor where one is
 * required (`user.missing_mfa`): addresses are factors too. A user who lacked it before loses nothing.
 * @param factors without those that the change removes
 */
export const assertNothingVital = async (
  unit: Unit,
  before: UserRow,
  change: Partial<WaysOfAccount>,
  experience: SignInExperience,
  factors?: readonly Factor[],
): Promise<void> => {
  const { tx, tenant } = unit
  const [present, ssoIdentities] = [
    await factorsOf(tx, tenant.id, before.id),
    await ssoIdentitiesOf(tx, tenant.id, before.id),
  ]
  const hasSsoIdentity = ssoIdentities.length > 0
  const after = { ...before, ...change }
  const second = (rows: readonly Factor[], user: UserRow) => ownAmong(rows, user, experience, undefined)
  if (second(present, before).length > 0 && second(factors ?? present, after).length === 0)
    await assertNotRequired(unit, experience, before.id)
  if (
    canSignIn(before, { factors: present, hasSsoIdentity }, experience) &&
    !canSignIn(after, { factors: factors ?? present, hasSsoIdentity }, experience)
  )
    throw new ApiError('user.last_sign_in_method_required')
  const lackedBefore = [...missingAtSignIn(experience, before)]
  // a sign-in at the company asks for no password (DECISIONS P6)
  if (experience.singleSignOnEnabled && hasSsoIdentity) lackedBefore.push('password')
  const missing = missingAtSignIn(experience, after).find((name) => !lackedBefore.includes(name))
  if (missing === undefined) return
  throw new ApiError(isNamed(missing) ? REQUIRED[missing] : 'user.last_sign_in_method_required')
}
