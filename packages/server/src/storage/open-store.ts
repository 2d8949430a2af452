/** Opens an installation's storage: the database, embedded or given, migrated; the vault; the cache and its notices. */
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type AddressLimits, NO_ADDRESS_LIMITS } from '../kernel/address-limits.ts'
import { type Assets, NO_ASSETS } from '../kernel/assets.ts'
import { type CaptchaServices, NO_CAPTCHA_SERVICES } from '../kernel/captcha.ts'
import type { Clock } from '../kernel/clock.ts'
import { ConfigurationError, type OptionValues } from '../kernel/configuration.ts'
import { CONSOLE_AT_BASE_URL, type ConsoleOrigin } from '../kernel/console-place.ts'
import { type DomainRecords, NO_DOMAIN_RECORDS } from '../kernel/domain-records.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { type MutualTls, NO_MUTUAL_TLS } from '../kernel/mutual-tls.ts'
import { NO_OUTBOUND } from '../kernel/outbound.ts'
import { NO_PLACES, type Places } from '../kernel/places.ts'
import { NO_PWNED_PASSWORDS, type PwnedPasswords } from '../kernel/pwned-passwords.ts'
import { createVault, type Vault } from '../kernel/secrets.ts'
import { createTimeFloor } from '../kernel/time-floor.ts'
import { createAuditBatch } from './audit-log.ts'
import { openAuditSink, STANDARD_OUTPUT } from './audit-sink.ts'
import { createConfigCache } from './config-cache.ts'
import { keptSecretKey, secretKeyFile } from './data-directory.ts'
import { type Connection, type Database, openDatabase } from './database.ts'
import { findRunningPostgres, startEmbeddedPostgres } from './embedded/embedded.ts'
import { assertMigrated, migrate } from './migrate.ts'
import { type Listener, listenForNotices } from './notices.ts'
import type { storageOptions } from './options.ts'
import { createSharedTransactions } from './shared-transactions.ts'
import type { Store } from './store.ts'

export type StorageConfiguration = OptionValues<typeof storageOptions>

export interface OpenStore {
  readonly store: Store
  /** Whether change notices are received. */
  readonly listening: () => boolean
  /** Calls back when something was queued to be sent. Returns a function that stops it. */
  readonly onDispatch: Listener['onDispatch']
  /** Calls back when a tenant has new events. Returns a function that stops it. */
  readonly onEvent: Listener['onEvent']
  /** Calls back when something ended on which access tokens depend. */
  readonly onRevocation: Listener['onRevocation']
  /** Calls back when receivers of Shared Signals are to be told something. */
  readonly onSignal: Listener['onSignal']
  close(): Promise<void>
}

interface ReachedDatabase {
  readonly connection: Connection
  stop(): Promise<void>
}

const nothing = async () => undefined

/**
 * The database that the configuration names.
 * @param attach use the embedded database of a running server if there is one; a server itself must not
 */
export const reachDatabase = async (
  { databaseUrl, dataDir }: StorageConfiguration,
  log: Log,
  attach: boolean,
): Promise<ReachedDatabase> => {
  if (databaseUrl) return { connection: { url: databaseUrl }, stop: nothing }
  const running = attach ? await findRunningPostgres(dataDir) : null
  if (running) return { connection: running, stop: nothing }
  return startEmbeddedPostgres({ dataDir, log: (message, fields) => log.debug(fields ?? {}, message) })
}

const secretKeyOf = async ({ secretKey, databaseUrl, dataDir }: StorageConfiguration): Promise<Uint8Array> => {
  if (secretKey) return secretKey
  if (databaseUrl && !existsSync(secretKeyFile(dataDir))) {
    throw new ConfigurationError('SECRET_KEY is required with DATABASE_URL; `openssl rand -base64 32` makes one.')
  }
  return keptSecretKey(dataDir)
}

const CHECK = 'secret-key-check'

/**
 * A start with a secret key other than the one used for this database must not get as far as making
 * a token. @param setsUp whether this start may be the one that fixes the key
 */
const assertSecretKey = async ({ kysely }: Database, vault: Vault, setsUp: boolean): Promise<void> => {
  if (setsUp) {
    await kysely
      .insertInto('installation')
      .values({ key: CHECK, value: vault.seal(CHECK, CHECK) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const kept = await kysely.selectFrom('installation').select('value').where('key', '=', CHECK).executeTakeFirst()
  if (!kept) return
  try {
    vault.unseal(kept.value, CHECK)
  } catch (error) {
    throw new ConfigurationError('SECRET_KEY is not the key with which the secrets in this database were sealed.', {
      cause: error,
    })
  }
}

const MOST_CONNECTIONS_TOLD = /^(53300|28P01|28000|3D000|57P0[123]|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT)$/

const explained = (error: unknown): unknown => {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!MOST_CONNECTIONS_TOLD.test(code)) return error
  return new ConfigurationError(`The database of DATABASE_URL cannot be used: ${(error as Error).message || code}.`, {
    cause: error,
  })
}

interface StoreParts {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** Whether the embedded database of a running server may be used. */
  readonly attach?: boolean
  /** Whether it may migrate the database and fix its secret key; if not, a database of another version is refused. */
  readonly setsUp?: boolean
  readonly addressLimits?: AddressLimits
  readonly pwnedPasswords?: PwnedPasswords
  readonly captchaServices?: CaptchaServices
  readonly domainRecords?: DomainRecords
  readonly outbound?: Store['outbound']
  readonly places?: Places
  readonly assets?: Assets
  readonly consoleOrigin?: ConsoleOrigin
  readonly mutualTls?: MutualTls
}

/**
 * Where audit entries also go. Commands write to a file like servers, but reserve standard output for their own output.
 */
const auditSinkOf = ({ auditLogFile }: StorageConfiguration, log: Log, isCommand: boolean) =>
  auditLogFile === undefined || (isCommand && auditLogFile === STANDARD_OUTPUT)
    ? undefined
    : openAuditSink(auditLogFile, log)

const CLOSE_MS = 5000

/** A statement that waits for another session's lock may wait for an unknown time, so it is abandoned. */
const closedInTime = async (database: Database, log: Log): Promise<void> => {
  const done = new AbortController()
  const tooLate = delay(CLOSE_MS, undefined, { signal: done.signal }).then(
    () => log.warn('a statement had not ended when the connections to the database were closed'),
    () => undefined,
  )
  await Promise.race([database.close(), tooLate])
  done.abort()
}

/** Opens everything; on failure closes what was opened, and throws one sentence if the operator can fix the cause. */
export const openStore = async (
  configuration: StorageConfiguration,
  {
    clock,
    log,
    metrics,
    attach = false,
    setsUp = true,
    addressLimits = NO_ADDRESS_LIMITS,
    pwnedPasswords = NO_PWNED_PASSWORDS,
    captchaServices = NO_CAPTCHA_SERVICES,
    domainRecords = NO_DOMAIN_RECORDS,
    outbound = NO_OUTBOUND,
    places = NO_PLACES,
    assets = NO_ASSETS,
    consoleOrigin = CONSOLE_AT_BASE_URL,
    mutualTls = NO_MUTUAL_TLS,
  }: StoreParts,
): Promise<OpenStore> => {
  const closers: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const closer of closers.toReversed()) await closer()
  }
  try {
    const reached = await reachDatabase(configuration, log, attach)
    closers.push(() => reached.stop())
    const vault = createVault(await secretKeyOf(configuration))
    if (!setsUp) await assertMigrated(reached.connection)
    const applied = setsUp ? await migrate(reached.connection, clock) : []
    if (applied.length > 0) log.info({ migrations: applied.map(({ name }) => name) }, 'the database was migrated')
    const database = openDatabase(reached.connection, configuration.databasePoolSize, log)
    closers.push(() => closedInTime(database, log))
    await assertSecretKey(database, vault, setsUp)
    const cache = createConfigCache(configuration.configCacheEntries)
    const notices = await listenForNotices(reached.connection, cache, log)
    closers.push(() => notices.close())
    const sink = await auditSinkOf(configuration, log, attach)
    if (sink) closers.push(() => sink.close())
    const audit = createAuditBatch(database, clock, log, addressLimits.auditEntries, sink)
    closers.push(() => audit.close())
    metrics.gauge('countersign_config_cache_entries', 'Entries in the cache of configuration', () => cache.size)
    metrics.gauge('countersign_database_statements', 'Statements sent to the database', database.statements)
    metrics.gauge('countersign_database_round_trips', 'Number of waits for the database', database.roundTrips)
    metrics.gauge('countersign_database_connections', 'Open connections of the pool', () => database.pool.totalCount)
    metrics.gauge(
      'countersign_database_connections_waiting',
      'Requests that wait for a connection of the pool',
      () => database.pool.waitingCount,
    )
    metrics.gauge(
      'countersign_audit_entries_dropped',
      'Audit entries lost because the database did not answer',
      audit.dropped,
    )
    metrics.gauge(
      'countersign_audit_entries_withheld',
      'Audit entries not stored because unauthenticated callers at one address caused too many',
      audit.withheld,
    )
    metrics.gauge('countersign_change_notices_heard', '1 while change notices are received', () =>
      notices.listening() ? 1 : 0,
    )
    const { listening, onDispatch, onEvent, onRevocation, onSignal } = notices
    return {
      store: {
        clock,
        log,
        metrics,
        database,
        shared: createSharedTransactions(database.pool),
        cache,
        vault,
        audit,
        auditDays: configuration.auditDays,
        addressLimits,
        importedPasswords: createTimeFloor(),
        pwnedPasswords,
        captchaServices,
        domainRecords,
        outbound,
        places,
        assets,
        consoleOrigin,
        mutualTls,
      },
      listening,
      onDispatch,
      onEvent,
      onRevocation,
      onSignal,
      close,
    }
  } catch (error) {
    await close()
    throw explained(error)
  }
}
