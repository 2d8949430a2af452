/** Reading the users of a directory: one, some by conditions that indexes answer, and pages in the order of creation. */
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { identifierKey } from '../credentials/identifiers.ts'
import { nameKey } from './content.ts'
import type { DirectoryRow } from './directories.ts'

export interface GroupOfUser {
  readonly id: string
  readonly displayName: string
}

/** The row of a user in a directory, with the state of the account. */
export interface ProvisionedUser extends Selectable<Tables['scim_users']> {
  /** Whether the user can sign in, and is a member of the organization of the directory. */
  readonly can_sign_in: boolean
  readonly groups: readonly GroupOfUser[]
}

/** A condition that an index answers. */
export type UserCondition =
  | { readonly userName: string }
  | { readonly externalId: string }
  | { readonly email: string }
  | { readonly groupId: string }
  | { readonly id: string }
  | { readonly ids: readonly string[] }

/** Where a page begins: after this many rows, or where it ends: at the rows nearest to this row, on one side of it. */
export interface PageStart {
  readonly offset?: number
  readonly edge?: {
    readonly side: 'after' | 'before'
    readonly position: { readonly createdAt: Date; readonly id: string }
  }
}

/** Whether rows with this time and id are on the right side of the edge, and the order that begins there. */
export const edgeOf = (createdAt: RawBuilder<Date>, id: RawBuilder<string>, { edge }: PageStart) => {
  if (!edge) return { beside: sql<boolean>`true`, order: sql`${createdAt}, ${id}` }
  const { side, position } = edge
  const at = sql`(${position.createdAt}::timestamptz, ${position.id})`
  return side === 'after'
    ? { beside: sql<boolean>`(${createdAt}, ${id}) > ${at}`, order: sql`${createdAt}, ${id}` }
    : { beside: sql<boolean>`(${createdAt}, ${id}) < ${at}`, order: sql`${createdAt} DESC, ${id} DESC` }
}

const conditionOf = (condition: UserCondition): RawBuilder<boolean> => {
  if ('userName' in condition) return sql`su.user_name_key = ${nameKey(condition.userName)}`
  if ('externalId' in condition) return sql`su.external_id = ${condition.externalId}`
  if ('id' in condition) return sql`su.user_id = ${condition.id}`
  // not EXISTS: joined, and with no statistics yet, as after an import, each row is compared with each
  if ('groupId' in condition)
    return sql`(SELECT true FROM scim_group_members m WHERE m.tenant_id = su.tenant_id
      AND m.directory_id = su.directory_id AND m.group_id = ${condition.groupId} AND m.user_id = su.user_id)`
  if ('ids' in condition) return sql`su.user_id = ANY(${condition.ids}::text[])`
  const key = identifierKey({ type: 'email', value: condition.email }) ?? nameKey(condition.email)
  return sql`su.email_keys @> ARRAY[${key}]`
}

const whereOf = (directory: DirectoryRow, conditions: readonly UserCondition[]): RawBuilder<boolean> =>
  sql.join(
    [
      sql`su.tenant_id = ${directory.tenant_id} AND su.directory_id = ${directory.id} AND NOT su.is_deprovisioned`,
      ...conditions.map(conditionOf),
    ],
    sql` AND `,
  )

const isMember = (organizationId: string | null): RawBuilder<boolean> =>
  organizationId === null
    ? sql`true`
    : sql`EXISTS (SELECT FROM organization_users ou WHERE ou.tenant_id = su.tenant_id
        AND ou.organization_id = ${organizationId} AND ou.user_id = su.user_id)`

/**
 * A page of the users of a directory, oldest first.
 * @param conditions all of them hold
 */
export const readProvisionedUsers = async (
  db: Db,
  directory: DirectoryRow,
  conditions: readonly UserCondition[],
  limit: number,
  start: PageStart = {},
): Promise<ProvisionedUser[]> => {
  const { beside, order } = edgeOf(sql`su.created_at`, sql`su.user_id`, start)
  const { rows } = await sql<ProvisionedUser>`
    SELECT su.*, NOT u.is_suspended AND ${isMember(directory.organization_id)} AS can_sign_in,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'displayName', g.display_name) ORDER BY g.id), '[]')
       FROM scim_group_members m
       JOIN scim_groups g ON g.tenant_id = m.tenant_id AND g.directory_id = m.directory_id AND g.id = m.group_id
       WHERE m.tenant_id = su.tenant_id AND m.directory_id = su.directory_id AND m.user_id = su.user_id) AS groups
    FROM scim_users su JOIN users u ON u.tenant_id = su.tenant_id AND u.id = su.user_id
    WHERE ${whereOf(directory, conditions)} AND ${beside}
    ORDER BY ${order} LIMIT ${limit} OFFSET ${start.offset ?? 0}`.execute(db)
  return start.edge?.side === 'before' ? rows.reverse() : rows
}

/** How many users a directory has. */
export const countProvisionedUsers = async ({ database }: Store, directory: DirectoryRow): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::integer AS count FROM scim_users su WHERE ${whereOf(directory, [])}`.execute(database.kysely)
  return rows[0]?.count ?? 0
}

/** A user of the directory; undefined when it has none with this id. Reads within a transaction too. */
export const findProvisionedUser = async (
  db: Db,
  directory: DirectoryRow,
  id: string,
): Promise<ProvisionedUser | undefined> => (await readProvisionedUsers(db, directory, [{ id }], 1))[0]

/** The directory that provisions a user's account, if any. */
export const ownerOf = async (db: Db, tenant: Tenant, userId: string): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    SELECT directory_id AS id FROM scim_users
    WHERE tenant_id = ${tenant.id} AND user_id = ${userId} AND is_owner`.execute(db)
  return rows[0]?.id
}
