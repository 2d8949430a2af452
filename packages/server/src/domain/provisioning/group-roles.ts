/**
 * The roles that come with groups (DECISIONS S4): an administrator maps a group to roles, and its members hold them.
 * A directory decides only who is in which group, not which roles a group gives.
 */
import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import { noteRemoved } from '../../storage/noted-removals.ts'
import { holdReferencedRows } from '../../storage/referenced-rows.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { holdOrganizationRoles } from '../organizations/role-rows.ts'
import { findAndLockOrganization } from '../organizations/rows.ts'
import type { DirectoryRow } from './directories.ts'
import { getGroup, mappingOf } from './groups.ts'

/**
 * Locks the directory, and its organization first: changes of group members are serialized, so that each sees the
 * effects of the others on the roles.
 */
export const holdGroups = async (unit: Unit, { id, organization_id: organizationId }: DirectoryRow): Promise<void> => {
  if (organizationId !== null) await findAndLockOrganization(unit, organizationId)
  await sql`
    SELECT FROM scim_directories WHERE tenant_id = ${unit.tenant.id} AND id = ${id} FOR NO KEY UPDATE`.execute(unit.tx)
}

const columnOf = async (query: RawBuilder<{ id: string }>, { tx }: Unit): Promise<string[]> =>
  (await query.execute(tx)).rows.map(({ id }) => id)

/** The roles that these groups are mapped to. */
export const rolesOfGroups = (unit: Unit, directory: DirectoryRow, groupIds: readonly string[]): Promise<string[]> => {
  const { mapped, role } = mappingOf(directory)
  return columnOf(
    sql`SELECT DISTINCT ${role} AS id FROM ${mapped} WHERE tenant_id = ${unit.tenant.id}
      AND directory_id = ${directory.id} AND group_id = ANY(${groupIds}::text[])`,
    unit,
  )
}

/** The members of a group, or the groups of a user. */
export const pairedWith = (
  unit: Unit,
  directory: DirectoryRow,
  [given, id]: readonly ['group_id' | 'user_id', string],
): Promise<string[]> =>
  columnOf(
    sql`SELECT ${sql.ref(given === 'group_id' ? 'user_id' : 'group_id')} AS id FROM scim_group_members
      WHERE tenant_id = ${unit.tenant.id} AND directory_id = ${directory.id} AND ${sql.ref(given)} = ${id} ORDER BY 1`,
    unit,
  )

/**
 * Assigns users the roles of their groups, and removes those of these roles that no group of the directory gives them
 * any longer. A user who is not a member of the organization gets none.
 */
export const alignRoles = async (
  unit: Unit,
  directory: DirectoryRow,
  userIds: readonly string[],
  roleIds: readonly string[],
): Promise<void> => {
  if (userIds.length === 0 || roleIds.length === 0) return
  const { tx, tenant, now } = unit
  const { mapped, role } = mappingOf(directory)
  const { organization_id: organizationId } = directory
  const wanted = sql`
    SELECT DISTINCT m.user_id, r.${role} AS role_id FROM scim_group_members m
    JOIN ${mapped} r ON r.tenant_id = m.tenant_id AND r.directory_id = m.directory_id AND r.group_id = m.group_id
    WHERE m.tenant_id = ${tenant.id} AND m.directory_id = ${directory.id}
      AND m.user_id = ANY(${userIds}::text[]) AND r.${role} = ANY(${roleIds}::text[])`
  const held =
    organizationId === null
      ? sql`users_roles WHERE tenant_id = ${tenant.id}`
      : sql`organization_user_roles WHERE tenant_id = ${tenant.id} AND organization_id = ${organizationId}`
  await sql`
    DELETE FROM ${held} AND user_id = ANY(${userIds}::text[]) AND ${role} = ANY(${roleIds}::text[])
      AND (user_id, ${role}) NOT IN (${wanted})`.execute(tx)
  await (organizationId === null
    ? sql`INSERT INTO users_roles (tenant_id, user_id, role_id, created_at, origin, origin_id)
        SELECT ${tenant.id}, w.user_id, w.role_id, ${now}, 'group', ${directory.id} FROM (${wanted}) AS w ORDER BY 2, 3 ON CONFLICT DO NOTHING`
    : sql`INSERT INTO organization_user_roles (
          tenant_id, organization_id, user_id, organization_role_id, created_at, origin, origin_id)
        SELECT ${tenant.id}, ${organizationId}, w.user_id, w.role_id, ${now}, 'group', ${directory.id} FROM (${wanted}) AS w
        JOIN organization_users ou ON ou.tenant_id = ${tenant.id} AND ou.organization_id = ${organizationId}
          AND ou.user_id = w.user_id
        ORDER BY 3, 4 ON CONFLICT DO NOTHING`
  ).execute(tx)
  unit.concerns(organizationId === null ? 'role' : 'organizationRole', roleIds)
}

/** The same for one user and all roles of all groups. */
export const alignRolesOfUser = async (unit: Unit, directory: DirectoryRow, userId: string): Promise<void> => {
  const groups = await pairedWith(unit, directory, ['user_id', userId])
  await alignRoles(unit, directory, [userId], await rolesOfGroups(unit, directory, groups))
}

/** Locks roles of users, of the kind that the directory has, against deletion. Throws 422. */
const holdRoles = async (unit: Unit, directory: DirectoryRow, roleIds: readonly string[]): Promise<void> => {
  if (directory.organization_id !== null) return holdOrganizationRoles(unit, roleIds, 'User')
  const roles = await holdReferencedRows(unit, 'roles', roleIds, 'roleIds')
  if (roles.some(({ type }) => type !== 'User')) throw new ApiError('user.invalid_role_type')
}

/**
 * Maps a group to these roles instead of the previous ones: its members get the new ones, and lose those that no other
 * group of the directory gives them. Throws 404, 422 for unknown roles and for roles of machines.
 */
export const replaceGroupRoles = operation(
  [],
  async (unit, directory: DirectoryRow, groupId: string, ids: readonly string[]): Promise<void> => {
    const { tx, tenant } = unit
    await holdGroups(unit, directory)
    await getGroup(tx, directory, groupId)
    const roleIds = [...new Set(ids)].sort()
    await holdRoles(unit, directory, roleIds)
    const { mapped, role } = mappingOf(directory)
    const before = await rolesOfGroups(unit, directory, [groupId])
    await sql`
      DELETE FROM ${mapped} WHERE tenant_id = ${tenant.id} AND directory_id = ${directory.id} AND group_id = ${groupId}
        AND ${role} <> ALL(${roleIds}::text[])`.execute(tx)
    await sql`
      INSERT INTO ${mapped} (tenant_id, directory_id, group_id, ${role})
      SELECT ${tenant.id}, ${directory.id}, ${groupId}, unnest(${roleIds}::text[]) ON CONFLICT DO NOTHING`.execute(tx)
    const removed = before.filter((id) => !roleIds.includes(id))
    noteRemoved(unit, directory.organization_id === null ? 'role' : 'organizationRole', removed)
    const members = await pairedWith(unit, directory, ['group_id', groupId])
    await alignRoles(unit, directory, members, [...new Set([...before, ...roleIds])])
    unit.concerns('scimGroup', groupId)
  },
)
