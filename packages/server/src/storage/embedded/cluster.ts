/** The cluster on disk: created completely or not at all, and of the version that we ship. */
import { chown, lchown, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Client } from 'pg'
import type { Account } from './account.ts'
import { type Binaries, majorVersion } from './binaries.ts'
import { EmbeddedDatabaseError, errorCode, reasonOf } from './embedded-database-error.ts'
import { initdb } from './initdb.ts'
import { clusterDirectory, type EmbeddedConnection, type Log } from './postmaster.ts'
import type { RunAs } from './run-as.ts'

const unfinishedMark = '.unfinished-'

/**
 * Makes sure that the data directory contains a complete cluster of our version, owned by the account. It is made in a
 * directory beside its place and moved there when complete, so an interrupted first start leaves nothing half-made.
 * `sync` false skips the wait for the disk. Throws EmbeddedDatabaseError when it cannot be made, is of another version,
 * or belongs to someone else. The caller must hold the data directory's lock.
 */
export async function initialiseCluster(options: {
  readonly dataDir: string
  readonly binaries: Binaries
  readonly as: RunAs
  readonly log: Log
  readonly sync: boolean
}): Promise<void> {
  const { dataDir, as } = options
  const cluster = clusterDirectory(dataDir)
  try {
    await removeUnfinished(cluster)
    if (await isCluster(cluster)) return await checkOwner(cluster, as.account)
    options.log('creating the embedded database', { directory: cluster })
    // A name of its own each time: the initdb of a killed process may still be writing into the one before.
    const unfinished = await mkdtemp(`${cluster}${unfinishedMark}`)
    if (as.account) await chown(unfinished, as.account.uid, as.account.gid)
    await initdb(options.binaries.initdb, unfinished, options.sync, as)
    await rename(unfinished, cluster)
    if (options.sync) await syncDirectory(dataDir)
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) throw error
    await removeUnfinished(cluster)
    throw new EmbeddedDatabaseError(`The embedded database in ${cluster} could not be made: ${reasonOf(error)}.`)
  }
}

/**
 * Creates our database in a running cluster, unless it exists: an earlier start may have been interrupted after
 * creating the cluster.
 */
export async function createDatabase(connection: EmbeddedConnection): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' })
  client.on('error', () => {})
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [connection.database])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(connection.database)}`)
  } finally {
    await client.end()
  }
}

/** Tells whether the database accepts a connection now. */
export async function acceptsConnections(connection: EmbeddedConnection): Promise<boolean> {
  const client = new Client({ ...connection, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

/** What cannot be removed now does no harm, and is tried again at the next start. */
async function removeUnfinished(cluster: string): Promise<void> {
  const directory = dirname(cluster)
  const left = (await readdir(directory)).filter((name) => name.startsWith(`${basename(cluster)}${unfinishedMark}`))
  for (const name of left) {
    await rm(join(directory, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 20 }).catch(() => {})
  }
}

async function isCluster(cluster: string): Promise<boolean> {
  let version: string
  try {
    version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    const contents = await readdir(cluster).catch(() => [])
    if (contents.length === 0) return false
    throw new EmbeddedDatabaseError(`${cluster} has files in it but is not a PostgreSQL data directory: move it away.`)
  }
  if (version === majorVersion) return true
  throw new EmbeddedDatabaseError(
    `The database in ${cluster} was made by PostgreSQL ${version}, but this Countersign comes with PostgreSQL ${majorVersion}: ` +
      'dump it with the Countersign that made it and restore it into a new DATA_DIR.',
  )
}

/** A copy made by root may belong to root: give it to the account. Another user's is left alone. */
async function checkOwner(cluster: string, account: Account | null): Promise<void> {
  const { uid } = await stat(cluster)
  const wanted = account?.uid ?? process.getuid?.()
  if (uid === wanted) return
  if (!account) {
    throw new EmbeddedDatabaseError(
      `The database in ${cluster} belongs to another user (uid ${uid}): start Countersign as that user or as root.`,
    )
  }
  for (const entry of await readdir(cluster, { recursive: true })) {
    await lchown(join(cluster, entry), account.uid, account.gid)
  }
  await lchown(cluster, account.uid, account.gid)
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  await handle.sync().finally(() => handle.close())
}
