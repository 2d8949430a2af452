/** The first start, and every later one: the default tenant exists, at the configured base URL (DECISIONS A3). */

import { ApiError } from '../../kernel/api-error.ts'
import { systemCaller } from '../../kernel/caller.ts'
import { DEFAULT_TENANT, type Tenant, tenantAt } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { listSecrets } from '../applications/secrets.ts'
import { moveTenant, tenantDirectory } from '../tenants/tenants.ts'
import {
  lacksConsole,
  type ManagementCredentials,
  missingPermissions,
  registerConsole,
  registerPermissions,
  setUpTenant,
} from './tenant-setup.ts'

export interface Bootstrapped {
  readonly tenant: Tenant
  /** The credentials for the operator: at the first start, and when the base URL has changed. */
  readonly credentials?: ManagementCredentials
}

/** Two nodes may start on an empty database at once: one creates, the other finds it created. */
const createOnce = async (store: Store, tenant: Tenant): Promise<ManagementCredentials | undefined> => {
  try {
    return await perform({ store, tenant, caller: systemCaller('setUpTenant') }, setUpTenant)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'entity.unique_integrity_violation') {
      store.cache.drop('*', ['/tenants'])
      return undefined
    }
    throw error
  }
}

/** The credentials of the oldest machine-to-machine application that holds every management permission, if any. */
export const managementCredentials = async (
  store: Store,
  tenant: Tenant,
): Promise<ManagementCredentials | undefined> => {
  const row = await store.database.kysely
    .selectFrom('scopes as s')
    .innerJoin('roles_scopes as rs', (join) =>
      join.onRef('rs.tenant_id', '=', 's.tenant_id').onRef('rs.scope_id', '=', 's.id'),
    )
    .innerJoin('applications_roles as ar', (join) =>
      join.onRef('ar.tenant_id', '=', 'rs.tenant_id').onRef('ar.role_id', '=', 'rs.role_id'),
    )
    .innerJoin('applications as a', (join) =>
      join.onRef('a.tenant_id', '=', 'ar.tenant_id').onRef('a.id', '=', 'ar.application_id'),
    )
    .select('a.id')
    .where(inTenant(tenant.id, 's'))
    .where('s.is_management', '=', true)
    .where('s.name', '=', 'all')
    .orderBy('a.created_at')
    .limit(1)
    .executeTakeFirst()
  const caller = systemCaller('managementCredentials')
  const [secret] = row ? await listSecrets(store, tenant, caller, row.id) : []
  if (!row || !secret) return undefined
  return { baseUrl: tenant.baseUrl, clientId: row.id, clientSecret: secret.value, resource: tenant.managementApi }
}

/** Brings the installation to what this start needs. */
export const bootstrap = async (store: Store, baseUrl: string): Promise<Bootstrapped> => {
  const wanted = tenantAt(DEFAULT_TENANT, 'Default', baseUrl)
  const before = (await tenantDirectory(store)).byId.get(DEFAULT_TENANT)
  const created = before ? undefined : await createOnce(store, wanted)
  const existing = (await tenantDirectory(store)).byId.get(DEFAULT_TENANT) ?? wanted
  const moved = existing.baseUrl !== baseUrl
  if (moved) {
    store.log.warn({ from: existing.baseUrl, to: baseUrl }, 'the default tenant moves to another base URL')
    await perform({ store, tenant: existing, caller: systemCaller('moveTenant') }, moveTenant, baseUrl)
  }
  const { all, byId } = await tenantDirectory(store)
  for (const tenant of all) {
    if (await lacksConsole(store, tenant))
      await perform({ store, tenant, caller: systemCaller('registerConsole') }, registerConsole)
    const missing = await missingPermissions(store, tenant)
    if (missing.length === 0) continue
    await perform({ store, tenant, caller: systemCaller('registerPermissions') }, registerPermissions, missing)
  }
  const tenant = byId.get(DEFAULT_TENANT) ?? wanted
  const credentials = created ?? (moved ? await managementCredentials(store, tenant) : undefined)
  return { tenant, ...(credentials ? { credentials } : {}) }
}
