/** The end of a sign-in (DECISIONS L1): the session and its events. Pages and the Experience API both end here. */

import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Place } from '../../kernel/places.ts'
import { fixedStatement, type Given } from '../../storage/fixed-statement.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import type { Factor } from '../factors/factors.ts'
import { isUnfamiliar, rememberSignIn } from '../factors/familiarity.ts'
import { markUsed, mayTrust, trustDevice } from '../factors/trusted-devices.ts'
import { provision } from '../organizations/just-in-time.ts'
import { startSession } from '../sessions/sessions.ts'
import type { UserColumns } from '../users/fields.ts'
import { nameRule } from '../users/name-rule.ts'
import { tellOfAddresses, tellOwner } from '../users/owner-notices.ts'
import { type UserRow, userEntity } from '../users/rows.ts'
import { applicationIdOf } from './account-pages-sign-in.ts'
import { assessed, surroundingsOf } from './adaptive-mfa.ts'
import { type Authorized, type Ending, type FinishedAuthorization, finishAtSignIn } from './authorization.ts'
import type { Draft, Identified } from './draft.ts'
import { recordSsoSession } from './enterprise-sessions.ts'
import { remembersSignIns, type SignInExperience } from './experience.ts'
import { emptyDraft, isEnterprise, withRecord } from './interaction-drafts.ts'
import { interactionFields } from './interaction-fields.ts'
import { type AuthorizationRequest, advanceInteraction, type Interaction } from './interactions.ts'
import type { NeededFactor } from './mfa-policy.ts'
import { missingAtSignIn } from './missing-profile.ts'
import { keepFactors } from './new-factors.ts'
import { assertPasswordCurrent } from './password-expiration.ts'
import { lockIdentified, PASSWORD, type PasswordProof, provePassword, redeemProof } from './password-proof.ts'
import { assertOffered, passwordIdentifiers, readIdentifier } from './rules.ts'
import { amrWith, errorOfNeed, factorRows, needOf } from './second-factors.ts'
import { assertNoSsoAddress, assertNoSsoUser } from './sso-domains.ts'
import { recordOfPage, type SubmittedRecord } from './submitted-records.ts'
import type { Surroundings } from './unusual.ts'

/** The browser in which something is submitted. */
export interface Submission {
  readonly interaction: Interaction
  /** The secret of the browser's session, if it already has one. */
  readonly previousSecret: string | undefined
  /** The secret of the device, if one has been trusted before. */
  readonly device?: string | undefined
  /** What is seen of the caller, for adaptive MFA. */
  readonly surroundings?: Surroundings
  /** Where a code may end the authorization request together with the sign-in. */
  readonly ending?: Ending | undefined
}

/** What is submitted, with what was verified before. */
export interface ProvedSubmission extends Submission {
  readonly verificationRecords: readonly SubmittedRecord[]
}

export interface PasswordAttempt extends Submission {
  readonly experience: SignInExperience
  /** As it was typed. */
  readonly identifier: string
  readonly password: string
}

/** A session, and how it goes on. */
interface StartedSession {
  readonly sessionId: string
  /** For the cookie. */
  readonly secret: string
  /** The caller finishes the request with a code: `endingOf`. Undefined: the interaction goes on. */
  readonly finished: FinishedAuthorization | undefined
}

/**
 * Creates a session for the user and records the sign-in in the interaction, which the caller has locked, unless the
 * interaction ends with it.
 */
export const startSessionOf = async (
  unit: Unit,
  { interaction, previousSecret, verificationRecords, surroundings, ending }: ProvedSubmission,
  { userId, amr }: Identified,
  interactionEvent: 'SignIn' | 'Register',
): Promise<StartedSession> => {
  const applicationId = applicationIdOf(interaction.request)
  const { session, secret } = await startSession(unit, {
    userId,
    amr,
    applicationId,
    interactionEvent,
    previousSecret,
    verificationRecords,
    place: surroundings?.place,
  })
  unit.note({ userId, ...(applicationId === null ? {} : { applicationId }) })
  const { id: sessionId } = session
  const finished = ending?.decide(session)
  if (finished) return { sessionId, secret, finished }
  // another user's consent in this interaction does not count, and what was submitted cannot be submitted again
  const change = {
    signedInSession: session.id,
    consented: undefined,
    draft: undefined,
    ...(interactionEvent === 'Register' ? { hasRegistered: true } : {}),
  }
  unit.send(advanceInteraction(unit, interaction.id, change))
  return { sessionId, secret, finished: undefined }
}

/** The last step of a sign-in whose request it ends: the code, if it does. Throws as finishAtSignIn. */
export const endingOf = async (
  unit: Unit<'Grant.LimitExceeded'>,
  { ending }: Submission,
  { finished }: StartedSession,
): Promise<{ readonly authorized?: Authorized }> =>
  ending && finished ? { authorized: await finishAtSignIn(unit, ending.caller, finished) } : {}

type PlainSignIn = Given<{ tenantId: string; userId: string; now: Date; applicationId: string | null }>

/** Records a sign-in that changed nothing else. */
const recordTime = fixedStatement((db, { tenantId, userId, now, applicationId }: PlainSignIn) =>
  db
    .updateTable('users')
    .set({ last_sign_in_at: now, application_id: applicationId })
    .where(inTenant(tenantId))
    .where('id', '=', userId),
)

/** Records when the user signed in, and the changes; returns their updated row. */
const recordSignIn = async (
  unit: Unit,
  before: UserRow,
  applicationId: string | null,
  changes: UserColumns,
): Promise<UserRow> => {
  const { tx, tenant, now, send } = unit
  // the application of the user's first sign-in stays (WIRE W1)
  const signIn = { last_sign_in_at: now, application_id: before.application_id ?? applicationId }
  if (Object.keys(changes).length === 0) {
    send(recordTime(tx, { tenantId: tenant.id, userId: before.id, now, applicationId: signIn.application_id }))
    return { ...before, ...signIn }
  }
  return tx
    .updateTable('users')
    .set({ ...changes, ...nameRule(unit, changes), ...signIn, updated_at: now })
    .where(inTenant(tenant.id))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** When and from where, in any language. */
const detailsOf = ({ now, caller }: Unit, place: Place | undefined): string =>
  [`${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`, place?.city, place?.country, caller.ip]
    .filter((part) => part !== undefined)
    .join(', ')

/** Tells the owner of what a sign-in has added to the account. */
const tellOfChanges = async (unit: Unit, before: UserRow, changes: UserColumns): Promise<void> => {
  if (changes.password_hash !== undefined) await tellOwner(unit, before.id, 'passwordChanged')
  await tellOfAddresses(unit, before, { ...before, ...changes })
}

/** What a sign-in ends with: the secret of the session and, where the device is trusted from now on, that of the device. */
export interface NewSession {
  readonly secret: string
  readonly device?: string
  /** The code, where the authorization request ended with the sign-in. */
  readonly authorized?: Authorized
  readonly needed?: undefined
}

interface Entered {
  readonly changes?: UserColumns
  readonly draft?: Draft
  /** For how long a device may be trusted; undefined: it may not. */
  readonly trustDays?: number | undefined
  /** Whether the address of the user was verified on the way, and was not before. */
  readonly isEmailVerified?: boolean
  /** Whether the sign-in is remembered, for adaptive MFA to compare later ones with. */
  readonly isRemembered?: boolean
}

/**
 * Signs in a user who was identified; returns the secrets. User.Data.Updated is emitted when there are
 * changes to the user beside it; an address among them was proved, with all that follows from it (DECISIONS E5). Throws 422
 * for an identifier that someone else has by now. The interaction is locked by the caller.
 * @param before the user's row, as lockIdentified gives it
 * @param entered in the interaction: changes of the user, and the draft with their factors
 */
export const completeSignIn = async (
  unit: Unit<
    | 'PostSignIn'
    | 'User.Data.Updated'
    | 'Organization.Membership.Updated'
    | 'TrustedDevice.Created'
    | 'Grant.LimitExceeded'
  >,
  submission: ProvedSubmission,
  identified: Identified,
  before: UserRow,
  { changes = {}, draft, trustDays, isEmailVerified = false, isRemembered = false }: Entered = {},
): Promise<NewSession> => {
  const { interaction, surroundings } = submission
  const hasNewFactors = draft !== undefined && (await keepFactors(unit, before, draft))
  const user = await recordSignIn(unit, before, applicationIdOf(interaction.request), changes)
  const amr = draft ? amrWith(identified.amr, draft, before.id) : identified.amr
  const started = await startSessionOf(unit, submission, { ...identified, amr }, 'SignIn')
  const sso = draft?.ssoAccount ?? identified.ssoAccount
  if (sso) recordSsoSession(unit, started.sessionId, sso)
  if (hasNewFactors || Object.keys(changes).length > 0) unit.emit('User.Data.Updated', { data: userEntity(user) })
  // an address that was verified before has had its effect
  const isNew = isEmailVerified || Boolean(changes.email_verified_at)
  await provision(
    unit,
    { ...user, email_verified_at: isNew ? unit.now : null },
    identified.organizationIds,
    draft?.ssoAccount,
  )
  if (submission.device !== undefined) unit.send(markUsed(unit, user.id, submission.device))
  const isTrustedNow =
    trustDays !== undefined && draft?.isDeviceTrusted && (await mayTrust(unit.tx, unit.tenant.id, user.id))
  const trusted = isTrustedNow ? await trustDevice(unit, user.id, trustDays, submission.device) : undefined
  const known = trusted ?? submission.device
  // an address that was just proved belongs to who is signing in
  const isTold = isRemembered && before.email_verified_at !== null
  if (isTold && (await isUnfamiliar(unit, user.id, known, surroundings?.place)))
    await tellOwner(unit, user.id, 'newSignIn', { details: detailsOf(unit, surroundings?.place) })
  await tellOfChanges(unit, before, changes)
  const device = isRemembered ? rememberSignIn(unit, user.id, known, surroundings?.place) : trusted
  unit.emit('PostSignIn', interactionFields(unit, interaction, 'SignIn', user))
  const authorized = await endingOf(unit, submission, started)
  return { secret: started.secret, ...(device === undefined ? {} : { device }), ...authorized }
}

/** The secret of a session, or what is still needed, as the error that says so. */
export type SignedIn = NewSession | { readonly secret?: undefined; readonly needed: ApiError }

/** What is needed before a user is let in: as an error, and as the second factor that is asked for, if it is one. */
export interface Needed {
  readonly error: ApiError
  readonly need?: NeededFactor
  /** With what is unusual about the sign-in, where that has just been told: the caller keeps it. */
  readonly draft?: Draft
}

/**
 * What a user who was identified still has to prove or to enter, as the error that says so: a second factor first, then what
 * sign-up requires, then a factor to be set up. The user is locked by the caller.
 */
export const neededAtSignIn = async (
  unit: Unit,
  experience: SignInExperience,
  person: {
    readonly request: AuthorizationRequest
    readonly draft: Draft
    readonly user: UserRow
    readonly rows: readonly Factor[]
    readonly device?: string | undefined
  },
  changes: UserColumns = {},
): Promise<Needed | undefined> => {
  const need = await needOf(unit, experience, { ...person, now: unit.now })
  if (need?.code === 'session.mfa.require_mfa_verification') return { error: errorOfNeed(need, person.user), need }
  const missing = isEnterprise(person.draft) ? [] : missingAtSignIn(experience, person.user, changes)
  if (missing.length > 0) return { error: new ApiError('user.missing_profile', { missingProfile: missing }) }
  return need && { error: errorOfNeed(need, person.user), need }
}

/** The draft that is kept where more is needed, with what the next page shows. */
export const withNeed = (draft: Draft, { need }: Needed): Draft => (need ? { ...draft, needed: need } : draft)

const signedIn = operation(
  [
    'PostSignIn',
    'PostSignInAdaptiveMfaTriggered',
    'User.Data.Updated',
    'Organization.Membership.Updated',
    'TrustedDevice.Created',
    'Identifier.Lockout',
    'Grant.LimitExceeded',
  ],
  async (unit, submission: Submission, proof: PasswordProof, experience: SignInExperience): Promise<SignedIn> => {
    const { id, request } = submission.interaction
    // sent together, in this order: the identified user is read when its turn has come, and counts only if nothing is
    // locked
    const redeeming = redeemProof(unit, proof)
    const reading = Promise.all([
      lockIdentified(unit, { userId: proof.userId, amr: PASSWORD, evidence: proof.evidence }),
      factorRows(unit, experience, proof.userId),
    ])
    reading.catch(() => undefined)
    const identified = await redeeming
    const [user, rows] = await reading
    assertPasswordCurrent(user, experience, unit.now)
    await assertNoSsoUser(unit, experience, user)
    const { userId, evidence } = identified
    const record = { type: 'Password', id: newId(), identifier: proof.target.identifier, userId, evidence } as const
    const proved = withRecord({ ...emptyDraft('SignIn'), identified }, record)
    const draft = await assessed(unit, experience, submission, user, proved)
    const { device } = submission
    const needed = await neededAtSignIn(unit, experience, { request, draft, user, rows, device })
    if (!needed) {
      const verificationRecords = [recordOfPage('Password', proof.target.identifier)]
      const isRemembered = remembersSignIns(experience)
      return completeSignIn(unit, { ...submission, verificationRecords }, identified, user, { isRemembered })
    }
    unit.note({ userId: user.id, result: 'Error', error: needed.error.code })
    unit.send(advanceInteraction(unit, id, { draft: withNeed(draft, needed) }))
    return { needed: needed.error }
  },
)

/**
 * Proves a password and signs in, in one step as the page does. Where more is needed the interaction keeps who was identified
 * until that is proved or entered. Throws as both, 422 `password.expired`, and 422 `user.sign_in_method_not_enabled` where no name is used
 * with a password.
 */
export const signInWithPassword = async (work: Work, attempt: PasswordAttempt): Promise<SignedIn> => {
  const { experience, identifier, password } = attempt
  assertOffered(experience, 'SignIn')
  const types = passwordIdentifiers(experience)
  if (types.length === 0) throw new ApiError('user.sign_in_method_not_enabled')
  const typed = readIdentifier(identifier, types)
  await assertNoSsoAddress({ tx: work.store.database.kysely, tenant: work.tenant }, experience, typed)
  const proof = await provePassword(work, experience, typed, password)
  return perform(work, signedIn, { ...attempt, surroundings: surroundingsOf(work) }, proof, experience)
}
