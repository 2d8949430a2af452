/**
 * Second factors as steps of an interaction: proving one that the user has, setting one up, and deciding about them. Each works
 * on the draft; the account gets what was set up when the interaction is submitted.
 */
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { operation, perform, Refusal, type Unit } from '../../storage/unit-of-work.ts'
import { countGuess } from '../credentials/address-failures.ts'
import {
  countFactorFailure,
  type FactorPool,
  forgetFactorFailures,
  type LockoutPolicy,
  takeFactorTurn,
} from '../credentials/lockout.ts'
import { macOfBackupCode, newBackupCodes, useBackupCode } from '../factors/backup-codes.ts'
import type { FactorChoices } from '../factors/choices.ts'
import { assertNoFactor, type FactorType } from '../factors/factors.ts'
import {
  findTotp,
  newTotpSecret,
  sealTotpSecret,
  stepOfCode,
  totpAddress,
  unsealTotpSecret,
  useTotpCode,
} from '../factors/totp.ts'
import type { UserRow } from '../users/rows.ts'
import type { Draft, NewFactor, VerificationRecord } from './draft.ts'
import type { Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { changeDraft, recordOf, withRecord } from './interaction-drafts.ts'
import { lockoutPolicy } from './lockout-policy.ts'
import { isMandatory } from './mfa-policy.ts'
import { lockIdentified } from './password-proof.ts'
import { ownFactors, provedBy, provesOwnDevice } from './second-factors.ts'
import { addedAddressFactors, withVerifiedAddress } from './verified-address.ts'

/** Throws 422 `session.mfa.mfa_factor_not_enabled` for a factor that the tenant does not use. */
export const assertAllowed = ({ mfa }: SignInExperience, type: FactorType): void => {
  if (!mfa.factors.includes(type)) throw new ApiError('session.mfa.mfa_factor_not_enabled')
}

/** The user who signs in, locked. Throws 404 `session.identifier_not_found`. */
export const lockSigningIn = async (unit: Unit, { interactionEvent, identified }: Draft): Promise<UserRow> => {
  if (interactionEvent !== 'SignIn') throw new ApiError('session.mfa.mfa_sign_in_only')
  if (!identified) throw new ApiError('session.identifier_not_found')
  return lockIdentified(unit, identified)
}

/**
 * Whose account gets a factor: that of the user who signs in, or the one that is being registered (undefined). Throws 404
 * `session.identifier_not_found`, 403 `session.mfa.require_mfa_verification` for a user who has factors and has proved none:
 * a password alone adds no factor to such an account.
 */
export const lockOwner = async (
  unit: Unit,
  experience: SignInExperience,
  draft: Draft,
): Promise<UserRow | undefined> => {
  const { interactionEvent, identified, verificationRecords } = draft
  if (interactionEvent === 'ForgotPassword') throw new ApiError('session.not_supported_for_forgot_password')
  if (interactionEvent === 'Register') return undefined
  if (!identified) throw new ApiError('session.identifier_not_found')
  const user = await lockIdentified(unit, identified)
  const availableFactors = await ownFactors(unit, user, experience, identified)
  const isProved = verificationRecords.some((record) => provedBy(record, user.id) !== undefined)
  if (availableFactors.length > 0 && !isProved)
    throw new ApiError('session.mfa.require_mfa_verification', { availableFactors })
  return user
}

/** What an authenticator app shows the account as. */
export const accountName = ({ profile }: Draft, user: UserRow | undefined): string =>
  user?.username ??
  user?.primary_email ??
  user?.primary_phone ??
  profile.username ??
  profile.primaryEmail ??
  profile.primaryPhone ??
  'account'

const totpBegun = operation([], async (unit, interactionId: string, experience: SignInExperience, secret: string) => {
  const id = newId()
  let account = ''
  await changeDraft(unit, interactionId, async (draft) => {
    assertAllowed(experience, 'Totp')
    const user = await lockOwner(unit, experience, draft)
    if (user) await assertNoFactor(unit, user.id, 'Totp')
    account = accountName(draft, user)
    const sealedSecret = sealTotpSecret(unit, id, secret).toString('base64')
    const whose = user ? { userId: user.id } : {}
    return withRecord(draft, { type: 'Totp', id, ...whose, sealedSecret, verified: false })
  })
  return { id, account }
})

/** A TOTP that is being set up, for an authenticator app. */
export interface NewTotp {
  readonly verificationId: string
  readonly secret: string
  /** A `data:` address of an image. */
  readonly secretQrCode: string
  /** `otpauth:` */
  readonly uri: string
}

/** Makes a secret for the account. @param issuer as apps name it. Throws as lockOwner, 422 `user.totp_already_in_use`. */
export const beginTotp = async ({ work, interactionId, experience }: Step, issuer: string): Promise<NewTotp> => {
  const secret = newTotpSecret()
  const { id, account } = await perform(work, totpBegun, interactionId, experience, secret)
  const { uri, qrCode } = totpAddress(secret, { issuer, account })
  return { verificationId: id, secret, secretQrCode: qrCode, uri }
}

/** The TOTP that is being set up, for a page of the same interaction to show once more; undefined: none is. */
export const pendingTotp = ({ work }: Step, draft: Draft, issuer: string, user?: UserRow): NewTotp | undefined => {
  const record = draft.verificationRecords.find(({ type }) => type === 'Totp')
  if (record?.type !== 'Totp' || record.sealedSecret === undefined) return undefined
  const keys = { tenant: work.tenant, vault: work.store.vault }
  const secret = unsealTotpSecret(keys, record.id, Buffer.from(record.sealedSecret, 'base64'))
  const { uri, qrCode } = totpAddress(secret, { issuer, account: accountName(draft, user) })
  return { verificationId: record.id, secret, secretQrCode: qrCode, uri }
}

/** Counts a guess by address while it is answered: those that turn out wrong stay counted. Throws 429 `request.rate_limited`. */
export const counted = async <T>(
  { work }: Pick<Step, 'work'>,
  isWrong: (code: string) => boolean,
  answer: () => Promise<T>,
): Promise<T> => {
  const takeBack = countGuess(work)
  try {
    const value = await answer()
    takeBack()
    return value
  } catch (error) {
    if (!(error instanceof ApiError && isWrong(error.code))) takeBack()
    throw error
  }
}

/** Answers a guess at a factor of the user, within the count of its failures. */
export const guess = async (
  unit: Unit,
  pool: FactorPool,
  userId: string,
  policy: LockoutPolicy,
  wrong: ApiError,
  use: () => Promise<string | undefined>,
): Promise<string> => {
  await takeFactorTurn(unit, pool, userId)
  return answered(unit, pool, userId, policy, wrong, await use())
}

/** What comes of a guess that had its turn. @param factorId what it has proved; undefined: it was wrong */
export const answered = async (
  unit: Unit,
  pool: FactorPool,
  userId: string,
  policy: LockoutPolicy,
  wrong: ApiError,
  factorId: string | undefined,
): Promise<string> => {
  if (factorId === undefined) {
    await countFactorFailure(unit, pool, userId, policy)
    throw new Refusal(wrong)
  }
  forgetFactorFailures(unit, pool, userId)
  return factorId
}

export const INVALID_TOTP = 'session.mfa.invalid_totp_code'
const INVALID_BACKUP_CODE = 'session.mfa.invalid_backup_code'

const newTotpProved = operation([], async (unit, interactionId: string, id: string, code: string): Promise<string> => {
  await changeDraft(unit, interactionId, (draft) => {
    const record = recordOf(draft, id)
    if (record.type !== 'Totp' || record.sealedSecret === undefined)
      throw new ApiError('session.mfa.pending_info_not_found')
    const secret = unsealTotpSecret(unit, id, Buffer.from(record.sealedSecret, 'base64'))
    const usedStep = stepOfCode(secret, code, unit.now)
    if (usedStep === undefined) throw new ApiError(INVALID_TOTP)
    return withRecord(draft, { ...record, usedStep, verified: true })
  })
  return id
})

const totpProved = operation(
  [],
  async (unit, interactionId: string, code: string, policy: LockoutPolicy): Promise<string> => {
    const id = newId()
    await changeDraft(unit, interactionId, async (draft) => {
      const { id: userId } = await lockSigningIn(unit, draft)
      const use = async () => useTotpCode(unit, await findTotp(unit, userId), code)
      const factorId = await guess(unit, 'totp', userId, policy, new ApiError(INVALID_TOTP), use)
      unit.note({ userId, factor: 'Totp' })
      return withRecord(draft, { type: 'Totp', id, userId, factorId, verified: true })
    })
    return id
  },
)

/**
 * Proves a TOTP by a code: that of the user or, with the id of its record, one that is being set up. Returns the id of the
 * record. Throws 400 `session.mfa.invalid_totp_code`, `session.verification_blocked_too_many_attempts`, 429.
 */
export const verifyTotp = (step: Step, code: string, recordId?: string): Promise<string> => {
  const { work, interactionId, experience } = step
  return counted(
    step,
    (error) => error === INVALID_TOTP,
    () =>
      recordId === undefined
        ? perform(work, totpProved, interactionId, code.trim(), lockoutPolicy(work, experience))
        : perform(work, newTotpProved, interactionId, recordId, code.trim()),
  )
}

const backupCodesMade = operation(
  [],
  async (unit, interactionId: string, experience: SignInExperience, codes: readonly string[]): Promise<string> => {
    const id = newId()
    await changeDraft(unit, interactionId, async (draft) => {
      assertAllowed(experience, 'BackupCode')
      const user = await lockOwner(unit, experience, draft)
      if (user) await assertNoFactor(unit, user.id, 'BackupCode')
      const macs = codes.map((code) => macOfBackupCode(unit, id, code).toString('base64'))
      const whose = user ? { userId: user.id } : {}
      return withRecord(draft, { type: 'BackupCode', id, ...whose, macs, verified: true })
    })
    return id
  },
)

/** Makes backup codes for the account; they are told here and never again. Throws as beginTotp. */
export const generateBackupCodes = async ({ work, interactionId, experience }: Step) => {
  const codes = newBackupCodes()
  return { verificationId: await perform(work, backupCodesMade, interactionId, experience, codes), codes }
}

const backupCodeProved = operation(
  [],
  async (unit, interactionId: string, code: string, policy: LockoutPolicy): Promise<string> => {
    const id = newId()
    await changeDraft(unit, interactionId, async (draft) => {
      const { id: userId } = await lockSigningIn(unit, draft)
      const wrong = new ApiError(INVALID_BACKUP_CODE)
      const factorId = await guess(unit, 'backup-code', userId, policy, wrong, () => useBackupCode(unit, userId, code))
      unit.note({ userId, factor: 'BackupCode' })
      return withRecord(draft, { type: 'BackupCode', id, userId, factorId, verified: true })
    })
    return id
  },
)

/** Uses a backup code of the user up. Returns the id of the record. Throws 400 `session.mfa.invalid_backup_code`, 429. */
export const verifyBackupCode = (step: Step, code: string): Promise<string> => {
  const { work, interactionId, experience } = step
  return counted(
    step,
    (error) => error === INVALID_BACKUP_CODE,
    () => perform(work, backupCodeProved, interactionId, code, lockoutPolicy(work, experience)),
  )
}

/** The factor that a record has set up. Throws 400 `session.verification_failed` for one that proves no new factor. */
const newFactorOf = (record: VerificationRecord): NewFactor => {
  if (record.type === 'Totp' && record.verified && record.sealedSecret !== undefined && record.usedStep !== undefined)
    return { type: 'Totp', id: record.id, sealedSecret: record.sealedSecret, usedStep: record.usedStep }
  if (record.type === 'WebAuthn' && record.credential)
    return { type: 'WebAuthn', id: record.id, credential: record.credential }
  if (record.type === 'BackupCode' && record.macs !== undefined)
    return { type: 'BackupCode', id: record.id, macs: record.macs }
  throw new ApiError('session.verification_failed')
}

const factorBound = operation(
  [],
  async (
    unit,
    interactionId: string,
    experience: SignInExperience,
    type: FactorType,
    recordId: string,
    isForSignIn: boolean,
  ): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      if (!isForSignIn) assertAllowed(experience, type)
      else if (!experience.passkeySignIn.enabled) throw new ApiError('user.sign_in_method_not_enabled')
      const proved = newFactorOf(recordOf(draft, recordId))
      if (proved.type !== type) throw new ApiError('session.verification_failed')
      const factor = proved.type === 'WebAuthn' ? { ...proved, isForSignIn } : proved
      const user = await lockOwner(unit, experience, draft)
      const own = user ? await ownFactors(unit, user, experience, draft.identified) : []
      const others = [...own, ...(draft.newFactors ?? []).map((each) => each.type), ...addedAddressFactors(draft)]
      if (factor.type === 'BackupCode' && !others.some((each) => each !== 'BackupCode'))
        throw new ApiError('session.mfa.backup_code_can_not_be_alone')
      // of passkeys there can be several
      const isReplaced = (each: NewFactor) =>
        each.id === factor.id || (each.type === factor.type && each.type !== 'WebAuthn')
      const kept = (draft.newFactors ?? []).filter((each) => !isReplaced(each))
      return { ...draft, newFactors: [...kept, factor] }
    })
  },
)

const addressBound = operation(
  [],
  async (
    unit,
    interactionId: string,
    experience: SignInExperience,
    factor: 'EmailVerificationCode' | 'PhoneVerificationCode',
    recordId: string,
  ): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      assertAllowed(experience, factor)
      await lockOwner(unit, experience, draft)
      const type = factor === 'EmailVerificationCode' ? 'email' : 'phone'
      const bound = await withVerifiedAddress(unit, draft, experience, type, recordId)
      return { ...bound, factorChoices: { ...bound.factorChoices, enabled: true } }
    })
  },
)

/**
 * Gives the account a factor that was set up, when the interaction is submitted: an address or a number becomes that of
 * the account. Throws 400, 403, 404, 422.
 */
export const bindFactor = ({ work, interactionId, experience }: Step, type: FactorType, recordId: string) =>
  type === 'EmailVerificationCode' || type === 'PhoneVerificationCode'
    ? perform(work, addressBound, interactionId, experience, type, recordId)
    : perform(work, factorBound, interactionId, experience, type, recordId, false)

/**
 * Gives the account a passkey to sign in with, when the interaction is submitted, whether or not the settings make passkeys second
 * factors. Throws as bindFactor, 422 `user.sign_in_method_not_enabled`.
 */
export const bindSignInPasskey = ({ work, interactionId, experience }: Step, recordId: string) =>
  perform(work, factorBound, interactionId, experience, 'WebAuthn', recordId, true)

const choiceMade = operation(
  [],
  async (unit, interactionId: string, experience: SignInExperience, choice: FactorChoices): Promise<void> => {
    await changeDraft(unit, interactionId, async (draft) => {
      await lockOwner(unit, experience, draft)
      return { ...draft, factorChoices: { ...draft.factorChoices, ...choice } }
    })
  },
)

/** Remembers what the person decided, for the account when the interaction is submitted. Throws as lockOwner. */
export const chooseFactors = ({ work, interactionId, experience }: Step, choice: FactorChoices) =>
  perform(work, choiceMade, interactionId, experience, choice)

/** The same of a decision against a factor. Throws 422 `session.mfa.mfa_policy_not_user_controlled` under a mandatory policy. */
export const skipFactors = async (step: Step, choice: FactorChoices): Promise<void> => {
  if (isMandatory(step.experience.mfa.policy)) throw new ApiError('session.mfa.mfa_policy_not_user_controlled')
  await chooseFactors(step, choice)
}

/** What an authenticator app calls the tenant: its host, as in the address that people signed in at. */
export const issuerName = ({ baseUrl }: Tenant): string => new URL(baseUrl).host

const deviceChosen = operation([], async (unit, interactionId: string, experience: SignInExperience): Promise<void> => {
  await changeDraft(unit, interactionId, async (draft) => {
    const user = await lockSigningIn(unit, draft)
    if (!experience.trustedDevice.enabled || !provesOwnDevice(draft, user.id))
      throw new ApiError('session.mfa.require_mfa_verification', { availableFactors: [] })
    return { ...draft, isDeviceTrusted: true }
  })
})

/**
 * Trusts the device from the end of this sign-in on. Throws 403 `session.mfa.require_mfa_verification` unless a factor other than a
 * backup code was proved, and where the tenant trusts no devices; 404.
 */
export const chooseTrustedDevice = ({ work, interactionId, experience }: Step): Promise<void> =>
  perform(work, deviceChosen, interactionId, experience)
