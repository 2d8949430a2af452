/** The composition root: the only file that knows every module. Its order is the order of the server's start. */
import { existsSync } from 'node:fs'
import { accountEndpoints } from './account/routes.ts'
import { apiReferenceEndpoints } from './api-reference/endpoints.ts'
import { createAssets } from './assets/assets.ts'
import { assetEndpoints } from './assets/endpoint.ts'
import { outboundOf, startBackground } from './background.ts'
import type { Configuration } from './configuration.ts'
import { consoleEndpoints } from './console/endpoint.ts'
import { probeOutside } from './doctor-outside.ts'
import { consoleAddress } from './domain/applications/console.ts'
import { hashesComputed } from './domain/credentials/passwords.ts'
import { type Bootstrapped, bootstrap } from './domain/setup/bootstrap.ts'
import { createSignalFeed } from './domain/signals/feed.ts'
import { createLogTail } from './domain/tenants/log-tail.ts'
import { createRevocationFeed } from './domain/tenants/revocation-feed.ts'
import { assertHostsApart, servedAtHost, tenantDirectory } from './domain/tenants/tenants.ts'
import { createCaptchaServices } from './events/captcha-services.ts'
import { createDomainRecords } from './events/domain-records.ts'
import { previewMail } from './events/mail-preview.ts'
import { sendTestMessage } from './events/messages.ts'
import { createPwnedPasswords } from './events/pwned-passwords.ts'
import { previewTextMessage } from './events/text-message-preview.ts'
import { sendTestEvents } from './events/webhook-test.ts'
import { experienceEndpoints } from './experience/routes.ts'
import { renderApiError } from './http/api-errors.ts'
import type { Endpoint } from './http/exchange.ts'
import { createShell } from './http/shell.ts'
import { createAddressLimits } from './kernel/address-limits.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import { createLog, type Log } from './kernel/log.ts'
import { createMetrics } from './kernel/metrics.ts'
import { NO_PLACES, watchPlaces } from './kernel/places.ts'
import { managementEndpoints } from './management/routes.ts'
import { certificateReaderOf, mutualTlsOf } from './mutual-tls.ts'
import { notFoundPage } from './pages/not-found.ts'
import { previewPage } from './pages/preview.ts'
import { pageEndpoints } from './pages/routes.ts'
import {
  assertCanListen,
  GRACE_MS,
  listen,
  mainAddress,
  openAdminPort,
  openMutualTlsPort,
  readinessOf,
} from './ports.ts'
import { atSignIn } from './protocol/authorize/at-sign-in.ts'
import { impersonate } from './protocol/impersonation.ts'
import { protocolEndpoints } from './protocol/routes.ts'
import { simulateToken } from './protocol/simulation.ts'
import { explainExchange } from './protocol/token-exchange/explanation.ts'
import { samlEndpoints } from './saml/routes.ts'
import { scimEndpoints } from './scim/routes.ts'
import { managementFile, writeManagementFile } from './storage/data-directory.ts'
import { openStore } from './storage/open-store.ts'
import type { Store } from './storage/store.ts'
import { tenantFile } from './tenant-file.ts'

export interface Server extends Bootstrapped {
  /** The port that it listens on. */
  readonly port: number
  readonly adminPort: number | undefined
  /** The address of the default tenant's console; undefined: it has none. */
  readonly consoleAddress: string | undefined
  readonly store: Store
  /** Where the credentials of the Management API are kept, if they are kept in a file. */
  readonly managementFile: string | undefined
  /** Stops accepting, finishes what is in flight within 30 seconds, writes buffered entries, stops the database. */
  close(): Promise<void>
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

/** Starts a server: storage, the default tenant, then the ports. Throws one sentence where the cause is the operator's. */
export const startServer = async (
  configuration: Configuration,
  { clock = systemClock, log = createLog(configuration.logLevel) }: { clock?: Clock; log?: Log } = {},
): Promise<Server> => {
  if (configuration.workers === 'off' && !configuration.databaseUrl) {
    throw new ConfigurationError(
      'WORKERS=off needs DATABASE_URL: no other process can do the work on the embedded database.',
    )
  }
  const metrics = createMetrics()
  metrics.gauge(
    'countersign_password_hashes',
    'argon2id hashes that this process has computed, for new passwords and for passwords that were checked',
    hashesComputed,
  )
  const addressLimits = createAddressLimits(configuration)
  const outbound = outboundOf(log, configuration.outboundAllow, configuration.baseUrl)
  const pwnedPasswords = createPwnedPasswords(configuration, outbound, { clock, log, metrics })
  const captchaServices = createCaptchaServices(configuration, outbound, log)
  const watched = configuration.geoipFile ? await watchPlaces(configuration.geoipFile, log) : undefined
  metrics.gauge(
    'countersign_geoip_file_current',
    '1 while the newest GEOIP_FILE is in use or there is none, 0 while it cannot be read and the previous one is used',
    () => Number(watched?.isCurrent() ?? true),
  )
  const places = watched ?? NO_PLACES
  const assets = createAssets(configuration)
  const domainRecords = createDomainRecords(configuration.dnsServers)
  const asked = { pwnedPasswords, captchaServices, domainRecords }
  const { console: consoleOrigin, trustedProxies } = configuration
  const [mutualTls, certificates] = [mutualTlsOf(configuration), certificateReaderOf(configuration)]
  const parts = { clock, log, metrics, addressLimits, ...asked, outbound, places, assets, consoleOrigin, mutualTls }
  const opened = await openStore(configuration, parts)
  const { store } = opened
  const state = { draining: false }
  const closers: (() => Promise<void>)[] = []
  const close = async () => {
    state.draining = true
    watched?.close()
    await Promise.all(closers.map((closeOne) => closeOne()))
    await opened.close()
  }

  try {
    // a start that fails must not move the tenant to another address first
    await assertCanListen(configuration)
    assertHostsApart(await tenantDirectory(store))
    const bootstrapped = await bootstrap(store, configuration.baseUrl)
    const credentialsFile = await keepCredentials(configuration, bootstrapped)
    const readiness = readinessOf(store, state)
    const logTail = createLogTail(store)
    closers.push(async () => logTail.close())
    const revocationFeed = createRevocationFeed(store, opened.onRevocation)
    closers.push(async () => revocationFeed.close())
    const signalFeed = createSignalFeed(store, opened.onSignal)
    closers.push(async () => signalFeed.close())
    const shared = {
      log,
      metrics,
      trustedProxies,
      ...(certificates ? { certificates } : {}),
      renderError: renderApiError(log),
      tenantAtHost: (host: string, part: Endpoint['part']) => servedAtHost(store, host, part),
      defaultTenant: async () => bootstrapped.tenant,
    }
    const main = createShell({
      ...shared,
      notFoundPage: notFoundPage(store),
      endpoints: [
        ...protocolEndpoints(store, revocationFeed, signalFeed),
        ...pageEndpoints(store, atSignIn(store)),
        ...experienceEndpoints(store),
        ...accountEndpoints(store),
        ...scimEndpoints(store, configuration.scimRequests),
        ...samlEndpoints(store),
        ...assetEndpoints(store),
        ...managementEndpoints(
          store,
          readiness,
          sendTestMessage(store, outbound),
          previewMail(store),
          previewTextMessage(store),
          sendTestEvents(store, outbound),
          outbound.isSecureEnough,
          simulateToken(store),
          explainExchange(store),
          impersonate,
          previewPage(store, atSignIn(store)),
          tenantFile,
          logTail,
          (tenant) => probeOutside(store, tenant, { outbound, consoleOrigin, trustedProxies }),
        ),
        ...apiReferenceEndpoints(store),
        ...consoleEndpoints(log, consoleOrigin),
      ],
    })
    closers.push(() => main.close(GRACE_MS))
    const port = await listen(main, mainAddress(configuration))
    const stopWatching = await openMutualTlsPort(configuration, main, log)
    if (stopWatching) closers.push(async () => stopWatching())
    const admin = await openAdminPort(configuration, shared, readiness)
    if (admin) closers.push(() => admin.shell.close(GRACE_MS))
    if (configuration.workers === 'on') {
      const background = startBackground(opened, outbound)
      closers.push(() => background.close())
    }
    const adminPort = admin?.port
    log.info({ port, adminPort, baseUrl: bootstrapped.tenant.baseUrl }, 'the server is ready')
    return {
      ...bootstrapped,
      port,
      adminPort,
      consoleAddress: consoleAddress(store, bootstrapped.tenant),
      store,
      managementFile: credentialsFile,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
