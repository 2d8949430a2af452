import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectClient } from '@countersign/server/storage/client.ts'
import { afterEach, expect, test } from 'vitest'
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

test('after kill -9 of the server the next start stops the orphan and has the data', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const owner = await startedOwner(dataDir)
  await query(owner.connection, 'CREATE TABLE kept AS SELECT 42 AS answer')
  const orphan = await postmasterOf(dataDir)
  owner.process.kill('SIGKILL')
  await owner.exited
  expect(orphan && isAlive(orphan)).toBe(true)
  expect(await findRunningPostgres(dataDir)).toBeNull()

  const logged: string[] = []
  const { connection } = await start(dataDir, logged)
  expect(orphan && isAlive(orphan)).toBe(false)
  expect(logged.join('\n')).toContain('stopping the PostgreSQL of a Countersign that is gone')
  expect(await query(connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
})

test('after kill -9 of the server and its PostgreSQL the next start has the data', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const owner = await startedOwner(dataDir)
  await query(owner.connection, 'CREATE TABLE kept AS SELECT 42 AS answer')
  const postmaster = await postmasterOf(dataDir)
  owner.process.kill('SIGKILL')
  if (postmaster) process.kill(postmaster, 'SIGKILL')
  await owner.exited
  const { connection } = await start(dataDir)
  expect(await query(connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
})

test('simultaneous starts after a kill -9: exactly one wins', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const owner = await startedOwner(dataDir)
  owner.process.kill('SIGKILL')
  await owner.exited
  const results = await Promise.all([1, 2, 3].map(() => startOwner(dataDir).result))
  expect(results.filter((result) => result.connection)).toHaveLength(1)
})

test('a killed PostgreSQL is restarted with the data, even while one of its processes still runs', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const logged: string[] = []
  const postgres = await start(dataDir, logged)
  const { connection } = postgres
  await query(connection, 'CREATE TABLE kept AS SELECT 42 AS answer')
  // Busy with arithmetic, this backend does not check whether its postmaster is alive, and keeps the shared memory.
  const busy = await connectClient({ ...connection })
  const { rows } = await busy.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  busy
    .query('SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b WHERE sqrt(a + b) > 10')
    .catch(() => {})
  await until('the query runs', () =>
    query(
      connection,
      `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%generate_series%' AND pid <> pg_backend_pid()`,
    ).then((rows) => rows.length),
  )
  const before = await postmasterOf(dataDir)
  if (before) process.kill(before, 'SIGKILL')
  await until('the process is in the way', () => logged.join('\n').includes('pre-existing shared memory block'))
  if (rows[0]) process.kill(rows[0].pid, 'SIGKILL')
  await until('PostgreSQL is back', () => logged.some((line) => line.startsWith('PostgreSQL runs again')))
  expect(await query(connection, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }])
  const after = await postmasterOf(dataDir)
  expect(after).not.toBe(before)
  await busy.end()
  await postgres.stop()
  expect(after && isAlive(after)).toBe(false)
})

test('stop() while PostgreSQL is being restarted leaves none behind', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const postgres = await start(dataDir)
  const before = await postmasterOf(dataDir)
  if (before) process.kill(before, 'SIGKILL')
  await until('the old one is gone', () => before && !isAlive(before))
  await postgres.stop()
  expect(await postmasterOf(dataDir)).toBeNull()
  await start(dataDir)
})

test('an uncaught exception also ends PostgreSQL', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const owner = startOwner(dataDir)
  await owner.result
  const postmaster = await postmasterOf(dataDir)
  owner.process.stdin?.write('throw\n')
  await owner.exited
  await until('PostgreSQL is gone', () => postmaster && !isAlive(postmaster))
})

/** The directory in which initdb works; undefined before it begins and when it is done. */
const unfinishedIn = async (dataDir: string): Promise<string | undefined> =>
  (await readdir(dataDir).catch(() => [])).find((name) => name.startsWith('postgres.unfinished-'))

/** A first start in a new directory that is killed while initdb works; undefined if initdb finished too soon. */
const interrupted = async (): Promise<string | undefined> => {
  const dataDir = join(await temporaryDirectory(), 'data')
  const owner = startOwner(dataDir)
  let isOver = false
  owner.result
    .finally(() => {
      isOver = true
    })
    .catch(() => undefined)
  await until('initdb is at work', async () => {
    const unfinished = await unfinishedIn(dataDir)
    const made = unfinished ? await readdir(join(dataDir, unfinished)).catch(() => []) : []
    return isOver || made.includes('base')
  })
  owner.process.kill('SIGKILL')
  await owner.exited
  return (await unfinishedIn(dataDir)) ? dataDir : undefined
}

test('a first start that was interrupted during initdb is repeated', async () => {
  // initdb takes a second, which may pass unnoticed on a busy machine
  const dataDir = await until('a first start was interrupted', interrupted)
  const { connection } = await start(dataDir)
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect((await readdir(dataDir)).sort()).toEqual(['countersign.lock', 'postgres', 'postgres.log', 'run'])
})

test('a postmaster.pid left by a crash does not prevent the start, even if its process id is in use again', async () => {
  const dataDir = join(await temporaryDirectory(), 'data')
  await (await start(dataDir)).stop()
  const cluster = join(dataDir, 'postgres')
  const { uid, gid } = await stat(cluster)
  const stranger = spawn('sleep', ['600'], process.getuid?.() === 0 ? { uid, gid } : {})
  try {
    await once(stranger, 'spawn')
    await writeFile(
      join(cluster, 'postmaster.pid'),
      `${stranger.pid}\n${cluster}\n1700000000\n5432\n${dataDir}/run\n\n12345 67890\nready   \n`,
    )
    await (await start(dataDir)).stop()
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()

    await writeFile(join(cluster, 'postmaster.pid'), '')
    await start(dataDir)
  } finally {
    stranger.kill('SIGKILL')
  }
})
