/** API resources: resource indicators of RFC 8707 (SPEC 2.1, 2.3, DECISIONS D1, D2). */

import type { ResourceCreate, ResourceUpdate, SenderConstraint } from '@countersign/contract/resources.ts'
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
import { isReservedIndicator } from './reserved-names.ts'

export type ResourceRow = Selectable<Tables['resources']>

/** What the token endpoint needs to know about a resource. */
export interface TargetResource {
  readonly id: string
  readonly indicator: string
  readonly accessTokenTtl: number
  readonly isManagement: boolean
  readonly senderConstraint: SenderConstraint
  /** Whether proofs of requests for its tokens must carry the server's nonce. */
  readonly dpopNonceRequired: boolean
}

/** The tag for every change of a tenant's resources: they change rarely, and a new default affects two of them. */
export const RESOURCES_TAG = 'resources'
export const resourceTag = (id: string) => `resource:${id}`

const target = (row: ResourceRow | undefined): TargetResource | undefined =>
  row && {
    id: row.id,
    indicator: row.indicator,
    accessTokenTtl: row.access_token_ttl,
    isManagement: row.is_management,
    senderConstraint: row.sender_constraint,
    dpopNonceRequired: row.requires_nonce,
  }

/**
 * The other way to write the address of a host without a path: with the slash that URL parsers add, or without (RFC 3986 section
 * 6.2.3). Undefined for every other indicator.
 */
const withOrWithoutSlash = (indicator: string): string | undefined => {
  const [, host] = /^(https?:\/\/[^/?#@\s]+)\/?$/.exec(indicator) ?? []
  return host && (host === indicator ? `${host}/` : host)
}

/**
 * The resource with this indicator, byte for byte, from the cache; that of a host without a path also by its other form, if no resource
 * has this one (DECISIONS Z2). What it is called is its own `indicator`.
 */
export const findResource = (
  store: Store,
  { id: tenantId }: Tenant,
  indicator: string,
): Promise<TargetResource | undefined> => {
  const key = `resource:${indicator}`
  return store.cache.get(tenantId, key, async () => {
    const forms = [indicator, withOrWithoutSlash(indicator)].filter((form) => form !== undefined)
    const rows = await store.database.configuration
      .selectFrom('resources')
      .selectAll()
      .where(inTenant(tenantId))
      .where('indicator', 'in', forms)
      .execute()
    const exact = rows.find((row) => row.indicator === indicator)
    return { value: target(exact ?? rows[0]), tags: [RESOURCES_TAG] }
  })
}

/** The tenant's default API, if it has one, from the cache (SPEC 2.3). */
export const findDefaultResource = (store: Store, { id: tenantId }: Tenant): Promise<TargetResource | undefined> =>
  store.cache.get(tenantId, 'default-resource', async () => {
    const row = await store.database.configuration
      .selectFrom('resources')
      .selectAll()
      .where(inTenant(tenantId))
      .where('is_default', '=', true)
      .executeTakeFirst()
    return { value: target(row), tags: [RESOURCES_TAG] }
  })

export const listResources = (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest,
): Promise<Page<ResourceRow>> => {
  const db = store.database.kysely
  return paginate(db, db.selectFrom('resources').selectAll().where(inTenant(tenantId)), request)
}

export const getResource = async (store: Store, { id: tenantId }: Tenant, id: string): Promise<ResourceRow> => {
  const row = await store.database.kysely
    .selectFrom('resources')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('resource', id)
  return row
}

/** RFC 8707 section 2: an absolute URI without a fragment; here also without space or control characters (D1). */
const assertIndicator = (indicator: string): void => {
  const isUri = /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i.test(indicator) && URL.canParse(indicator)
  // a token for an organization must not pass as one for an API, nor the other way round
  const isFree = !isReservedIndicator(indicator)
  if (!isUri || !isFree || indicator.includes('#')) throw new ApiError('resource.invalid_indicator', { indicator })
}

/** The row, locked, if it may be changed. Throws 404, or 400 with the code for the Management API's own resource. */
const lockOwn = async (
  { tx, tenant }: Unit,
  id: string,
  refusal: 'resource.cannot_modify_management_api' | 'resource.cannot_delete_management_api',
): Promise<ResourceRow> => {
  const row = await tx
    .selectFrom('resources')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('resource', id)
  if (row.is_management) throw new ApiError(refusal)
  return row
}

/**
 * For operations on the permissions of a resource: it exists, and is not the Management API. Locks it against deletion.
 */
export const assertModifiable = async (unit: Unit, resourceId: string): Promise<void> => {
  await lockOwn(unit, resourceId, 'resource.cannot_modify_management_api')
}

/** What the audit log records about a change. */
const fieldsOf = ({
  name,
  indicator,
  access_token_ttl,
  sender_constraint,
  requires_nonce,
  is_default,
}: ResourceRow) => ({
  name,
  indicator,
  accessTokenTtl: access_token_ttl,
  senderConstraint: sender_constraint,
  dpopNonceRequired: requires_nonce,
  isDefault: is_default,
})

const clearDefault = ({ tx, tenant }: Unit) =>
  tx
    .updateTable('resources')
    .set({ is_default: false })
    .where(inTenant(tenant.id))
    .where('is_default', '=', true)
    .execute()

/** Two concurrent requests that set a default take turns here; otherwise the second would violate the unique index. */
const lockTenant = ({ tx, tenant }: Unit) =>
  tx.selectFrom('tenants').select('id').where('id', '=', tenant.id).forNoKeyUpdate().execute()

export const createResource = operation(
  [],
  async (unit, input: Static<typeof ResourceCreate>): Promise<ResourceRow> => {
    assertIndicator(input.indicator)
    if (input.isDefault) {
      await lockTenant(unit)
      await clearDefault(unit)
    }
    const row = await unit.tx
      .insertInto('resources')
      .values({
        tenant_id: unit.tenant.id,
        id: newId(),
        name: input.name,
        indicator: input.indicator,
        is_default: input.isDefault ?? false,
        access_token_ttl: input.accessTokenTtl ?? 3600,
        sender_constraint: input.senderConstraint ?? 'none',
        requires_nonce: input.dpopNonceRequired ?? false,
        created_at: unit.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('resource', row.id, { after: fieldsOf(row) })
    unit.changed(RESOURCES_TAG)
    return row
  },
)

export const updateResource = operation(
  [],
  async (unit, id: string, change: Static<typeof ResourceUpdate>): Promise<ResourceRow> => {
    const before = await lockOwn(unit, id, 'resource.cannot_modify_management_api')
    const row = await unit.tx
      .updateTable('resources')
      .set({
        name: change.name ?? before.name,
        access_token_ttl: change.accessTokenTtl ?? before.access_token_ttl,
        sender_constraint: change.senderConstraint ?? before.sender_constraint,
        requires_nonce: change.dpopNonceRequired ?? before.requires_nonce,
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    unit.concerns('resource', id, { before: fieldsOf(before), after: fieldsOf(row) })
    unit.changed(RESOURCES_TAG)
    return row
  },
)

/** Makes the resource the default API in place of the previous one, or no longer the default (DECISIONS D2). */
export const setDefaultResource = operation([], async (unit, id: string, isDefault: boolean): Promise<ResourceRow> => {
  await lockTenant(unit)
  const before = await lockOwn(unit, id, 'resource.cannot_modify_management_api')
  if (isDefault) await clearDefault(unit)
  const row = await unit.tx
    .updateTable('resources')
    .set({ is_default: isDefault })
    .where(inTenant(unit.tenant.id))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  unit.concerns('resource', id, { before: fieldsOf(before), after: fieldsOf(row) })
  unit.changed(RESOURCES_TAG)
  return row
})

/** Locks a resource for deletion. Throws 404, 400 for the Management API's own. */
export const lockDeletable = async (unit: Unit, id: string): Promise<void> => {
  const row = await lockOwn(unit, id, 'resource.cannot_delete_management_api')
  unit.concerns('resource', id, { before: fieldsOf(row) })
}

/** Deletes a locked resource with its permissions and removes them from whatever held them. */
export const eraseResource = async ({ tx, tenant, changed }: Unit, id: string): Promise<void> => {
  await tx.deleteFrom('resources').where(inTenant(tenant.id)).where('id', '=', id).execute()
  changed(RESOURCES_TAG, resourceTag(id))
}
