/** Administrators: users who hold permissions of the Management API, through roles of their own (DECISIONS U1). */
import { sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHoldsNamed } from '../permissions/management-access.ts'
import { OWNER, permissionsOfRole } from './built-in-roles.ts'
import { assertOwnerRemains } from './last-owner.ts'
import { assertMayChange } from './takeover.ts'

export interface AdministratorRow {
  readonly id: string
  readonly username: string | null
  readonly primary_email: string | null
  readonly name: string | null
  readonly avatar: string | null
  readonly is_suspended: boolean
  readonly last_sign_in_at: Date | null
  readonly role_ids: readonly string[]
  /** When the user became an administrator. */
  readonly created_at: Date
}

const administrators = (db: Db, tenantId: string) =>
  db
    .selectFrom('administrators as a')
    .innerJoin('users as u', (join) => join.onRef('u.tenant_id', '=', 'a.tenant_id').onRef('u.id', '=', 'a.user_id'))
    .select([
      'u.id',
      'u.username',
      'u.primary_email',
      'u.name',
      'u.avatar',
      'u.is_suspended',
      'u.last_sign_in_at',
      'a.created_at',
      sql<string[]>`ARRAY(SELECT h.role_id FROM administrators_roles h
        WHERE h.tenant_id = a.tenant_id AND h.user_id = a.user_id ORDER BY h.role_id)`.as('role_ids'),
    ])
    .where(inTenant(tenantId, 'a'))

export const listAdministrators = (
  { database: { kysely } }: Store,
  { id: tenantId }: Tenant,
  request: PageRequest,
): Promise<Page<AdministratorRow>> =>
  paginate(kysely, administrators(kysely, tenantId), request, { createdAt: 'a.created_at', id: 'a.user_id' })

/** Throws 404 for a user who is no administrator. */
export const getAdministrator = async (
  { database: { kysely } }: Store,
  { id: tenantId }: Tenant,
  userId: string,
): Promise<AdministratorRow> => {
  const row = await administrators(kysely, tenantId).where('a.user_id', '=', userId).executeTakeFirst()
  if (!row) throw notFound('administrator', userId)
  return row
}

/** Whether the tenant has an administrator: until then, a one-time link makes the first. */
export const hasAdministrator = async (db: Db, { id: tenantId }: Pick<Tenant, 'id'>): Promise<boolean> => {
  const row = await db.selectFrom('administrators').select('user_id').where(inTenant(tenantId)).executeTakeFirst()
  return row !== undefined
}

/** The roles that a user holds, who is locked: changes of one administrator wait for each other. Throws 404 without the user. */
const lockRolesOf = async ({ tx, tenant }: Unit, userId: string): Promise<string[]> => {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!user) throw notFound('user', userId)
  const rows = await tx
    .selectFrom('administrators_roles')
    .select('role_id')
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .orderBy('role_id')
    .execute()
  return rows.map(({ role_id }) => role_id)
}

/** What roles hold, together; locked, so that they hold it until the unit ends. Ids that do not exist hold nothing. */
const permissionsOfRoles = async ({ tx, tenant }: Unit, ids: readonly string[]): Promise<readonly string[]> => {
  const rows = await tx
    .selectFrom('administrator_roles')
    .select(['id', 'is_built_in', 'permissions'])
    .where(inTenant(tenant.id))
    .where('id', '=', sql<string>`ANY(${[...ids]}::text[])`)
    .orderBy('id')
    .forShare()
    .execute()
  return rows.flatMap((row) => permissionsOfRole(row.id, row.is_built_in, row.permissions))
}

/**
 * Makes a user an administrator with these roles, or replaces the roles of one. Throws 403 for a caller who lacks a permission that
 * the user holds or would hold, 422 for the last owner, 422 for roles that do not exist, 404 without the user.
 */
export const setAdministrator = operation(
  [],
  async (unit, userId: string, roleIds: readonly string[]): Promise<void> => {
    const { tx, tenant, now } = unit
    const before = await lockRolesOf(unit, userId)
    const after = [...new Set(roleIds)].sort()
    await assertMayChange(unit, userId)
    await assertHoldsNamed(unit.caller, () => permissionsOfRoles(unit, after))
    if (!after.includes(OWNER)) await assertOwnerRemains(unit, userId)
    await tx
      .insertInto('administrators')
      .values({ tenant_id: tenant.id, user_id: userId, created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await tx.deleteFrom('administrators_roles').where(inTenant(tenant.id)).where('user_id', '=', userId).execute()
    await tx
      .insertInto('administrators_roles')
      .values(after.map((role_id) => ({ tenant_id: tenant.id, user_id: userId, role_id })))
      .execute()
    unit.concerns('user', userId, { before: { administratorRoleIds: before }, after: { administratorRoleIds: after } })
  },
)

/** Takes every permission of the Management API from a user, whose tokens end with it. Throws 403, 404, 422 for the last owner. */
export const removeAdministrator = operation([], async (unit, userId: string): Promise<void> => {
  const { tx, tenant } = unit
  const before = await lockRolesOf(unit, userId)
  await assertMayChange(unit, userId)
  await assertOwnerRemains(unit, userId)
  const { numDeletedRows } = await tx
    .deleteFrom('administrators')
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('administrator', userId)
  unit.concerns('user', userId, { before: { administratorRoleIds: before }, after: { administratorRoleIds: [] } })
})
