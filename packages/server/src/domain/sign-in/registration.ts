/** Self-registration (DECISIONS K1, L1): an account, a session, and the events of both. Pages and API both end here. */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { countRegistration } from '../credentials/address-failures.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import { hashPassword, type StoredPassword } from '../credentials/passwords.ts'
import { rememberSignIn } from '../factors/familiarity.ts'
import { provision } from '../organizations/just-in-time.ts'
import { identityOf } from '../users/identities.ts'
import { userEntity } from '../users/rows.ts'
import { createUserRow } from '../users/users.ts'
import { applicationIdOf } from './account-pages-sign-in.ts'
import { surroundingsOf } from './adaptive-mfa.ts'
import { sendVerificationCode } from './code-proof.ts'
import type { Draft, DraftFields } from './draft.ts'
import { assertFree, type Step, TAKEN } from './draft-profile.ts'
import { claimSso } from './enterprise-identity.ts'
import { recordSsoSession } from './enterprise-sessions.ts'
import { remembersSignIns, type SignInExperience } from './experience.ts'
import { emptyDraft } from './interaction-drafts.ts'
import { interactionFields } from './interaction-fields.ts'
import { advanceInteraction, lockInteraction } from './interactions.ts'
import { missingAtSignUp, mustVerify } from './missing-profile.ts'
import { keepFactors } from './new-factors.ts'
import { PASSWORD } from './password-proof.ts'
import { assertNewPassword, assertOffered, FIELD_OF, newIdentifier, readIdentifier } from './rules.ts'
import { amrWith, errorOfNeed, needOf } from './second-factors.ts'
import {
  endingOf,
  type NewSession,
  type PasswordAttempt,
  type ProvedSubmission,
  type SignedIn,
  startSessionOf,
} from './sign-in.ts'
import { claimSocial } from './social-identity.ts'
import { assertNoSsoAddress } from './sso-domains.ts'
import { recordOfPage } from './submitted-records.ts'

/** The data of a new account. */
export interface NewAccount {
  readonly fields: DraftFields
  readonly password: StoredPassword | undefined
  /** How the user proved who they are; RFC 8176. */
  readonly amr: readonly string[]
  /** What the user has verified in this interaction. */
  readonly verified: { readonly email: boolean; readonly phone: boolean }
  /** The organizations that the user joins besides those of their address. */
  readonly organizationIds?: readonly string[] | undefined
  /** With the factors that were set up. */
  readonly draft?: Draft
}

const TAKEN_CODES: ReadonlySet<string> = new Set(Object.values(TAKEN))

/** The events of a registration. */
export type Registered = 'PostRegister' | 'User.Created' | 'Organization.Membership.Updated' | 'Grant.LimitExceeded'

/**
 * Creates the account and signs it in; returns its secrets. An interaction creates one account: of
 * several submissions one succeeds, whether simultaneous or later; the others throw 400 `session.not_found`. Throws 422
 * when another account has an identifier, 400 `session.verification_failed` for an address that had to be verified and
 * was not.
 */
export const completeRegistration = async (
  unit: Unit<Registered>,
  submission: ProvedSubmission,
  { fields, password, amr, verified, organizationIds, draft }: NewAccount,
  experience: SignInExperience,
): Promise<NewSession> => {
  const { interaction, surroundings } = submission
  const { hasRegistered } = await lockInteraction(unit, interaction.id)
  if (hasRegistered) throw new ApiError('session.not_found')
  const isUnproved = (type: 'email' | 'phone') =>
    Boolean(fields[FIELD_OF[type]]) && !verified[type] && mustVerify(experience, type)
  if (isUnproved('email') || isUnproved('phone')) throw new ApiError('session.verification_failed')
  const social = draft?.socialAccount
  const sso = draft?.ssoAccount
  const identities = social ? { [social.target]: identityOf(social.account) } : {}
  const user = await createUserRow(unit, fields, password, applicationIdOf(interaction.request), verified, identities)
  if (draft) await claimSocial(unit, draft, user.id)
  if (draft) await claimSso(unit, draft, user.id)
  unit.emit('User.Created', { data: userEntity(user) })
  await provision(unit, user, organizationIds, sso)
  if (draft) await keepFactors(unit, user, draft)
  const identified = { userId: user.id, amr: draft ? amrWith(amr, draft, user.id) : amr }
  const started = await startSessionOf(unit, submission, identified, 'Register')
  if (sso) recordSsoSession(unit, started.sessionId, sso)
  unit.emit('PostRegister', interactionFields(unit, interaction, 'Register', user))
  const isRemembered = remembersSignIns(experience)
  const device = isRemembered ? rememberSignIn(unit, user.id, submission.device, surroundings?.place) : undefined
  const authorized = await endingOf(unit, submission, started)
  return { secret: started.secret, ...(device === undefined ? {} : { device }), ...authorized }
}

const registered = operation(
  ['PostRegister', 'User.Created', 'Organization.Membership.Updated', 'Grant.LimitExceeded'],
  async (
    unit,
    submission: ProvedSubmission,
    account: NewAccount,
    experience: SignInExperience,
    isHuman: boolean,
  ): Promise<SignedIn> => {
    const { id, request } = submission.interaction
    const { fields: profile, password } = account
    const entered = { profile, ...(password ? { password } : {}), ...(isHuman ? { isHuman } : {}) }
    const draft = { ...emptyDraft('Register'), ...entered, isReady: true }
    const need = await needOf(unit, experience, { request, draft, user: undefined })
    const needed = missingAtSignUp(experience, draft) ?? (need && errorOfNeed(need, undefined))
    if (!needed) return completeRegistration(unit, submission, account, experience)
    await assertFree(unit, experience, profile)
    const { hasRegistered } = await lockInteraction(unit, id)
    if (hasRegistered) throw new ApiError('session.not_found')
    await advanceInteraction(unit, id, { draft })
    return { needed }
  },
)

/**
 * Does work that may register an account, which is then counted by address; so is the result that an identifier is
 * taken, and nothing else. `admit` throws 429 `request.rate_limited`; it may be called more than once.
 */
export const countingRegistration = async <T>(work: Work, register: (admit: () => void) => Promise<T>): Promise<T> => {
  let takeBack: (() => void) | undefined
  try {
    return await register(() => {
      takeBack ??= countRegistration(work)
    })
  } catch (error) {
    if (!(error instanceof ApiError && TAKEN_CODES.has(error.code))) takeBack?.()
    throw error
  }
}

/** The entered data, as it is stored. Throws 400 and 422 `user.…` for the identifier, 422 `password.rejected`. */
const chosen = async (
  work: Work,
  experience: SignInExperience,
  typed: string,
  password: string | undefined,
): Promise<Identifier> => {
  assertOffered(experience, 'Register')
  if (experience.signUp.password !== (password !== undefined)) throw new ApiError('user.sign_up_method_not_enabled')
  const identifier = await newIdentifier(readIdentifier(typed, experience.signUp.identifiers), experience)
  await assertNoSsoAddress({ tx: work.store.database.kysely, tenant: work.tenant }, experience, identifier)
  if (password !== undefined) await assertNewPassword(work, password, experience, [identifier.value])
  return identifier
}

/**
 * Registers and signs in, in one step as the page does. Where a factor has to be set up the interaction keeps what was chosen
 * until that is done. Whether an address is theirs is not asked: where it has to be, throws 400
 * `session.verification_failed`. Throws as `chosen`, 429 `request.rate_limited`, 503.
 */
export const registerWithPassword = async ({ work, isHuman }: Step, attempt: PasswordAttempt): Promise<SignedIn> => {
  const { experience, identifier: typed, password } = attempt
  const { type, value } = await chosen(work, experience, typed, password)
  return countingRegistration(work, async (admit) => {
    admit()
    const account = {
      fields: { [FIELD_OF[type]]: value },
      password: await hashPassword(password),
      amr: PASSWORD,
      verified: { email: false, phone: false },
    }
    const verificationRecords = [recordOfPage('NewPasswordIdentity', { type, value })]
    const surroundings = surroundingsOf(work)
    return perform(work, registered, { ...attempt, surroundings, verificationRecords }, account, experience, isHuman)
  })
}

const registrationBegun = operation(
  [],
  async (unit, interactionId: string, password: StoredPassword | undefined, isHuman: boolean): Promise<void> => {
    await lockInteraction(unit, interactionId)
    const draft = { ...emptyDraft('Register'), ...(password ? { password } : {}), ...(isHuman ? { isHuman } : {}) }
    await advanceInteraction(unit, interactionId, { draft })
  },
)

/**
 * Starts a registration whose address or number has to be verified: stores the password, if sign-up asks for one, and
 * sends a code, whether or not an account has the address, so that only its recipient learns which. Throws as `chosen`
 * and sendVerificationCode.
 */
export const beginRegistration = async (step: Step, typed: string, password: string | undefined): Promise<void> => {
  const { work, interactionId, experience, isHuman } = step
  const { type, value } = await chosen(work, experience, typed, password)
  if (type === 'username') throw new ApiError('user.sign_up_method_not_enabled')
  const stored = password === undefined ? undefined : await hashPassword(password)
  await perform(work, registrationBegun, interactionId, stored, isHuman)
  await sendVerificationCode(step, 'Register', { type, value })
}
