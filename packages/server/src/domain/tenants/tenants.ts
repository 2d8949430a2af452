/**
 * The domain: one file per aggregate with its operations, its SQL and its events, and the reads that the rest needs.
 * Depends on storage and the kernel; knows nothing of HTTP, tokens or webhooks.
 *
 * Tenants: which ones exist, and which one a host name belongs to (DECISIONS A7).
 */

import { sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { ConfigurationError } from '../../kernel/configuration.ts'
import { DEFAULT_TENANT, type Tenant, tenantAt } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'

const TENANTS_TAG = '/tenants'

export interface TenantDirectory {
  readonly all: readonly Tenant[]
  readonly byHost: ReadonlyMap<string, Tenant>
  /** Those whose console has a host of its own, by that host. */
  readonly byConsoleHost: ReadonlyMap<string, Tenant>
  readonly byId: ReadonlyMap<string, Tenant>
}

/**
 * The Host headers that match an origin: the default port of its scheme may be present or omitted (RFC 9110 section
 * 7.2).
 */
const hostsOf = (origin: string): string[] => {
  const { host, port, protocol } = new URL(origin)
  return port ? [host] : [host, `${host}:${protocol === 'https:' ? 443 : 80}`]
}

/** Every tenant of the installation, from the cache. */
export const tenantDirectory = (store: Store): Promise<TenantDirectory> =>
  store.cache.get('*', 'tenants', async () => {
    const rows = await store.database.configuration.selectFrom('tenants').selectAll().orderBy('created_at').execute()
    const all = rows.map((row) => tenantAt(row.id, row.name, row.base_url))
    const value: TenantDirectory = {
      all,
      byHost: new Map(all.flatMap((tenant) => hostsOf(tenant.baseUrl).map((host) => [host, tenant] as const))),
      byConsoleHost: new Map(
        all.flatMap((tenant) => {
          const origin = store.consoleOrigin(tenant)
          const isApart = origin !== undefined && origin !== tenant.baseUrl
          return isApart ? hostsOf(origin).map((host) => [host, tenant] as const) : []
        }),
      ),
      byId: new Map(all.map((tenant) => [tenant.id, tenant])),
    }
    return { value, tags: [TENANTS_TAG] }
  })

/**
 * The tenant that is served at a host. An installation with a single tenant serves it at every host name; one with
 * several refuses host names that it does not know.
 */
const tenantAtHost = ({ byHost, all }: TenantDirectory, host: string): Tenant | undefined =>
  byHost.get(host.toLowerCase()) ?? (all.length === 1 ? all[0] : undefined)

/**
 * The tenant whose part is served at a host; 'elsewhere' if the part is at another host. The console and the Management API are at the
 * admin host of CONSOLE, where nothing else is; the Management API is at the base URL too, and the console is not (DECISIONS U11).
 * @param part undefined: any other
 */
export const servedAtHost = async (
  store: Store,
  host: string,
  part: 'console' | 'api' | undefined,
): Promise<Tenant | 'elsewhere' | undefined> => {
  const directory = await tenantDirectory(store)
  const { byHost, byConsoleHost } = directory
  const atConsole =
    byConsoleHost.size > 0 && !byHost.has(host.toLowerCase()) ? byConsoleHost.get(host.toLowerCase()) : undefined
  if (atConsole) return part === undefined ? 'elsewhere' : atConsole
  const tenant = tenantAtHost(directory, host)
  return part === 'console' && tenant && store.consoleOrigin(tenant) !== tenant.baseUrl ? 'elsewhere' : tenant
}

/** Throws ConfigurationError if the console of one tenant would be at the base URL of another. */
export const assertConsolesApart = ({ byHost, byConsoleHost }: TenantDirectory): void => {
  for (const [host, { id }] of byConsoleHost) {
    const owner = byHost.get(host)
    if (owner && owner.id !== id)
      throw new ConfigurationError(
        `CONSOLE puts the console of the tenant ${id} at the base URL of the tenant ${owner.id}.`,
      )
  }
}

/** The tenant with this id. Throws ApiError 404. */
export const getTenant = async (store: Store, id: string): Promise<Tenant> => {
  const tenant = (await tenantDirectory(store)).byId.get(id)
  if (!tenant) throw notFound('tenant', id)
  return tenant
}

/** Inserts the unit's tenant. The other initial data of a tenant is in tenant-setup.ts. */
export const insertTenant = operation([], async ({ tx, tenant, now, changed }) => {
  await tx
    .insertInto('tenants')
    .values({ id: tenant.id, name: tenant.name, base_url: tenant.baseUrl, created_at: now })
    .execute()
  changed(TENANTS_TAG)
})

/**
 * Moves the unit's tenant to another base URL: its issuer, and the indicator of its Management API with it. Tokens
 * issued under the previous address are refused from then on.
 */
export const moveTenant = operation([], async ({ tx, tenant, changed }, baseUrl: string) => {
  await tx.updateTable('tenants').set({ base_url: baseUrl }).where('id', '=', tenant.id).execute()
  await tx
    .updateTable('resources')
    .set({ indicator: tenantAt(tenant.id, tenant.name, baseUrl).managementApi })
    .where(inTenant(tenant.id))
    .where('is_management', '=', true)
    .execute()
  changed(TENANTS_TAG, '*')
})

const assertNotDefault = (id: string): void => {
  if (id !== DEFAULT_TENANT) return
  throw new ApiError('request.invalid_input', { reason: 'the default tenant cannot be deleted' })
}

/** The tenant with this id, if it may be deleted. Throws ApiError 400 for the default one, 404. */
export const deletableTenant = async (store: Store, id: string): Promise<Tenant> => {
  assertNotDefault(id)
  return getTenant(store, id)
}

/**
 * Deletes a tenant and everything that belongs to it. The unit must belong to another tenant, which keeps the audit
 * entry.
 */
export const deleteTenant = operation([], async ({ tx, now, changed }, id: string) => {
  assertNotDefault(id)
  // their rows go with the tenant; the files are deleted later (domain/uploads/unused.ts)
  await sql`INSERT INTO removed_assets SELECT tenant_id || '/' || name, ${now} FROM assets WHERE tenant_id = ${id}`.execute(
    tx,
  )
  const deleted = await tx.deleteFrom('tenants').where('id', '=', id).returning('id').execute()
  if (deleted.length === 0) throw notFound('tenant', id)
  // the progress of its user imports (users/import.ts): another tenant may get the same id
  await tx.deleteFrom('installation').where('key', 'like', `user-import/${id}/%`).execute()
  changed(TENANTS_TAG)
})
