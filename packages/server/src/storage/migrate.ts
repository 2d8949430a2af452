/** Migrations: numbered SQL files, append-only, run at start under an advisory lock (DECISIONS A4). */
import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Clock } from '../kernel/clock.ts'
import { withClient } from './client.ts'
import { type Connection, connectionConfig } from './database.ts'
import { MigrationError } from './migration-error.ts'

const directory = new URL('../../migrations/', import.meta.url)
/** Any number that no other program uses for an advisory lock in this database. */
const LOCK = 7_305_118_204

export interface Migration {
  readonly version: number
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

/** Every migration of this program, in order. */
export const readMigrations = async (): Promise<Migration[]> => {
  const files = (await readdir(directory)).filter((file) => /^\d{4}_\w+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, directory), 'utf8')
      return { version: Number(file.slice(0, 4)), name: file.slice(5, -4), sql, checksum: hash('sha256', sql) }
    }),
  )
}

const appliedMigrations = async (client: pg.Client): Promise<Map<number, string>> => {
  const exists = await client.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`)
  if (!exists.rows[0].exists) return new Map()
  const { rows } = await client.query('SELECT version, checksum FROM schema_migrations ORDER BY version')
  return new Map(rows.map((row: { version: number; checksum: string }) => [row.version, row.checksum]))
}

const pendingOf = (all: readonly Migration[], applied: ReadonlyMap<number, string>): Migration[] => {
  const newest = all.at(-1)?.version ?? 0
  const beyond = [...applied.keys()].filter((version) => version > newest)
  if (beyond.length > 0) {
    throw new MigrationError(
      `The database was migrated to version ${Math.max(...beyond)} by a newer Countersign; this one knows versions up to ${newest}. Start the newer program, or restore a backup.`,
    )
  }
  const changed = all.find(
    (migration) => applied.has(migration.version) && applied.get(migration.version) !== migration.checksum,
  )
  if (changed) {
    throw new MigrationError(
      `Migration ${changed.version} (${changed.name}) differs from the one that this database was migrated with.`,
    )
  }
  return all.filter((migration) => !applied.has(migration.version))
}

/** The migrations that `migrate` would run. Changes nothing. Throws MigrationError when the database is newer. */
export const pendingMigrations = async (connection: Connection): Promise<Migration[]> =>
  withClient(connectionConfig(connection), async (client) =>
    pendingOf(await readMigrations(), await appliedMigrations(client)),
  )

/** Throws MigrationError unless the database is of exactly this version. Changes nothing. */
export const assertMigrated = async (connection: Connection): Promise<void> => {
  const pending = await pendingMigrations(connection)
  if (pending.length === 0) return
  throw new MigrationError(
    `The database is not of this version: ${pending.length} migration${pending.length === 1 ? '' : 's'} must run first; start the server or run \`countersign migrate\`.`,
  )
}

const apply = async (client: pg.Client, migration: Migration, now: Date): Promise<void> => {
  await client.query('BEGIN')
  try {
    await client.query(migration.sql)
    await client.query('INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES ($1, $2, $3, $4)', [
      migration.version,
      migration.name,
      migration.checksum,
      now,
    ])
    await client.query('COMMIT')
  } catch (error) {
    // a connection that was lost has rolled back by itself
    await client.query('ROLLBACK').catch(() => undefined)
    throw new MigrationError(
      `Migration ${migration.version} (${migration.name}) failed and was rolled back: ${error instanceof Error ? error.message : error}.`,
      { cause: error },
    )
  }
}

/**
 * Brings the database to this program's version, each migration in a transaction of its own. Several processes may
 * start at once: one migrates, the others wait for it. Returns what was applied.
 */
export const migrate = async (connection: Connection, clock: Clock): Promise<Migration[]> =>
  withClient(connectionConfig(connection), async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK])
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)',
    )
    const pending = pendingOf(await readMigrations(), await appliedMigrations(client))
    for (const migration of pending) await apply(client, migration, clock.now())
    return pending
  })
