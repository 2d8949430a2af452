/**
 * The accounts that users have at providers elsewhere, one of each target. The column of the user shows them; the table decides whose
 * one is, so that no two users have the same.
 */

import { ApiError } from '../../kernel/api-error.ts'
import type { Db } from '../../storage/database.ts'
import { fixedStatement, type Given } from '../../storage/fixed-statement.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import type { SocialProvider } from '../delivery/connectors.ts'
import type { Visited } from '../federation/client.ts'
import type { FederatedAccount } from '../federation/provider.ts'
import { keepTokenSet } from '../federation/token-sets.ts'
import type { UserColumns } from './fields.ts'
import { tellOwner } from './owner-notices.ts'
import { tokensToKeep } from './provider-tokens.ts'
import { changeOfUser, lockUser, type UserRow, userEntity } from './rows.ts'

export interface Identity {
  /** At the provider. */
  readonly userId: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** By target. */
export type Identities = Readonly<Record<string, Identity>>

export const identitiesOf = ({ identities }: Pick<UserRow, 'identities'>): Identities =>
  identities as unknown as Identities

/** The account that the user has at a target, which may be called anything (SECURITY R-37). */
export const identityAt = (row: Pick<UserRow, 'identities'>, target: string): Identity | undefined =>
  Object.hasOwn(row.identities, target) ? identitiesOf(row)[target] : undefined

/** Whether the user has an account elsewhere, and can therefore sign in without a password. */
export const hasIdentity = (row: Pick<UserRow, 'identities'>): boolean => Object.keys(identitiesOf(row)).length > 0

/** An account of a provider as it is shown with the user. */
export const identityOf = ({ id, email, phone, name, avatar, rawData }: FederatedAccount): Identity => ({
  userId: id,
  details: {
    id,
    ...(email ? { email } : {}),
    ...(phone ? { phone } : {}),
    ...(name ? { name } : {}),
    ...(avatar ? { avatar } : {}),
    ...(rawData ? { rawData } : {}),
  },
})

type IdentityKey = Given<{ tenantId: string; target: string; identityId: string }>

const ownerOf = (db: Db, { tenantId, target, identityId }: IdentityKey) =>
  db
    .selectFrom('user_identities as i')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'i.tenant_id').onRef('u.id', '=', 'i.user_id'))
    .selectAll('u')
    .where(inTenant(tenantId, 'i'))
    .where('i.target', '=', target)
    .where('i.identity_id', '=', identityId)

const findOwner = fixedStatement(ownerOf)
const lockOwner = fixedStatement((db, key: IdentityKey) => ownerOf(db, key).forUpdate('u'))

/** The user who has this account of a provider, even if suspended. */
export const findUserByIdentity = async (
  db: Db,
  tenantId: string,
  target: string,
  identityId: string,
): Promise<UserRow | undefined> => (await findOwner(db, { tenantId, target, identityId }))[0]

/**
 * The same, locked until the unit ends. While the lock was waited for the account may have been taken from the user: `identityAt` of
 * the row says whether it is theirs.
 */
export const lockUserByIdentity = async (
  { tx, tenant }: Unit,
  target: string,
  identityId: string,
): Promise<UserRow | undefined> => (await lockOwner(tx, { tenantId: tenant.id, target, identityId }))[0]

/** The column with one identity more, or changed. */
export const withIdentity = (row: Pick<UserRow, 'identities'>, target: string, identity: Identity): UserColumns => ({
  identities: JSON.stringify({ ...identitiesOf(row), [target]: identity }),
})

/**
 * Gives an account of a provider to a user; the caller writes the column. Throws 422 `user.identity_already_in_use` where another
 * user has it, `user.social_account_exists_in_profile` where the user has another of the target.
 */
export const claimIdentity = async (unit: Unit, userId: string, target: string, identityId: string): Promise<void> => {
  const { tx, tenant, now } = unit
  await tx
    .insertInto('user_identities')
    .values({ tenant_id: tenant.id, target, identity_id: identityId, user_id: userId, created_at: now })
    .execute()
  await tellOwner(unit, userId, 'identityLinked', { subject: target })
}

const releaseIdentity = async ({ tx, tenant }: Unit, userId: string, target: string): Promise<void> => {
  await tx
    .deleteFrom('user_identities')
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .where('target', '=', target)
    .execute()
}

const changed = async (unit: Unit<'User.Data.Updated'>, before: UserRow, columns: UserColumns): Promise<UserRow> => {
  const row = await unit.tx
    .updateTable('users')
    .set({ ...columns, updated_at: unit.now })
    .where(inTenant(unit.tenant.id))
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  unit.emit('User.Data.Updated', { data: userEntity(row) })
  unit.concerns('user', before.id, changeOfUser(before, row))
  return row
}

/** Sets the account that a user has at a provider. Returns whether it is the first of the target. Throws 404, 422 as claimIdentity. */
export const putIdentity = operation(
  ['User.Data.Updated'],
  async (unit, userId: string, target: string, identity: Identity): Promise<{ row: UserRow; isNew: boolean }> => {
    const before = await lockUser(unit, userId)
    const present = identityAt(before, target)
    if (present?.userId !== identity.userId) {
      if (present) await releaseIdentity(unit, userId, target)
      await claimIdentity(unit, userId, target, identity.userId)
    }
    return { row: await changed(unit, before, withIdentity(before, target, identity)), isNew: present === undefined }
  },
)

/** Makes the account that a user came back from theirs, and keeps the tokens of the provider where the connector does. Throws as putIdentity. */
export const linkIdentity = operation(
  ['User.Data.Updated'],
  async (unit, userId: string, connector: SocialProvider, visited: Visited): Promise<UserRow> => {
    const { id: connectorId, target } = connector
    const { account } = visited
    const { row } = await putIdentity.run(unit, userId, target, identityOf(account))
    const sealed = tokensToKeep(unit, connector, visited)
    if (sealed) await keepTokenSet(unit, userId, { connectorId, target }, account.id, sealed)
    return row
  },
)

/** Takes it away. Throws 404 `user.identity_not_exist`. */
export const deleteIdentity = operation(
  ['User.Data.Updated'],
  async (unit, userId: string, target: string): Promise<UserRow> => {
    const before = await lockUser(unit, userId)
    if (!identityAt(before, target)) throw new ApiError('user.identity_not_exist')
    const { [target]: _removed, ...rest } = identitiesOf(before)
    await releaseIdentity(unit, userId, target)
    await tellOwner(unit, userId, 'identityUnlinked')
    return changed(unit, before, { identities: JSON.stringify(rest) })
  },
)
