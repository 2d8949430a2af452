/**
 * Verification of a password (DECISIONS L2, L4, SECURITY R-28): the limit per address, the lock of the identifier, one
 * argon2id in every case, and the count of failures. The pages and the Experience API both start here.
 */

import { ApiError } from '../../kernel/api-error.ts'
import { hashSecret } from '../../kernel/secrets.ts'
import { fixedStatement, type Given } from '../../storage/fixed-statement.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, perform, Refusal, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { countGuess } from '../credentials/address-failures.ts'
import type { Identifier } from '../credentials/identifiers.ts'
import { countFailure, forgetFailures, type LockoutPolicy, type Target, takeTurn } from '../credentials/lockout.ts'
import { type StoredPassword, storedPassword, verifyPassword } from '../credentials/passwords.ts'
import { factorsOf } from '../factors/factors.ts'
import { identityAt } from '../users/identities.ts'
import { accountOf, findCredentials, hasIdentifier, type UserRow } from '../users/rows.ts'
import { findUserBySsoIdentity } from '../users/sso-identities.ts'
import type { Identified } from './draft.ts'
import type { SignInExperience } from './experience.ts'
import { lockoutPolicy } from './lockout-policy.ts'
import { comparedBy } from './rules.ts'

/** RFC 8176. */
export const PASSWORD = ['pwd'] as const

export interface PasswordProof {
  readonly target: Target
  readonly policy: LockoutPolicy
  readonly userId: string
  /** Derived from the hash of the verified password; not the hash itself. */
  readonly evidence: string
  /** A new hash of the password, to replace an imported or weaker hash. */
  readonly renewed: StoredPassword | undefined
}

/** What identifies a password in a proof: another password has another. */
export const evidenceOf = (row: { readonly password_hash: string | null }): string =>
  hashSecret(row.password_hash ?? '').toString('base64url')

/** Counts and reports a failure, which is recorded. */
const refuse = async (unit: Unit<'Identifier.Lockout'>, target: Target, policy: LockoutPolicy): Promise<never> => {
  await countFailure(unit, target, policy)
  throw new Refusal(new ApiError('session.invalid_credentials'))
}

const failed = operation(
  ['Identifier.Lockout'],
  async (unit, target: Target, policy: LockoutPolicy): Promise<never> => {
    await takeTurn(unit, target)
    return refuse(unit, target, policy)
  },
)

/**
 * Verifies a password. A wrong password, an unknown user and a user without a password get the same response in the
 * same time; a locked identifier is reported, whether or not the user exists. For an account that was locked under
 * another of its identifiers even the right password counts as wrong (DECISIONS N6). Does not check whether the user is
 * suspended.
 *
 * An imported hash can take longer than the server's own, up to a few seconds. Therefore no failure is answered sooner
 * than the longest check of one of the tenant's imported hashes that this node has seen within the last 12 to 24 hours;
 * a tenant without any has no delay. What this does not hide: that a hash is imported, if it is the first that a node
 * checks after its start, or if its check takes longer than any before or than three seconds; and that a tenant has
 * imported hashes. Throws 422 `session.invalid_credentials`, 400 `session.verification_blocked_too_many_attempts`, 429
 * `request.rate_limited`, 503 when too many passwords are being checked.
 */
export const provePassword = async (
  work: Work,
  experience: SignInExperience,
  typed: Identifier,
  password: string,
): Promise<PasswordProof> => {
  const { store, tenant } = work
  const identifier = comparedBy(experience, typed)
  const { passwordChecks } = store.metrics
  const takeBack = countGuess(work)
  try {
    const { user, ...locks } = await findCredentials(store, tenant, identifier)
    const policy = lockoutPolicy(work, experience)
    const target = { identifier, account: user && accountOf(user, policy.hasExactNames) }
    if (locks.isIdentifierLocked) {
      passwordChecks.inc({ result: 'locked' })
      throw new ApiError('session.verification_blocked_too_many_attempts')
    }
    const stored = storedPassword(user)
    const { isCorrect, renewed, took } = await verifyPassword(stored, password)
    if (stored && stored.algorithm !== null) store.importedPasswords.raise(tenant.id, took, store.clock.now())
    if (user && isCorrect && !locks.isAccountLocked) {
      takeBack()
      passwordChecks.inc({ result: 'right' })
      return { target, policy, userId: user.id, evidence: evidenceOf(user), renewed }
    }
    passwordChecks.inc({ result: locks.isAccountLocked ? 'locked' : 'wrong' })
    await store.importedPasswords.reach(tenant.id, took, store.clock.now())
    return await perform(work, failed, target, policy)
  } catch (error) {
    // nothing was learned from any other response
    if (!(error instanceof ApiError && error.code === 'session.invalid_credentials')) takeBack()
    throw error
  }
}

/**
 * Stores the new hash of the password, unless the password was changed in the meantime; returns what identifies it from
 * now on.
 */
const renewPassword = async ({ tx, tenant }: Unit, { userId, evidence, renewed }: PasswordProof): Promise<string> => {
  if (!renewed) return evidence
  const before = await tx
    .selectFrom('users')
    .select('password_hash')
    .where(inTenant(tenant.id))
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!before || evidenceOf(before) !== evidence) return evidence
  await tx
    .updateTable('users')
    .set({ password_hash: renewed.hash, password_algorithm: renewed.algorithm })
    .where(inTenant(tenant.id))
    .where('id', '=', userId)
    .execute()
  return evidenceOf({ password_hash: renewed.hash })
}

/**
 * The same check where the proof is used, within another operation: a right guess in flight when the lock came into
 * force does not get through. A success resets the count of failures. Returns whom it identifies, for `lockIdentified`.
 */
export const redeemProof = async (
  unit: Unit<'Identifier.Lockout'>,
  proof: PasswordProof,
): Promise<Identified & { evidence: string }> => {
  const { target, policy } = proof
  const { isAccountLocked, hasFailures } = await takeTurn(unit, target)
  if (isAccountLocked) return refuse(unit, target, policy)
  if (hasFailures) unit.send(forgetFailures(unit, target))
  return { userId: proof.userId, amr: PASSWORD, evidence: await renewPassword(unit, proof) }
}

const lockRow = fixedStatement((db, { tenantId, userId }: Given<{ tenantId: string; userId: string }>) =>
  db.selectFrom('users').selectAll().where(inTenant(tenantId)).where('id', '=', userId).forUpdate(),
)

/**
 * The row of the user who was identified, locked until the unit ends. Throws 422 `session.invalid_credentials` when the user
 * is deleted, or no longer has the password, address, passkey or social account that was verified, 401 `user.suspended`.
 * @param locked their row, where the unit has locked it already
 */
export const lockIdentified = async (
  { tx, tenant }: Unit,
  { userId, evidence, identifier, identity, ssoAccount, factorId }: Identified,
  locked?: UserRow,
): Promise<UserRow> => {
  const user = locked ?? (await lockRow(tx, { tenantId: tenant.id, userId }))[0]
  const isOutdated =
    (evidence !== undefined && user && evidenceOf(user) !== evidence) ||
    (identifier !== undefined && user && !hasIdentifier(user, identifier)) ||
    (identity !== undefined && user && identityAt(user, identity.target)?.userId !== identity.userId)
  const isLost = factorId !== undefined && !(await factorsOf(tx, tenant.id, userId)).some(({ id }) => id === factorId)
  const isOthers = ssoAccount !== undefined && (await findUserBySsoIdentity(tx, tenant.id, ssoAccount))?.id !== userId
  if (!user || isOutdated || isLost || isOthers) throw new ApiError('session.invalid_credentials')
  if (user.is_suspended) throw new Refusal(new ApiError('user.suspended'))
  return user
}
