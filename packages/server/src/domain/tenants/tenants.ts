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
  /** Those that take client certificates at an address of its own, by its host. */
  readonly byMutualTlsHost: ReadonlyMap<string, Tenant>
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

/** Tenants by the hosts of an address that is not their base URL. */
const byHostApart = (
  tenants: readonly Tenant[],
  originOf: (tenant: Tenant) => string | undefined,
): ReadonlyMap<string, Tenant> =>
  new Map(
    tenants.flatMap((tenant) => {
      const origin = originOf(tenant)
      const isApart = origin !== undefined && origin !== tenant.baseUrl
      return isApart ? hostsOf(origin).map((host) => [host, tenant] as const) : []
    }),
  )

/** Every tenant of the installation, from the cache. */
export const tenantDirectory = (store: Store): Promise<TenantDirectory> =>
  store.cache.get('*', 'tenants', async () => {
    const rows = await store.database.configuration.selectFrom('tenants').selectAll().orderBy('created_at').execute()
    const all = rows.map((row) => tenantAt(row.id, row.name, row.base_url))
    const value: TenantDirectory = {
      all,
      byHost: new Map(all.flatMap((tenant) => hostsOf(tenant.baseUrl).map((host) => [host, tenant] as const))),
      byConsoleHost: byHostApart(all, store.consoleOrigin),
      byMutualTlsHost: byHostApart(all, store.mutualTls.origin),
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
 * admin host of CONSOLE, where nothing else is; the Management API is at the base URL too, and the console is not (DECISIONS U11). At
 * the address for client certificates there is nothing for browsers (DECISIONS V11).
 * @param part undefined: any other
 */
export const servedAtHost = async (
  store: Store,
  host: string,
  part: 'console' | 'api' | 'applications' | undefined,
): Promise<Tenant | 'elsewhere' | undefined> => {
  const directory = await tenantDirectory(store)
  const { byHost, byConsoleHost, byMutualTlsHost } = directory
  const apart = (hosts: ReadonlyMap<string, Tenant>) =>
    hosts.size > 0 && !byHost.has(host.toLowerCase()) ? hosts.get(host.toLowerCase()) : undefined
  const atConsole = apart(byConsoleHost)
  if (atConsole) return part === 'console' || part === 'api' ? atConsole : 'elsewhere'
  const atMutualTls = apart(byMutualTlsHost)
  if (atMutualTls) return part === 'api' || part === 'applications' ? atMutualTls : 'elsewhere'
  const tenant = tenantAtHost(directory, host)
  return part === 'console' && tenant && store.consoleOrigin(tenant) !== tenant.baseUrl ? 'elsewhere' : tenant
}

/**
 * Throws ConfigurationError if the console of one tenant, or its address for client certificates, would be at the base URL of another,
 * or if both would be at one host.
 */
export const assertHostsApart = ({ byHost, byConsoleHost, byMutualTlsHost }: TenantDirectory): void => {
  const assertFree = (taken: ReadonlyMap<string, Tenant>, hosts: ReadonlyMap<string, Tenant>, begins: string) => {
    for (const [host, { id }] of hosts) {
      const owner = taken.get(host)
      if (owner && owner.id !== id)
        throw new ConfigurationError(`${begins} of the tenant ${id} at the base URL of the tenant ${owner.id}.`)
    }
  }
  assertFree(byHost, byConsoleHost, 'CONSOLE puts the console')
  assertFree(byHost, byMutualTlsHost, 'MTLS_ADDRESS puts the address for client certificates')
  const shared = [...byMutualTlsHost.keys()].find((host) => byConsoleHost.has(host))
  if (shared !== undefined) throw new ConfigurationError(`CONSOLE and MTLS_ADDRESS are both at ${shared}.`)
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
