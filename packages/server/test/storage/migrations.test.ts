/**
 * Migrations: in order, once, even if several processes run them at the same time; refused by an older program
 * (DECISIONS A4).
 */
import { createDatabase, databaseUrl } from '@countersign/harness/cluster.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterEach, expect, inject, test } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { migrate, pendingMigrations, readMigrations } from '../../src/storage/migrate.ts'
import { MigrationError } from '../../src/storage/migration-error.ts'

const drops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const drop of drops.splice(0)) await drop()
})

const database = async (options?: { empty?: boolean }): Promise<string> => {
  const { name, drop } = await createDatabase(inject('cluster'), options)
  drops.push(drop)
  return databaseUrl(inject('cluster'), name)
}

/** Everything in a schema, as comparable text. */
const schemaOf = (url: string): Promise<unknown> =>
  withClient(url, async (client) => {
    const parts = [
      `SELECT table_name, column_name, data_type, is_nullable, column_default, is_identity
         FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
      `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid)
         FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
      `SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
      `SELECT event_object_table, trigger_name, action_statement FROM information_schema.triggers ORDER BY 1, 2`,
      `SELECT version, name, checksum FROM schema_migrations ORDER BY 1`,
    ]
    const results: unknown[] = []
    for (const part of parts) results.push((await client.query(part)).rows)
    return results
  })

test('files are numbered from 1 without a gap', async () => {
  const versions = (await readMigrations()).map(({ version }) => version)
  expect(versions).toEqual(versions.map((_, i) => i + 1))
})

test('a fresh database becomes equal to the template of the tests', async () => {
  const url = await database({ empty: true })
  const all = await readMigrations()
  expect((await migrate({ url }, systemClock)).map(({ version }) => version)).toEqual(all.map(({ version }) => version))
  expect(await schemaOf(url)).toEqual(await schemaOf(await database()))
})

test('the dry list names what is pending and changes nothing', async () => {
  const url = await database({ empty: true })
  const pending = await pendingMigrations({ url })
  expect(pending.map(({ name }) => name)).toEqual((await readMigrations()).map(({ name }) => name))
  await withClient(url, async (client) => {
    const { rows } = await client.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
    expect(rows).toEqual([])
  })
  await migrate({ url }, systemClock)
  expect(await pendingMigrations({ url })).toEqual([])
})

test('a migrated database is left unchanged', async () => {
  const url = await database()
  const before = await schemaOf(url)
  expect(await migrate({ url }, systemClock)).toEqual([])
  expect(await schemaOf(url)).toEqual(before)
})

test('five processes that migrate concurrently: every migration is applied once, and all processes continue', async () => {
  const url = await database({ empty: true })
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate({ url }, systemClock)))
  const all = await readMigrations()
  expect(applied.map((list) => list.length).sort()).toEqual([0, 0, 0, 0, all.length])
  expect(await pendingMigrations({ url })).toEqual([])
})

test('a database of a newer program is refused in one sentence, and left unchanged', async () => {
  const url = await database()
  await withClient(url, (client) =>
    client.query(`INSERT INTO schema_migrations VALUES (9999, 'of_the_future', 'x', now())`),
  )
  const before = await schemaOf(url)
  for (const attempt of [() => migrate({ url }, systemClock), () => pendingMigrations({ url })]) {
    const error: unknown = await attempt().catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(MigrationError)
    expect(String(error)).toMatch(/: The database was migrated to version 9999 by a newer Countersign; .+\.$/)
  }
  expect(await schemaOf(url)).toEqual(before)
})

test('a migration whose text differs from the applied one is refused', async () => {
  const url = await database()
  await withClient(url, (client) => client.query(`UPDATE schema_migrations SET checksum = 'other' WHERE version = 1`))
  await expect(migrate({ url }, systemClock)).rejects.toThrow(/^Migration 1 \(foundation\) differs from the one/)
})

test('losing the database during a migration fails the migration, and nothing else', async () => {
  const url = await database({ empty: true })
  await withClient(url, async (client) => {
    // the migration waits for this table
    await client.query('BEGIN')
    await client.query('CREATE TABLE schema_migrations (mine int)')
    const failed = migrate({ url }, systemClock).catch((reason: unknown) => reason)
    const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'`
    const terminated = async () => {
      // within a transaction the list of connections stays as it was when it was looked at first
      await client.query('SELECT pg_stat_clear_snapshot()')
      return (await client.query(terminate)).rowCount
    }
    await expect.poll(terminated).toBe(1)
    expect(String(await failed)).toMatch(/terminating connection due to administrator command/)
    await client.query('ROLLBACK')
  })
  await migrate({ url }, systemClock)
  expect(await pendingMigrations({ url })).toEqual([])
})

test('a failed migration is rolled back completely, and is applied once the cause is gone', async () => {
  const url = await database({ empty: true })
  await withClient(url, (client) => client.query('CREATE TABLE audit_log (mine int)'))
  await expect(migrate({ url }, systemClock)).rejects.toThrow(/^Migration 1 \(foundation\) failed and was rolled back/)
  await withClient(url, async (client) => {
    const { rows } = await client.query(`SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`)
    expect(rows.map(({ tablename }) => tablename)).toEqual(['audit_log', 'schema_migrations'])
    await client.query('DROP TABLE audit_log')
  })
  await migrate({ url }, systemClock)
  expect(await schemaOf(url)).toEqual(await schemaOf(await database()))
})
