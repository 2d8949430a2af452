/**
 * Codes that are sent to an email address or a phone number to verify it (DECISIONS L3). A code is bound
 * to the interaction, to its purpose, and to the address (SECURITY R-27). This file creates and consumes them.
 */

import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newDigits, newId } from '../../kernel/ids.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { identifierKey } from '../credentials/identifiers.ts'
import { countFailure, forgetFailures, type LockoutPolicy, takeTurn } from '../credentials/lockout.ts'
import { countSend, SENDS_WITHIN_SECONDS } from '../delivery/message-limit.ts'
import { queueMessage, withholdMessage } from '../delivery/messages.ts'
import { accountOf, findUserByIdentifier } from '../users/rows.ts'
import type { Address, CodeUsage } from './draft.ts'
import type { SignInExperience } from './experience.ts'

const DIGITS = 6
/** What a code proves, and to whom. */
export interface CodePurpose {
  readonly interactionId: string
  /** `UserPermissionValidation`: before a sensitive change of an account. */
  readonly usage: CodeUsage | 'UserPermissionValidation'
  readonly identifier: Address
}

const identifierHash = ({ type, value }: Address): Buffer => hashSecret(`${type}:${identifierKey({ type, value })}`)

/** Six digits can be found by brute force, so codes are stored as a keyed hash under the master key. */
const macOf = ({ vault, tenant }: Unit, id: string, code: string): Buffer =>
  vault.authenticate(`${tenant.id}/${id}/${code}`, 'verification-code')

/** Beyond the limit, throws 429 `request.message_rate_limited`, and Message.RateLimited is committed. */
const assertSendLeft = async (unit: Unit<'Message.RateLimited'>, { identifier }: CodePurpose): Promise<void> => {
  if (await countSend(unit, identifierHash(identifier))) return
  unit.emit('Message.RateLimited', { action: 'VerificationCodeSend', recipient: identifier.value })
  throw new Refusal(new ApiError('request.message_rate_limited', { retryAfter: SENDS_WITHIN_SECONDS }))
}

/**
 * Creates a code and queues the message that carries it; an earlier code for the same purpose becomes invalid. Returns
 * the id by which it is verified.
 * @param language of the message
 * @param recipient the address as its owner writes it; undefined if nothing may be sent because no account has it:
 *   everything else is the same, so that the difference cannot be observed
 */
export const sendCode = async (
  unit: Unit<'Message.RateLimited'>,
  purpose: CodePurpose,
  { verificationCodePolicy }: SignInExperience,
  language: LanguageTag,
  recipient: string | undefined,
): Promise<string> => {
  const { tx, tenant, now } = unit
  const { interactionId, usage, identifier } = purpose
  await assertSendLeft(unit, purpose)
  await tx
    .deleteFrom('verification_codes')
    .where(inTenant(tenant.id))
    .where('interaction_id', '=', interactionId)
    .where('purpose', '=', usage)
    .execute()
  const [id, code] = [newId(), newDigits(DIGITS)]
  await tx
    .insertInto('verification_codes')
    .values({
      tenant_id: tenant.id,
      id,
      purpose: usage,
      interaction_id: interactionId,
      identifier_hash: identifierHash(identifier),
      code_mac: macOf(unit, id, code),
      created_at: now,
      expires_at: secondsAfter(now, verificationCodePolicy.expirationDuration),
      consumed_at: null,
    })
    .execute()
  const { expirationDuration } = verificationCodePolicy
  const variables = { code, minutes: String(Math.ceil(expirationDuration / 60)) }
  const queue = recipient === undefined ? withholdMessage : queueMessage
  queue(unit, { recipient: recipient ?? identifier.value, usage, variables, language }, expirationDuration)
  unit.note({ usage, identifierType: identifier.type })
  return id
}

interface AttemptedCode {
  readonly code_mac: Buffer
  readonly tries: number
  readonly identifier_hash: Buffer
  readonly purpose: string
  readonly expires_at: Date
  readonly consumed_at: Date | null
}

/**
 * Counts an attempt: one statement, so that parallel attempts are counted once each. Undefined: the code does not
 * exist.
 */
const countAttempt = async (
  { tx, tenant }: Unit,
  id: string,
  interactionId: string,
): Promise<AttemptedCode | undefined> => {
  const { rows } = await sql<AttemptedCode>`
    UPDATE verification_codes SET tries = tries + 1
    WHERE tenant_id = ${tenant.id} AND id = ${id} AND interaction_id = ${interactionId}
    RETURNING code_mac, tries, identifier_hash, purpose, expires_at, consumed_at`.execute(tx)
  return rows[0]
}

const MISMATCH = {
  email: 'verification_code.email_mismatch',
  phone: 'verification_code.phone_mismatch',
} as const

/**
 * Consumes a code, whoever counts the failures. Every wrong attempt is recorded, and after ten the code is void. Throws
 * 400 `verification_code.not_found`, `.email_mismatch`, `.phone_mismatch`, `.expired`, `.exceed_max_try`,
 * `.code_mismatch`. The caller has the turn of those who guess.
 * @param countWrong counts a wrong code, before it is refused
 */
export const consumeCode = async (
  unit: Unit,
  { interactionId, usage, identifier }: CodePurpose,
  id: string,
  code: string,
  { verificationCodePolicy }: SignInExperience,
  countWrong: () => Promise<void>,
): Promise<void> => {
  const { tx, tenant, now } = unit
  const tried = await countAttempt(unit, id, interactionId)
  if (!tried || tried.purpose !== usage || tried.consumed_at) throw new ApiError('verification_code.not_found')
  if (!tried.identifier_hash.equals(identifierHash(identifier))) throw new ApiError(MISMATCH[identifier.type])
  if (tried.expires_at <= now) throw new ApiError('verification_code.expired')
  if (tried.tries > verificationCodePolicy.maxRetryAttempts)
    throw new Refusal(new ApiError('verification_code.exceed_max_try'))
  if (!timingSafeEqual(tried.code_mac, macOf(unit, id, code))) {
    await countWrong()
    throw new Refusal(new ApiError('verification_code.code_mismatch'))
  }
  await tx
    .updateTable('verification_codes')
    .set({ consumed_at: now })
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .execute()
}

/**
 * Consumes a code that proves who the user is. A wrong one counts towards the lockout of the identifier and of its
 * account like a wrong password (DECISIONS L2, N6); while the account is locked a right one is void. Throws as
 * consumeCode, and 400 `session.verification_blocked_too_many_attempts`.
 */
export const redeemCode = async (
  unit: Unit<'Identifier.Lockout'>,
  purpose: CodePurpose,
  id: string,
  code: string,
  experience: SignInExperience,
  policy: LockoutPolicy,
): Promise<void> => {
  const { identifier } = purpose
  const user = await findUserByIdentifier(unit.tx, unit.tenant.id, identifier)
  const target = { identifier, account: user && accountOf(user, policy.hasExactNames) }
  const { isAccountLocked } = await takeTurn(unit, target)
  await consumeCode(unit, purpose, id, code, experience, () => countFailure(unit, target, policy))
  // shown only to a caller who receives the account's messages; the code is void, so that nothing is learned for later
  if (isAccountLocked) throw new Refusal(new ApiError('session.verification_blocked_too_many_attempts'))
  await forgetFailures(unit, target)
}
