/** What third-party applications may ask users for (DECISIONS F4): scopes of the user, and permissions of API resources. */
import type { UserConsentScopes } from '@countersign/contract/user-consent-scopes.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../kernel/api-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { operation, type Unit } from '../storage/unit-of-work.ts'
import { type ApplicationRow, applicationTag, getApplication, lockApplication } from './application-rows.ts'
import type { Client } from './clients.ts'
import { resourceTag } from './resources.ts'

export interface ConsentScopes {
  /** Names such as `profile`. */
  readonly user: ReadonlySet<string>
  /** Names of permissions, by the id of their resource. */
  readonly byResource: ReadonlyMap<string, ReadonlySet<string>>
}

interface ResourceScope {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly resource: { readonly id: string; readonly name: string; readonly indicator: string }
}

const readUserScopes = async (db: Store['database']['kysely'], tenantId: string, applicationId: string) => {
  const rows = await db
    .selectFrom('applications_consent_user_scopes')
    .select('user_scope')
    .where('tenant_id', '=', tenantId)
    .where('application_id', '=', applicationId)
    .orderBy('user_scope')
    .execute()
  return rows.map(({ user_scope }) => user_scope)
}

const readResourceScopes = async (
  db: Store['database']['kysely'],
  tenantId: string,
  applicationId: string,
): Promise<ResourceScope[]> => {
  const rows = await db
    .selectFrom('applications_consent_resource_scopes as c')
    .innerJoin('scopes as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.scope_id'))
    .innerJoin('resources as r', (join) =>
      join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.id', '=', 's.resource_id'),
    )
    .select(['s.id', 's.name', 's.description', 'r.id as resource_id', 'r.name as resource_name', 'r.indicator'])
    .where('c.tenant_id', '=', tenantId)
    .where('c.application_id', '=', applicationId)
    .orderBy('r.name')
    .orderBy('r.id')
    .orderBy('s.name')
    .execute()
  return rows.map(({ id, name, description, resource_id, resource_name, indicator }) => ({
    id,
    name,
    description,
    resource: { id: resource_id, name: resource_name, indicator },
  }))
}

/** What an application may ask users for, from the cache; undefined for a first-party one, which nothing limits. */
export const consentScopes = async (
  store: Store,
  { id: tenantId }: Tenant,
  { id, isThirdParty }: Client,
): Promise<ConsentScopes | undefined> => {
  if (!isThirdParty) return undefined
  return store.cache.get(tenantId, `consent-scopes:${id}`, async () => {
    const db = store.database.configuration
    const [user, permissions] = await Promise.all([
      readUserScopes(db, tenantId, id),
      readResourceScopes(db, tenantId, id),
    ])
    const byResource = new Map<string, Set<string>>()
    for (const { name, resource } of permissions)
      byResource.set(resource.id, (byResource.get(resource.id) ?? new Set()).add(name))
    const value: ConsentScopes = { user: new Set(user), byResource }
    return { value, tags: [applicationTag(id), ...[...byResource.keys()].map(resourceTag)] }
  })
}

const assertThirdParty = ({ is_third_party }: ApplicationRow): void => {
  if (!is_third_party) throw new ApiError('application.third_party_application_only')
}

/** The scopes of a third-party application as they are configured. Throws 404, 422. */
export const listConsentScopes = async (
  store: Store,
  tenant: Tenant,
  applicationId: string,
): Promise<{ user: string[]; resource: ResourceScope[] }> => {
  assertThirdParty(await getApplication(store, tenant, applicationId))
  const db = store.database.kysely
  const [user, resource] = await Promise.all([
    readUserScopes(db, tenant.id, applicationId),
    readResourceScopes(db, tenant.id, applicationId),
  ])
  return { user, resource }
}

/** Permissions that exist, none of them of the Management API. Throws 422. */
const assertResourceScopes = async ({ tx, tenant }: Unit, ids: readonly string[]): Promise<void> => {
  const rows = await tx
    .selectFrom('scopes')
    .select(['id', 'is_management'])
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', sql<string>`ANY(${ids}::text[])`)
    .execute()
  if (rows.some(({ is_management }) => is_management))
    throw new ApiError('application.consent_management_api_scopes_not_allowed')
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new ApiError('application.user_consent_scopes_not_found', { invalidScopes: unknown })
}

/** Lets a third-party application ask for these too; what it may ask for already changes nothing. Throws 404, 422. */
export const addConsentScopes = operation(
  [],
  async (unit, applicationId: string, added: Static<typeof UserConsentScopes>): Promise<void> => {
    const { tx, tenant } = unit
    assertThirdParty(await lockApplication(unit, applicationId))
    // organizations do not exist yet, and so none of their scopes does
    const ofOrganizations = [...(added.organizationScopes ?? []), ...(added.organizationResourceScopes ?? [])]
    if (ofOrganizations.length > 0)
      throw new ApiError('application.user_consent_scopes_not_found', { invalidScopes: ofOrganizations })
    const resourceScopes = [...new Set(added.resourceScopes)]
    const userScopes = [...new Set(added.userScopes)]
    await assertResourceScopes(unit, resourceScopes)
    await sql`INSERT INTO applications_consent_user_scopes (tenant_id, application_id, user_scope)
      SELECT ${tenant.id}, ${applicationId}, unnest(${userScopes}::text[]) ON CONFLICT DO NOTHING`.execute(tx)
    await sql`INSERT INTO applications_consent_resource_scopes (tenant_id, application_id, scope_id)
      SELECT ${tenant.id}, ${applicationId}, unnest(${resourceScopes}::text[]) ON CONFLICT DO NOTHING`.execute(tx)
    unit.changed(applicationTag(applicationId))
  },
)

/** Takes one from what a third-party application may ask for: its next tokens are without it. Throws 404, 422. */
export const removeConsentScope = operation(
  [],
  async (unit, applicationId: string, kind: 'user' | 'resource' | 'organization', scopeId: string): Promise<void> => {
    const { tx, tenant } = unit
    assertThirdParty(await lockApplication(unit, applicationId))
    const removed =
      kind === 'user'
        ? await tx
            .deleteFrom('applications_consent_user_scopes')
            .where('tenant_id', '=', tenant.id)
            .where('application_id', '=', applicationId)
            .where('user_scope', '=', scopeId)
            .returning('user_scope as id')
            .execute()
        : kind === 'resource'
          ? await tx
              .deleteFrom('applications_consent_resource_scopes')
              .where('tenant_id', '=', tenant.id)
              .where('application_id', '=', applicationId)
              .where('scope_id', '=', scopeId)
              .returning('scope_id as id')
              .execute()
          : []
    if (removed.length === 0) throw new ApiError('entity.not_exists_with_id', { entity: 'consent scope', id: scopeId })
    unit.changed(applicationTag(applicationId))
  },
)
