/** The operations by which a directory creates, changes and deletes its groups and sets their members. */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { nameKey } from './content.ts'
import type { DirectoryRow } from './directories.ts'
import { alignRoles, holdGroups, pairedWith, rolesOfGroups } from './group-roles.ts'
import { type GroupRow, getGroup } from './groups.ts'

/** A change of the members: add these, remove these, or replace all by these. */
export interface MembersChange {
  readonly how: 'add' | 'remove' | 'replace'
  readonly ids: readonly string[]
}

export interface GroupContent {
  readonly displayName: string
  readonly externalId: string | undefined
  /** Applied in order; absent: the members stay. */
  readonly members: readonly MembersChange[]
}

/** Throws 422 naming those who are not users of the directory. */
const assertUsers = async ({ tx }: Unit, directory: DirectoryRow, ids: readonly string[]): Promise<void> => {
  const { rows } = await sql<{ id: string }>`
    SELECT user_id AS id FROM scim_users
    WHERE tenant_id = ${directory.tenant_id} AND directory_id = ${directory.id} AND NOT is_deprovisioned
      AND user_id = ANY(${ids}::text[])
    ORDER BY user_id FOR KEY SHARE`.execute(tx)
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new ApiError('entity.relation_foreign_key_not_found', { userIds: unknown })
}

/** Changes the members; returns those added or removed, and assigns and removes the roles of the group. */
const changeMembers = async (
  unit: Unit,
  directory: DirectoryRow,
  groupId: string,
  changes: readonly MembersChange[],
): Promise<string[]> => {
  if (changes.length === 0) return []
  const { tx, tenant } = unit
  const before = new Set(await pairedWith(unit, directory, ['group_id', groupId]))
  const after = new Set(before)
  for (const { how, ids } of changes) {
    if (how === 'replace') after.clear()
    for (const id of ids) how === 'remove' ? after.delete(id) : after.add(id)
  }
  const added = [...after.difference(before)].sort()
  const removed = [...before.difference(after)].sort()
  await assertUsers(unit, directory, added)
  await sql`
    DELETE FROM scim_group_members WHERE tenant_id = ${tenant.id} AND directory_id = ${directory.id}
      AND group_id = ${groupId} AND user_id = ANY(${removed}::text[])`.execute(tx)
  await sql`
    INSERT INTO scim_group_members (tenant_id, directory_id, group_id, user_id)
    SELECT ${tenant.id}, ${directory.id}, ${groupId}, unnest(${added}::text[])`.execute(tx)
  const changed = [...added, ...removed]
  await alignRoles(unit, directory, changed, await rolesOfGroups(unit, directory, [groupId]))
  unit.concerns('user', changed)
  return changed
}

/** Users list their groups, so a change of members also changes the users. */
const touchUsers = async ({ tx, tenant }: Unit, { id }: DirectoryRow, userIds: readonly string[]): Promise<void> => {
  if (userIds.length === 0) return
  const touched = sql`tenant_id = ${tenant.id} AND directory_id = ${id} AND user_id = ANY(${userIds}::text[])`
  // separately: joined, and with no statistics yet, as after an import, each row is compared with each
  await sql`SELECT FROM scim_users WHERE ${touched} ORDER BY user_id FOR NO KEY UPDATE`.execute(tx)
  await sql`UPDATE scim_users SET version = version + 1 WHERE ${touched}`.execute(tx)
}

/** Creates a group without roles. Throws 422 for a name that the directory already has, and for unknown members. */
export const createGroup = operation(
  [],
  async (unit, directory: DirectoryRow, { displayName, externalId, members }: GroupContent): Promise<GroupRow> => {
    const { tx, tenant, now } = unit
    await holdGroups(unit, directory)
    const row = await tx
      .insertInto('scim_groups')
      .values({
        tenant_id: tenant.id,
        directory_id: directory.id,
        id: newId(),
        display_name: displayName,
        display_name_key: nameKey(displayName),
        external_id: externalId ?? null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await touchUsers(unit, directory, await changeMembers(unit, directory, row.id, members))
    unit.concerns('scimGroup', row.id, { after: { name: displayName } })
    return row
  },
)

/**
 * Changes a group. A change without effect leaves no trace. Throws 404, 422, and whatever `change` throws.
 * @param change returns the new content for the current row; it may refuse by throwing, and may be called again
 */
export const changeGroup = operation(
  [],
  async (unit, directory: DirectoryRow, id: string, change: (row: GroupRow) => GroupContent): Promise<GroupRow> => {
    const { tx, tenant, now } = unit
    await holdGroups(unit, directory)
    const before = await getGroup(tx, directory, id)
    const { displayName, externalId = null, members } = change(before)
    const changed = await changeMembers(unit, directory, id, members)
    unit.concerns('scimGroup', id)
    const isRenamed = displayName !== before.display_name
    if (!isRenamed && externalId === before.external_id && changed.length === 0) return before
    const row = await tx
      .updateTable('scim_groups')
      .set({
        display_name: displayName,
        display_name_key: nameKey(displayName),
        external_id: externalId,
        version: before.version + 1,
        updated_at: now,
      })
      .where(inTenant(tenant.id))
      .where('directory_id', '=', directory.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const all = isRenamed ? await pairedWith(unit, directory, ['group_id', id]) : []
    await touchUsers(unit, directory, [...new Set([...changed, ...all])])
    return row
  },
)

/**
 * Deletes a group: its members lose the roles that no other group of the directory gives them. Throws 404, and whatever
 * `assertUnchanged` throws.
 */
export const deleteGroup = operation(
  [],
  async (unit, directory: DirectoryRow, id: string, assertUnchanged: (row: GroupRow) => void): Promise<void> => {
    const { tx, tenant } = unit
    await holdGroups(unit, directory)
    const row = await getGroup(tx, directory, id)
    assertUnchanged(row)
    const members = await pairedWith(unit, directory, ['group_id', id])
    const roles = await rolesOfGroups(unit, directory, [id])
    await tx
      .deleteFrom('scim_groups')
      .where(inTenant(tenant.id))
      .where('directory_id', '=', directory.id)
      .where('id', '=', id)
      .execute()
    await alignRoles(unit, directory, members, roles)
    await touchUsers(unit, directory, members)
    unit.concerns('user', members)
    unit.concerns('scimGroup', id, { before: { name: row.display_name } })
  },
)

/** Removes a user from all groups, with their roles. The caller has locked what holdGroups locks. */
export const leaveGroups = async (unit: Unit, directory: DirectoryRow, userId: string): Promise<void> => {
  const groups = await pairedWith(unit, directory, ['user_id', userId])
  if (groups.length === 0) return
  const { tx, tenant } = unit
  await sql`
    DELETE FROM scim_group_members
    WHERE tenant_id = ${tenant.id} AND directory_id = ${directory.id} AND user_id = ${userId}`.execute(tx)
  await alignRoles(unit, directory, [userId], await rolesOfGroups(unit, directory, groups))
  await sql`
    UPDATE scim_groups SET version = version + 1
    WHERE tenant_id = ${tenant.id} AND directory_id = ${directory.id} AND id = ANY(${groups}::text[])`.execute(tx)
}
