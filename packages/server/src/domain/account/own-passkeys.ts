/** Passkeys in the user's own hands: made in the browser for the account, and as a proof of who the user is (DECISIONS O6, T2). */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import type { LockoutPolicy } from '../credentials/lockout.ts'
import {
  addPasskey,
  type Ceremony,
  creationOptions,
  credentialsOf,
  type NewCredential,
  requestOptions,
  usePasskey,
  verifyCreation,
} from '../factors/passkeys.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { assertAllowed, counted, guess } from '../sign-in/factor-proof.ts'
import { lockoutPolicy } from '../sign-in/lockout-policy.ts'
import type { UserRow } from '../users/rows.ts'
import { beginChange } from './changes.ts'
import { assertEditable } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import { factorAdded } from './own-factors.ts'
import type { AccountRules } from './own-fields.ts'
import {
  type Begun,
  beginVerification,
  lockVerification,
  passVerification,
  takeNewVerification,
} from './verifications.ts'

const FAILED = 'session.mfa.webauthn_verification_failed'

/** A passkey ceremony belongs to one verification: an answer to it is worth nothing in any other. */
const ceremonyOf = ({ store, tenant }: Work, { experience }: AccountRules, verificationId: string): Ceremony => ({
  tenant,
  relatedOrigins: experience.webauthnRelatedOrigins,
  vault: store.vault,
  interactionId: verificationId,
})

const assertPasskeys = (experience: SignInExperience): void => {
  if (!experience.passkeySignIn.enabled) assertAllowed(experience, 'WebAuthn')
}

const nameOf = ({ username, primary_email, primary_phone, id }: UserRow): string =>
  username ?? primary_email ?? primary_phone ?? id

const registrationBegun = operation([], async (unit, holder: AccountHolder, { center, experience }: AccountRules) => {
  assertEditable(center, 'passkey')
  assertPasskeys(experience)
  const user = await lockHolder(unit, holder)
  const begun = await beginVerification(unit, holder, {
    ...{ type: 'WebAuthn', purpose: 'New', state: {}, isVerified: false },
  })
  return { user, begun }
})

/** Begins to make a passkey for the account; the options are for the browser. Throws 400 `account_center.…`, 422. */
export const beginOwnPasskey = async (work: Work, holder: AccountHolder, rules: AccountRules) => {
  const { user, begun } = await perform(work, registrationBegun, holder, rules)
  const known = await credentialsOf(work.store.database.kysely, work.tenant.id, user.id)
  const registrationOptions = await creationOptions(
    ceremonyOf(work, rules, begun.verificationRecordId),
    { handle: user.id, name: nameOf(user) },
    known.map(({ id }) => id),
  )
  return { ...begun, registrationOptions }
}

const passkeyMade = operation(
  [],
  async (unit, holder: AccountHolder, ceremony: Ceremony, response: RegistrationResponseJSON): Promise<void> => {
    await lockHolder(unit, holder)
    const verification = await lockVerification(unit, holder, ceremony.interactionId, ['WebAuthn'])
    if (verification.purpose !== 'New') throw new ApiError('verification_record.not_found')
    await passVerification(unit, verification, { credential: await verifyCreation(ceremony, response) })
  },
)

/** Takes the passkey that the browser has made. Throws 400 `session.mfa.webauthn_verification_failed`, 404. */
export const finishOwnPasskey = (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  verificationId: string,
  response: RegistrationResponseJSON,
): Promise<void> => perform(work, passkeyMade, holder, ceremonyOf(work, rules, verificationId), response)

/**
 * Gives the user the passkey that was made. Throws as beginChange, 404 `verification_record.not_found`, 422.
 * @param name as the user calls it; where there is none, that of its authenticator
 */
export const addOwnPasskey = operation(
  ['User.Data.Updated'],
  async (
    unit,
    holder: AccountHolder,
    rules: AccountRules,
    verificationId: string,
    name: string | undefined,
  ): Promise<void> => {
    const user = await beginChange(unit, holder, rules, 'passkey')
    assertPasskeys(rules.experience)
    const { state } = await takeNewVerification(unit, holder, verificationId, 'WebAuthn')
    const { credential } = state as { readonly credential: NewCredential }
    const named = name === undefined ? credential : { ...credential, name }
    await addPasskey(unit, user.id, newId(), named, unit.caller.userAgent ?? null)
    await factorAdded(unit, rules.experience, user, 'WebAuthn')
  },
)

const authenticationBegun = operation([], async (unit, holder: AccountHolder): Promise<Begun> => {
  await lockHolder(unit, holder)
  return beginVerification(unit, holder, { type: 'WebAuthn', purpose: 'Proof', state: {}, isVerified: false })
})

/** Begins a proof by passkey; the options are for the browser. Throws 400 for a user without a passkey. */
export const beginPasskeyProof = async (work: Work, holder: AccountHolder, rules: AccountRules) => {
  const known = await credentialsOf(work.store.database.kysely, work.tenant.id, holder.userId)
  if (known.length === 0) throw new ApiError('session.mfa.webauthn_verification_not_found')
  const begun = await perform(work, authenticationBegun, holder)
  return {
    ...begun,
    authenticationOptions: await requestOptions(ceremonyOf(work, rules, begun.verificationRecordId), known),
  }
}

const passkeyProved = operation(
  [],
  async (
    unit,
    holder: AccountHolder,
    ceremony: Ceremony,
    response: AuthenticationResponseJSON,
    policy: LockoutPolicy,
  ): Promise<void> => {
    const { id: userId } = await lockHolder(unit, holder)
    const verification = await lockVerification(unit, holder, ceremony.interactionId, ['WebAuthn'])
    if (verification.purpose !== 'Proof') throw new ApiError('verification_record.not_found')
    const use = async () => (await usePasskey(unit, ceremony, response, userId))?.factorId
    const factorId = await guess(unit, 'webauthn', userId, policy, new ApiError(FAILED), use)
    await passVerification(unit, verification, { factorId })
    unit.note({ factor: 'WebAuthn' })
  },
)

/**
 * Proves who the user is by a passkey of theirs. Throws 400 `session.mfa.webauthn_verification_failed`,
 * `session.verification_blocked_too_many_attempts`, 404, 429.
 */
export const provePasskey = (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
  verificationId: string,
  response: AuthenticationResponseJSON,
): Promise<void> =>
  counted(
    { work },
    (error) => error === FAILED,
    () =>
      perform(
        work,
        passkeyProved,
        holder,
        ceremonyOf(work, rules, verificationId),
        response,
        lockoutPolicy(work, rules.experience),
      ),
  )
