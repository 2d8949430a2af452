/** Passkeys as steps of an interaction: made for an account, proved as a second factor, and signed in with. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { operation, perform } from '../../storage/unit-of-work.ts'
import type { LockoutPolicy } from '../credentials/lockout.ts'
import {
  type Ceremony,
  creationOptions,
  credentialsOf,
  requestOptions,
  usePasskey,
  verifyCreation,
} from '../factors/passkeys.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { accountName, assertAllowed, counted, guess, lockOwner, lockSigningIn } from './factor-proof.ts'
import { assertEvent, changeDraft, findDraft, recordOf, withRecord } from './interaction-drafts.ts'
import { lockoutPolicy } from './lockout-policy.ts'
import { assertOffered } from './rules.ts'

const ceremonyOf = ({ work: { store, tenant }, interactionId, experience }: Step): Ceremony => ({
  tenant,
  relatedOrigins: experience.webauthnRelatedOrigins,
  vault: store.vault,
  interactionId,
})

const FAILED = 'session.mfa.webauthn_verification_failed'

const registrationBegun = operation([], async (unit, interactionId: string, experience: SignInExperience) => {
  const id = newId()
  let owner = { handle: id, name: '' }
  let known: readonly Buffer[] = []
  await changeDraft(unit, interactionId, async (draft) => {
    if (!experience.passkeySignIn.enabled) assertAllowed(experience, 'WebAuthn')
    const user = await lockOwner(unit, experience, draft)
    if (user) known = (await credentialsOf(unit.tx, unit.tenant.id, user.id)).map((each) => each.id)
    owner = { handle: user?.id ?? id, name: accountName(draft, user) }
    const whose = user ? { userId: user.id } : {}
    return withRecord(draft, { type: 'WebAuthn', id, ...whose, isNew: true, verified: false })
  })
  return { id, owner, known }
})

/** Begins to make a passkey for the account; the options are for the browser. Throws as lockOwner. */
export const beginPasskey = async (step: Step) => {
  const { work, interactionId, experience } = step
  const { id, owner, known } = await perform(work, registrationBegun, interactionId, experience)
  return { verificationId: id, registrationOptions: await creationOptions(ceremonyOf(step), owner, known) }
}

const passkeyMade = operation(
  [],
  async (unit, ceremony: Ceremony, id: string, response: RegistrationResponseJSON, name: string): Promise<string> => {
    await changeDraft(unit, ceremony.interactionId, async (draft) => {
      const record = recordOf(draft, id)
      if (record.type !== 'WebAuthn' || !record.isNew) throw new ApiError('session.mfa.webauthn_verification_not_found')
      const made = await verifyCreation(ceremony, response)
      const credential = name === '' ? made : { ...made, name }
      return withRecord(draft, { ...record, credential, verified: true })
    })
    return id
  },
)

/** The most characters that a name of a passkey has. */
export const LONGEST_PASSKEY_NAME = 64

/**
 * Takes the passkey that the browser has made. Throws 400 `session.mfa.webauthn_verification_failed`, 404.
 * @param name as it was typed; where there is none, that of its authenticator
 */
export const finishPasskey = (
  step: Step,
  id: string,
  response: RegistrationResponseJSON,
  name = '',
): Promise<string> => {
  const kept = [...name.replaceAll(/\p{Cc}/gu, ' ').trim()].slice(0, LONGEST_PASSKEY_NAME).join('')
  return perform(step.work, passkeyMade, ceremonyOf(step), id, response, kept)
}

/** What the browser needs to prove a passkey of the user who was identified. Throws 404 `session.identifier_not_found`. */
export const passkeyOptions = async (step: Step) => {
  const { work, interactionId } = step
  const { identified } = await findDraft(work, interactionId)
  if (!identified) throw new ApiError('session.identifier_not_found')
  const known = await credentialsOf(work.store.database.kysely, work.tenant.id, identified.userId)
  if (known.length === 0) throw new ApiError('session.mfa.webauthn_verification_not_found')
  return requestOptions(ceremonyOf(step), known)
}

const passkeyProved = operation(
  [],
  async (unit, ceremony: Ceremony, response: AuthenticationResponseJSON, policy: LockoutPolicy): Promise<string> => {
    const id = newId()
    await changeDraft(unit, ceremony.interactionId, async (draft) => {
      const { id: userId } = await lockSigningIn(unit, draft)
      const use = async () => (await usePasskey(unit, ceremony, response, userId))?.factorId
      const factorId = await guess(unit, 'webauthn', userId, policy, new ApiError(FAILED), use)
      unit.note({ userId, factor: 'WebAuthn' })
      return withRecord(draft, { type: 'WebAuthn', id, userId, factorId, isNew: false, verified: true })
    })
    return id
  },
)

/** Proves a passkey of the user as a second factor. Returns the id of the record. Throws 400, 429. */
export const verifyPasskey = (step: Step, response: AuthenticationResponseJSON): Promise<string> =>
  counted(
    step,
    (error) => error === FAILED,
    () => perform(step.work, passkeyProved, ceremonyOf(step), response, lockoutPolicy(step.work, step.experience)),
  )

/** Throws 422 where passkeys sign no one in. */
const assertSignIn = (experience: SignInExperience): void => {
  assertOffered(experience, 'SignIn')
  if (!experience.passkeySignIn.enabled) throw new ApiError('user.sign_in_method_not_enabled')
}

/** What the browser needs to prove any passkey of this server: whose there are is not told. Throws 422. */
export const signInPasskeyOptions = (step: Step) => {
  assertSignIn(step.experience)
  return requestOptions(ceremonyOf(step))
}

const signInPasskeyProved = operation(
  [],
  async (unit, ceremony: Ceremony, response: AuthenticationResponseJSON): Promise<string> => {
    const id = newId()
    await changeDraft(unit, ceremony.interactionId, async (draft) => {
      assertEvent(draft, 'SignIn')
      const used = await usePasskey(unit, ceremony, response)
      if (!used) throw new ApiError(FAILED)
      unit.note({ userId: used.userId, factor: 'WebAuthn' })
      return withRecord(draft, { type: 'SignInPasskey', id, ...used, verified: true })
    })
    return id
  },
)

/** Proves a passkey that says who signs in. Returns the id of the record. Throws 400, 422, 429. */
export const verifySignInPasskey = async (step: Step, response: AuthenticationResponseJSON): Promise<string> => {
  assertSignIn(step.experience)
  return counted(
    step,
    (error) => error === FAILED,
    () => perform(step.work, signInPasskeyProved, ceremonyOf(step), response),
  )
}
