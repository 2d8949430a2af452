/**
 * This folder owns the embedded PostgreSQL: the server process that Countersign runs as its own child, on a cluster in
 * DATA_DIR, when no DATABASE_URL is given. It depends on no other folder and leaves the schema, the pool and every
 * query to the rest of storage.
 *
 * Who may use a data directory is decided by one kernel lock (data-directory-lock.ts) and by nothing else: its holder
 * knows that any PostgreSQL still running there is an orphan, and stops it.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from './binaries.ts'
import { acceptsConnections, createDatabase, initialiseCluster } from './cluster.ts'
import { prepareDataDirectory } from './data-directory.ts'
import { isDataDirectoryInUse, lockDataDirectory } from './data-directory-lock.ts'
import { EmbeddedDatabaseError, reasonOf } from './embedded-database-error.ts'
import { clusterDirectory, type EmbeddedConnection, type Log, serverSettings } from './postmaster.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { chooseAccount, runAs } from './run-as.ts'
import { prepareSocketDirectory } from './socket-directory.ts'
import { supervise } from './supervisor.ts'

export interface EmbeddedPostgres {
  /** for `pg`: `host` is the directory of the Unix-domain socket; there is no password (see initdb.ts) */
  readonly connection: EmbeddedConnection
  /** Stops PostgreSQL and releases the data directory. Open connections are closed. May be called more than once. */
  stop(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  /** DATA_DIR; created when missing */
  readonly dataDir: string
  readonly log: Log
  /** further PostgreSQL settings, e.g. `{ fsync: 'off' }` for tests; they override the defaults in postmaster.ts */
  readonly settings?: Record<string, string>
}

/**
 * Starts PostgreSQL on the cluster in `dataDir`, creating both on the first start, and keeps it running: a server that
 * dies is started again until stop() is called. Resolves when the database accepts connections; a recovery from the WAL
 * may take as long as it needs. Throws EmbeddedDatabaseError, one sentence for the operator, when the directory is in
 * use by another Countersign, cannot be used, or PostgreSQL does not start. Does not check the schema.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log } = options
  const binaries = await findBinaries()
  const account = await chooseAccount(clusterDirectory(options.dataDir))
  const dataDir = await prepareDataDirectory(options.dataDir, account)
  const lock = await lockDataDirectory(dataDir)
  try {
    const as = await runAs(account, [binaries.postgres, binaries.initdb, binaries.share], dataDir)
    if (as.notice) log(as.notice)
    await initialiseCluster({ dataDir, binaries, as, log, sync: options.settings?.fsync !== 'off' })
    const connection = connectionThrough(await prepareSocketDirectory(dataDir, account))
    const supervisor = await supervise({
      binary: binaries.postgres,
      dataDir,
      as,
      connection,
      settings: { ...serverSettings, ...options.settings },
      log,
    })
    try {
      await createDatabase(connection)
    } catch (error) {
      await supervisor.stop()
      throw error
    }
    let stopped: Promise<void> | undefined
    return {
      connection,
      stop: () => {
        stopped ??= supervisor.stop().finally(() => lock.release())
        return stopped
      },
    }
  } catch (error) {
    lock.release()
    if (error instanceof EmbeddedDatabaseError) throw error
    throw new EmbeddedDatabaseError(`The embedded database in ${dataDir} did not start: ${reasonOf(error)}.`, {
      cause: error,
    })
  }
}

/**
 * Finds the PostgreSQL of a Countersign that runs on `dataDir`, for commands that work beside a running server. Gives
 * null when no Countersign runs there, even if an orphaned PostgreSQL does (startEmbeddedPostgres recovers that one).
 * Waits up to 15 seconds for a server that is just starting, and throws EmbeddedDatabaseError when it does not get
 * ready. Starts, stops and creates nothing.
 */
export async function findRunningPostgres(dataDir: string): Promise<EmbeddedConnection | null> {
  const deadline = performance.now() + 15_000
  while (await isDataDirectoryInUse(dataDir)) {
    const running = await readPostmasterPid(clusterDirectory(dataDir))
    if (running?.ready && running.socketDirectory) {
      const connection = connectionThrough(running.socketDirectory)
      if (await acceptsConnections(connection)) return connection
    }
    if (performance.now() > deadline) {
      throw new EmbeddedDatabaseError(
        `A Countersign server is using the data directory ${dataDir}, but its database does not answer.`,
      )
    }
    await sleep(20)
  }
  return null
}

function connectionThrough(socketDirectory: string): EmbeddedConnection {
  return { host: socketDirectory, port: 5432, user: 'countersign', database: 'countersign', ssl: false }
}
