import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { findRunningPostgres } from '../../src/storage/embedded/embedded.ts'
import {
  endWorld,
  isAlive,
  postmasterOf,
  query,
  start,
  startedOwner,
  startOwner,
  temporaryDirectory,
  until,
} from './embedded-world.ts'

afterEach(endWorld)

const inUse = (dataDir: string): string =>
  `Another Countersign server is already using the data directory ${dataDir}. Stop it first, or set DATA_DIR to another directory.`

test('the first start creates a database, and the second finds what was committed', async () => {
  const dataDir = join(await temporaryDirectory(), 'new', 'data')
  const first = await start(dataDir)
  expect(first.connection).toMatchObject({ host: join(dataDir, 'run'), user: 'countersign', database: 'countersign' })
  await query(first.connection, 'CREATE TABLE kept AS SELECT 42 AS answer')
  const pid = await postmasterOf(dataDir)
  await first.stop()
  await first.stop()
  expect(pid && isAlive(pid)).toBe(false)

  const second = await start(dataDir)
  expect(await query(second.connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
})

test('it listens on no address, stores UTF-8 with checksums, and orders by code point', async () => {
  const { connection } = await start(join(await temporaryDirectory(), 'data'))
  const [settings] = await query(
    connection,
    `SELECT current_setting('listen_addresses') AS addresses, current_setting('server_encoding') AS encoding,
       current_setting('data_checksums') AS checksums, current_setting('TimeZone') AS zone, lower('ÄÉ') AS lower,
       (SELECT string_agg(x, '' ORDER BY x) FROM unnest(ARRAY['b', 'a', 'B', 'é', 'A', 'z']) x) AS ordered`,
  )
  expect(settings).toEqual({
    addresses: '',
    encoding: 'UTF8',
    checksums: 'on',
    zone: 'UTC',
    lower: 'äé',
    ordered: 'ABabzé',
  })
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
})

test.runIf(process.platform === 'linux')('its environment contains nothing of the server', async () => {
  vi.stubEnv('SECRET_KEY', 'must not be seen')
  try {
    const dataDir = join(await temporaryDirectory(), 'data')
    await start(dataDir)
    const environment = await readFile(`/proc/${await postmasterOf(dataDir)}/environ`, 'utf8')
    expect(environment).toContain('PATH=')
    expect(environment).not.toContain('SECRET_KEY')
  } finally {
    vi.unstubAllEnvs()
  }
})

test('a second start is refused, in this process and in another, and the first is unaffected', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const { connection } = await start(dataDir)
  await expect(start(dataDir)).rejects.toThrow(inUse(dataDir))
  expect(await startOwner(dataDir).result).toMatchObject({ error: inUse(dataDir) })
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('of several simultaneous starts exactly one wins', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const results = await Promise.all([1, 2, 3].map(() => startOwner(dataDir).result))
  expect(results.filter((result) => result.connection)).toHaveLength(1)
  expect(results.filter((result) => result.error === inUse(dataDir))).toHaveLength(2)
})

test('a command finds the running PostgreSQL, and none if none is running', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  expect(await findRunningPostgres(dataDir)).toBeNull()
  await expect(stat(dataDir)).rejects.toThrow('ENOENT')

  const owner = await startedOwner(dataDir)
  expect(await findRunningPostgres(dataDir)).toEqual(owner.connection)
  owner.process.stdin?.end()
  await owner.exited
  expect(await findRunningPostgres(dataDir)).toBeNull()

  const own = await start(dataDir)
  expect(await findRunningPostgres(dataDir)).toEqual(own.connection)
  // The lookup must not have cost this process its lock.
  expect(await startOwner(dataDir).result).toMatchObject({ error: inUse(dataDir) })
})

test('a command that runs while a server starts waits for it', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const owner = startOwner(dataDir)
  await until('the lock is there', () => stat(join(dataDir, 'countersign.lock')).catch(() => null))
  const found = await until('found', () => findRunningPostgres(dataDir))
  expect(found).toEqual((await owner.result).connection)
})
