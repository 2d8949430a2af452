/**
 * Codes by mail and text message as a second factor of the user who signs in: sent to the address or number that their
 * account has, and verified (DECISIONS L3, O1). Their failures have a pool of their own: the right password would
 * otherwise begin the count anew.
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import { operation, perform } from '../../storage/unit-of-work.ts'
import { countRequestedSend } from '../credentials/address-failures.ts'
import {
  assertFactorUnlocked,
  countFactorFailure,
  forgetFactorFailures,
  type LockoutPolicy,
  takeFactorTurn,
} from '../credentials/lockout.ts'
import { hasIdentifier } from '../users/rows.ts'
import { GUESSES } from './code-proof.ts'
import type { Address } from './draft.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { counted, lockSigningIn } from './factor-proof.ts'
import { changeDraft, findDraft, withRecord } from './interaction-drafts.ts'
import { lockoutPolicy } from './lockout-policy.ts'
import { assertCarried } from './rules.ts'
import { ownFactors } from './second-factors.ts'
import { consumeCode, sendCode } from './verification-codes.ts'
import { CODE_FACTOR } from './verified-address.ts'

const RECORD = { email: 'MfaEmailVerificationCode', phone: 'MfaPhoneVerificationCode' } as const
const POOL = 'message-code'
const USAGE = 'MfaVerification'

const factorCodeSent = operation(
  ['Message.RateLimited'],
  async (
    unit,
    interactionId: string,
    experience: SignInExperience,
    type: Address['type'],
    language: LanguageTag,
  ): Promise<string> => {
    let id = ''
    await changeDraft(unit, interactionId, async (draft) => {
      const user = await lockSigningIn(unit, draft)
      const own = await ownFactors(unit, user, experience, draft.identified)
      const value = type === 'email' ? user.primary_email : user.primary_phone
      if (value === null || !own.includes(CODE_FACTOR[type])) throw new ApiError('session.mfa.mfa_factor_not_enabled')
      await assertFactorUnlocked(unit, POOL, user.id)
      const identifier = { type, value }
      id = await sendCode(unit, { interactionId, usage: USAGE, identifier }, experience, language, value)
      unit.note({ userId: user.id })
      const sent = { id, identifier, templateType: USAGE, sentAt: unit.now.getTime(), verified: false } as const
      return withRecord(draft, { type: RECORD[type], userId: user.id, ...sent })
    })
    return id
  },
)

/**
 * Sends a code to the address or number of the user who signs in; returns the id of the record. Throws 400
 * `session.mfa.mfa_factor_not_enabled` for one that is no second factor of theirs, or that they have signed in with,
 * `session.verification_blocked_too_many_attempts`, 404, 429 `request.message_rate_limited`, `request.rate_limited`, 501.
 */
export const sendFactorCode = async (
  { work, interactionId, experience, language }: Step,
  type: Address['type'],
): Promise<string> => {
  await findDraft(work, interactionId)
  assertCarried(experience, type)
  const takeBack = countRequestedSend(work)
  try {
    return await perform(work, factorCodeSent, interactionId, experience, type, language)
  } catch (error) {
    takeBack()
    throw error
  }
}

const factorCodeProved = operation(
  [],
  async (
    unit,
    interactionId: string,
    experience: SignInExperience,
    type: Address['type'],
    id: string,
    code: string,
    policy: LockoutPolicy,
  ): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      const user = await lockSigningIn(unit, draft)
      const record = draft.verificationRecords.find((each) => each.id === id)
      const isTheirs =
        record?.type === RECORD[type] && record.userId === user.id && hasIdentifier(user, record.identifier)
      if (!isTheirs) throw new ApiError('verification_code.not_found')
      await takeFactorTurn(unit, POOL, user.id)
      const purpose = { interactionId, usage: USAGE, identifier: record.identifier } as const
      const countWrong = () => countFactorFailure(unit, POOL, user.id, policy)
      await consumeCode(unit, purpose, id, code, experience, countWrong)
      forgetFactorFailures(unit, POOL, user.id)
      unit.note({ userId: user.id, factor: CODE_FACTOR[type] })
      return withRecord(draft, { ...record, verified: true })
    })
  },
)

/**
 * Verifies the code that was sent to the user who signs in. Throws 400 `verification_code.…`,
 * `session.verification_blocked_too_many_attempts`, 404, 429.
 */
export const verifyFactorCode = (step: Step, type: Address['type'], id: string, code: string): Promise<void> => {
  const { work, interactionId, experience } = step
  const policy = lockoutPolicy(work, experience)
  return counted(
    step,
    (error) => GUESSES.has(error),
    () => perform(work, factorCodeProved, interactionId, experience, type, id, code, policy),
  )
}
