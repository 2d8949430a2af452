/**
 * What the owner of an account does who is told of a change that someone else has made (users/owner-notices.ts): everything that is
 * signed in ends, and the password has to be set anew. The link proves no more than that a mailbox got the message: it signs no one in,
 * shows nothing of the account, and changes no address (DECISIONS T12).
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { factorsOf, removeFactor } from '../factors/factors.ts'
import { endTrust } from '../factors/trusted-devices.ts'
import { endAuthorizationsOfUser } from '../sessions/sign-out.ts'
import { deleteIdentity, identityAt } from '../users/identities.ts'
import { ownerKnows } from '../users/owner-notices.ts'
import { changeOfUser, lockUser, type UserRow, userEntity } from '../users/rows.ts'
import { deleteSsoIdentity, SSO_SUBJECT, ssoIdentitiesOf } from '../users/sso-identities.ts'
import type { SignInExperience } from './experience.ts'
import { requiredSsoFor } from './sso-domains.ts'
import { canSignIn } from './ways-to-sign-in.ts'

/** Whether a link can still be used. Reads only: mail programs open links by themselves. */
export const isDisownable = async (
  { database, clock }: Store,
  tenant: Tenant,
  token: string | undefined,
): Promise<boolean> => {
  const hash = opaqueHash('ownerNotice', token)
  if (!hash) return false
  const { rows } = await sql`
    SELECT FROM owner_notices
    WHERE tenant_id = ${tenant.id} AND hash = ${hash} AND used_at IS NULL AND expires_at > ${clock.now()}`.execute(
    database.kysely,
  )
  return rows.length > 0
}

export interface Disowned {
  /**
   * Whether the user has to set a new password, with a code that is sent to their address: the one that they had was removed, or what the
   * message told of is their only way to sign in, and goes once there is a password.
   */
  readonly hasToReset: boolean
  /** Whether the factor that the message told of goes once such a code was entered. */
  readonly keepsFactor: boolean
}

/** What a message told of. */
export interface Notice {
  readonly userId: string
  readonly emailKey: string
  readonly kind: string
  readonly subject: string | null
}

/** Whether the message went to the address that the account has, verified. */
export const isToOwner = ({ emailKey }: Notice, user: UserRow): boolean =>
  user.email_key === emailKey && user.email_verified_at !== null

/** What the message told of, if the account still has it. */
export interface Addition {
  readonly added: Readonly<Record<'factorId' | 'target' | 'connectorId', string | undefined>>
  /** Whether it is the only second factor. */
  readonly isOnlyFactor: boolean
  /** Whether the user can sign in with nothing else. */
  readonly isLastWay: boolean
}

/** A locked user without what was added to it. */
const without = ({ identities }: UserRow, target: string | undefined): UserRow['identities'] =>
  Object.fromEntries(Object.entries(identities).filter(([each]) => each !== target))

/** The factor or the linked account that the message told of, if the locked user has it. */
export const additionTo = async (
  { tx, tenant }: Unit,
  { kind, subject }: Notice,
  user: UserRow,
  experience: SignInExperience,
): Promise<Addition | undefined> => {
  if (subject === null) return undefined
  const [factors, ssoIdentities] = [
    await factorsOf(tx, tenant.id, user.id),
    await ssoIdentitiesOf(tx, tenant.id, user.id),
  ]
  const isLink = kind === 'identityLinked'
  const ofCompany = isLink && subject.startsWith(SSO_SUBJECT) ? subject.slice(SSO_SUBJECT.length) : undefined
  const factorId = kind === 'factorAdded' ? factors.find(({ id }) => id === subject)?.id : undefined
  const target = isLink && identityAt(user, subject) ? subject : undefined
  const connectorId = ssoIdentities.find((each) => each.connector_id === ofCompany)?.connector_id
  if (factorId === undefined && target === undefined && connectorId === undefined) return undefined
  const left = factors.filter(({ id }) => id !== factorId)
  const ways = (rows: typeof factors, identities: typeof ssoIdentities) => ({
    ...{ factors: rows, hasSsoIdentity: identities.length > 0 },
  })
  const otherIdentities = ssoIdentities.filter((each) => each.connector_id !== connectorId)
  return {
    added: { factorId, target, connectorId },
    isOnlyFactor: factorId !== undefined && !left.some(({ type }) => type !== 'BackupCode'),
    isLastWay:
      canSignIn(user, ways(factors, ssoIdentities), experience) &&
      !canSignIn({ ...user, identities: without(user, target) }, ways(left, otherIdentities), experience),
  }
}

/** Removes a factor of a locked user, and emits the user. */
const takeFactor = async (unit: Unit<'User.Data.Updated'>, userId: string, id: string): Promise<void> => {
  const { tx, tenant, now } = unit
  if ((await removeFactor(unit, userId, id)).length === 0) await endTrust(unit, userId)
  const row = await tx
    .updateTable('users')
    .set({ updated_at: now })
    .where(inTenant(tenant.id))
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
  unit.emit('User.Data.Updated', { data: userEntity(row) })
  unit.concerns('user', userId)
}

/** Removes it from a locked user: it would sign in whoever added it. */
export const removeAddition = async (
  unit: Unit<'User.Data.Updated'>,
  userId: string,
  { added: { factorId, target, connectorId } }: Addition,
): Promise<void> => {
  if (factorId !== undefined) await takeFactor(unit, userId, factorId)
  if (target !== undefined) await deleteIdentity.run(unit, userId, target)
  if (connectorId !== undefined) await deleteSsoIdentity.run(unit, userId, connectorId)
}

/** Whether a user can set a new password by a code to their email address. */
export const canReset = async (unit: Unit, experience: SignInExperience, user: UserRow): Promise<boolean> => {
  const { primary_email: value } = user
  if (value === null || !experience.resetIdentifiers.includes('email')) return false
  return (await requiredSsoFor(unit, experience, { type: 'email', value })).length === 0
}

/**
 * Uses a link up: ends the sessions, grants and personal access tokens of the account and the trust in its devices, and calls off a
 * deletion that waits. If the message went to the address that the account has, verified, the factor or the linked account that it told
 * of is removed, unless it is the only factor or the only way to sign in, and so is the password if a new one can be set by a code to that
 * address: the owner of a former address cannot keep the user out. disown-code.ts continues. Throws 404 `one_time_token.token_not_found` for a link that is not one, was used, or has expired.
 */
export const disown = operation(
  ['User.Data.Updated'],
  async (unit, token: string | undefined, experience: SignInExperience): Promise<Disowned> => {
    const { tx, tenant, now } = unit
    const hash = opaqueHash('ownerNotice', token)
    const { rows } = await sql<Notice>`
      UPDATE owner_notices SET used_at = ${now}
      WHERE tenant_id = ${tenant.id} AND hash = ${hash ?? null}::bytea AND used_at IS NULL AND expires_at > ${now}
      RETURNING user_id AS "userId", email_key AS "emailKey", kind, subject`.execute(tx)
    const [notice] = rows
    if (!notice) throw new ApiError('one_time_token.token_not_found')
    const { userId, kind } = notice
    ownerKnows(unit, userId)
    const held = await lockUser(unit, userId)
    const isOwnAddress = isToOwner(notice, held)
    const addition = isOwnAddress ? await additionTo(unit, notice, held, experience) : undefined
    const { isOnlyFactor = false, isLastWay = false } = addition ?? {}
    if (addition && !isOnlyFactor && !isLastWay) await removeAddition(unit, userId, addition)
    const before = await lockUser(unit, userId)
    await endAuthorizationsOfUser(unit, userId)
    await endTrust(unit, userId)
    await tx.deleteFrom('personal_access_tokens').where(inTenant(tenant.id)).where('user_id', '=', userId).execute()
    // it may have been asked for by whoever was in the account
    await tx.deleteFrom('account_deletions').where(inTenant(tenant.id)).where('user_id', '=', userId).execute()
    const hasPassword = before.password_hash !== null
    const hasToReset = isOwnAddress && (hasPassword || isLastWay) && (await canReset(unit, experience, before))
    const keepsFactor = isOnlyFactor && (hasToReset || !isLastWay)
    unit.note({ userId, ownerNotice: kind, hasToReset })
    unit.concerns('user', userId)
    if (!hasToReset || !hasPassword) return { hasToReset, keepsFactor }
    const row = await tx
      .updateTable('users')
      .set({ password_hash: null, password_algorithm: null, password_updated_at: now, updated_at: now })
      .where(inTenant(tenant.id))
      .where('id', '=', userId)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('User.Data.Updated', { data: userEntity(row) })
    unit.concerns('user', userId, changeOfUser(before, row))
    return { hasToReset, keepsFactor }
  },
)
