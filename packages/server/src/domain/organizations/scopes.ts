/** Organization permissions: what organization roles hold within an organization (DECISIONS E2). */

import type { OrganizationScopeCreate, OrganizationScopeUpdate } from '@countersign/contract/organization-template.ts'
import type { Selectable } from 'kysely'
import type { Static } from 'typebox'
import { notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertName, containing } from '../permissions/scopes.ts'
import { organizationRoleTag } from './role-rows.ts'

export type OrganizationScopeRow = Selectable<Tables['organization_scopes']>

/** The tag of what was built from this permission without a role: what third-party applications may ask for. */
export const organizationScopeTag = (id: string) => `organization-scope:${id}`

/** An organization permission as events represent it. */
export const organizationScopeEntity = ({ id, name, description }: OrganizationScopeRow) => ({ id, name, description })

export const listOrganizationScopes = (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest & { q?: string | undefined },
): Promise<Page<OrganizationScopeRow>> => {
  const db = store.database.kysely
  const all = db.selectFrom('organization_scopes').selectAll().where(inTenant(tenantId))
  const { q } = request
  const query = q ? all.where(({ or, eb }) => or([eb('name', 'ilike', containing(q)), eb('id', '=', q)])) : all
  return paginate(db, query, request)
}

/** Throws 404. */
export const getOrganizationScope = async (
  store: Store,
  { id: tenantId }: Tenant,
  id: string,
): Promise<OrganizationScopeRow> => {
  const row = await store.database.kysely
    .selectFrom('organization_scopes')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('organization scope', id)
  return row
}

/** The row, locked, so that it is given to no further role. Throws 404. */
export const lockOrganizationScope = async ({ tx, tenant }: Unit, id: string): Promise<OrganizationScopeRow> => {
  const row = await tx
    .selectFrom('organization_scopes')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('organization scope', id)
  return row
}

/** Announces a change to everything built from the permission, through a role or without one. */
const announce = async ({ tx, tenant, changed }: Unit, id: string): Promise<void> => {
  const holders = await tx
    .selectFrom('organization_roles_scopes')
    .select('organization_role_id')
    .where(inTenant(tenant.id))
    .where('organization_scope_id', '=', id)
    .execute()
  changed(
    organizationScopeTag(id),
    ...holders.map(({ organization_role_id }) => organizationRoleTag(organization_role_id)),
  )
}

/** Throws 400 for a name that cannot be a scope, 422 if it is taken. */
export const createOrganizationScope = operation(
  ['OrganizationScope.Created'],
  async (unit, input: Static<typeof OrganizationScopeCreate>): Promise<OrganizationScopeRow> => {
    const { tx, tenant, now, emit } = unit
    assertName(input.name)
    const row = await tx
      .insertInto('organization_scopes')
      .values({
        tenant_id: tenant.id,
        id: newId(),
        name: input.name,
        description: input.description ?? null,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    emit('OrganizationScope.Created', { data: organizationScopeEntity(row) })
    unit.concerns('organizationScope', row.id, { after: organizationScopeEntity(row) })
    return row
  },
)

/** Throws 404, 400 for a name that cannot be a scope, 422 if it is taken. */
export const updateOrganizationScope = operation(
  ['OrganizationScope.Data.Updated'],
  async (unit, id: string, change: Static<typeof OrganizationScopeUpdate>): Promise<OrganizationScopeRow> => {
    if (change.name !== undefined) assertName(change.name)
    const before = await lockOrganizationScope(unit, id)
    const row = await unit.tx
      .updateTable('organization_scopes')
      .set({
        name: change.name ?? before.name,
        description: change.description === undefined ? before.description : change.description,
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('OrganizationScope.Data.Updated', { data: organizationScopeEntity(row) })
    unit.concerns('organizationScope', id, {
      before: organizationScopeEntity(before),
      after: organizationScopeEntity(row),
    })
    await announce(unit, id)
    return row
  },
)

/** Deletes a locked organization permission and removes it from whatever held it. */
export const eraseOrganizationScope = async ({ tx, tenant, changed }: Unit, id: string): Promise<void> => {
  await tx.deleteFrom('organization_scopes').where(inTenant(tenant.id)).where('id', '=', id).execute()
  changed(organizationScopeTag(id))
}
