/**
 * The harness: the whole server in one process on a database of its own, for tests and examples. None of it is a mock.
 *
 * There is one embedded PostgreSQL for a run of tests, with a migrated template; each test file gets a copy of the template.
 */
import { randomBytes } from 'node:crypto'
import { access, constants, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@countersign/server/kernel/clock.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { startEmbeddedPostgres } from '@countersign/server/storage/embedded/embedded.ts'
import { migrate } from '@countersign/server/storage/migrate.ts'
import type pg from 'pg'

const TEMPLATE = 'countersign_template'

/** Address of the cluster of this run, passed to its workers. */
export interface ClusterAddress {
  readonly host: string
  readonly port: number
  readonly user: string
}

/** The URL of a database of the cluster, as DATABASE_URL takes it. */
export const databaseUrl = ({ host, port, user }: ClusterAddress, database: string): string =>
  `postgres:///${database}?${new URLSearchParams({ host, port: String(port), user })}`

/** A connection to the cluster itself, to manage its databases and roles. */
export const withAdmin = <T>(address: ClusterAddress, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient({ ...address, database: 'postgres', ssl: false }, work)

/** What a run of all tests needs at most, with room to spare. */
const ROOM_BYTES = 4 * 1024 ** 3

/** Memory, if the system offers enough of it as a file system: each test file creates a thousand files and deletes them. */
const directoryOfData = async (): Promise<string> => {
  const memory = '/dev/shm'
  try {
    await access(memory, constants.W_OK)
    const { bavail, bsize } = await statfs(memory)
    return bavail * bsize > ROOM_BYTES ? memory : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Starts a cluster whose data need not survive a crash, with the migrated template in it. */
export const startCluster = async (): Promise<{ address: ClusterAddress; stop(): Promise<void> }> => {
  const dataDir = await mkdtemp(join(await directoryOfData(), 'countersign-test-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => undefined,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_wal_size: '256MB',
      max_connections: '300',
    },
  })
  const { host, port, user } = postgres.connection
  const address = { host, port, user }
  const stop = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await withAdmin(address, (client) => client.query(`CREATE DATABASE ${TEMPLATE}`))
    await migrate({ url: databaseUrl(address, TEMPLATE) }, systemClock)
  } catch (error) {
    await stop()
    throw error
  }
  return { address, stop }
}

/** A database of its own for the caller: a copy of the migrated template or of another database, or an empty one. */
export const createDatabase = async (
  address: ClusterAddress,
  { empty = false, copyOf = TEMPLATE }: { empty?: boolean; copyOf?: string } = {},
): Promise<{ name: string; url: string; drop(): Promise<void> }> => {
  const name = `test_${randomBytes(6).toString('hex')}`
  // copying files takes half of the CPU of writing each block to the log, and what the database is dropped with a third
  const copied = empty ? '' : ` TEMPLATE ${copyOf} STRATEGY FILE_COPY`
  await withAdmin(address, (client) => client.query(`CREATE DATABASE ${name}${copied}`))
  return {
    name,
    url: databaseUrl(address, name),
    drop: () =>
      withAdmin(address, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }),
  }
}
