/**
 * Verifications: how users prove who they are before a sensitive change, and what they verify to add to their account (DECISIONS
 * T2, SECURITY R-27). Each belongs to one user and one grant, lasts ten minutes, and is used up by one change.
 */
import { type Selectable, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import type { EnterpriseAccount } from '../federation/provider.ts'
import { takeStepUp } from '../issued/opaque-access-tokens.ts'
import type { AccountCenterSettings } from '../sign-in/account-center.ts'
import type { Identified } from '../sign-in/draft.ts'
import { lockIdentified } from '../sign-in/password-proof.ts'
import { type AccountHolder, bindingOf } from './holder.ts'

/** How long a verification counts from its begin, and how old the sign-in of a token may be that counts as one. */
const PROOF_SECONDS = 600
/** How many a user has at a time: the oldest make room. */
const MOST = 20

export type VerificationType =
  | 'Password'
  | 'EmailVerificationCode'
  | 'PhoneVerificationCode'
  | 'Social'
  | 'EnterpriseSso'
  | 'Totp'
  | 'WebAuthn'

export interface NewVerification {
  /** Where it has to be known before it begins. */
  readonly id?: string
  readonly type: VerificationType
  /** `Proof` proves who the user is; `New` verifies what is to be added to the account. */
  readonly purpose: 'Proof' | 'New'
  /** What it is about, without secrets. */
  readonly state: Readonly<Record<string, unknown>>
  /** Whether it is passed at once. */
  readonly isVerified: boolean
}

export type Verification = Selectable<Tables['account_verifications']>

/** What the API says of a verification. */
export interface Begun {
  readonly verificationRecordId: string
  /** RFC 3339. */
  readonly expiresAt: string
}

/** Records a verification of a user who is locked. */
export const beginVerification = async (
  { tx, tenant, now }: Unit,
  holder: AccountHolder,
  { id = newId(), type, purpose, state, isVerified }: NewVerification,
): Promise<Begun> => {
  const { userId } = holder
  await sql`
    DELETE FROM account_verifications WHERE tenant_id = ${tenant.id} AND id IN (
      SELECT id FROM account_verifications WHERE tenant_id = ${tenant.id} AND user_id = ${userId}
      ORDER BY created_at DESC, id OFFSET ${MOST - 1})`.execute(tx)
  const expiresAt = secondsAfter(now, PROOF_SECONDS)
  await tx
    .insertInto('account_verifications')
    .values({
      tenant_id: tenant.id,
      id,
      user_id: userId,
      bound_to: bindingOf(holder),
      type,
      purpose,
      state: JSON.stringify(state),
      verified_at: isVerified ? now : null,
      used_at: null,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
  return { verificationRecordId: id, expiresAt: expiresAt.toISOString() }
}

/** The verification of the holder with this id that is not yet passed. */
const pending = (
  db: Db,
  { id: tenantId }: Tenant,
  now: Date,
  holder: AccountHolder,
  id: string,
  types: readonly VerificationType[],
) =>
  db
    .selectFrom('account_verifications')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .where('user_id', '=', holder.userId)
    .where('bound_to', '=', bindingOf(holder))
    .where('type', 'in', types)
    .where('verified_at', 'is', null)
    .where('expires_at', '>', now)

/**
 * A verification of the holder that is not yet passed, locked until the unit ends. Throws 404 `verification_record.not_found` for
 * any other, also of the same user in another grant.
 * @param missing makes the error that is thrown in its place
 */
export const lockVerification = async (
  { tx, tenant, now }: Unit,
  holder: AccountHolder,
  id: string,
  types: readonly VerificationType[],
  missing = (): ApiError => new ApiError('verification_record.not_found'),
): Promise<Verification> => {
  const row = await pending(tx, tenant, now, holder, id, types).forUpdate().executeTakeFirst()
  if (!row) throw missing()
  return row
}

/** The same before the unit that passes it, for what has to be asked elsewhere meanwhile; not locked. */
export const findVerification = async (
  { database, clock }: Store,
  tenant: Tenant,
  holder: AccountHolder,
  id: string,
  types: readonly VerificationType[],
): Promise<Verification> => {
  const row = await pending(database.kysely, tenant, clock.now(), holder, id, types).executeTakeFirst()
  if (!row) throw new ApiError('verification_record.not_found')
  return row
}

/**
 * Passes a locked verification.
 * @param state what is known now, in place of what was
 * @param purpose what it turned out to be
 */
export const passVerification = async (
  { tx, tenant, now }: Unit,
  { id, state: before, purpose: begunAs }: Pick<Verification, 'id' | 'state' | 'purpose'>,
  state: Readonly<Record<string, unknown>> = before,
  purpose: NewVerification['purpose'] = begunAs,
): Promise<void> => {
  await tx
    .updateTable('account_verifications')
    .set({ verified_at: now, state: JSON.stringify(state), purpose })
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .execute()
}

/** What a proof has found, in the state of its verification. */
interface Found {
  /** Of a password. */
  readonly evidence: string
  /** The address of a code. */
  readonly value: string
  readonly factorId: string
  /** Where the user has an account, and which. */
  readonly target: string
  readonly account: EnterpriseAccount
  readonly connectorId: string
}

const foundBy = ({ type, state }: Verification): Partial<Identified> => {
  const { evidence, value, factorId, target, account, connectorId } = state as unknown as Found
  switch (type) {
    case 'Password':
      return { evidence }
    case 'EmailVerificationCode':
      return { identifier: { type: 'email', value } }
    case 'PhoneVerificationCode':
      return { identifier: { type: 'phone', value } }
    case 'Social':
      return { identity: { target, userId: account.id } }
    case 'EnterpriseSso':
      return { ssoAccount: { connectorId, account } }
    default:
      return { factorId }
  }
}

/**
 * Throws 401 `verification_record.permission_denied` unless the password, address, factor or account elsewhere by which users proved who
 * they are is still theirs, as at sign-in.
 */
const assertStillTrue = async (unit: Unit, proof: Verification): Promise<void> => {
  try {
    await lockIdentified(unit, { userId: proof.user_id, amr: [], ...foundBy(proof) })
  } catch (error) {
    throw error instanceof ApiError ? proofMissing() : error
  }
}

/** Uses up a passed verification: one statement, which returns what it used (SECURITY ). */
const use = async (
  { tx, tenant, now }: Unit,
  holder: AccountHolder,
  id: string,
  purpose: NewVerification['purpose'],
  isReused: boolean,
): Promise<Verification | undefined> => {
  const { rows } = await sql<Verification>`
    UPDATE account_verifications SET used_at = ${now}
    WHERE tenant_id = ${tenant.id} AND id = ${id} AND user_id = ${holder.userId} AND bound_to = ${bindingOf(holder)}
      AND purpose = ${purpose} AND verified_at IS NOT NULL AND expires_at > ${now} AND (used_at IS NULL OR ${isReused})
    RETURNING *`.execute(tx)
  return rows[0]
}

/**
 * Throws 401 `verification_record.permission_denied` unless the request has a proof now, before work that costs much or asks other
 * services; `requireProof` decides.
 */
export const assertProof = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  holder: AccountHolder,
  { reuseVerifications }: AccountCenterSettings,
): Promise<void> => {
  const { token, userId, verificationId = null } = holder
  const now = clock.now()
  const { rows } = await sql`
    SELECT FROM account_verifications
    WHERE tenant_id = ${tenantId} AND id = ${verificationId} AND user_id = ${userId} AND bound_to = ${bindingOf(holder)}
      AND purpose = 'Proof' AND verified_at IS NOT NULL AND expires_at > ${now} AND (used_at IS NULL OR ${reuseVerifications})
    UNION ALL
    SELECT FROM opaque_access_tokens
    WHERE tenant_id = ${tenantId} AND hash = ${token} AND ${verificationId}::text IS NULL
      AND step_up_at > ${secondsAfter(now, -PROOF_SECONDS)}`.execute(database.kysely)
  if (rows.length === 0) throw proofMissing()
}

/** The latest proof of the holder that a change can use up now; for pages, whose forms do not name it. */
export const latestProof = async (
  { database, clock }: Store,
  { id: tenantId }: Tenant,
  holder: AccountHolder,
  { reuseVerifications }: AccountCenterSettings,
): Promise<string | undefined> => {
  const { rows } = await sql<{ readonly id: string }>`
    SELECT id FROM account_verifications
    WHERE tenant_id = ${tenantId} AND user_id = ${holder.userId} AND bound_to = ${bindingOf(holder)} AND purpose = 'Proof'
      AND verified_at IS NOT NULL AND expires_at > ${clock.now()}
      AND (used_at IS NULL OR ${reuseVerifications})
    ORDER BY created_at DESC, id LIMIT 1`.execute(database.kysely)
  return rows[0]?.id
}

/** The error that asks for a proof, and says how fresh a sign-in has to be that counts as one (RFC 9470). */
export const proofMissing = (): ApiError =>
  new ApiError('verification_record.permission_denied', { maxAge: PROOF_SECONDS })

/**
 * Every sensitive change begins with this, in the same unit: it uses up the verification that the request names or, without one,
 * the new sign-in for which the access token was issued (RFC 9470). What was proved must still be so. If the change is then refused,
 * the proof stays. The holder is locked. Throws 401 `verification_record.permission_denied`.
 */
export const requireProof = async (
  unit: Unit,
  holder: AccountHolder,
  { reuseVerifications }: AccountCenterSettings,
): Promise<void> => {
  const { verificationId } = holder
  if (verificationId === undefined) {
    const notBefore = secondsAfter(unit.now, -PROOF_SECONDS)
    const { token } = holder
    if (token === null || !(await takeStepUp(unit, token, notBefore, reuseVerifications))) throw proofMissing()
    unit.note({ proof: 'Authorization' })
    return
  }
  const proof = await use(unit, holder, verificationId, 'Proof', reuseVerifications)
  if (!proof) throw proofMissing()
  await assertStillTrue(unit, proof)
  unit.note({ proof: proof.type })
}

/** Uses up a proof of this type for what it proved itself. Throws 400 `verification_record.not_found`. */
export const takeProof = async (
  unit: Unit,
  holder: AccountHolder,
  id: string,
  type: VerificationType,
): Promise<Verification> => {
  const found = await use(unit, holder, id, 'Proof', false)
  if (found?.type !== type) throw newVerificationMissing()
  return found
}

/** The error of a change without what it adds to the account having been verified. */
export const newVerificationMissing = (): ApiError =>
  new ApiError('verification_record.not_found', undefined, { isOther: true })

/** Uses up what was verified to be added to the account. Throws 400 `verification_record.not_found`. */
export const takeNewVerification = async (
  unit: Unit,
  holder: AccountHolder,
  id: string,
  type: VerificationType,
): Promise<Verification> => {
  const found = await use(unit, holder, id, 'New', false)
  if (found?.type !== type) throw newVerificationMissing()
  return found
}
