/**
 * Codes that users of the Account API are sent: to their own address, as a proof of who they are, or to one that is to become theirs.
 * Limits and lockout are those of sign-in (DECISIONS L2, L3, SECURITY R-28).
 */
import { ApiError } from '../../kernel/api-error.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import { countGuess, countRequestedSend } from '../credentials/address-failures.ts'
import { assertEmailAllowed } from '../credentials/email-blocklist.ts'
import { identifierKey, keepIdentifier } from '../credentials/identifiers.ts'
import { assertUnlocked, type LockoutPolicy } from '../credentials/lockout.ts'
import { GUESSES } from '../sign-in/code-proof.ts'
import type { Address } from '../sign-in/draft.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { lockoutPolicy } from '../sign-in/lockout-policy.ts'
import { assertCarried } from '../sign-in/rules.ts'
import { assertNoSsoAddress } from '../sign-in/sso-domains.ts'
import { redeemCode, sendCode } from '../sign-in/verification-codes.ts'
import { CODE_FACTOR } from '../sign-in/verified-address.ts'
import { hasIdentifier } from '../users/rows.ts'
import { assertEditable } from './field-policy.ts'
import { type AccountHolder, bindingOf, lockHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'
import {
  type Begun,
  beginVerification,
  lockVerification,
  newVerificationMissing,
  passVerification,
} from './verifications.ts'

type Usage = 'UserPermissionValidation' | 'BindMfa' | 'BindNewIdentifier'

/** The address as it is stored. Throws 400 `user.invalid_email`, 422 `user.invalid_phone`. */
const keptAddress = ({ type, value }: Address): Address => ({ type, value: keepIdentifier({ type, value }).value })

const codeSent = operation(
  ['Message.RateLimited'],
  async (
    unit,
    holder: AccountHolder,
    { center, experience }: AccountRules,
    identifier: Address,
    asked: 'UserPermissionValidation' | 'BindMfa' | undefined,
    language: LanguageTag,
  ): Promise<Begun> => {
    const { type, value } = identifier
    const user = await lockHolder(unit, holder)
    const isOwn = hasIdentifier(user, identifier)
    if (!isOwn) {
      assertEditable(center, type)
      if (type === 'email') await assertEmailAllowed(value, experience.emailBlocklistPolicy)
      await assertNoSsoAddress(unit, experience, identifier)
    }
    await assertUnlocked(unit, identifier)
    const usage: Usage = isOwn
      ? (asked ?? 'UserPermissionValidation')
      : asked === 'BindMfa'
        ? asked
        : 'BindNewIdentifier'
    const own = type === 'email' ? user.primary_email : user.primary_phone
    const recipient = (isOwn && own) || value
    const purpose = { interactionId: bindingOf(holder), usage, identifier }
    const codeId = await sendCode(unit, purpose, experience, language, recipient)
    return beginVerification(unit, holder, {
      type: CODE_FACTOR[type],
      purpose: usage === 'UserPermissionValidation' ? 'Proof' : 'New',
      state: { value, usage, codeId },
      isVerified: false,
    })
  },
)

/**
 * Sends a code; a code that was sent before for the same purpose is void. Does not say whether another account has the address.
 * Throws 501 `connector.not_found`, 429 `request.message_rate_limited`, `request.rate_limited`, 400 `account_center.…`,
 * `session.verification_blocked_too_many_attempts`, `user.invalid_email`, 422 `user.invalid_phone`, `session.email_blocklist.…`, `session.sso_enabled`.
 */
export const sendOwnCode = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  identifier: Address,
  asked: 'UserPermissionValidation' | 'BindMfa' | undefined,
  language: LanguageTag,
): Promise<Begun> => {
  assertCarried(rules.experience, identifier.type)
  const address = keptAddress(identifier)
  const takeBack = countRequestedSend(work)
  try {
    return await perform(work, codeSent, holder, rules, address, asked, language)
  } catch (error) {
    takeBack()
    throw error
  }
}

const MISMATCH = { email: 'verification_code.email_mismatch', phone: 'verification_code.phone_mismatch' } as const

const codeVerified = operation(
  ['Identifier.Lockout'],
  async (
    unit,
    holder: AccountHolder,
    experience: SignInExperience,
    policy: LockoutPolicy,
    { type, value }: Address,
    id: string,
    code: string,
  ): Promise<void> => {
    // 400, as in Logto; of the other kinds it is 404
    const record = await lockVerification(unit, holder, id, [CODE_FACTOR[type]], newVerificationMissing)
    const sent = record.state as { readonly value: string; readonly usage: Usage; readonly codeId: string }
    if (identifierKey({ type, value }) !== identifierKey({ type, value: sent.value }))
      throw new ApiError(MISMATCH[type])
    const purpose = { interactionId: bindingOf(holder), usage: sent.usage, identifier: { type, value: sent.value } }
    await redeemCode(unit, purpose, sent.codeId, code, experience, policy)
    await lockHolder(unit, holder)
    await passVerification(unit, record)
  },
)

/**
 * Verifies an address with the code that was sent there, once. Throws 400 `verification_record.not_found`,
 * `verification_code.…`, `session.verification_blocked_too_many_attempts`, 429 `request.rate_limited`.
 */
export const verifyOwnCode = async (
  work: Work,
  holder: AccountHolder,
  experience: SignInExperience,
  identifier: Address,
  id: string,
  code: string,
): Promise<void> => {
  const address = keptAddress(identifier)
  const takeBack = countGuess(work)
  try {
    await perform(work, codeVerified, holder, experience, lockoutPolicy(work, experience), address, id, code)
    takeBack()
  } catch (error) {
    if (!(error instanceof ApiError && GUESSES.has(error.code))) takeBack()
    throw error
  }
}
