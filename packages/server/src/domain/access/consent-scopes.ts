/**
 * What third-party applications may ask users for (DECISIONS F4): scopes of the user, permissions of API resources, and both
 * kinds of permissions within organizations. Which of the latter apply to a token is decided in
 * organizations/access.ts.
 */

import type { UserConsentScopes } from '@countersign/contract/user-consent-scopes.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import type { Client } from '../applications/clients.ts'
import { ALL_DOCUMENT_CLIENTS, consentHolderOf, lockAllDocumentClients } from '../applications/document-clients.ts'
import { type ApplicationRow, applicationTag, getApplication, lockApplication } from '../applications/rows.ts'
import { isOidcScope } from '../permissions/oidc-scopes.ts'
import { resourceTag } from '../permissions/resources.ts'

export interface ConsentScopes {
  /** Names such as `profile`. */
  readonly user: ReadonlySet<string>
  /** Names of permissions with their ids, by the id of their resource. */
  readonly byResource: ReadonlyMap<string, ReadonlyMap<string, string>>
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
    .where(inTenant(tenantId))
    .where('application_id', '=', applicationId)
    .orderBy('user_scope')
    .execute()
  return rows.map(({ user_scope }) => user_scope)
}

const readResourceScopes = async (
  db: Store['database']['kysely'],
  tenantId: string,
  applicationId: string,
  table:
    | 'applications_consent_resource_scopes'
    | 'applications_consent_organization_resource_scopes' = 'applications_consent_resource_scopes',
): Promise<ResourceScope[]> => {
  const rows = await db
    .selectFrom(`${table} as c`)
    .innerJoin('scopes as s', (join) => join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.scope_id'))
    .innerJoin('resources as r', (join) =>
      join.onRef('r.tenant_id', '=', 's.tenant_id').onRef('r.id', '=', 's.resource_id'),
    )
    .select(['s.id', 's.name', 's.description', 'r.id as resource_id', 'r.name as resource_name', 'r.indicator'])
    .where(inTenant(tenantId, 'c'))
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

const readOrganizationScopes = (db: Store['database']['kysely'], tenantId: string, applicationId: string) =>
  db
    .selectFrom('applications_consent_organization_scopes as c')
    .innerJoin('organization_scopes as s', (join) =>
      join.onRef('s.tenant_id', '=', 'c.tenant_id').onRef('s.id', '=', 'c.organization_scope_id'),
    )
    .select(['s.id', 's.name', 's.description'])
    .where(inTenant(tenantId, 'c'))
    .where('c.application_id', '=', applicationId)
    .orderBy('s.name')
    .execute()

/** What an application may ask users for, from the cache; undefined for a first-party one, which has no limits. */
export const consentScopes = async (
  store: Store,
  { id: tenantId }: Tenant,
  { id, isThirdParty }: Client,
): Promise<ConsentScopes | undefined> => {
  if (!isThirdParty) return undefined
  const holder = consentHolderOf(id)
  return store.cache.get(tenantId, `consent-scopes:${holder}`, async () => {
    const db = store.database.configuration
    const [user, permissions] = await Promise.all([
      readUserScopes(db, tenantId, holder),
      readResourceScopes(db, tenantId, holder),
    ])
    const byResource = new Map<string, Map<string, string>>()
    for (const { id: scopeId, name, resource } of permissions)
      byResource.set(resource.id, (byResource.get(resource.id) ?? new Map()).set(name, scopeId))
    // a scope that does nothing yet must not let a permission of the same name through
    const value: ConsentScopes = { user: new Set(user.filter(isOidcScope)), byResource }
    return { value, tags: [applicationTag(holder), ...[...byResource.keys()].map(resourceTag)] }
  })
}

const assertThirdParty = ({ is_third_party }: ApplicationRow): void => {
  if (!is_third_party) throw new ApiError('application.third_party_application_only')
}

export interface ConfiguredScopes {
  readonly user: string[]
  readonly resource: ResourceScope[]
  readonly organization: Omit<ResourceScope, 'resource'>[]
  readonly organizationResource: ResourceScope[]
}

/** The scopes of a third-party application as they are configured. Throws 404, 422. */
export const listConsentScopes = async (
  store: Store,
  tenant: Tenant,
  applicationId: string,
): Promise<ConfiguredScopes> => {
  assertThirdParty(await getApplication(store, tenant, applicationId))
  return readConsentScopes(store, tenant, applicationId)
}

/** The same of what all clients with documents may ask for. */
export const listDocumentConsentScopes = (store: Store, tenant: Tenant): Promise<ConfiguredScopes> =>
  readConsentScopes(store, tenant, ALL_DOCUMENT_CLIENTS)

const readConsentScopes = async (store: Store, tenant: Tenant, applicationId: string): Promise<ConfiguredScopes> => {
  const db = store.database.kysely
  const [user, resource, organization, organizationResource] = await Promise.all([
    readUserScopes(db, tenant.id, applicationId),
    readResourceScopes(db, tenant.id, applicationId),
    readOrganizationScopes(db, tenant.id, applicationId),
    readResourceScopes(db, tenant.id, applicationId, 'applications_consent_organization_resource_scopes'),
  ])
  return { user, resource, organization, organizationResource }
}

/** Permissions that exist, none of them of the Management API. Throws 422. */
const assertResourceScopes = async ({ tx, tenant }: Unit, ids: readonly string[]): Promise<void> => {
  const rows = await tx
    .selectFrom('scopes')
    .select(['id', 'is_management'])
    .where(inTenant(tenant.id))
    .where('id', '=', sql<string>`ANY(${ids}::text[])`)
    .execute()
  if (rows.some(({ is_management }) => is_management))
    throw new ApiError('application.consent_management_api_scopes_not_allowed')
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new ApiError('application.user_consent_scopes_not_found', { invalidScopes: unknown })
}

/** Organization permissions that exist. Throws 422. */
const assertOrganizationScopes = async ({ tx, tenant }: Unit, ids: readonly string[]): Promise<void> => {
  const rows = await tx
    .selectFrom('organization_scopes')
    .select('id')
    .where(inTenant(tenant.id))
    .where('id', '=', sql<string>`ANY(${ids}::text[])`)
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new ApiError('application.user_consent_scopes_not_found', { invalidScopes: unknown })
}

/** Where each kind is kept. */
const TABLES = {
  user: ['applications_consent_user_scopes', 'user_scope'],
  resource: ['applications_consent_resource_scopes', 'scope_id'],
  organization: ['applications_consent_organization_scopes', 'organization_scope_id'],
  organizationResource: ['applications_consent_organization_resource_scopes', 'scope_id'],
} as const
export type ConsentScopeKind = keyof typeof TABLES

/**
 * Lets a third-party application ask for these too; scopes that it may already ask for change nothing. Throws 404, 422.
 */
export const addConsentScopes = operation(
  [],
  async (unit, applicationId: string, added: Static<typeof UserConsentScopes>): Promise<void> => {
    assertThirdParty(await lockApplication(unit, applicationId))
    await insertScopes(unit, applicationId, added)
  },
)

/** Lets all clients with documents ask for these too; otherwise as addConsentScopes. Throws 422. */
export const addDocumentConsentScopes = operation(
  [],
  async (unit, added: Static<typeof UserConsentScopes>): Promise<void> => {
    await lockAllDocumentClients(unit)
    await insertScopes(unit, ALL_DOCUMENT_CLIENTS, added)
  },
)

const insertScopes = async (
  unit: Unit,
  applicationId: string,
  added: Static<typeof UserConsentScopes>,
): Promise<void> => {
  const { tx, tenant } = unit
  const given: Record<ConsentScopeKind, string[]> = {
    user: [...new Set(added.userScopes)],
    resource: [...new Set(added.resourceScopes)],
    organization: [...new Set(added.organizationScopes)],
    organizationResource: [...new Set(added.organizationResourceScopes)],
  }
  await assertResourceScopes(unit, [...new Set([...given.resource, ...given.organizationResource])])
  await assertOrganizationScopes(unit, given.organization)
  for (const [kind, scopes] of Object.entries(given)) {
    const [table, column] = TABLES[kind as ConsentScopeKind]
    await sql`INSERT INTO ${sql.table(table)} (tenant_id, application_id, ${sql.ref(column)})
        SELECT ${tenant.id}, ${applicationId}, unnest(${scopes}::text[]) ON CONFLICT DO NOTHING`.execute(tx)
  }
  unit.changed(applicationTag(applicationId))
}

/** Removes a scope that a third-party application may ask for: its next tokens do not have it. Throws 404, 422. */
export const removeConsentScope = operation(
  [],
  async (unit, applicationId: string, kind: ConsentScopeKind, scopeId: string): Promise<void> => {
    assertThirdParty(await lockApplication(unit, applicationId))
    await deleteScope(unit, applicationId, kind, scopeId)
  },
)

/** The same for all clients with documents. Throws 404. */
export const removeDocumentConsentScope = operation(
  [],
  async (unit, kind: ConsentScopeKind, scopeId: string): Promise<void> => {
    await lockAllDocumentClients(unit)
    await deleteScope(unit, ALL_DOCUMENT_CLIENTS, kind, scopeId)
  },
)

const deleteScope = async (unit: Unit, applicationId: string, kind: ConsentScopeKind, scopeId: string) => {
  const { tx, tenant } = unit
  const [table, column] = TABLES[kind]
  const { rows } = await sql`
      DELETE FROM ${sql.table(table)}
      WHERE tenant_id = ${tenant.id} AND application_id = ${applicationId} AND ${sql.ref(column)} = ${scopeId}
      RETURNING ${sql.ref(column)}`.execute(tx)
  if (rows.length === 0) throw new ApiError('entity.not_exists_with_id', { entity: 'consent scope', id: scopeId })
  unit.changed(applicationTag(applicationId))
}
