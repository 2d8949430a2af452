/**
 * Codes that an operator's application sends through the Management API to prove an address or a number. They belong to no
 * interaction, and each recipient has one valid code. They count towards the limit of messages (DECISIONS L3); wrong attempts lock
 * no account, because these codes sign no one in.
 */
import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newDigits, newId } from '../../kernel/ids.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { type Identifier, keepIdentifier } from '../credentials/identifiers.ts'
import { countSend, recipientHash, SENDS_WITHIN_SECONDS } from '../delivery/message-limit.ts'
import { queueMessage } from '../delivery/messages.ts'
import type { SignInExperience } from './experience.ts'

const DIGITS = 6
const USAGE = 'Generic'

/** Stored instead of the id of an interaction. */
const placeOf = (hash: Buffer): string => `operator/${hash.toString('base64url')}`

const macOf = ({ vault, tenant }: Unit, id: string, code: string): Buffer =>
  vault.authenticate(`${tenant.id}/${id}/${code}`, 'operator-code')

/**
 * Sends a code. Throws 501 `connector.not_found`, 429 `request.message_rate_limited`, 400 `user.invalid_email`, 422
 * `user.invalid_phone`.
 */
export const sendOperatorCode = operation(
  [],
  async (
    unit,
    recipient: Identifier,
    { canMail, canText, verificationCodePolicy }: SignInExperience,
  ): Promise<void> => {
    const { tx, tenant, now } = unit
    const { expirationDuration } = verificationCodePolicy
    const isMail = recipient.type === 'email'
    const { value } = keepIdentifier(recipient)
    if (!(isMail ? canMail : canText)) throw new ApiError('connector.not_found', { type: isMail ? 'Email' : 'Sms' })
    const hash = recipientHash(recipient)
    if (!(await countSend(unit, hash)))
      throw new Refusal(new ApiError('request.message_rate_limited', { retryAfter: SENDS_WITHIN_SECONDS }))
    await tx
      .deleteFrom('verification_codes')
      .where(inTenant(tenant.id))
      .where('interaction_id', '=', placeOf(hash))
      .execute()
    const [id, code] = [newId(), newDigits(DIGITS)]
    await tx
      .insertInto('verification_codes')
      .values({
        tenant_id: tenant.id,
        id,
        purpose: USAGE,
        interaction_id: placeOf(hash),
        identifier_hash: hash,
        code_mac: macOf(unit, id, code),
        created_at: now,
        expires_at: secondsAfter(now, expirationDuration),
        consumed_at: null,
      })
      .execute()
    const variables = { code, minutes: String(Math.ceil(expirationDuration / 60)) }
    queueMessage(unit, { recipient: value, usage: USAGE, variables }, expirationDuration)
    unit.note({ usage: USAGE, identifierType: recipient.type })
  },
)

/**
 * Verifies a code and uses it up; of concurrent attempts with the right code, one succeeds. Throws 400 `verification_code.not_found`, `.expired`,
 * `.exceed_max_try`, `.code_mismatch`, and as keepIdentifier.
 */
export const verifyOperatorCode = operation(
  [],
  async (unit, recipient: Identifier, code: string, { verificationCodePolicy }: SignInExperience): Promise<void> => {
    const { tx, tenant, now } = unit
    // counts the attempt and locks the row until the commit, so that attempts take turns
    const { rows } = await sql<{ id: string; tries: number; code_mac: Buffer; expires_at: Date }>`
      UPDATE verification_codes SET tries = tries + 1
      WHERE tenant_id = ${tenant.id} AND interaction_id = ${placeOf(recipientHash(recipient))} AND consumed_at IS NULL
      RETURNING id, tries, code_mac, expires_at`.execute(tx)
    const [tried] = rows
    if (!tried) throw new ApiError('verification_code.not_found')
    if (tried.expires_at <= now) throw new ApiError('verification_code.expired')
    if (tried.tries > verificationCodePolicy.maxRetryAttempts)
      throw new Refusal(new ApiError('verification_code.exceed_max_try'))
    if (!timingSafeEqual(tried.code_mac, macOf(unit, tried.id, code)))
      throw new Refusal(new ApiError('verification_code.code_mismatch'))
    await tx
      .updateTable('verification_codes')
      .set({ consumed_at: now })
      .where(inTenant(tenant.id))
      .where('id', '=', tried.id)
      .execute()
  },
)
