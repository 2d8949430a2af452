/** The steps of the Experience API that identify the user, and the one that submits the interaction. */
import { ApiError } from '../../kernel/api-error.ts'
import { operation, perform, Refusal, type Unit, type Work } from '../../storage/unit-of-work.ts'
import type { Factor } from '../factors/factors.ts'
import { isTokenFor } from '../issued/one-time-tokens.ts'
import { columnsOf, type UserColumns } from '../users/fields.ts'
import { findUserByIdentifier, getUser, type UserRow } from '../users/rows.ts'
import { assessed, surroundingsOf } from './adaptive-mfa.ts'
import type { Address, Draft, EnterpriseSsoRecord, Identified, SocialRecord, VerificationRecord } from './draft.ts'
import { assertNoEmail, assertNoPhone } from './draft-profile.ts'
import { claimSso, recognizeSso, ssoChanges } from './enterprise-identity.ts'
import { remembersSignIns, type SignInExperience } from './experience.ts'
import { changeDraft, isEnterprise, lockDraft, recordOf } from './interaction-drafts.ts'
import { advanceInteraction, type Interaction } from './interactions.ts'
import type { NeededFactor } from './mfa-policy.ts'
import { assertPasswordCurrent } from './password-expiration.ts'
import { lockIdentified, PASSWORD } from './password-proof.ts'
import { completePasswordReset } from './password-reset.ts'
import { countingRegistration } from './registration.ts'
import { neededToRegister, ONE_TIME_CODE, readyToRegister, registerReady } from './registration-draft.ts'
import { assertOffered } from './rules.ts'
import { AMR_OF, factorRows, needOf, provedBy, provesOwnDevice, withoutLost } from './second-factors.ts'
import { completeSignIn, type Needed, type NewSession, neededAtSignIn, type Submission } from './sign-in.ts'
import { claimSocial, type Recognition, recognize, socialChanges } from './social-identity.ts'
import { assertNoSsoUser } from './sso-domains.ts'
import { shownRecord } from './submitted-records.ts'
import { isProved, markVerified } from './verified-address.ts'

/** What one has, and what one is or knows: the authenticator has asked for it. */
const PASSKEY = ['hwk', 'user', 'mfa'] as const

/** The user whom a record identifies. Throws 400 `session.verification_failed` if it identifies none. */
const identifiedBy = async (
  { tx, tenant }: Unit,
  { interactionEvent }: Draft,
  record: VerificationRecord,
): Promise<Identified> => {
  switch (record.type) {
    case 'Password':
      return { userId: record.userId, amr: PASSWORD, evidence: record.evidence }
    case 'EmailVerificationCode':
    case 'PhoneVerificationCode': {
      // a code that was sent to register signs no user in (SECURITY R-27)
      if (!record.verified || record.templateType !== interactionEvent)
        throw new ApiError('session.verification_failed')
      const user = await findUserByIdentifier(tx, tenant.id, record.identifier)
      // the owner of an address may know that no account has it
      if (!user) throw new ApiError('user.user_not_exist')
      return { userId: user.id, amr: AMR_OF[record.type], identifier: record.identifier }
    }
    case 'OneTimeToken': {
      if (!isTokenFor(record.context, interactionEvent)) throw new ApiError('session.verification_failed')
      const user = await findUserByIdentifier(tx, tenant.id, record.identifier)
      if (!user) throw new ApiError('user.user_not_exist')
      const organizationIds = record.context.jitOrganizationIds ?? []
      return { userId: user.id, amr: ONE_TIME_CODE, identifier: record.identifier, organizationIds }
    }
    case 'SignInPasskey':
      if (!record.verified || record.userId === undefined || interactionEvent !== 'SignIn')
        throw new ApiError('session.verification_failed')
      return { userId: record.userId, amr: PASSKEY, ...(record.factorId ? { factorId: record.factorId } : {}) }
    // by `recognize` and `recognizeSso`, which also say whose it becomes
    case 'Social':
    case 'EnterpriseSso':
    // a second factor alone signs no one in
    case 'NewPasswordIdentity':
    case 'Totp':
    case 'BackupCode':
    case 'WebAuthn':
    case 'MfaEmailVerificationCode':
    case 'MfaPhoneVerificationCode':
      throw new ApiError('session.verification_failed')
  }
}

/** How a user is to be identified. */
interface Identification {
  /** Whether a registration needs a captcha. */
  readonly needsCaptcha?: boolean
  /** Whether the user wants an account at a provider joined with the one that has its address. */
  readonly isLinkWanted?: boolean
}

/** Who signs in by an account elsewhere. Throws as recognize and recognizeSso. @param isLinkWanted see Identification */
export const recognizeElsewhere = async (
  unit: Unit,
  record: SocialRecord | EnterpriseSsoRecord,
  experience: SignInExperience,
  isLinkWanted: boolean,
): Promise<Recognition> =>
  record.type === 'Social'
    ? recognize(unit, record, experience, isLinkWanted)
    : { recognized: await recognizeSso(unit, record) }

/**
 * The user whom an interaction is about to name, locked. Throws 409 `session.identity_conflict`, and as lockIdentified.
 * @param locked their row, where the unit has locked it already
 */
export const lockNamed = async (
  unit: Unit,
  draft: Draft,
  identified: Identified,
  locked?: UserRow,
): Promise<UserRow> => {
  if (draft.identified && draft.identified.userId !== identified.userId) throw new ApiError('session.identity_conflict')
  unit.note({ userId: identified.userId })
  return lockIdentified(unit, identified, locked)
}

/**
 * Identifies the user who signs in by a record of this interaction, or, at registration, confirms that the account is
 * to be created from the entered data. Throws 404 `session.verification_session_not_found`, `user.identity_not_exist`, 409
 * `session.identity_conflict`, 401 `user.suspended` …
 */
export const identify = operation(
  [],
  async (
    unit,
    interactionId: string,
    experience: SignInExperience,
    recordId?: string,
    { needsCaptcha = false, isLinkWanted = false }: Identification = {},
  ): Promise<Draft> =>
    changeDraft(unit, interactionId, async (draft) => {
      if (draft.interactionEvent !== 'Register') assertOffered(experience, draft.interactionEvent)
      const record = recordId === undefined ? undefined : recordOf(draft, recordId)
      if (draft.interactionEvent === 'Register')
        return readyToRegister(unit, experience, draft, record, { needsCaptcha, mayLack: false })
      if (!record) throw new ApiError('session.verification_session_not_found')
      const { recognized, locked }: Recognition =
        record.type === 'Social' || record.type === 'EnterpriseSso'
          ? await recognizeElsewhere(unit, record, experience, isLinkWanted)
          : { recognized: { identified: await identifiedBy(unit, draft, record) } }
      const { identified } = recognized
      const user = await lockNamed(unit, draft, identified, locked)
      if (record.type !== 'EnterpriseSso') await assertNoSsoUser(unit, experience, user)
      if (identified.evidence !== undefined) assertPasswordCurrent(user, experience, unit.now)
      return { ...draft, ...recognized }
    }),
)

/** What a user who signs in has entered. @param before their row @param now when an address was verified, if one was */
const userChanges = (draft: Draft, before: UserRow, now: Date): UserColumns => {
  const { profile, password } = draft
  const verifiedAt = (type: 'email' | 'phone') => (isProved(draft, type) ? now : null)
  return {
    ...columnsOf({
      ...profile,
      ...(profile.profile ? { profile: { ...before.profile, ...profile.profile } } : {}),
      ...(profile.customData ? { customData: { ...before.custom_data, ...profile.customData } } : {}),
    }),
    ...(profile.primaryEmail === undefined ? {} : { email_verified_at: verifiedAt('email') }),
    ...(profile.primaryPhone === undefined ? {} : { phone_verified_at: verifiedAt('phone') }),
    ...(password
      ? {
          password_hash: password.hash,
          password_algorithm: password.algorithm,
          password_updated_at: now,
          is_password_expired: false,
        }
      : {}),
  }
}

/** The addresses of a user that codes have verified on the way are verified. Returns whether the email address is now. */
const markProved = async (unit: Unit, draft: Draft, identified: Identified, user: UserRow): Promise<boolean> => {
  const factors = draft.verificationRecords.flatMap((record) =>
    provedBy(record, user.id) !== undefined && 'identifier' in record ? [record.identifier as Address] : [],
  )
  const proved = new Map(
    [...factors, ...(identified.identifier ? [identified.identifier] : [])].map((each) => [each.type, each]),
  )
  const email = proved.get('email')
  const phone = proved.get('phone')
  if (phone && user.phone_verified_at === null) await markVerified(unit, user.id, phone)
  return email !== undefined && user.email_verified_at === null && markVerified(unit, user.id, email)
}

/** What second factor the interaction needs proved or set up now, for a page to ask for it; undefined: none. */
export const findNeed = async (
  { store, tenant }: Work,
  { request }: Interaction,
  draft: Draft,
  experience: SignInExperience,
  device: string | undefined,
): Promise<NeededFactor | undefined> => {
  const { identified, interactionEvent, isReady } = draft
  if (interactionEvent === 'SignIn' ? !identified : !isReady) return undefined
  if (draft.needed) return draft.needed
  const user = identified && (await getUser(store, tenant, identified.userId))
  const now = store.clock.now()
  return needOf({ tx: store.database.kysely, tenant }, experience, { request, draft, user, device, now })
}

/** What the events of a sign-in are. */
export const SIGN_IN_EVENTS = [
  'PostSignIn',
  'PostSignInAdaptiveMfaTriggered',
  'User.Data.Updated',
  'Organization.Membership.Updated',
  'TrustedDevice.Created',
  'Grant.LimitExceeded',
] as const

interface ToSignIn {
  readonly draft: Draft
  readonly identified: Identified
  /** Locked by the caller, like the interaction. */
  readonly user: UserRow
  /** Of their factors. */
  readonly rows: readonly Factor[]
}

/** Signs in a user who was identified, with what they proved and entered, or says what is still needed: then nothing was written but the event of adaptive MFA. */
export const signInWith = async (
  unit: Unit<(typeof SIGN_IN_EVENTS)[number]>,
  submission: Submission,
  experience: SignInExperience,
  { draft: entered, identified, user, rows }: ToSignIn,
): Promise<NewSession | Needed> => {
  const held = withoutLost(entered, rows)
  const draft = isEnterprise(held) ? held : await assessed(unit, experience, submission, user, held)
  const proved = { ...submission, verificationRecords: draft.verificationRecords.map(shownRecord) }
  if (identified.evidence !== undefined) assertPasswordCurrent(user, experience, unit.now)
  if (draft.profile.username !== undefined && user.username !== null)
    throw new ApiError('user.username_exists_in_profile')
  if (draft.profile.primaryEmail !== undefined) assertNoEmail(user)
  if (draft.profile.primaryPhone !== undefined) assertNoPhone(user)
  if (draft.password && user.password_hash !== null) throw new ApiError('user.password_exists_in_profile')
  const changes = { ...userChanges(draft, user, unit.now), ...socialChanges(draft, user), ...ssoChanges(draft, user) }
  const { request } = submission.interaction
  const needed = await neededAtSignIn(
    unit,
    experience,
    { request, draft, user, rows, device: submission.device },
    changes,
  )
  if (needed) return draft === held ? needed : { ...needed, draft }
  await claimSocial(unit, draft, user.id)
  await claimSso(unit, draft, user.id)
  // a backup code is for a device that is not one's own
  const mayTrust = experience.trustedDevice.enabled && provesOwnDevice(draft, user.id)
  const trustDays = mayTrust ? experience.trustedDevice.durationDays : undefined
  const isEmailVerified = await markProved(unit, draft, identified, user)
  const isRemembered = remembersSignIns(experience)
  const entries = { changes, draft, trustDays, isEmailVerified, isRemembered }
  return completeSignIn(unit, proved, identified, user, entries)
}

const submitted = operation(
  ['PostRegister', 'PostResetPassword', 'User.Created', ...SIGN_IN_EVENTS],
  async (
    unit,
    submission: Submission,
    experience: SignInExperience,
    admitRegistration: () => void,
  ): Promise<NewSession | undefined> => {
    const draft = await lockDraft(unit, submission.interaction.id)
    unit.note({ interactionEvent: draft.interactionEvent })
    const proved = { ...submission, verificationRecords: draft.verificationRecords.map(shownRecord) }
    if (draft.interactionEvent === 'Register') {
      const needed = await neededToRegister(unit, experience, submission, draft)
      if (needed) throw needed
      return registerReady(unit, proved, draft, experience, admitRegistration)
    }
    assertOffered(experience, draft.interactionEvent)
    const { identified } = draft
    if (!identified) throw new ApiError('session.identifier_not_found')
    if (draft.interactionEvent === 'ForgotPassword') {
      if (!draft.password) throw new ApiError('user.new_password_required_in_profile')
      await completePasswordReset(unit, submission.interaction, identified, draft.password)
      return undefined
    }
    const [user, rows] = await Promise.all([
      lockIdentified(unit, identified),
      factorRows(unit, experience, identified.userId),
    ])
    const signedIn = await signInWith(unit, submission, experience, { draft, identified, user, rows })
    if (!('error' in signedIn)) return signedIn
    if (!signedIn.draft) throw signedIn.error
    // that it is unusual was told, and is not told again
    await advanceInteraction(unit, submission.interaction.id, { draft: signedIn.draft })
    throw new Refusal(signedIn.error)
  },
)

/**
 * Submits: signs in, registers, or sets a new password. Of several simultaneous submissions one succeeds; the others
 * find nothing to submit. Returns the secret of the session, undefined after a password was reset. An account that is
 * registered counts for the caller's address: throws 429 `request.rate_limited`.
 */
export const submitInteraction = (
  work: Work,
  submission: Submission,
  experience: SignInExperience,
): Promise<NewSession | undefined> =>
  countingRegistration(work, (admit) =>
    perform(work, submitted, { ...submission, surroundings: surroundingsOf(work) }, experience, admit),
  )
