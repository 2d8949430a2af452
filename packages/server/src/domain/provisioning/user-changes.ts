/** The operations by which a directory creates, changes and removes its users. */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { deleteUser } from '../organizations/deletions.ts'
import { findAndLockOrganization } from '../organizations/rows.ts'
import { lockUser } from '../users/rows.ts'
import {
  ACCOUNT_EVENTS,
  alignAccount,
  assertOwnDomain,
  type FoundAccount,
  forgetProofs,
  join,
  leave,
  openAccount,
  setActive,
} from './accounts.ts'
import { accountEmail, emailKeysOf, nameKey, type UserContent } from './content.ts'
import type { DirectoryRow } from './directories.ts'
import { leaveGroups } from './group-changes.ts'
import { alignRolesOfUser, holdGroups } from './group-roles.ts'
import { findProvisionedUser, type ProvisionedUser } from './provisioned-users.ts'

const accountOf = (row: ProvisionedUser): FoundAccount => ({
  id: row.user_id,
  isOwner: row.is_owner,
  hasSuspended: row.has_suspended,
})

/** The columns of a row for the content. */
const contentColumns = (content: UserContent) => ({
  user_name: content.userName,
  user_name_key: nameKey(content.userName),
  external_id: content.externalId ?? null,
  email_keys: emailKeysOf(content),
  is_active: content.active,
  attributes: JSON.stringify(content.attributes),
})

/** A directory's latest data of a user. */
export const contentOf = (row: ProvisionedUser): UserContent => ({
  userName: row.user_name,
  externalId: row.external_id ?? undefined,
  active: row.is_active,
  attributes: row.attributes,
})

/**
 * Locks the organization of the directory: writes to it are serialized, with the same lock order as any other change
 * of its members.
 */
const holdOrganization = async (unit: Unit, { organization_id: id }: DirectoryRow): Promise<void> => {
  if (id !== null && !(await findAndLockOrganization(unit, id))) throw notFound('organization', id)
}

const found = async (unit: Unit, directory: DirectoryRow, id: string): Promise<ProvisionedUser> => {
  const user = await findProvisionedUser(unit.tx, directory, id)
  if (!user) throw notFound('User', id)
  return user
}

/** The user, whose account is locked. Throws 404. */
const lockProvisioned = async (unit: Unit, directory: DirectoryRow, id: string): Promise<ProvisionedUser> => {
  await holdOrganization(unit, directory)
  // a user of another directory is not locked
  await found(unit, directory, id)
  await lockUser(unit, id)
  return found(unit, directory, id)
}

interface FormerAccount extends FoundAccount {
  readonly externalId: string | null
}

/** The account that this directory created and deprovisioned under the same external id, name or address. */
const formerAccount = async (
  { tx }: Unit,
  directory: DirectoryRow,
  content: UserContent,
): Promise<FormerAccount | undefined> => {
  const externalId = content.externalId ?? null
  const { rows } = await sql<FormerAccount>`
    SELECT user_id AS id, is_owner AS "isOwner", has_suspended AS "hasSuspended", external_id AS "externalId" FROM scim_users
    WHERE tenant_id = ${directory.tenant_id} AND directory_id = ${directory.id} AND is_deprovisioned
      AND (external_id = ${externalId} OR user_name_key = ${nameKey(content.userName)}
        OR email_keys && ${emailKeysOf(content)}::text[])
    ORDER BY external_id IS NOT DISTINCT FROM ${externalId} DESC, user_name_key = ${nameKey(content.userName)} DESC,
      updated_at DESC LIMIT 1`.execute(tx)
  return rows[0]
}

/**
 * Whether a former user and a new one are the same person: only an external id says so, since names and addresses are given to
 * others. Throws 422 where the external ids differ.
 */
const isSamePerson = ({ externalId: former }: FormerAccount, { externalId }: UserContent): boolean => {
  if (former === null || externalId === undefined) return false
  if (former !== externalId) throw new ApiError('user.identity_already_in_use')
  return true
}

const assertFree = async ({ tx }: Unit, directory: DirectoryRow, userName: string): Promise<void> => {
  const { rows } = await sql`
    SELECT FROM scim_users
    WHERE tenant_id = ${directory.tenant_id} AND directory_id = ${directory.id} AND NOT is_deprovisioned
      AND user_name_key = ${nameKey(userName)}`.execute(tx)
  if (rows.length > 0) throw new ApiError('entity.unique_integrity_violation')
}

/**
 * Provisions a user: with the account that the directory deprovisioned before, with one that it may link, or with a new one
 * (DECISIONS S1). Throws 400 for invalid identifiers, 422 for taken ones, and for those of a former user with another
 * external id (DECISIONS S3).
 */
export const provisionUser = operation(
  ACCOUNT_EVENTS,
  async (unit, directory: DirectoryRow, content: UserContent): Promise<ProvisionedUser> => {
    const { tx, tenant, now } = unit
    assertOwnDomain(directory, content)
    await holdOrganization(unit, directory)
    await assertFree(unit, directory, content.userName)
    const former = await formerAccount(unit, directory, content)
    if (former) {
      await lockUser(unit, former.id)
      if (!isSamePerson(former, content)) await forgetProofs(unit, former.id)
      await alignAccount(unit, directory, former.id, content)
      if (directory.organization_id !== null) await join(unit, directory.organization_id, former.id)
      await tx
        .updateTable('scim_users')
        .set({
          ...contentColumns(content),
          is_deprovisioned: false,
          has_suspended: content.active ? await setActive(unit, directory, former, true) : former.hasSuspended,
          version: 1,
          created_at: now,
          updated_at: now,
        })
        .where(inTenant(tenant.id))
        .where('directory_id', '=', directory.id)
        .where('user_id', '=', former.id)
        .execute()
      unit.concerns('user', former.id)
      return found(unit, directory, former.id)
    }
    const { id, isOwner, hasSuspended } = await openAccount(unit, directory, content)
    await tx
      .insertInto('scim_users')
      .values({
        tenant_id: tenant.id,
        directory_id: directory.id,
        user_id: id,
        ...contentColumns(content),
        is_owner: isOwner,
        has_suspended: hasSuspended,
        created_at: now,
        updated_at: now,
      })
      .execute()
    unit.concerns('user', id)
    return found(unit, directory, id)
  },
)

const isSame = (a: UserContent, b: UserContent): boolean =>
  a.userName === b.userName &&
  a.externalId === b.externalId &&
  a.active === b.active &&
  // the database does not keep the order of members
  isDeepStrictEqual(a.attributes, b.attributes)

/**
 * Changes a user. A change without effect leaves no trace. Throws 404, 400, 422, and whatever `change` throws.
 * @param change returns the new content for the current state; it may refuse by throwing, and may be called again
 */
export const changeProvisionedUser = operation(
  ACCOUNT_EVENTS,
  async (
    unit,
    directory: DirectoryRow,
    id: string,
    change: (user: ProvisionedUser) => UserContent,
  ): Promise<ProvisionedUser> => {
    const before = await lockProvisioned(unit, directory, id)
    const content = change(before)
    unit.concerns('user', id)
    if (isSame(contentOf(before), content)) return before
    if (accountEmail(content) !== accountEmail(contentOf(before))) assertOwnDomain(directory, content)
    if (nameKey(content.userName) !== before.user_name_key) await assertFree(unit, directory, content.userName)
    if (before.is_owner) await alignAccount(unit, directory, id, content)
    const hasSuspended =
      content.active === before.is_active
        ? before.has_suspended
        : await setActive(unit, directory, accountOf(before), content.active)
    await unit.tx
      .updateTable('scim_users')
      .set({
        ...contentColumns(content),
        has_suspended: hasSuspended,
        version: before.version + 1,
        updated_at: unit.now,
      })
      .where(inTenant(unit.tenant.id))
      .where('directory_id', '=', directory.id)
      .where('user_id', '=', id)
      .execute()
    // a renewed membership has none
    if (content.active && !before.is_active && !before.is_owner) await alignRolesOfUser(unit, directory, id)
    return found(unit, directory, id)
  },
)

/**
 * Removes a user from the directory (DECISIONS S3): ends its membership, and suspends or deletes an account that the
 * directory manages, as the directory is set. Throws 404, and whatever `assertUnchanged` throws.
 */
export const deprovisionUser = operation(
  [...ACCOUNT_EVENTS, 'User.Deleted'],
  async (
    unit,
    directory: DirectoryRow,
    id: string,
    assertUnchanged: (user: ProvisionedUser) => void,
  ): Promise<void> => {
    const { tx, tenant, now } = unit
    await holdGroups(unit, directory)
    const before = await lockProvisioned(unit, directory, id)
    assertUnchanged(before)
    unit.concerns('user', id)
    await leaveGroups(unit, directory, id)
    if (before.is_owner && directory.deletes_users) return deleteUser.run(unit, id)
    const rows = sql<boolean>`tenant_id = ${tenant.id} AND directory_id = ${directory.id} AND user_id = ${id}`
    if (directory.organization_id !== null) await leave(unit, directory.organization_id, id)
    if (!before.is_owner) return void (await sql`DELETE FROM scim_users WHERE ${rows}`.execute(tx))
    const hasSuspended = await setActive(unit, directory, accountOf(before), false)
    await sql`
      UPDATE scim_users
      SET is_deprovisioned = true, is_active = false, has_suspended = ${hasSuspended}, updated_at = ${now}
      WHERE ${rows}`.execute(tx)
  },
)
