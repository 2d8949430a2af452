/**
 * What follows "this was not me" on the same page: a code to the address of the account, which sets a new password and removes what the
 * message told of if that is the only factor or, before the new password, the only way to sign in. The link alone does neither: others
 * may have it (DECISIONS T12).
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { opaqueHash } from '../../kernel/opaque.ts'
import type { LanguageTag } from '../../languages/choice.ts'
import type { Db } from '../../storage/database.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import { countGuess, countRequestedSend } from '../credentials/address-failures.ts'
import { assertUnlocked, type LockoutPolicy } from '../credentials/lockout.ts'
import { hashPassword, type StoredPassword } from '../credentials/passwords.ts'
import { setPassword } from '../users/access.ts'
import { ownerKnows } from '../users/owner-notices.ts'
import { getUser, lockUser, type UserRow } from '../users/rows.ts'
import { GUESSES } from './code-proof.ts'
import { additionTo, canReset, isToOwner, type Notice, removeAddition } from './disown.ts'
import type { SignInExperience } from './experience.ts'
import { lockoutPolicy } from './lockout-policy.ts'
import { assertCarried, assertNewPassword } from './rules.ts'
import { type CodePurpose, redeemCode, sendCode } from './verification-codes.ts'

/** How long after the link was used its page can be completed. */
const PAGE_SECONDS = 3600

const notFound = (): ApiError => new ApiError('one_time_token.token_not_found')

/** What the message of a link that was just used told of. Throws 404. */
const usedNotice = async (db: Db, tenantId: string, token: string, now: Date): Promise<Notice> => {
  const hash = opaqueHash('ownerNotice', token)
  const { rows } = await sql<Notice>`
    SELECT user_id AS "userId", email_key AS "emailKey", kind, subject FROM owner_notices
    WHERE tenant_id = ${tenantId} AND hash = ${hash ?? null}::bytea AND used_at > ${secondsAfter(now, -PAGE_SECONDS)}`.execute(
    db,
  )
  const [notice] = rows
  if (!notice) throw notFound()
  return notice
}

/** The address of the user, if it is still the one that got the message. Throws 404. */
const addressOf = (notice: Notice, user: UserRow): string => {
  const { primary_email: email } = user
  if (email === null || user.is_suspended || !isToOwner(notice, user)) throw notFound()
  return email
}

const purposeOf = (token: string, email: string): CodePurpose => ({
  interactionId: `not-me/${opaqueHash('ownerNotice', token)?.toString('base64url')}`,
  usage: 'ForgotPassword',
  identifier: { type: 'email', value: email },
})

const codeSent = operation(
  ['Message.RateLimited'],
  async (unit, token: string, experience: SignInExperience, language: LanguageTag): Promise<string> => {
    const notice = await usedNotice(unit.tx, unit.tenant.id, token, unit.now)
    const email = addressOf(notice, await lockUser(unit, notice.userId))
    const purpose = purposeOf(token, email)
    await assertUnlocked(unit, purpose.identifier)
    unit.note({ userId: notice.userId })
    return sendCode(unit, purpose, experience, language, email)
  },
)

/** Sends a code for a link that was just used; returns its id. Undefined: none can be sent now, because of limits or without a connector. */
export const sendDisownCode = async (
  work: Work,
  token: string,
  experience: SignInExperience,
  language: LanguageTag,
): Promise<string | undefined> => {
  let takeBack = (): void => undefined
  try {
    assertCarried(experience, 'email')
    takeBack = countRequestedSend(work)
    return await perform(work, codeSent, token, experience, language)
  } catch (error) {
    takeBack()
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** A password that is to be set; that the tenant refuses it is told only after the code was right. */
type NewPassword = { readonly refusal: ApiError } | { readonly stored: StoredPassword }

/** What the form brings back. */
interface Entered {
  readonly id: string
  readonly code: string
  /** Undefined: none is to be set. */
  readonly password: string | undefined
}

const codeUsed = operation(
  ['Identifier.Lockout', 'User.Data.Updated'],
  async (
    unit,
    token: string,
    address: string,
    { id, code }: Entered,
    password: NewPassword | undefined,
    experience: SignInExperience,
    policy: LockoutPolicy,
  ): Promise<void> => {
    await redeemCode(unit, purposeOf(token, address), id, code, experience, policy)
    const notice = await usedNotice(unit.tx, unit.tenant.id, token, unit.now)
    const user = await lockUser(unit, notice.userId)
    if (addressOf(notice, user) !== address) throw notFound()
    if (password && 'refusal' in password) throw password.refusal
    ownerKnows(unit, user.id)
    unit.note({ userId: user.id, ownerNotice: notice.kind })
    // another password that was set meanwhile is not ours to replace
    if (password && user.password_hash === null && (await canReset(unit, experience, user)))
      await setPassword.run(unit, user.id, password.stored)
    const addition = await additionTo(unit, notice, await lockUser(unit, user.id), experience)
    if (addition && !addition.isLastWay) await removeAddition(unit, user.id, addition)
  },
)

/** The password as it is stored, or why the tenant does not take it. Throws 503. */
const newPassword = async (
  work: Work,
  user: UserRow,
  experience: SignInExperience,
  password: string,
): Promise<NewPassword> => {
  try {
    const names = [user.username, user.primary_email, user.primary_phone, user.name]
    await assertNewPassword(work, password, experience, names)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'password.rejected') return { refusal: error }
    throw error
  }
  return { stored: await hashPassword(password) }
}

/**
 * Uses the code: sets the password if there is none, and removes what the message told of unless the user could not sign in then. Throws 404
 * `one_time_token.token_not_found`, 400 `verification_code.…`, `session.verification_blocked_too_many_attempts`, 422 `password.rejected`
 * after a right code only, which then stays good, 429 `request.rate_limited`, 503.
 */
export const useDisownCode = async (
  work: Work,
  token: string,
  entered: Entered,
  experience: SignInExperience,
): Promise<void> => {
  const { store, tenant } = work
  const notice = await usedNotice(store.database.kysely, tenant.id, token, store.clock.now())
  const user = await getUser(store, tenant, notice.userId)
  const address = addressOf(notice, user)
  const takeBack = countGuess(work)
  try {
    const { password } = entered
    const made = password === undefined ? undefined : await newPassword(work, user, experience, password)
    const policy = lockoutPolicy(work, experience)
    await perform(work, codeUsed, token, address, entered, made, experience, policy)
    takeBack()
  } catch (error) {
    if (!(error instanceof ApiError && GUESSES.has(error.code))) takeBack()
    throw error
  }
}
