/**
 * Permissions of API resources (SPEC 2.2, DECISIONS D3). Their deletion affects organizations too:
 * organizations/deletions.ts.
 */
import type { ScopeCreate, ScopeUpdate } from '@countersign/contract/resources.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertModifiable, getResource, resourceTag } from './resources.ts'

export type ScopeRow = Selectable<Tables['scopes']>

/** A permission as events represent it. */
export const scopeEntity = (row: ScopeRow) => ({
  id: row.id,
  resourceId: row.resource_id,
  name: row.name,
  description: row.description,
  createdAt: row.created_at.toISOString(),
})

/** RFC 6749 section 3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ). */
export const assertName = (name: string): void => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(name)) throw new ApiError('scope.name_with_space', { name })
}

/** A LIKE pattern that finds the text anywhere, whatever it contains. */
export const containing = (search: string): string => `%${search.replace(/[\\%_]/g, '\\$&')}%`

/**
 * The LIKE pattern of a list's `search`: the text itself if it begins or ends with `%`, as scripts for the reference
 * send it (WIRE W10), otherwise one that finds it anywhere. `_` and the backslash are always literal.
 */
export const searchPattern = (search: string): string =>
  /^%|%$/.test(search) ? search.replace(/[\\_]/g, '\\$&') : containing(search)

export const listScopes = async (
  store: Store,
  tenant: Tenant,
  resourceId: string,
  request: PageRequest & { search?: string | undefined },
): Promise<Page<ScopeRow>> => {
  await getResource(store, tenant, resourceId)
  const db = store.database.kysely
  const all = db.selectFrom('scopes').selectAll().where(inTenant(tenant.id)).where('resource_id', '=', resourceId)
  return paginate(db, request.search ? all.where('name', 'ilike', searchPattern(request.search)) : all, request)
}

/** The permissions of several resources at once, oldest first. */
export const scopesOfResources = (
  store: Store,
  { id: tenantId }: Tenant,
  resourceIds: readonly string[],
): Promise<ScopeRow[]> =>
  store.database.kysely
    .selectFrom('scopes')
    .selectAll()
    .where(inTenant(tenantId))
    .where('resource_id', '=', sql<string>`ANY(${resourceIds}::text[])`)
    .orderBy('created_at')
    .execute()

const lockScope = async ({ tx, tenant }: Unit, resourceId: string, id: string): Promise<ScopeRow> => {
  const row = await tx
    .selectFrom('scopes')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('resource_id', '=', resourceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('scope', id)
  return row
}

export const createScope = operation(
  ['Scope.Created'],
  async (unit, resourceId: string, input: Static<typeof ScopeCreate>): Promise<ScopeRow> => {
    assertName(input.name)
    await assertModifiable(unit, resourceId)
    const row = await unit.tx
      .insertInto('scopes')
      .values({
        tenant_id: unit.tenant.id,
        id: newId(),
        resource_id: resourceId,
        name: input.name,
        description: input.description ?? null,
        created_at: unit.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('Scope.Created', { data: scopeEntity(row) })
    unit.concerns('scope', row.id, { after: scopeEntity(row) })
    unit.changed(resourceTag(resourceId))
    return row
  },
)

export const updateScope = operation(
  ['Scope.Data.Updated'],
  async (unit, resourceId: string, id: string, change: Static<typeof ScopeUpdate>): Promise<ScopeRow> => {
    if (change.name !== undefined) assertName(change.name)
    await assertModifiable(unit, resourceId)
    const before = await lockScope(unit, resourceId, id)
    const row = await unit.tx
      .updateTable('scopes')
      .set({
        name: change.name ?? before.name,
        description: change.description === undefined ? before.description : change.description,
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.emit('Scope.Data.Updated', { data: scopeEntity(row) })
    unit.concerns('scope', id, { before: scopeEntity(before), after: scopeEntity(row) })
    unit.changed(resourceTag(resourceId))
    return row
  },
)

/**
 * SQL: the ids of the permissions of a resource.
 * @param id only this one
 */
export const idsOfScopes = (tenantId: string, resourceId: string, id?: string): RawBuilder<unknown> => sql`
  SELECT id FROM scopes WHERE tenant_id = ${tenantId} AND resource_id = ${resourceId}
    ${id === undefined ? sql`` : sql`AND id = ${id}`}`

/** Locks the permissions of a resource, or one of them, so that they are given to nothing further; returns them. */
export const lockScopes = async ({ tx, tenant }: Unit, resourceId: string, id?: string): Promise<ScopeRow[]> => {
  const { rows } = await sql<ScopeRow>`
    SELECT * FROM scopes WHERE tenant_id = ${tenant.id} AND id IN (${idsOfScopes(tenant.id, resourceId, id)})
    ORDER BY id FOR UPDATE`.execute(tx)
  return rows
}

/** Deletes a locked permission and removes it from whatever held it. */
export const eraseScope = async ({ tx, tenant, changed }: Unit, resourceId: string, id: string): Promise<void> => {
  await tx.deleteFrom('scopes').where(inTenant(tenant.id)).where('id', '=', id).execute()
  changed(resourceTag(resourceId))
}
