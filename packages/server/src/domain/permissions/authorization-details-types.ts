/**
 * Types of authorization details (RFC 9396): each belongs to the API that understands it, has a schema, and says in words what a
 * detail of it allows (DECISIONS X1).
 */
import type {
  AuthorizationDetailsTypeCreate,
  AuthorizationDetailsTypeUpdate,
} from '@countersign/contract/authorization-details.ts'
import { isTemplate } from '@countersign/contract/details-template.ts'
import { type Selectable, sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { type DetailsCheck, detailsCheck, InvalidDetailsSchema } from './details-schema.ts'
import { assertModifiable, getResource, RESOURCES_TAG } from './resources.ts'

export type DetailsTypeRow = Selectable<Tables['authorization_details_types']>

/** A type as requests are checked with it. */
export interface DetailsType {
  readonly resourceId: string
  /** Of its API. */
  readonly indicator: string
  readonly description: string | null
  /** By language. */
  readonly templates: Readonly<Record<string, string>>
  readonly check: DetailsCheck
}

/** Types of one tenant: the checks of all of them are in the memory of every node that reads them. */
const MOST_TYPES = 200
const TYPES_TAG = 'authorization-details-types'

/** The tenant's types by name, from the cache. */
export const detailsTypes = (store: Store, { id: tenantId }: Tenant): Promise<ReadonlyMap<string, DetailsType>> =>
  store.cache.get(tenantId, 'authorization-details-types', async () => {
    const rows = await store.database.configuration
      .selectFrom('authorization_details_types as t')
      .innerJoin('resources as r', (join) =>
        join.onRef('r.tenant_id', '=', 't.tenant_id').onRef('r.id', '=', 't.resource_id'),
      )
      .select(['t.type', 't.resource_id', 't.description', 't.schema', 't.templates', 'r.indicator'])
      .where(inTenant(tenantId, 't'))
      .orderBy('t.type')
      .execute()
    const value = new Map(
      rows.map(
        ({ type, resource_id: resourceId, indicator, description, schema, templates }): [string, DetailsType] => [
          type,
          { resourceId, indicator, description, templates, check: detailsCheck(schema) },
        ],
      ),
    )
    return { value, tags: [TYPES_TAG, RESOURCES_TAG] }
  })

export const listDetailsTypes = async (
  store: Store,
  tenant: Tenant,
  resourceId: string,
  request: PageRequest,
): Promise<Page<DetailsTypeRow>> => {
  await getResource(store, tenant, resourceId)
  const db = store.database.kysely
  const all = db.selectFrom('authorization_details_types').selectAll().where(inTenant(tenant.id))
  return paginate(db, all.where('resource_id', '=', resourceId), request)
}

/** The types of several resources at once, by name; without their schemas. */
export const typesOfResources = (
  store: Store,
  { id: tenantId }: Tenant,
  resourceIds: readonly string[],
): Promise<Pick<DetailsTypeRow, 'id' | 'resource_id' | 'type' | 'description'>[]> =>
  store.database.kysely
    .selectFrom('authorization_details_types')
    .select(['id', 'resource_id', 'type', 'description'])
    .where(inTenant(tenantId))
    .where('resource_id', '=', sql<string>`ANY(${resourceIds}::text[])`)
    .orderBy('type')
    .execute()

const typeOf = (db: Db, tenantId: string, resourceId: string, id: string) =>
  db
    .selectFrom('authorization_details_types')
    .selectAll()
    .where(inTenant(tenantId))
    .where('resource_id', '=', resourceId)
    .where('id', '=', id)

export const getDetailsType = async (
  store: Store,
  tenant: Tenant,
  resourceId: string,
  id: string,
): Promise<DetailsTypeRow> => {
  const row = await typeOf(store.database.kysely, tenant.id, resourceId, id).executeTakeFirst()
  if (!row) throw notFound('authorization details type', id)
  return row
}

const lockType = async ({ tx, tenant }: Unit, resourceId: string, id: string): Promise<DetailsTypeRow> => {
  const row = await typeOf(tx, tenant.id, resourceId, id).forUpdate().executeTakeFirst()
  if (!row) throw notFound('authorization details type', id)
  return row
}

/** Throws 400 `authorization_details.invalid_schema`, `authorization_details.invalid_template`. */
const assertUsable = ({ schema, templates }: Static<typeof AuthorizationDetailsTypeUpdate>): void => {
  try {
    if (schema !== undefined) detailsCheck(schema)
  } catch (error) {
    if (!(error instanceof InvalidDetailsSchema)) throw error
    throw new ApiError('authorization_details.invalid_schema', { reason: error.message })
  }
  for (const [language, template] of Object.entries(templates ?? {}))
    if (!isTemplate(template)) throw new ApiError('authorization_details.invalid_template', { language })
}

/** What the audit log records about a change. */
const fieldsOf = ({ type, description, schema, templates }: DetailsTypeRow) => ({
  name: type,
  description,
  schema,
  templates,
})

const assertRoom = async ({ tx, tenant }: Unit): Promise<void> => {
  const { count } = await tx
    .selectFrom('authorization_details_types')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(inTenant(tenant.id))
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_TYPES) throw new ApiError('authorization_details.too_many_types', { limit: MOST_TYPES })
}

/** Registers a type. Throws 404, 400, 422 `authorization_details.type_exists`. */
export const createDetailsType = operation(
  [],
  async (unit, resourceId: string, input: Static<typeof AuthorizationDetailsTypeCreate>): Promise<DetailsTypeRow> => {
    assertUsable(input)
    await assertModifiable(unit, resourceId)
    await assertRoom(unit)
    const row = await unit.tx
      .insertInto('authorization_details_types')
      .values({
        tenant_id: unit.tenant.id,
        id: newId(),
        resource_id: resourceId,
        type: input.type,
        description: input.description ?? null,
        schema: JSON.stringify(input.schema),
        templates: JSON.stringify(input.templates ?? {}),
        created_at: unit.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('authorizationDetailsType', row.id, { after: fieldsOf(row) })
    unit.changed(TYPES_TAG)
    return row
  },
)

/** Changes a type, but for its name, which requests and tokens carry. Throws 404, 400. */
export const updateDetailsType = operation(
  [],
  async (
    unit,
    resourceId: string,
    id: string,
    change: Static<typeof AuthorizationDetailsTypeUpdate>,
  ): Promise<DetailsTypeRow> => {
    assertUsable(change)
    await assertModifiable(unit, resourceId)
    const before = await lockType(unit, resourceId, id)
    const row = await unit.tx
      .updateTable('authorization_details_types')
      .set({
        description: change.description === undefined ? before.description : change.description,
        schema: JSON.stringify(change.schema ?? before.schema),
        templates: JSON.stringify(change.templates ?? before.templates),
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('authorizationDetailsType', id, { before: fieldsOf(before), after: fieldsOf(row) })
    unit.changed(TYPES_TAG)
    return row
  },
)

/** Deletes a type: no token gets details of it from then on. Throws 404. */
export const deleteDetailsType = operation([], async (unit, resourceId: string, id: string): Promise<void> => {
  await assertModifiable(unit, resourceId)
  const row = await lockType(unit, resourceId, id)
  await unit.tx.deleteFrom('authorization_details_types').where(inTenant(unit.tenant.id)).where('id', '=', id).execute()
  unit.concerns('authorizationDetailsType', id, { before: fieldsOf(row) })
  unit.changed(TYPES_TAG)
})
