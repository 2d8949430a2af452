/** The steps of the Experience API that enter data: names, passwords, and profile data. */
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { countRegistration } from '../credentials/address-failures.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import { hashPassword, type StoredPassword, storedPassword, verifyPassword } from '../credentials/passwords.ts'
import { findUserByIdentifier, getUser, type UserRow } from '../users/rows.ts'
import { assertCaptcha } from './captcha.ts'
import type { Draft, DraftFields } from './draft.ts'
import type { SignInExperience } from './experience.ts'
import { assertEvent, captchaSpent, changeDraft, findDraft, withRecord } from './interaction-drafts.ts'
import { asksFor, mustVerify } from './missing-profile.ts'
import { lockIdentified, type PasswordProof, provePassword, redeemProof } from './password-proof.ts'
import { assertNewPassword, assertOffered, comparedBy, FIELD_OF, newIdentifier, passwordIdentifiers } from './rules.ts'
import { assertNoSsoAddress } from './sso-domains.ts'

/** Where a step happens. */
export interface Step {
  readonly work: Work
  readonly interactionId: string
  readonly experience: SignInExperience
  /** Whether a captcha was passed, in the interaction or by this request. */
  readonly isHuman: boolean
  /** What it returns to its caller. */
  readonly language: LanguageTag
}

/** The error for an identifier that an account already has, by its type. */
export const TAKEN = {
  username: 'user.username_already_in_use',
  email: 'user.email_already_in_use',
  phone: 'user.phone_already_in_use',
} as const

/**
 * Throws 422 for an identifier that an account already has. The database has the final say when the account is created.
 */
export const assertFree = async (
  { tx, tenant }: Unit,
  experience: SignInExperience,
  profile: DraftFields,
): Promise<void> => {
  const wanted: Identifier[] = [
    { type: 'username', value: profile.username ?? '' },
    { type: 'email', value: profile.primaryEmail ?? '' },
    { type: 'phone', value: profile.primaryPhone ?? '' },
  ]
  for (const identifier of wanted.filter(({ value }) => value !== '')) {
    if (await findUserByIdentifier(tx, tenant.id, comparedBy(experience, identifier)))
      throw new ApiError(TAKEN[identifier.type])
  }
}

/** Throws 422 `user.email_exists_in_profile` for a user with an address. */
export const assertNoEmail = ({ primary_email }: UserRow): void => {
  if (primary_email !== null) throw new ApiError('user.email_exists_in_profile')
}

/** Throws 422 `user.phone_exists_in_profile` for a user with a number. */
export const assertNoPhone = ({ primary_phone }: UserRow): void => {
  if (primary_phone !== null) throw new ApiError('user.phone_exists_in_profile')
}

/** The user's names, which a password should not contain. */
const calledOf = ({ profile }: Draft, user: UserRow | undefined) => [
  profile.username,
  profile.primaryEmail,
  profile.primaryPhone,
  profile.name,
  user?.username,
  user?.primary_email,
  user?.primary_phone,
  user?.name,
]

const passwordProved = operation(
  ['Identifier.Lockout'],
  async (unit, interactionId: string, proof: PasswordProof): Promise<string> => {
    const id = newId()
    await changeDraft(unit, interactionId, async (draft) => {
      assertEvent(draft, 'SignIn', 'Register')
      const { userId, evidence } = await redeemProof(unit, proof)
      const { identifier } = proof.target
      unit.note({ userId, identifierType: identifier.type })
      return withRecord(draft, { type: 'Password', id, identifier, userId, evidence })
    })
    return id
  },
)

/**
 * Verifies a password in the interaction; returns the id of the record. Throws as provePassword, 422 for another method, and
 * `session.captcha_required`; a captcha is good for one wrong password.
 */
export const verifyPasswordFor = async (step: Step, identifier: Identifier, password: string): Promise<string> => {
  const { work, interactionId, experience } = step
  assertEvent(await findDraft(work, interactionId), 'SignIn', 'Register')
  if (!passwordIdentifiers(experience).includes(identifier.type)) throw new ApiError('user.sign_in_method_not_enabled')
  await assertCaptcha(step, identifier)
  await assertNoSsoAddress({ tx: work.store.database.kysely, tenant: work.tenant }, experience, identifier)
  try {
    return await perform(
      work,
      passwordProved,
      interactionId,
      await provePassword(work, experience, identifier, password),
    )
  } catch (error) {
    if (step.isHuman && error instanceof ApiError && error.code === 'session.invalid_credentials')
      await perform(work, captchaSpent, interactionId)
    throw error
  }
}

/**
 * Does work that reveals whether a name is free, whatever the result: counted by address, so that names cannot be
 * enumerated. Throws 429 `request.rate_limited`.
 */
export const askingForName = async <T>(work: Work, ask: () => Promise<T>): Promise<T> => {
  const takeBack = countRegistration(work)
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ApiError && error.code.endsWith('_already_in_use'))) takeBack()
    throw error
  }
}

const identityChosen = operation(
  [],
  async (
    unit,
    { interactionId, experience }: Step,
    identifier: Identifier,
    password: StoredPassword,
  ): Promise<string> => {
    const id = newId()
    await changeDraft(unit, interactionId, async (draft) => {
      assertEvent(draft, 'Register')
      await assertFree(unit, experience, { [FIELD_OF[identifier.type]]: identifier.value })
      return withRecord(draft, { type: 'NewPasswordIdentity', id, identifier, password })
    })
    return id
  },
)

/**
 * An identifier as it is stored, accepted without verification. Throws 422 if sign-up does not accept one, 400
 * `session.verification_failed` for an address that has to be verified, 422 `session.sso_enabled`, and as newIdentifier.
 */
const unproved = async ({ work, experience }: Step, identifier: Identifier): Promise<Identifier> => {
  if (!asksFor(experience, identifier.type)) throw new ApiError('user.sign_up_method_not_enabled')
  if (mustVerify(experience, identifier.type)) throw new ApiError('session.verification_failed')
  await assertNoSsoAddress({ tx: work.store.database.kysely, tenant: work.tenant }, experience, identifier)
  return newIdentifier(identifier, experience)
}

/**
 * Stores an identifier and a password for registration; returns the id of the record. Throws as `unproved`, 422
 * `password.rejected`, `session.captcha_required`, `user.…_already_in_use`, 429 `request.rate_limited`.
 */
export const chooseIdentity = async (step: Step, typed: Identifier, password: string): Promise<string> => {
  const { work, interactionId, experience } = step
  const draft = await findDraft(work, interactionId)
  assertEvent(draft, 'Register')
  assertOffered(experience, 'Register')
  const { identifiers, password: takesPassword } = experience.signUp
  if (!takesPassword || !identifiers.includes(typed.type)) throw new ApiError('user.sign_up_method_not_enabled')
  const identifier = await unproved(step, typed)
  await assertCaptcha(step, identifier)
  await assertNewPassword(work, password, experience, [...calledOf(draft, undefined), identifier.value])
  return askingForName(work, async () => perform(work, identityChosen, step, identifier, await hashPassword(password)))
}

/** Throws unless data can be entered now: at registration always, at sign-in once a user was identified. */
export const assertEnterable = ({ interactionEvent, identified }: Draft): void => {
  if (interactionEvent === 'ForgotPassword') throw new ApiError('session.not_supported_for_forgot_password')
  if (interactionEvent === 'SignIn' && !identified) throw new ApiError('session.identifier_not_found')
}

const entered = operation(
  [],
  async (unit, { interactionId, experience }: Step, change: DraftFields, password?: StoredPassword): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      assertEnterable(draft)
      const user = draft.identified && (await lockIdentified(unit, draft.identified))
      if (change.username !== undefined && (user?.username ?? null) !== null)
        throw new ApiError('user.username_exists_in_profile')
      if (user && change.primaryEmail !== undefined) assertNoEmail(user)
      if (user && change.primaryPhone !== undefined) assertNoPhone(user)
      if (password && (user?.password_hash ?? null) !== null) throw new ApiError('user.password_exists_in_profile')
      await assertFree(unit, experience, change)
      return { ...draft, profile: { ...draft.profile, ...change }, ...(password ? { password } : {}) }
    })
  },
)

/** Enters a username. Throws 400 and 422 `user.username_…`. */
export const enterUsername = async (step: Step, typed: string): Promise<void> => {
  const { value } = await newIdentifier({ type: 'username', value: typed }, step.experience)
  await askingForName(step.work, () => perform(step.work, entered, step, { username: value }))
}

/**
 * Enters an address or a number without verification, if the tenant requires none: for registration, or for a user who
 * signs in and has none. Throws as `unproved`, 422 `user.email_exists_in_profile`, `user.phone_exists_in_profile`,
 * `user.…_already_in_use`, 429 `request.rate_limited`.
 */
export const enterUnproved = async (step: Step, typed: Identifier): Promise<void> => {
  const { type, value } = await unproved(step, typed)
  await askingForName(step.work, () => perform(step.work, entered, step, { [FIELD_OF[type]]: value }))
}

const userOf = async ({ work }: Step, { identified }: Draft): Promise<UserRow | undefined> =>
  identified && getUser(work.store, work.tenant, identified.userId)

/** Enters a password for a user who has none. Throws 422 `password.rejected`, `user.password_exists_in_profile`. */
export const enterPassword = async (step: Step, password: string): Promise<void> => {
  const { work, interactionId, experience } = step
  const draft = await findDraft(work, interactionId)
  assertEnterable(draft)
  const user = await userOf(step, draft)
  if (user && user.password_hash !== null) throw new ApiError('user.password_exists_in_profile')
  await assertNewPassword(work, password, experience, calledOf(draft, user))
  await perform(work, entered, step, {}, await hashPassword(password))
}

const replacementChosen = operation(
  [],
  async (unit, interactionId: string, password: StoredPassword): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      assertEvent(draft, 'ForgotPassword')
      if (!draft.identified) throw new ApiError('session.identifier_not_found')
      await lockIdentified(unit, draft.identified)
      return { ...draft, password }
    })
  },
)

/** Enters a new password in place of a forgotten one. Throws 422 `user.same_password`, `password.rejected`. */
export const enterReplacement = async (step: Step, password: string): Promise<void> => {
  const { work, interactionId, experience } = step
  const draft = await findDraft(work, interactionId)
  assertEvent(draft, 'ForgotPassword')
  const user = await userOf(step, draft)
  if (!user) throw new ApiError('session.identifier_not_found')
  await assertNewPassword(work, password, experience, calledOf(draft, user))
  const { isCorrect } = await verifyPassword(storedPassword(user), password)
  if (isCorrect) throw new ApiError('user.same_password')
  await perform(work, replacementChosen, interactionId, await hashPassword(password))
}
