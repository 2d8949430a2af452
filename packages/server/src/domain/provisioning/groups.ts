/** Reading the groups of a directory: one, pages in the order of creation, and their members. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { nameKey } from './content.ts'
import type { DirectoryRow } from './directories.ts'
import { edgeOf, type PageStart } from './provisioned-users.ts'

export type GroupRow = Selectable<Tables['scim_groups']>

/** A condition that an index answers. */
export type GroupCondition =
  | { readonly id: string }
  | { readonly displayName: string }
  | { readonly externalId: string }
  | { readonly memberId: string }
  | { readonly ids: readonly string[] }

const conditionOf = (condition: GroupCondition): RawBuilder<boolean> => {
  if ('id' in condition) return sql`g.id = ${condition.id}`
  if ('displayName' in condition) return sql`g.display_name_key = ${nameKey(condition.displayName)}`
  if ('externalId' in condition) return sql`g.external_id = ${condition.externalId}`
  if ('ids' in condition) return sql`g.id = ANY(${condition.ids}::text[])`
  return sql`g.id IN (SELECT group_id FROM scim_group_members m
    WHERE m.tenant_id = g.tenant_id AND m.directory_id = g.directory_id AND m.user_id = ${condition.memberId})`
}

/** A page of the groups of a directory, oldest first. @param conditions all of them hold */
export const readGroups = async (
  db: Db,
  directory: DirectoryRow,
  conditions: readonly GroupCondition[],
  limit: number,
  start: PageStart = {},
): Promise<GroupRow[]> => {
  const { beside, order } = edgeOf(sql`g.created_at`, sql`g.id`, start)
  const all = [
    sql`g.tenant_id = ${directory.tenant_id} AND g.directory_id = ${directory.id}`,
    ...conditions.map(conditionOf),
    beside,
  ]
  const { rows } = await sql<GroupRow>`
    SELECT g.* FROM scim_groups g WHERE ${sql.join(all, sql` AND `)}
    ORDER BY ${order} LIMIT ${limit} OFFSET ${start.offset ?? 0}`.execute(db)
  return start.edge?.side === 'before' ? rows.reverse() : rows
}

/** How many groups a directory has. */
export const countGroups = async ({ database }: Store, directory: DirectoryRow): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM scim_groups
    WHERE tenant_id = ${directory.tenant_id} AND directory_id = ${directory.id}`.execute(database.kysely)
  return rows[0]?.count ?? 0
}

/** The ids of the members of each of these groups. */
export const membersOfGroups = async (
  db: Db,
  directory: DirectoryRow,
  ids: readonly string[],
): Promise<(id: string) => readonly string[]> => {
  const { rows } = await sql<{ groupId: string; ids: string[] }>`
    SELECT group_id AS "groupId", array_agg(user_id ORDER BY user_id) AS ids FROM scim_group_members
    WHERE tenant_id = ${directory.tenant_id} AND directory_id = ${directory.id} AND group_id = ANY(${ids}::text[])
    GROUP BY group_id`.execute(db)
  const byGroup = new Map(rows.map((row) => [row.groupId, row.ids]))
  return (id) => byGroup.get(id) ?? []
}

/** How many members a group has, however many; none if there is no such group. */
export const countAllMembers = async ({ database }: Store, directory: DirectoryRow, id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM scim_group_members
    WHERE tenant_id = ${directory.tenant_id} AND directory_id = ${directory.id} AND group_id = ${id}`.execute(
    database.kysely,
  )
  return rows[0]?.count ?? 0
}

/** How many members each of these groups has; more than `most` count as one more. */
export const countMembers = async (
  db: Db,
  directory: DirectoryRow,
  ids: readonly string[],
  most: number,
): Promise<(id: string) => number> => {
  const { rows } = await sql<{ id: string; count: number }>`
    SELECT g.id, (SELECT count(*)::integer FROM (
      SELECT FROM scim_group_members m
      WHERE m.tenant_id = ${directory.tenant_id} AND m.directory_id = ${directory.id} AND m.group_id = g.id
      LIMIT ${most + 1}) AS counted) AS count
    FROM unnest(${ids}::text[]) AS g (id)`.execute(db)
  const byGroup = new Map(rows.map(({ id, count }) => [id, count]))
  return (id) => byGroup.get(id) ?? 0
}

/** A group of the directory. Reads within a transaction too. Throws 404. */
export const getGroup = async (db: Db, directory: DirectoryRow, id: string): Promise<GroupRow> => {
  const [row] = await readGroups(db, directory, [{ id }], 1)
  if (!row) throw notFound('Group', id)
  return row
}

/** Where the roles of groups are stored: roles of the tenant or of the directory's organization. */
export const mappingOf = ({ organization_id: organizationId }: DirectoryRow) =>
  organizationId === null
    ? { mapped: sql.table('scim_group_roles'), role: sql.ref('role_id') }
    : { mapped: sql.table('scim_group_organization_roles'), role: sql.ref('organization_role_id') }

/** A group with the ids of the roles that its members hold. */
export interface MappedGroup extends GroupRow {
  readonly role_ids: readonly string[]
  readonly member_count: number
}

/** The groups of a directory with their roles, for administrators. @param id only this one */
export const listMappedGroups = (
  { database: { kysely } }: Store,
  directory: DirectoryRow,
  request: PageRequest,
  id?: string,
): Promise<Page<MappedGroup>> => {
  const { mapped, role } = mappingOf(directory)
  const ofGroup = sql`tenant_id = g.tenant_id AND directory_id = g.directory_id AND group_id = g.id`
  const all = kysely
    .selectFrom('scim_groups as g')
    .selectAll('g')
    .select([
      sql<string[]>`ARRAY(SELECT ${role} FROM ${mapped} WHERE ${ofGroup} ORDER BY 1)`.as('role_ids'),
      sql<number>`(SELECT count(*)::integer FROM scim_group_members WHERE ${ofGroup})`.as('member_count'),
    ])
    .where(inTenant(directory.tenant_id, 'g'))
    .where('g.directory_id', '=', directory.id)
  const query = id === undefined ? all : all.where('g.id', '=', id)
  return paginate(kysely, query, request, { createdAt: 'g.created_at', id: 'g.id' })
}
