/** The composition root: the only file that knows every module. Reads top to bottom as the start of the server. */
import { existsSync } from 'node:fs'
import type { Configuration } from './configuration.ts'
import { LOGOUT_TOKEN } from './domain/back-channel-logout.ts'
import { type Bootstrapped, bootstrap } from './domain/bootstrap.ts'
import { forgetExpired } from './domain/housekeeping.ts'
import { MAIL } from './domain/messages.ts'
import { tenantAtHost, tenantDirectory } from './domain/tenants.ts'
import { logoutTokens } from './events/logout-tokens.ts'
import { mail, sendTestMail } from './events/mail.ts'
import { createOutbound, isLoopbackUrl, type Outbound } from './events/outbound.ts'
import { sendTestEvents } from './events/webhook-test.ts'
import { startWebhooks } from './events/webhooks.ts'
import { startWorker, type Worker } from './events/worker.ts'
import { experienceEndpoints } from './experience/routes.ts'
import { adminEndpoints } from './http/admin.ts'
import { renderApiError } from './http/api-errors.ts'
import { createShell, type Shell } from './http/shell.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import { createLog, type Log } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { createSlidingLimit } from './kernel/sliding-limit.ts'
import { managementEndpoints } from './management/routes.ts'
import { pageEndpoints } from './pages/routes.ts'
import { protocolEndpoints } from './protocol/routes.ts'
import { managementFile, writeManagementFile } from './storage/data-directory.ts'
import { EmbeddedDatabaseError } from './storage/embedded/embedded-database-error.ts'
import { MigrationError } from './storage/migrate.ts'
import { type OpenStore, openStore } from './storage/open-store.ts'
import type { Store } from './storage/store.ts'

/** Whether an error is one sentence for the operator, rather than a fault of the program. */
export const isOperatorError = (error: unknown): error is Error =>
  error instanceof ConfigurationError || error instanceof MigrationError || error instanceof EmbeddedDatabaseError

export interface Server extends Bootstrapped {
  /** The port that it listens on. */
  readonly port: number
  readonly adminPort: number | undefined
  readonly store: Store
  /** Where the credentials of the Management API are kept, if they are kept in a file. */
  readonly managementFile: string | undefined
  /** Stops accepting, finishes what is in flight within 30 seconds, writes what was gathered, stops the database. */
  close(): Promise<void>
}

const GRACE_MS = 30_000
const HOUSEKEEPING_MS = 600_000
const READY_WITHIN_MS = 2000
const ADDRESS_FAILURE_SECONDS = 600
const ADDRESSES_REMEMBERED = 100_000

/** Why the server cannot serve right now (DECISIONS A5). */
const readinessOf = (store: Store, state: { draining: boolean }) => async (): Promise<string | undefined> => {
  if (state.draining) return 'the server is shutting down'
  const answered = store.database.pool.query('SELECT 1').then(
    () => undefined,
    () => 'the database does not answer',
  )
  const timeout = new Promise<string>((resolve) => {
    setTimeout(resolve, READY_WITHIN_MS, 'the database does not answer').unref()
  })
  return Promise.race([answered, timeout])
}

/** Writes management.json when there is something new to write; returns its path if there is one (DECISIONS A3). */
const keepCredentials = async (
  { dataDir }: Configuration,
  { credentials }: Bootstrapped,
): Promise<string | undefined> => {
  if (credentials) return writeManagementFile(dataDir, credentials)
  const path = managementFile(dataDir)
  return existsSync(path) ? path : undefined
}

/** The one client for what others registered; says in the log what it may reach beside public addresses. */
const outboundOf = ({ log }: Store, { outboundAllow, baseUrl }: Configuration): Outbound => {
  const listed = [...outboundAllow.hosts, ...outboundAllow.ranges]
  if (listed.length > 0) {
    log.warn({ listed }, 'OUTBOUND_ALLOW lets the server send requests to addresses that are not public')
  }
  return createOutbound({ allow: outboundAllow, allowLoopback: isLoopbackUrl(baseUrl) })
}

/** The workers that send what was queued, with a handler for each kind of dispatch, and events to hooks. */
const sendWhatIsQueued = ({ store, onDispatch, onEvent }: OpenStore, outbound: Outbound): Worker[] => {
  const handlers = { [LOGOUT_TOKEN]: logoutTokens(store, outbound), [MAIL]: mail(store) }
  return [startWorker(store, handlers, onDispatch), startWebhooks(store, outbound, onEvent)]
}

const listen = async (shell: Shell, host: string, port: number, variable: string): Promise<number> => {
  try {
    return await shell.listen(host, port)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (code === 'EADDRINUSE') {
      throw new ConfigurationError(
        `Port ${port} is already in use; stop the program that uses it or set ${variable} to another port.`,
      )
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new ConfigurationError(`The server cannot listen on ${host} port ${port} (${code}).`)
    }
    throw error
  }
}

/** Starts a server: storage, the default tenant, then the ports. Throws one sentence where the cause is the operator's. */
export const startServer = async (
  configuration: Configuration,
  { clock = systemClock, log = createLog(configuration.logLevel) }: { clock?: Clock; log?: Log } = {},
): Promise<Server> => {
  const metrics = createMetrics()
  const addressFailures = createSlidingLimit({
    most: configuration.addressFailures,
    windowSeconds: ADDRESS_FAILURE_SECONDS,
    capacity: ADDRESSES_REMEMBERED,
  })
  const opened = await openStore(configuration, { clock, log, metrics, addressFailures })
  const { store } = opened
  const state = { draining: false }
  const shells: Shell[] = []
  const workers: Worker[] = []
  const housekeeping = setInterval(() => {
    forgetExpired(store).catch((error: unknown) => log.warn({ err: error }, 'expired rows could not be deleted'))
  }, HOUSEKEEPING_MS)
  const close = async () => {
    state.draining = true
    clearInterval(housekeeping)
    await Promise.all([...shells.map((shell) => shell.close(GRACE_MS)), ...workers.map((worker) => worker.close())])
    await opened.close()
  }

  try {
    const bootstrapped = await bootstrap(store, configuration.baseUrl)
    const credentialsFile = await keepCredentials(configuration, bootstrapped)
    const readiness = readinessOf(store, state)
    const outbound = outboundOf(store, configuration)
    const shared = {
      log,
      metrics,
      trustedProxies: configuration.trustedProxies,
      renderError: renderApiError(log),
      tenantAtHost: async (host: string) => tenantAtHost(await tenantDirectory(store), host),
      defaultTenant: async () => bootstrapped.tenant,
    }
    const main = createShell({
      ...shared,
      endpoints: [
        ...protocolEndpoints(store),
        ...pageEndpoints(store),
        ...experienceEndpoints(store),
        ...managementEndpoints(store, readiness, sendTestMail, sendTestEvents(store, outbound)),
      ],
    })
    shells.push(main)
    const port = await listen(main, configuration.host, configuration.port, 'PORT')

    let adminPort: number | undefined
    if (configuration.adminPort !== undefined) {
      metrics.withProcess()
      const admin = createShell({ ...shared, endpoints: adminEndpoints(log, metrics, readiness) })
      shells.push(admin)
      adminPort = await listen(admin, configuration.adminHost, configuration.adminPort, 'ADMIN_PORT')
    }
    workers.push(...sendWhatIsQueued(opened, outbound))
    log.info({ port, adminPort, baseUrl: bootstrapped.tenant.baseUrl }, 'the server is ready')
    return { ...bootstrapped, port, adminPort, store, managementFile: credentialsFile, close }
  } catch (error) {
    await close()
    throw error
  }
}
