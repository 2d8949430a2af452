/**
 * What an operator does from the command line, on the database itself: no HTTP, and no permission needed other than
 * access to the database and the secret key. Works with or without a running server.
 */
import type { SigningAlgorithm } from '@countersign/contract/signing-keys.ts'
import type { Configuration } from './configuration.ts'
import { bootstrap, managementCredentials } from './domain/setup/bootstrap.ts'
import { type ManagementCredentials, setUpTenant } from './domain/setup/tenant-setup.ts'
import { deleteSigningKey, keyState, rotateSigningKeys, signingKeys } from './domain/tenants/signing-keys.ts'
import { deletableTenant, deleteTenant, getTenant, tenantDirectory } from './domain/tenants/tenants.ts'
import { systemCaller } from './kernel/caller.ts'
import { systemClock } from './kernel/clock.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import { createLog } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { DEFAULT_TENANT, parseBaseUrl, type Tenant, tenantAt } from './kernel/tenant.ts'
import { type Migration, migrate, pendingMigrations } from './storage/migrate.ts'
import { openStore, reachDatabase } from './storage/open-store.ts'
import type { Store } from './storage/store.ts'
import { perform } from './storage/unit-of-work.ts'

export interface ListedKey {
  readonly id: string
  readonly algorithm: string
  readonly chain: string
  readonly state: string
  readonly createdAt: Date
  readonly effectiveAt: Date
}

/** The log of commands: errors only. */
const quietLog = () => createLog('warn')

/** Runs the migrations, or with dryRun only lists them. */
export const runMigrations = async (configuration: Configuration, dryRun: boolean): Promise<Migration[]> => {
  const { connection, stop } = await reachDatabase(configuration, quietLog(), true)
  try {
    return dryRun ? await pendingMigrations(connection) : await migrate(connection, systemClock)
  } finally {
    await stop()
  }
}

/**
 * Opens the storage for a command and closes it after.
 * @param setsUp whether it may migrate the database and settle its secret key
 */
export const withStore = async <T>(
  configuration: Configuration,
  work: (store: Store) => Promise<T>,
  setsUp = true,
): Promise<T> => {
  const context = { clock: systemClock, log: quietLog(), metrics: createMetrics(), attach: true, setsUp }
  const opened = await openStore(configuration, context)
  try {
    return await work(opened.store)
  } finally {
    await opened.close()
  }
}

/** Does the set-up of the first start if it is missing; returns the credentials of the Management API. */
export const initialize = (configuration: Configuration): Promise<ManagementCredentials> =>
  withStore(configuration, async (store) => {
    const { tenant, credentials } = await bootstrap(store, configuration.baseUrl)
    const found = credentials ?? (await managementCredentials(store, tenant))
    if (!found)
      throw new ConfigurationError('No application of the default tenant holds every permission of the Management API.')
    return found
  })

export const listTenants = (configuration: Configuration): Promise<readonly Tenant[]> =>
  withStore(configuration, async (store) => (await tenantDirectory(store)).all)

/** Throws an OperatorError when another tenant has the id or the base URL. */
const assertUntaken = async (store: Store, { id, baseUrl }: Tenant): Promise<void> => {
  const { all, byId } = await tenantDirectory(store)
  if (byId.has(id)) throw new ConfigurationError(`There is already a tenant with the id ${id}.`)
  const owner = all.find((tenant) => tenant.baseUrl === baseUrl)
  if (owner) throw new ConfigurationError(`The base URL ${baseUrl} already belongs to the tenant ${owner.id}.`)
}

/** Creates a tenant with its initial data; returns the credentials of its Management API. */
export const createTenant = (
  configuration: Configuration,
  { id, name, baseUrl }: { id: string; name: string; baseUrl: string },
): Promise<ManagementCredentials> =>
  withStore(configuration, async (store) => {
    if (!/^[a-z0-9][a-z0-9-]{0,20}$/.test(id)) {
      throw new ConfigurationError(`"${id}" cannot be the id of a tenant: up to 21 characters of a-z, 0-9 and -.`)
    }
    const tenant = tenantAt(id, name, parseUrl(baseUrl))
    await assertUntaken(store, tenant)
    return perform({ store, tenant, caller: systemCaller('setUpTenant') }, setUpTenant)
  })

const parseUrl = (text: string): string => {
  try {
    return parseBaseUrl(text)
  } catch (error) {
    throw new ConfigurationError(`The base URL "${text}" ${error instanceof Error ? error.message : error}.`)
  }
}

/** The tenant with this id, if it exists and may be deleted; throws otherwise. */
export const findDeletable = (configuration: Configuration, id: string): Promise<Tenant> =>
  withStore(configuration, (store) => deletableTenant(store, id))

/** Deletes a tenant and everything that belongs to it. */
export const removeTenant = (configuration: Configuration, id: string): Promise<void> =>
  withStore(configuration, async (store) => {
    const tenant = await getTenant(store, DEFAULT_TENANT)
    await perform({ store, tenant, caller: systemCaller('deleteTenant') }, deleteTenant, id)
  })

const listed = async (store: Store, tenant: Tenant): Promise<ListedKey[]> => {
  const keys = await signingKeys(store, tenant)
  const now = store.clock.now()
  return keys.map((key) => ({ ...key, state: keyState(keys, key, now) }))
}

/** The signing keys of a tenant, newest first. */
export const listKeys = (configuration: Configuration, tenantId: string): Promise<ListedKey[]> =>
  withStore(configuration, async (store) => listed(store, await getTenant(store, tenantId)))

/** Makes a new signing key. @param gracePeriod seconds for which it is published before it signs */
export const rotateKeys = (
  configuration: Configuration,
  tenantId: string,
  algorithm: SigningAlgorithm | undefined,
  gracePeriod: number,
): Promise<ListedKey[]> =>
  withStore(configuration, async (store) => {
    const tenant = await getTenant(store, tenantId)
    await perform(
      { store, tenant, caller: systemCaller('rotateSigningKeys') },
      rotateSigningKeys,
      algorithm,
      gracePeriod,
    )
    return listed(store, tenant)
  })

/** Deletes a signing key in the state Previous. */
export const removeKey = (configuration: Configuration, tenantId: string, id: string): Promise<void> =>
  withStore(configuration, async (store) => {
    const tenant = await getTenant(store, tenantId)
    await perform({ store, tenant, caller: systemCaller('deleteSigningKey') }, deleteSigningKey, id)
  })
