/** A user's password and suspension (DECISIONS F6). */
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, perform, type Work } from '../../storage/unit-of-work.ts'
import { assertOwnerRemains } from '../administrators/last-owner.ts'
import { assertMayChange } from '../administrators/takeover.ts'
import { type StoredPassword, storedPassword, verifyPassword } from '../credentials/passwords.ts'
import { endAuthorizationsOfUser, type Spared } from '../sessions/sign-out.ts'
import { revokeTokensOf } from '../tenants/revocations.ts'
import { tellOwner } from './owner-notices.ts'
import { changeOfUser, getUser, lockUser, type UserRow, userEntity } from './rows.ts'

/**
 * Sets the password of a user, and ends their sessions and grants.
 * @param spare what continues: that of a user who changes their own password
 */
export const setPassword = operation(
  ['User.Data.Updated'],
  async (unit, id: string, { hash, algorithm }: StoredPassword, spare?: Spared): Promise<UserRow> => {
    const { tx, tenant, now, emit } = unit
    const before = await lockUser(unit, id)
    const row = await tx
      .updateTable('users')
      .set({
        password_hash: hash,
        password_algorithm: algorithm,
        password_updated_at: now,
        is_password_expired: false,
        updated_at: now,
      })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await endAuthorizationsOfUser(unit, id, spare)
    // on these no second factor would be asked for (DECISIONS O3)
    await tx.deleteFrom('trusted_devices').where(inTenant(tenant.id)).where('user_id', '=', id).execute()
    emit('User.Data.Updated', { data: userEntity(row) })
    unit.concerns('user', id, changeOfUser(before, row))
    await tellOwner(unit, id, 'passwordChanged')
    return row
  },
)

/**
 * Suspends or reactivates a user; emits the event even if nothing changed. A suspension calls off a deletion that waits: the user could
 * not, and what was suspended can be looked into (DECISIONS T8). Throws 422 for the last owner.
 */
export const setSuspended = operation(
  ['User.SuspensionStatus.Updated'],
  async (unit, id: string, isSuspended: boolean): Promise<UserRow> => {
    const { tx, tenant, now, emit } = unit
    const before = await lockUser(unit, id)
    if (isSuspended) await assertOwnerRemains(unit, id)
    const row = await tx
      .updateTable('users')
      .set({ is_suspended: isSuspended, updated_at: now })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (isSuspended) {
      await endAuthorizationsOfUser(unit, id)
      if (!before.is_suspended) revokeTokensOf(unit, 'user', id)
      await tx.deleteFrom('account_deletions').where(inTenant(tenant.id)).where('user_id', '=', id).execute()
    }
    // a directory lifts only its own suspensions (DECISIONS S3), which it marks itself
    await tx
      .updateTable('scim_users')
      .set({ has_suspended: false })
      .where(inTenant(tenant.id))
      .where('user_id', '=', id)
      .where('has_suspended', '=', true)
      .execute()
    emit('User.SuspensionStatus.Updated', { data: userEntity(row) })
    unit.concerns('user', id, changeOfUser(before, row))
    return row
  },
)

/**
 * Records in the audit log that the password was verified, and stores it rehashed unless it was changed in the
 * meantime. Nothing has changed for the user: no event.
 */
const passwordProved = operation(
  [],
  async ({ tx, tenant, note }, before: UserRow, renewed: StoredPassword | undefined): Promise<void> => {
    note({ userId: before.id })
    if (!renewed) return
    await tx
      .updateTable('users')
      .set({ password_hash: renewed.hash, password_algorithm: renewed.algorithm })
      .where(inTenant(tenant.id))
      .where('id', '=', before.id)
      .where('password_hash', '=', before.password_hash)
      .execute()
  },
)

/**
 * Whether this is the user's password; if so, an imported hash is replaced. Failures are not counted. Throws 404, and 403 for an
 * administrator whose password the caller may not guess (DECISIONS U4).
 */
export const isPasswordOf = async (work: Work, id: string, password: string): Promise<boolean> => {
  const { store, tenant, caller } = work
  const row = await getUser(store, tenant, id)
  await assertMayChange({ tx: store.database.kysely, tenant, caller }, id)
  const { isCorrect, renewed } = await verifyPassword(storedPassword(row), password)
  if (isCorrect) await perform(work, passwordProved, row, renewed)
  return isCorrect
}
