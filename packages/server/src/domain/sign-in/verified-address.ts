/**
 * Addresses and numbers that a code has verified in an interaction, and what becomes of them: identifiers of an account,
 * and with that second factors of it (SECURITY R-27).
 */
import { ApiError } from '../../kernel/api-error.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, perform, type Unit } from '../../storage/unit-of-work.ts'
import { assertEmailAllowed } from '../credentials/email-blocklist.ts'
import { identifierKey } from '../credentials/identifiers.ts'
import type { FactorType } from '../factors/factors.ts'
import { isTokenFor } from '../issued/one-time-tokens.ts'
import type { UserRow } from '../users/rows.ts'
import type { Address, CodeRecord, CodeUsage, Draft, DraftFields, Identified, VerificationRecord } from './draft.ts'
import { assertEnterable, assertFree, assertNoEmail, assertNoPhone, type Step } from './draft-profile.ts'
import type { SignInExperience } from './experience.ts'
import { changeDraft, recordOf } from './interaction-drafts.ts'
import { asksFor } from './missing-profile.ts'
import { lockIdentified } from './password-proof.ts'
import { FIELD_OF } from './rules.ts'

/** What a code verifies that is sent there: the name of its record, and of the second factor. */
export const CODE_FACTOR = { email: 'EmailVerificationCode', phone: 'PhoneVerificationCode' } as const

/** Throws 422 for a user who has an address, or a number. */
export const assertNone = (user: UserRow, type: Address['type']): void =>
  type === 'email' ? assertNoEmail(user) : assertNoPhone(user)

/** What a code may have been sent for that brings an address to an account. */
const BRINGING = {
  // who wanted to sign in and has no account yet may register with the same proof
  Register: ['Register', 'BindMfa', 'SignIn'],
  SignIn: ['BindNewIdentifier', 'BindMfa'],
  ForgotPassword: [],
} as const satisfies Record<Draft['interactionEvent'], readonly CodeUsage[]>

/** Whether a record has verified an address for the account of this draft: the one that registers, or that of its user. */
const bringsAddress = (draft: Draft, record: VerificationRecord): record is CodeRecord =>
  (record.type === 'EmailVerificationCode' || record.type === 'PhoneVerificationCode') &&
  record.verified &&
  (BRINGING[draft.interactionEvent] as readonly CodeUsage[]).includes(record.templateType) &&
  record.userId === draft.identified?.userId

/** The record that verifies the address or number that was entered. Undefined: none was entered, or it is unverified. */
const proofOf = (draft: Draft, type: Address['type']): CodeRecord | undefined => {
  const value = draft.profile[FIELD_OF[type]]
  if (!value) return undefined
  const key = identifierKey({ type, value })
  return draft.verificationRecords
    .filter((record) => bringsAddress(draft, record))
    .find(({ identifier }) => identifier.type === type && identifierKey(identifier) === key)
}

/** Whether the address or number that was entered is verified. */
export const isProved = (draft: Draft, type: Address['type']): boolean => proofOf(draft, type) !== undefined

/** The second factors that come with the addresses that were verified in this interaction. */
export const addedAddressFactors = (draft: Draft): FactorType[] =>
  (['email', 'phone'] as const).filter((type) => isProved(draft, type)).map((type) => CODE_FACTOR[type])

/** Those among them that were set up as such. */
export const boundAddressFactors = (draft: Draft): FactorType[] =>
  (['email', 'phone'] as const)
    .filter((type) => proofOf(draft, type)?.templateType === 'BindMfa')
    .map((type) => CODE_FACTOR[type])

/** An address by which a user is found and that they own: verified from now on. Returns whether that is new. */
export const markVerified = async ({ tx, tenant, now }: Unit, userId: string, { type }: Address): Promise<boolean> => {
  const column = type === 'email' ? 'email_verified_at' : 'phone_verified_at'
  const verified = await tx
    .updateTable('users')
    .set({ [column]: now })
    .where(inTenant(tenant.id))
    .where('id', '=', userId)
    .where(column, 'is', null)
    .returning('id')
    .execute()
  return verified.length > 0
}

/**
 * What a record contributes to an account being registered: the verified address or number. Throws 400
 * `session.verification_failed` unless it was verified for that, 422 if what a code was sent to is no identifier to register with.
 */
export const verifiedAddress = (
  draft: Draft,
  record: VerificationRecord,
  experience: SignInExperience,
): Pick<DraftFields, 'primaryEmail' | 'primaryPhone'> => {
  if (draft.interactionEvent === 'Register' && record.type === 'OneTimeToken' && isTokenFor(record.context, 'Register'))
    return { primaryEmail: record.identifier.value }
  if (draft.interactionEvent !== 'Register' || !bringsAddress(draft, record))
    throw new ApiError('session.verification_failed')
  const { type, value } = record.identifier
  if (record.templateType !== 'BindMfa' && !asksFor(experience, type))
    throw new ApiError('user.sign_up_method_not_enabled')
  return { [FIELD_OF[type]]: value }
}

/** The address that a user who signs in adds to their account. Throws 400 unless it was verified for that, 422. */
const addedAddress = async (
  unit: Unit,
  draft: Draft,
  identified: Identified,
  record: VerificationRecord,
): Promise<Pick<DraftFields, 'primaryEmail' | 'primaryPhone'>> => {
  if (!bringsAddress(draft, record)) throw new ApiError('session.verification_failed')
  const { type, value } = record.identifier
  assertNone(await lockIdentified(unit, identified), type)
  return { [FIELD_OF[type]]: value }
}

/**
 * The draft with the address that a record verifies. Throws 404 `session.verification_session_not_found`, 400
 * `session.verification_failed`, 422 `user.…_already_in_use`, `user.…_exists_in_profile`, `session.email_blocklist.…`,
 * and as verifiedAddress.
 */
export const withVerifiedAddress = async (
  unit: Unit,
  draft: Draft,
  experience: SignInExperience,
  type: Address['type'],
  recordId: string,
): Promise<Draft> => {
  assertEnterable(draft)
  const record = recordOf(draft, recordId)
  const entered = draft.identified
    ? await addedAddress(unit, draft, draft.identified, record)
    : verifiedAddress(draft, record, experience)
  const value = entered[FIELD_OF[type]]
  if (!value) throw new ApiError('session.verification_failed')
  if (type === 'email') await assertEmailAllowed(value, experience.emailBlocklistPolicy)
  await assertFree(unit, experience, entered)
  return { ...draft, profile: { ...draft.profile, ...entered } }
}

const addressEntered = operation(
  [],
  async (
    unit,
    interactionId: string,
    experience: SignInExperience,
    type: Address['type'],
    recordId: string,
  ): Promise<void> => {
    await changeDraft(unit, interactionId, (draft) => withVerifiedAddress(unit, draft, experience, type, recordId))
  },
)

/** Enters what a record verifies: an address or a number. Throws as withVerifiedAddress. */
export const enterVerified = (
  { work, interactionId, experience }: Step,
  type: 'email' | 'phone',
  recordId: string,
): Promise<void> => perform(work, addressEntered, interactionId, experience, type, recordId)
