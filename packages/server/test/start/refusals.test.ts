/** A start that cannot succeed ends with status 1 and one sentence that names what is wrong (DECISIONS A1, A2, A4). */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@countersign/harness/cluster.ts'
import { runToEnd } from '@countersign/harness/program.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { runHere } from '../cli/in-process.ts'

const SECRET_KEY = Buffer.alloc(32, 1).toString('base64')
let directory: string
let database: Awaited<ReturnType<typeof createDatabase>>
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'countersign-start-'))
  database = await createDatabase(inject('cluster'))
})
afterAll(async () => {
  await database.drop()
  await rm(directory, { recursive: true, force: true })
})

const environment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  DATA_DIR: directory,
  DATABASE_URL: database.url,
  SECRET_KEY,
  LOG_LEVEL: 'silent',
  PORT: '0',
  ...env,
})
const refusal = async (env: NodeJS.ProcessEnv) => {
  const { status, out, err } = await runHere(['start'], { env: environment(env), folder: directory })
  expect({ status, out }).toEqual({ status: 1, out: '' })
  expect(err.trim().split('\n')).toHaveLength(1)
  return err.trim()
}
const initialize = async () => {
  const { status } = await runHere(['init'], { env: environment({}), folder: directory })
  expect(status).toBe(0)
}

describe('an invalid value is reported by name', () => {
  test.each([
    ['BASE_URL', 'ftp://auth.example'],
    ['BASE_URL', 'https://auth.example/path'],
    ['PORT', '99999'],
    ['CONSOLE', 'elsewhere'],
    ['CONSOLE', 'https://admin.example/console'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['SECRET_KEY', 'too short'],
    ['TRUSTED_PROXIES', '10.0.0.0/64'],
    ['LOG_LEVEL', 'loud'],
    ['HOST', 'nowhere.invalid'],
    ['HOST', '192.0.2.1'],
  ])('%s=%s', async (name, value) => {
    const sentence = await refusal({ [name]: value })
    expect(sentence).toMatch(new RegExp(`^${name} must `))
    if (name === 'SECRET_KEY') expect(sentence).not.toContain(value)
  })
})

test('SECRET_KEY is required with DATABASE_URL', async () => {
  expect(await refusal({ SECRET_KEY: '' })).toMatch(/^SECRET_KEY is required with DATABASE_URL/)
})

test('a SECRET_KEY other than the one of the database is refused', async () => {
  await initialize()
  const other = Buffer.alloc(32, 2).toString('base64')
  expect(await refusal({ SECRET_KEY: other })).toMatch(/^SECRET_KEY is not the key/)
})

test('a port in use is reported', async () => {
  const occupant: Server = createServer()
  await new Promise<void>((resolve) => occupant.listen(0, '0.0.0.0', resolve))
  const address = occupant.address()
  const port = typeof address === 'object' && address ? address.port : 0
  try {
    const sentence = await refusal({ PORT: String(port) })
    expect(sentence).toMatch(new RegExp(`^Port ${port} is already in use`))
    // a separate process reports it in the same way, and exits
    const { status, output } = await runToEnd(['start'], environment({ PORT: String(port) }))
    expect({ status, output }).toEqual({ status: 1, output: `${sentence}\n` })
  } finally {
    occupant.close()
  }
})

test('a failed start does not move the tenant to another address', async () => {
  await initialize()
  const baseUrl = 'https://elsewhere.example'
  expect(await refusal({ BASE_URL: baseUrl, PORT: '14721', ADMIN_PORT: '14721' })).toMatch(/^Port 14721 is already/)
  const { rows } = await withClient(database.url, (client) => client.query('SELECT base_url FROM tenants'))
  expect(rows).not.toContainEqual({ base_url: baseUrl })
})

test('a database migrated by a newer version is refused', async () => {
  const newer = await createDatabase(inject('cluster'))
  await withClient(newer.url, (client) =>
    client.query(`INSERT INTO schema_migrations VALUES (9999, 'future', '', now())`),
  )
  expect(await refusal({ DATABASE_URL: newer.url })).toMatch(/migrated to version 9999 by a newer Countersign/)
  await newer.drop()
})

test('a missing database is reported by name', async () => {
  const sentence = await refusal({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' })
  expect(sentence).toMatch(/^The database of DATABASE_URL cannot be used/)
  expect(sentence).not.toContain('secret')
})

test('a data directory that is a file is reported by name', async () => {
  const file = join(directory, 'file')
  await writeFile(file, '')
  expect(await refusal({ DATABASE_URL: '', SECRET_KEY: '', DATA_DIR: file })).toContain(file)
})
