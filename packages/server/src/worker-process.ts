/** The start of `countersign worker`: the background work of an installation in a separate process, without HTTP. */
import { setTimeout as delay } from 'node:timers/promises'
import { createAssets } from './assets/assets.ts'
import { outboundOf, startBackground } from './background.ts'
import type { Configuration } from './configuration.ts'
import { tenantDirectory } from './domain/tenants/tenants.ts'
import { renderApiError } from './http/api-errors.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import { createLog, type Log } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { DEFAULT_TENANT, type Tenant } from './kernel/tenant.ts'
import { GRACE_MS, openAdminPort, readinessOf } from './ports.ts'
import { openStore } from './storage/open-store.ts'

export interface WorkerProcess {
  /** The default tenant. */
  readonly tenant: Tenant
  readonly adminPort: number | undefined
  /** Takes no more, finishes what is in progress within 30 seconds, writes buffered entries. */
  close(): Promise<void>
}

/**
 * Starts a worker; any number may run on one database, beside any number of servers. Throws one sentence where the cause is
 * the operator's: without DATABASE_URL, and on a database that this version has not set up. Sets up nothing itself, so
 * BASE_URL is not needed: whether it may reach its own machine depends on the base URL in the database.
 */
export const startWorkerProcess = async (
  configuration: Configuration,
  { clock = systemClock, log = createLog(configuration.logLevel) }: { clock?: Clock; log?: Log } = {},
): Promise<WorkerProcess> => {
  if (!configuration.databaseUrl) {
    throw new ConfigurationError(
      'A worker needs DATABASE_URL: the embedded database belongs to the server that runs it, which does this work itself.',
    )
  }
  const metrics = createMetrics()
  const assets = createAssets(configuration)
  const opened = await openStore(configuration, { clock, log, metrics, setsUp: false, assets })
  const { store } = opened
  const state = { draining: false }
  const closers: (() => Promise<void>)[] = []
  const closeAll = async () => {
    await Promise.all(closers.map((close) => close()))
    await opened.close()
  }
  const close = async () => {
    state.draining = true
    const stopped = new AbortController()
    const tooLate = delay(GRACE_MS, undefined, { signal: stopped.signal }).then(
      // what it leaves unfinished is sent by others when its lease ends
      () => log.warn('the worker stops although some of its work has not finished'),
      () => undefined,
    )
    await Promise.race([closeAll(), tooLate])
    stopped.abort()
  }

  try {
    const tenant = (await tenantDirectory(store)).byId.get(DEFAULT_TENANT)
    if (!tenant) {
      throw new ConfigurationError(
        'The database of DATABASE_URL has no tenant yet; start the server or run `countersign init` first.',
      )
    }
    const shared = {
      log,
      metrics,
      trustedProxies: configuration.trustedProxies,
      renderError: renderApiError(log),
      tenantAtHost: async () => tenant,
      defaultTenant: async () => tenant,
    }
    const admin = await openAdminPort(configuration, shared, readinessOf(store, state))
    if (admin) closers.push(() => admin.shell.close(GRACE_MS))
    const background = startBackground(opened, outboundOf(store.log, configuration.outboundAllow, tenant.baseUrl))
    closers.push(() => background.close())
    log.info({ adminPort: admin?.port, baseUrl: tenant.baseUrl }, 'the worker is ready')
    return { tenant, adminPort: admin?.port, close }
  } catch (error) {
    await close()
    throw error
  }
}
