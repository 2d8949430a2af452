/**
 * Verification of an address with a code that is sent to it, as a step of an interaction (DECISIONS L2, L3, SECURITY
 *
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import { operation, perform, type Unit } from '../../storage/unit-of-work.ts'
import { countGuess, countRequestedSend } from '../credentials/address-failures.ts'
import { assertEmailAllowed } from '../credentials/email-blocklist.ts'
import { type Identifier, keepIdentifier } from '../credentials/identifiers.ts'
import { assertUnlocked, type LockoutPolicy } from '../credentials/lockout.ts'
import { findUserByIdentifier } from '../users/rows.ts'
import { assertCaptcha } from './captcha.ts'
import type { CodeUsage, Draft, EmailVerificationCodeRecord, InteractionEvent } from './draft.ts'
import { assertNoEmail, type Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { assertEvent, changeDraft, findDraft, withRecord } from './interaction-drafts.ts'
import { lockoutPolicy } from './lockout-policy.ts'
import { lockIdentified } from './password-proof.ts'
import { assertOffered } from './rules.ts'
import { redeemCode, sendCode } from './verification-codes.ts'

type Address = EmailVerificationCodeRecord['identifier']

/** The address as it is stored. Throws 501 `connector.not_found` for a number: there is no connector for those yet. */
const addressOf = ({ type, value }: Identifier): Address => {
  if (type !== 'email') throw new ApiError('connector.not_found', { type: 'Sms' })
  return { type, value: keepIdentifier({ type, value }).value }
}

/**
 * The purpose of a code in this interaction: a user who signs in adds an address. Throws 422
 * `user.email_exists_in_profile` when they already have one.
 */
const usageOf = async (unit: Unit, { interactionEvent, identified }: Draft): Promise<CodeUsage> => {
  if (interactionEvent !== 'SignIn') return interactionEvent
  if (!identified) throw new ApiError('user.sign_in_method_not_enabled')
  assertNoEmail(await lockIdentified(unit, identified))
  return 'BindNewIdentifier'
}

/**
 * Where the code is sent; undefined if no account has the address. For a forgotten password it goes to the address as
 * stored in the account, because two addresses can be equal when compared but different to a mail server. Only the
 * recipient learns whether an account has the address.
 */
const recipientOf = async (
  { tx, tenant }: Unit,
  usage: CodeUsage,
  identifier: Address,
): Promise<string | undefined> => {
  if (usage !== 'ForgotPassword') return identifier.value
  const user = await findUserByIdentifier(tx, tenant.id, identifier)
  return user && !user.is_suspended ? (user.primary_email ?? undefined) : undefined
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
      const usage = await usageOf(unit, draft)
      if (usage === 'Register' || usage === 'BindNewIdentifier')
        await assertEmailAllowed(identifier.value, experience.emailBlocklistPolicy)
      await assertUnlocked(unit, identifier)
      const purpose = { interactionId, usage, identifier }
      id = await sendCode(unit, purpose, experience, language, await recipientOf(unit, usage, identifier))
      const record = { type: 'EmailVerificationCode', id, identifier, verified: false } as const
      const whose = usage === 'BindNewIdentifier' && draft.identified ? { userId: draft.identified.userId } : {}
      return withRecord(draft, { ...record, templateType: usage, ...whose })
    })
    return id
  },
)

/**
 * Sends a code to an address: of an account whose password was forgotten, of a user who registers, or one that a user
 * who signs in adds to their account; returns the id of the record. Does not reveal whether an account has the address.
 * Throws 422 for sign-in with a code, where nothing needs verification, and for a second address of an account, 429
 * `request.message_rate_limited`, `request.rate_limited`, 400 `session.verification_blocked_too_many_attempts`,
 * `user.invalid_email`, 501, 422 `session.captcha_required`; for a new address that the tenant does not want 422 `session.email_blocklist.…`.
 */
export const sendVerificationCode = async (
  step: Step,
  event: InteractionEvent,
  identifier: Identifier,
): Promise<string> => {
  const { work, interactionId, experience, language } = step
  const { identified } = await findDraft(work, interactionId)
  if (event === 'SignIn' && !identified) throw new ApiError('user.sign_in_method_not_enabled')
  if (event === 'Register' && !experience.signUp.verify) throw new ApiError('user.sign_up_method_not_enabled')
  const address = addressOf(identifier)
  assertOffered(experience, event)
  if (!experience.canMail) throw new ApiError('connector.not_found', { type: 'Email' })
  // whoever proved who they are is no program that has messages sent
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
      if (record?.type !== 'EmailVerificationCode') throw new ApiError('verification_code.not_found')
      await redeemCode(unit, { interactionId, usage: record.templateType, identifier }, id, code, experience, policy)
      return withRecord(draft, { ...record, verified: true })
    })
  },
)

const GUESSES = new Set(['verification_code.code_mismatch', 'verification_code.exceed_max_try'])

/** Verifies the address with the code that was sent to it. Throws as redeemCode, and 429 `request.rate_limited`. */
export const verifyCode = async (
  { work, interactionId, experience }: Step,
  identifier: Identifier,
  id: string,
  code: string,
): Promise<void> => {
  const address = addressOf(identifier)
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
