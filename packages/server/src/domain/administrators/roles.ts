/** The roles of administrators: those that are built in, which never change, and a tenant's own (DECISIONS U1). */
import type { AdministratorRoleCreate, AdministratorRoleUpdate } from '@countersign/contract/administrators.ts'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHoldsNamed } from '../permissions/management-access.ts'
import { permissionsOfRole } from './built-in-roles.ts'

type Row = Selectable<Tables['administrator_roles']>
/** With the permissions that it holds now. */
export type AdministratorRoleRow = Row

const effective = (row: Row): AdministratorRoleRow => ({
  ...row,
  permissions: [...permissionsOfRole(row.id, row.is_built_in, row.permissions)],
})

const fieldsOf = ({ name, description, permissions }: Row) => ({ name, description, permissions })

export const listAdministratorRoles = async (
  { database: { kysely } }: Store,
  { id: tenantId }: Tenant,
  request: PageRequest,
): Promise<Page<AdministratorRoleRow>> => {
  const page = await paginate(
    kysely,
    kysely.selectFrom('administrator_roles').selectAll().where(inTenant(tenantId)),
    request,
  )
  return { ...page, items: page.items.map(effective) }
}

/** Throws 404. */
export const getAdministratorRole = async (
  { database: { kysely } }: Store,
  { id: tenantId }: Tenant,
  id: string,
): Promise<AdministratorRoleRow> => {
  const row = await kysely
    .selectFrom('administrator_roles')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('administratorRole', id)
  return effective(row)
}

/** The role, locked, if it is the tenant's own. Throws 404, 422 for one that is built in, 403 for one that holds more than the caller. */
const lockOwn = async ({ tx, tenant, caller }: Unit, id: string): Promise<Row> => {
  const row = await tx
    .selectFrom('administrator_roles')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('administratorRole', id)
  if (row.is_built_in) throw new ApiError('administrator_role.built_in')
  await assertHoldsNamed(caller, async () => row.permissions)
  return row
}

/** Throws 403 for permissions that the caller lacks, 422 for a name in use. */
export const createAdministratorRole = operation(
  [],
  async (unit, { name, description = '', permissions }: Static<typeof AdministratorRoleCreate>) => {
    const { tx, tenant, now, caller } = unit
    const held = [...new Set(permissions)].sort()
    await assertHoldsNamed(caller, async () => held)
    const row = await tx
      .insertInto('administrator_roles')
      .values({
        tenant_id: tenant.id,
        id: newId(),
        name,
        description,
        permissions: held,
        is_built_in: false,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('administratorRole', row.id, { after: fieldsOf(row) })
    return row
  },
)

/** What administrators hold by it changes at once. Throws like lockOwn, and 403 for permissions that the caller lacks. */
export const updateAdministratorRole = operation(
  [],
  async (unit, id: string, change: Static<typeof AdministratorRoleUpdate>) => {
    const { tx, tenant, caller } = unit
    const before = await lockOwn(unit, id)
    const permissions = change.permissions ? [...new Set(change.permissions)].sort() : before.permissions
    await assertHoldsNamed(caller, async () => permissions)
    const row = await tx
      .updateTable('administrator_roles')
      .set({ name: change.name ?? before.name, description: change.description ?? before.description, permissions })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('administratorRole', id, { before: fieldsOf(before), after: fieldsOf(row) })
    return row
  },
)

/** Throws like lockOwn, and 422 while an administrator holds it. */
export const deleteAdministratorRole = operation([], async (unit, id: string): Promise<void> => {
  const { tx, tenant } = unit
  const before = await lockOwn(unit, id)
  const holder = await tx
    .selectFrom('administrators_roles')
    .select('user_id')
    .where(inTenant(tenant.id))
    .where('role_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (holder) throw new ApiError('administrator_role.in_use')
  await tx.deleteFrom('administrator_roles').where(inTenant(tenant.id)).where('id', '=', id).execute()
  unit.concerns('administratorRole', id, { before: fieldsOf(before) })
})
