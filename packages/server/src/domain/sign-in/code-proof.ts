/**
 * Verification of an address or a number with a code that is sent to it, as a step of an interaction (DECISIONS L2, L3,
 * SECURITY ).
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import { operation, perform, type Unit } from '../../storage/unit-of-work.ts'
import { countGuess, countRequestedSend } from '../credentials/address-failures.ts'
import { assertEmailAllowed } from '../credentials/email-blocklist.ts'
import { keepIdentifier } from '../credentials/identifiers.ts'
import { assertUnlocked, type LockoutPolicy } from '../credentials/lockout.ts'
import { findUserByIdentifier } from '../users/rows.ts'
import { assertCaptcha } from './captcha.ts'
import type { Address, CodeRecord, Draft, InteractionEvent } from './draft.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { assertEvent, changeDraft, findDraft, withRecord } from './interaction-drafts.ts'
import { lockoutPolicy } from './lockout-policy.ts'
import { asksFor, mustVerify } from './missing-profile.ts'
import { lockIdentified } from './password-proof.ts'
import { assertCarried, assertOffered, codeIdentifiers, mayRegisterBy } from './rules.ts'
import { assertNoSsoAddress } from './sso-domains.ts'
import { redeemCode, sendCode } from './verification-codes.ts'
import { assertNone, CODE_FACTOR } from './verified-address.ts'

type Usage = CodeRecord['templateType']

/** The address as it is stored. Throws 400 `user.invalid_email`, 422 `user.invalid_phone`. */
const keptAddress = ({ type, value }: Address): Address => ({ type, value: keepIdentifier({ type, value }).value })

/**
 * The purpose of a code in this interaction; does not look at any account. Throws 422 for a kind of address that users
 * neither sign in nor register with, that resets no password, and that is no second factor.
 */
const usageOf = (
  { interactionEvent, identified }: Pick<Draft, 'interactionEvent' | 'identified'>,
  experience: SignInExperience,
  type: Address['type'],
): Usage => {
  const { mfa, resetIdentifiers } = experience
  const isFactor = mfa.factors.includes(CODE_FACTOR[type])
  switch (interactionEvent) {
    case 'ForgotPassword':
      assertCarried(experience, type)
      if (!resetIdentifiers.includes(type)) throw new ApiError('session.forgot_password_not_enabled')
      return 'ForgotPassword'
    case 'Register':
      if (asksFor(experience, type) && mustVerify(experience, type)) return 'Register'
      if (isFactor) return 'BindMfa'
      throw new ApiError('user.sign_up_method_not_enabled')
    case 'SignIn':
      if (identified) return isFactor ? 'BindMfa' : 'BindNewIdentifier'
      if (!codeIdentifiers(experience).includes(type)) throw new ApiError('user.sign_in_method_not_enabled')
      return 'SignIn'
  }
}

/**
 * Where the code is sent; undefined if nowhere, because no account has the address. To one that an account has it goes
 * as it is stored there, because two addresses can be equal when compared but different to a mail server. Only the
 * recipient learns whether an account has the address.
 */
const recipientOf = async (
  { tx, tenant }: Unit,
  usage: Usage,
  experience: SignInExperience,
  identifier: Address,
): Promise<string | undefined> => {
  if (usage !== 'ForgotPassword' && usage !== 'SignIn') return identifier.value
  const user = await findUserByIdentifier(tx, tenant.id, identifier)
  if (!user) return usage === 'SignIn' && mayRegisterBy(experience, identifier.type) ? identifier.value : undefined
  if (user.is_suspended) return undefined
  return (identifier.type === 'email' ? user.primary_email : user.primary_phone) ?? undefined
}

const codeSent = operation(
  ['Message.RateLimited'],
  async (
    unit,
    interactionId: string,
    experience: SignInExperience,
    event: InteractionEvent,
    identifier: Address,
    language: LanguageTag,
  ): Promise<string> => {
    let id = ''
    await changeDraft(unit, interactionId, async (draft) => {
      assertEvent(draft, event)
      const { type, value } = identifier
      const usage = usageOf(draft, experience, type)
      const { identified } = draft
      if (identified && event === 'SignIn') assertNone(await lockIdentified(unit, identified), type)
      if (type === 'email' && usage !== 'ForgotPassword' && usage !== 'SignIn')
        await assertEmailAllowed(value, experience.emailBlocklistPolicy)
      await assertUnlocked(unit, identifier)
      const recipient = await recipientOf(unit, usage, experience, identifier)
      id = await sendCode(unit, { interactionId, usage, identifier }, experience, language, recipient)
      const whose = identified && event === 'SignIn' ? { userId: identified.userId } : {}
      const sent = { id, identifier, templateType: usage, sentAt: unit.now.getTime(), verified: false }
      return withRecord(draft, { type: CODE_FACTOR[type], ...sent, ...whose })
    })
    return id
  },
)

/**
 * Sends a code to an address or a number: of a user who signs in, of an account whose password was forgotten, of a user
 * who registers, or one that an identified user adds to their account; returns the id of the record. Does not reveal
 * whether an account has the address. Throws 422 for what the tenant does not offer, and for a second address of an
 * account, 429 `request.message_rate_limited`, `request.rate_limited`, 400
 * `session.verification_blocked_too_many_attempts`, `user.invalid_email`, 422 `user.invalid_phone`, 501
 * `connector.not_found`, 422 `session.captcha_required`, `session.sso_enabled`; for a new address that the tenant does not want 422 `session.email_blocklist.…`.
 */
export const sendVerificationCode = async (
  step: Step,
  event: InteractionEvent,
  identifier: Address,
): Promise<string> => {
  const { work, interactionId, experience, language } = step
  const { identified } = await findDraft(work, interactionId)
  assertOffered(experience, event)
  usageOf({ interactionEvent: event, ...(identified ? { identified } : {}) }, experience, identifier.type)
  assertCarried(experience, identifier.type)
  const address = keptAddress(identifier)
  await assertNoSsoAddress({ tx: work.store.database.kysely, tenant: work.tenant }, experience, address)
  // a user who was verified is not a program that sends messages
  if (!identified) await assertCaptcha(step, address)
  const takeBack = countRequestedSend(work)
  try {
    return await perform(work, codeSent, interactionId, experience, event, address, language)
  } catch (error) {
    takeBack()
    throw error
  }
}

const codeVerified = operation(
  ['Identifier.Lockout'],
  async (
    unit,
    interactionId: string,
    experience: SignInExperience,
    identifier: Address,
    id: string,
    code: string,
    policy: LockoutPolicy,
  ): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      const record = draft.verificationRecords.find((each) => each.id === id)
      if (record?.type !== CODE_FACTOR[identifier.type]) throw new ApiError('verification_code.not_found')
      await redeemCode(unit, { interactionId, usage: record.templateType, identifier }, id, code, experience, policy)
      return withRecord(draft, { ...record, verified: true })
    })
  },
)

/** The refusals that tell something about the code. */
export const GUESSES: ReadonlySet<string> = new Set([
  'verification_code.code_mismatch',
  'verification_code.exceed_max_try',
])

/** Verifies the address or number with the code that was sent to it. Throws as redeemCode, and 429 `request.rate_limited`. */
export const verifyCode = async (
  { work, interactionId, experience }: Step,
  identifier: Address,
  id: string,
  code: string,
): Promise<void> => {
  const address = keptAddress(identifier)
  const takeBack = countGuess(work)
  try {
    const policy = lockoutPolicy(work, experience)
    await perform(work, codeVerified, interactionId, experience, address, id, code, policy)
    takeBack()
  } catch (error) {
    if (!(error instanceof ApiError && GUESSES.has(error.code))) takeBack()
    throw error
  }
}
