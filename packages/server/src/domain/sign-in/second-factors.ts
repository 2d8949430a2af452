/**
 * Second factors within a sign-in: which the user has, which were proved in this interaction, and what is still needed before
 * they are let in. mfa-policy.ts decides; here it is asked.
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { choicesOf } from '../factors/choices.ts'
import { FACTOR_TYPES, type Factor, type FactorType, factorsOf } from '../factors/factors.ts'
import { isTrusted } from '../factors/trusted-devices.ts'
import { hasIdentifier, type UserRow } from '../users/rows.ts'
import { type AcrDemand, demandOf } from './acr.ts'
import type { Draft, Identified, VerificationRecord } from './draft.ts'
import type { SignInExperience } from './experience.ts'
import { isEnterprise } from './interaction-drafts.ts'
import type { AuthorizationRequest } from './interactions.ts'
import { type NeededFactor, neededFactor } from './mfa-policy.ts'
import { doesWithoutSso } from './sso-domains.ts'
import { addedAddressFactors, boundAddressFactors, CODE_FACTOR } from './verified-address.ts'

/** Where it is read: within a unit of work, or outside of one. */
interface Reading {
  readonly tx: Db
  readonly tenant: Tenant
}

/** Federated sign-in, as Microsoft Entra ID calls it; RFC 8176 has no value for it. */
export const FEDERATED = ['fed'] as const

/**
 * The factor that an address is which was the proof of who the user is: the same is no second one (DECISIONS O1). That a provider has
 * verified the address does not prove that this user can read what is sent there.
 */
const firstFactorOf = (identified: Identified | undefined): FactorType | undefined =>
  identified?.identifier && !identified.amr.includes(FEDERATED[0]) ? CODE_FACTOR[identified.identifier.type] : undefined

/**
 * The second factors of a user that the settings allow, the strongest first; of addresses, those that messages reach and
 * that the user has not signed in with.
 */
export const ownFactors = async (
  reading: Reading,
  user: UserRow,
  experience: SignInExperience,
  identified?: Identified,
): Promise<FactorType[]> => ownAmong(await factorRows(reading, experience, user.id), user, experience, identified)

/** The rows of a user's factors; none where the settings make no use of any. */
export const factorRows = async (
  { tx, tenant }: Reading,
  { mfa, passkeySignIn }: SignInExperience,
  userId: string,
): Promise<readonly Factor[]> =>
  mfa.factors.length > 0 || passkeySignIn.enabled ? factorsOf(tx, tenant.id, userId) : []

/** The same among these rows. */
export const ownAmong = (
  rows: readonly Factor[],
  user: UserRow,
  { mfa, canMail, canText }: SignInExperience,
  identified: Identified | undefined,
): FactorType[] => {
  const has = (type: FactorType): boolean => {
    if (type === 'EmailVerificationCode') return canMail && user.primary_email !== null
    if (type === 'PhoneVerificationCode') return canText && user.primary_phone !== null
    return rows.some((row) => row.type === type && (type !== 'BackupCode' || row.remaining > 0))
  }
  const first = firstFactorOf(identified)
  const own = FACTOR_TYPES.filter((type) => mfa.factors.includes(type) && type !== first && has(type))
  // backup codes stand in for another factor
  return own.some((type) => type !== 'BackupCode') ? own : []
}

/** The second factor that a record proves, of the account that signs in; undefined: none. */
export const provedBy = (record: VerificationRecord, userId: string): FactorType | undefined => {
  switch (record.type) {
    case 'Totp':
      return record.verified && record.userId === userId && record.sealedSecret === undefined ? 'Totp' : undefined
    case 'WebAuthn':
      return record.verified && record.userId === userId && !record.isNew ? 'WebAuthn' : undefined
    case 'SignInPasskey':
      return record.verified && record.userId === userId ? 'WebAuthn' : undefined
    case 'BackupCode':
      return record.verified && record.userId === userId && record.macs === undefined ? 'BackupCode' : undefined
    case 'MfaEmailVerificationCode':
      return record.verified && record.userId === userId ? 'EmailVerificationCode' : undefined
    case 'MfaPhoneVerificationCode':
      return record.verified && record.userId === userId ? 'PhoneVerificationCode' : undefined
    default:
      return undefined
  }
}

/** The same, unless it was a code to an address that is not the user's any more. */
const stillProvedBy = (record: VerificationRecord, user: UserRow): FactorType | undefined => {
  const isCode = record.type === 'MfaEmailVerificationCode' || record.type === 'MfaPhoneVerificationCode'
  return isCode && !hasIdentifier(user, record.identifier) ? undefined : provedBy(record, user.id)
}

/** Whether a factor other than a backup code was proved, or set up: only then can the device be trusted. */
export const provesOwnDevice = (draft: Draft, userId: string): boolean => {
  const { verificationRecords, newFactors = [] } = draft
  const proved = verificationRecords.map((record) => provedBy(record, userId))
  return [...proved, ...newFactors.map(({ type }) => type), ...boundAddressFactors(draft)].some(
    (type) => type !== undefined && type !== 'BackupCode',
  )
}

/**
 * The draft without the proofs of factors that the account does not have any more: what an administrator has taken away proves
 * nothing. @param rows of the user's factors
 */
export const withoutLost = (draft: Draft, rows: readonly Factor[]): Draft => {
  const { verificationRecords } = draft
  const factorIdOf = (record: VerificationRecord) => ('factorId' in record ? record.factorId : undefined)
  const kept = new Set(rows.map(({ id }) => id))
  const isLost = (record: VerificationRecord) => {
    const id = factorIdOf(record)
    return id !== undefined && !kept.has(id)
  }
  return { ...draft, verificationRecords: verificationRecords.filter((record) => !isLost(record)) }
}

/** What the methods of RFC 8176 call a factor. */
export const AMR_OF: Readonly<Record<FactorType, readonly string[]>> = {
  WebAuthn: ['hwk'],
  Totp: ['otp'],
  PhoneVerificationCode: ['sms'],
  EmailVerificationCode: ['otp'],
  BackupCode: ['otp'],
}

/** How a user proved who they are, with the second factors that they proved or set up in this interaction. */
export const amrWith = (amr: readonly string[], draft: Draft, userId: string) => {
  const { verificationRecords, newFactors = [] } = draft
  const proved = verificationRecords.map((record) => provedBy(record, userId)).filter((type) => type !== undefined)
  const added = newFactors.map(({ type }) => type).filter((type) => type !== 'BackupCode')
  const factors = [...proved, ...added, ...boundAddressFactors(draft)]
  return factors.length === 0 ? amr : [...new Set([...amr, ...factors.flatMap((type) => AMR_OF[type]), 'mfa'])]
}

/** Whether an organization of the user wants second factors of its members. */
export const isWantedByOrganization = async ({ tx, tenant }: Reading, userId: string): Promise<boolean> => {
  const { rows } = await sql`
    SELECT FROM organization_users m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenant.id} AND m.user_id = ${userId} AND o.is_mfa_required LIMIT 1`.execute(tx)
  return rows.length > 0
}

/** Whether someone has to be asked for a second factor whatever the policy says. */
const isDemanded = async (
  unit: Reading,
  demand: AcrDemand | undefined,
  experience: SignInExperience,
  user: UserRow | undefined,
): Promise<boolean> => {
  const { mfa } = experience
  if (demand !== undefined) return true
  if (user === undefined) return false
  if (doesWithoutSso(experience, user)) return true
  return mfa.organizationRequiredMfaPolicy === 'Mandatory' && isWantedByOrganization(unit, user.id)
}

interface Person {
  readonly request: AuthorizationRequest
  readonly draft: Draft
  /** Not there where an account is registered. */
  readonly user: UserRow | undefined
  /** The rows of their factors, where they were read before. */
  readonly rows?: readonly Factor[]
  /** The secret of the device, if it has one. */
  readonly device?: string | undefined
  readonly now?: Date
}

/** Asks the policy what the person needs. The user is locked by the caller. */
export const needOf = async (
  unit: Reading,
  experience: SignInExperience,
  { request, draft, user, rows, device, now }: Person,
): Promise<NeededFactor | undefined> => {
  const demand = demandOf(request.acr)
  // the company's provider has asked for what the company wants, unless the application wants more (DECISIONS P6)
  if (isEnterprise(draft) && demand === undefined) return undefined
  // what can be phished does not do where that is demanded
  const first = firstFactorOf(draft.identified)
  const factors = experience.mfa.factors.filter(
    (type) => type !== first && (demand !== 'urn:countersign:acr:phr' || type === 'WebAuthn'),
  )
  const { passkeySignIn } = experience
  if (factors.length === 0 && !passkeySignIn.enabled) return undefined
  const isOneOf = (type: FactorType | undefined) => type !== undefined && factors.includes(type)
  const held = rows ?? (user ? await factorRows(unit, experience, user.id) : [])
  const own = user ? ownAmong(held, user, experience, draft.identified).filter(isOneOf) : []
  // max_age asks for a proof that is fresh (DECISIONS O4)
  const isFresh = demand !== undefined || request.maxAge !== undefined
  const mayBeTrusted = experience.trustedDevice.enabled && own.length > 0 && user && now && !isFresh
  const isTrustedDevice = mayBeTrusted ? await isTrusted(unit.tx, unit.tenant.id, user.id, device, now) : false
  const added = [...(draft.newFactors ?? []).map(({ type }) => type), ...addedAddressFactors(draft)]
  // a passkey that signed the user in is two factors in one
  const isProof = (record: VerificationRecord, who: UserRow) =>
    isOneOf(stillProvedBy(record, who)) || (record.type === 'SignInPasskey' && provedBy(record, who.id) !== undefined)
  return neededFactor({
    event: user ? 'SignIn' : 'Register',
    mfa: { ...experience.mfa, factors },
    own,
    added: added.filter(isOneOf),
    isProved: user !== undefined && draft.verificationRecords.some((record) => isProof(record, user)),
    couldHavePasskey:
      passkeySignIn.enabled && !added.includes('WebAuthn') && !held.some(({ type }) => type === 'WebAuthn'),
    choices: { ...(user ? choicesOf(user) : {}), ...draft.factorChoices },
    isDemanded: await isDemanded(unit, demand, experience, user),
    isTrustedDevice,
    isAdaptive: experience.adaptiveMfa.enabled,
    isUnusual: draft.unusual !== undefined,
  })
}

/** An address or a number of which enough is shown to know which it is. */
export const maskedAddress = (address: string): string => {
  const at = address.indexOf('@')
  return at === -1 ? `****${address.slice(-4)}` : `${address.slice(0, Math.min(2, at))}****${address.slice(at)}`
}

/** What is needed, as the answer of the Experience API: 403 for a proof, 422 for what is to be set up. */
export const errorOfNeed = (
  { code, availableFactors, skippable }: NeededFactor,
  user: UserRow | undefined,
): ApiError => {
  if (code !== 'session.mfa.require_mfa_verification') return new ApiError(code, { availableFactors, skippable })
  const maskedIdentifiers = {
    ...(availableFactors.includes('EmailVerificationCode') && user?.primary_email
      ? { EmailVerificationCode: maskedAddress(user.primary_email) }
      : {}),
    ...(availableFactors.includes('PhoneVerificationCode') && user?.primary_phone
      ? { PhoneVerificationCode: maskedAddress(user.primary_phone) }
      : {}),
  }
  return new ApiError(code, { availableFactors, maskedIdentifiers })
}
