/**
 * Deletion of an account by its user: at once, or after some days in which the user can change their mind by signing in, or by the link
 * of a mail (DECISIONS T8). Until then the account is signed out everywhere.
 */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { systemCaller } from '../../kernel/caller.ts'
import { secondsAfter } from '../../kernel/clock.ts'
import { newHashedOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, perform, type Unit, type Work } from '../../storage/unit-of-work.ts'
import { assertOwnerRemains } from '../administrators/last-owner.ts'
import { queueMessage } from '../delivery/messages.ts'
import { eraseAccount } from '../organizations/deletions.ts'
import { endAuthorizationsOfUser } from '../sessions/sign-out.ts'
import { getTenant } from '../tenants/tenants.ts'
import { lockUser, type UserRow } from '../users/rows.ts'
import { announceUser, beginChange } from './changes.ts'
import type { AccountHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'

const DAY_SECONDS = 86_400

/** A deletion that waits: a sign-in after it was asked for cancels it, without anything being written. */
const WAITS = sql<boolean>`NOT EXISTS (
  SELECT FROM users u WHERE u.tenant_id = d.tenant_id AND u.id = d.user_id AND u.last_sign_in_at > d.requested_at)`

/** Deletes the account of the user with all that hangs on it. Throws as beginChange. */
const deleteOwnAccountNow = operation(
  ['User.Deleted', 'Organization.Membership.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules): Promise<void> =>
    eraseAccount(unit, holder.userId, () => beginChange(unit, holder, rules, 'deletion')),
)

/** The day of a moment (RFC 3339 full-date), in UTC. */
const dayOf = (moment: Date): string => moment.toISOString().slice(0, 10)

/**
 * What the mail says: when, and the link that keeps the account. It is sent where there is a verified address and a connector: the
 * owner of any other address has no say in it.
 */
const sendNotice = (unit: Unit, user: UserRow, secret: string, due: Date): void => {
  const email = user.email_verified_at === null ? null : user.primary_email
  const recipient = email ?? (user.phone_verified_at === null ? null : user.primary_phone)
  if (recipient === null) return
  const link = `${unit.tenant.baseUrl}/account/keep?token=${secret}`
  const variables = { link, date: dayOf(due) }
  queueMessage(unit, { recipient, usage: 'AccountDeletion', variables }, (due.getTime() - unit.now.getTime()) / 1000)
}

const scheduleDeletion = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules): Promise<Date> => {
    const days = rules.center.deletionDelayDays
    const { tx, tenant, now } = unit
    const user = await beginChange(unit, holder, rules, 'deletion')
    await assertOwnerRemains(unit, user.id)
    const { value: secret, hash } = newHashedOpaque('accountDeletion')
    const due = secondsAfter(now, days * DAY_SECONDS)
    const values = { secret_hash: hash, requested_at: now, due_at: due }
    await tx
      .insertInto('account_deletions')
      .values({ tenant_id: tenant.id, user_id: user.id, ...values })
      .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(values))
      .execute()
    await endAuthorizationsOfUser(unit, user.id)
    sendNotice(unit, user, secret, due)
    unit.note({ deletionAt: due.toISOString() })
    await announceUser(unit, user.id)
    return due
  },
)

/**
 * Deletes the account of the user, or schedules that and signs them out everywhere. Returns when it will be deleted; null: it is.
 * Throws as beginChange.
 */
export const deleteOwnAccount = async (
  work: Work,
  holder: AccountHolder,
  rules: AccountRules,
): Promise<Date | null> => {
  if (rules.center.deletionDelayDays > 0) return perform(work, scheduleDeletion, holder, rules)
  await perform(work, deleteOwnAccountNow, holder, rules)
  return null
}

/** When the account with this link will be deleted; undefined: it will not, or the link is not one of ours. */
export const deletionByLink = async (
  store: Store,
  { id: tenantId }: Tenant,
  secret: string,
): Promise<Date | undefined> => {
  const hash = opaqueHash('accountDeletion', secret)
  if (!hash) return undefined
  const row = await store.database.kysely
    .selectFrom('account_deletions as d')
    .select('d.due_at')
    .where(inTenant(tenantId, 'd'))
    .where('d.secret_hash', '=', hash)
    .where(WAITS)
    .executeTakeFirst()
  return row?.due_at
}

/** Keeps the account with this link. Throws 404 where nothing waits. */
export const keepAccount = operation([], async (unit, secret: string): Promise<void> => {
  const { tx, tenant } = unit
  const hash = opaqueHash('accountDeletion', secret)
  const kept =
    hash &&
    (await tx
      .deleteFrom('account_deletions')
      .where(inTenant(tenant.id))
      .where('secret_hash', '=', hash)
      .returning('user_id')
      .executeTakeFirst())
  if (!kept) throw new ApiError('entity.not_found')
  unit.note({ userId: kept.user_id })
  unit.concerns('user', kept.user_id)
})

/** Deletes an account whose time has come, unless the user has signed in since. */
const deleteDueAccount = operation(
  ['User.Deleted', 'Organization.Membership.Updated'],
  async (unit, userId: string): Promise<void> => {
    await eraseAccount(unit, userId, async () => {
      const user = await lockUser(unit, userId)
      const { rows } = await sql`
        SELECT FROM account_deletions d
        WHERE d.tenant_id = ${unit.tenant.id} AND d.user_id = ${userId} AND d.due_at <= ${unit.now} AND ${WAITS}`.execute(
        unit.tx,
      )
      if (rows.length === 0) throw new ApiError('entity.not_found')
      return user
    })
  },
)

const AT_ONCE = 100

/** Whether the account was deleted: not if another node was faster, or the user has signed in at the last moment. */
const deleteDue = async (store: Store, tenantId: string, userId: string): Promise<boolean> => {
  const work = { store, tenant: await getTenant(store, tenantId), caller: systemCaller('deleteAccount') }
  try {
    await perform(work, deleteDueAccount, userId)
    return true
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404))
      store.log.warn({ err: error, tenantId, userId }, 'an account whose deletion is due could not be deleted')
    return false
  }
}

/**
 * Deletes the accounts whose time has come, and forgets deletions that a sign-in has cancelled; returns how many were deleted. Any
 * number of nodes may do it at once.
 */
export const deleteDueAccounts = async (store: Store): Promise<number> => {
  const { database, clock } = store
  await sql`DELETE FROM account_deletions d WHERE NOT ${WAITS}`.execute(database.kysely)
  for (let [deleted, left] = [0, 0]; ; ) {
    const due = await database.kysely
      .selectFrom('account_deletions as d')
      .select(['d.tenant_id', 'd.user_id'])
      .where('d.due_at', '<=', clock.now())
      .where(WAITS)
      .orderBy('d.due_at')
      .orderBy('d.tenant_id')
      .orderBy('d.user_id')
      .limit(AT_ONCE)
      .offset(left)
      .execute()
    for (const { tenant_id, user_id } of due) {
      if (await deleteDue(store, tenant_id, user_id)) deleted += 1
      else left += 1
    }
    if (due.length < AT_ONCE) return deleted
  }
}
