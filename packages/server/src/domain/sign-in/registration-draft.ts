/** A registration that is entered step by step: what each proof contributes to the new account, what is still needed, and its end. */
import { ApiError } from '../../kernel/api-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { assertEmailAllowed } from '../credentials/email-blocklist.ts'
import type { Draft, VerificationRecord } from './draft.ts'
import { assertFree } from './draft-profile.ts'
import { isProvedBySso, newSsoAccountFrom } from './enterprise-identity.ts'
import type { SignInExperience } from './experience.ts'
import { missingAtIdentification, missingAtSignUp } from './missing-profile.ts'
import { tokenOfRegistration } from './one-time-token-proof.ts'
import { PASSWORD } from './password-proof.ts'
import { completeRegistration, type Registered } from './registration.ts'
import { assertOffered, FIELD_OF } from './rules.ts'
import { AMR_OF, errorOfNeed, FEDERATED, needOf } from './second-factors.ts'
import type { NewSession, ProvedSubmission, Submission } from './sign-in.ts'
import { isSociallyProved, newAccountFrom } from './social-identity.ts'
import { assertNoSsoAddress } from './sso-domains.ts'
import { addedAddressFactors, isProved, verifiedAddress } from './verified-address.ts'

/** RFC 8176. */
export const ONE_TIME_CODE = ['otp'] as const

/** What a record contributes to a new account. Throws 400 `session.verification_failed` if it contributes nothing. */
const accountOf = async (
  unit: Unit,
  draft: Draft,
  record: VerificationRecord,
  experience: SignInExperience,
): Promise<Pick<Draft, 'profile' | 'password' | 'socialAccount' | 'ssoAccount'>> => {
  if (record.type === 'EnterpriseSso') return newSsoAccountFrom(unit, record)
  if (record.type === 'Social') return newAccountFrom(unit, record, experience)
  if (record.type !== 'NewPasswordIdentity') return { profile: verifiedAddress(draft, record, experience) }
  return { profile: { [FIELD_OF[record.identifier.type]]: record.identifier.value }, password: record.password }
}

/** What no program can guess. */
const FROM_ELSEWHERE: ReadonlySet<string | undefined> = new Set(['Social', 'EnterpriseSso'])

/** What lets a user register where registration is closed to others. */
const broughtBy = (draft: Draft) => ({
  isInvited: tokenOfRegistration(draft) !== undefined || draft.ssoAccount !== undefined,
  isSocial: draft.socialAccount !== undefined,
})

interface Demands {
  readonly needsCaptcha: boolean
  readonly mayLack: boolean
}

/**
 * The draft of a registration whose account is to be created from the entered data and from a record. Writes nothing. Throws 422 for what
 * is taken or not allowed, 422 `user.missing_profile`, 400.
 */
export const readyToRegister = async (
  unit: Unit,
  experience: SignInExperience,
  draft: Draft,
  record: VerificationRecord | undefined,
  { needsCaptcha, mayLack }: Demands,
): Promise<Draft> => {
  if (needsCaptcha && !draft.isHuman && !FROM_ELSEWHERE.has(record?.type))
    throw new ApiError('session.captcha_required')
  const brought = record ? await accountOf(unit, draft, record, experience) : { profile: {} }
  const ready = { ...draft, ...brought, profile: { ...draft.profile, ...brought.profile }, isReady: true }
  assertOffered(experience, 'Register', broughtBy(ready))
  const missing = missingAtIdentification(experience, ready)
  if (missing && !mayLack) throw missing
  const { primaryEmail } = brought.profile
  if (primaryEmail && !ready.ssoAccount) {
    await assertEmailAllowed(primaryEmail, experience.emailBlocklistPolicy)
    await assertNoSsoAddress(unit, experience, { type: 'email', value: primaryEmail })
  }
  await assertFree(unit, experience, ready.profile)
  return ready
}

/**
 * What the registration of a draft still needs, as the error that says so; undefined: nothing. Throws 400
 * `session.identifier_not_found` for one that is not ready, and where registration is not offered.
 */
export const neededToRegister = async (
  unit: Unit,
  experience: SignInExperience,
  { interaction: { request } }: Pick<Submission, 'interaction'>,
  draft: Draft,
): Promise<ApiError | undefined> => {
  assertOffered(experience, 'Register', broughtBy(draft))
  if (!draft.isReady) throw new ApiError('session.identifier_not_found')
  const missing = missingAtSignUp(experience, draft)
  if (missing) return missing
  const need = await needOf(unit, experience, { request, draft, user: undefined })
  return need && errorOfNeed(need, undefined)
}

/** How someone who registers proved who they are. */
const amrOfRegistration = (draft: Draft): readonly string[] => {
  if (draft.password) return PASSWORD
  if (tokenOfRegistration(draft)) return ONE_TIME_CODE
  if (draft.socialAccount || draft.ssoAccount) return FEDERATED
  return addedAddressFactors(draft).flatMap((type) => AMR_OF[type])
}

/** Creates the account of a draft that needs nothing more, and signs it in. Throws as completeRegistration. @param admit as countingRegistration gives it */
export const registerReady = (
  unit: Unit<Registered>,
  submission: ProvedSubmission,
  draft: Draft,
  experience: SignInExperience,
  admit: () => void,
): Promise<NewSession> => {
  admit()
  const token = tokenOfRegistration(draft)
  const isVerified = (type: 'email' | 'phone') => isProved(draft, type) || isSociallyProved(draft, type)
  const account = {
    fields: draft.profile,
    password: draft.password,
    amr: amrOfRegistration(draft),
    verified: {
      email: isVerified('email') || isProvedBySso(draft) || token !== undefined,
      phone: isVerified('phone'),
    },
    organizationIds: token?.context.jitOrganizationIds,
    draft,
  }
  return completeRegistration(unit, submission, account, experience)
}
