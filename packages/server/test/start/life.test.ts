/**
 * The program from its first start to its end, with the embedded PostgreSQL and with an external one (DECISIONS A2 to
 * A6).
 */
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '@countersign/harness/cluster.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { requestToken } from '@countersign/harness/management-client.ts'
import { type Program, runProgram, runToEnd } from '@countersign/harness/program.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'

/**
 * Makes a program say at its end what it has loaded of two things that cost memory: what is behind `fetch`, and the files of
 * the libraries that are bundled when the packages are installed (docs/decisions/0017).
 */
const TELL_OF_LOADED = `--import=data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const files = new Set()
  registerHooks({
    load(url, context, next) {
      const [, library] = /\\/node_modules\\/(jose|kysely|typebox)\\//.exec(url) ?? []
      if (library) files.add(library)
      return next(url, context)
    },
  })
  process.on('exit', () => {
    console.log('fetch:' + process.moduleLoadList.some((each) => each.includes('undici/undici')))
    console.log('libraries:' + [...files].sort().join())
  })
`)}`

const SECRET_KEY = Buffer.alloc(32, 1).toString('base64')
let directory: string
let programs: Program[]
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'countersign-life-'))
  programs = []
})
afterEach(async () => {
  for (const { process } of programs) process.kill('SIGTERM')
  await Promise.all(programs.map(({ ended }) => ended))
  await rm(directory, { recursive: true, force: true })
})

const start = (env: NodeJS.ProcessEnv): Program => {
  const program = runProgram(['start'], { DATA_DIR: directory, HOST: '127.0.0.1', ...env })
  programs.push(program)
  return program
}

const readManagement = async () => JSON.parse(await readFile(join(directory, 'management.json'), 'utf8'))

const managementToken = async () => {
  const credentials = await readManagement()
  const answer = await requestToken(credentials.baseUrl, credentials, { resource: credentials.resource, scope: 'all' })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

const statusOf = async (baseUrl: string, path: string, token: string) =>
  (await fetch(`${baseUrl}/api${path}`, { headers: { authorization: `Bearer ${token}` } })).status

test('the first start creates everything, the printed curl command works, and kill -9 loses nothing', async () => {
  const PORT = String(await freePort())
  const first = start({ PORT })
  await first.printed('scope=all')
  const baseUrl = `http://localhost:${PORT}`
  expect(first.output()).toContain(`Countersign is ready at ${baseUrl}`)
  expect((await stat(join(directory, 'management.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(directory, 'secret.key'))).mode & 0o777).toBe(0o600)
  const token = await managementToken()
  expect(await statusOf(baseUrl, '/resources', token)).toBe(200)

  const refused = await runToEnd(['start'], { DATA_DIR: directory, PORT: '0' })
  expect(refused.status).toBe(1)
  expect(refused.output).toMatch(/^Another Countersign server is already using the data directory/)

  first.process.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  const second = start({ PORT, NODE_OPTIONS: TELL_OF_LOADED })
  await second.printed('scope=all')
  expect(await statusOf(baseUrl, '/resources', token)).toBe(200)
  expect(await statusOf(baseUrl, '/roles', await managementToken())).toBe(200)

  second.process.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(second.output()).toContain('fetch:false\nlibraries:\n')
  expect(existsSync(join(directory, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('two nodes start concurrently on one empty database: both serve, and it is set up once', async () => {
  const database = await createDatabase(inject('cluster'), { empty: true })
  const ports = [await freePort(), await freePort()]
  const env = { DATABASE_URL: database.url, SECRET_KEY, BASE_URL: `http://localhost:${ports[0]}` }
  const nodes = ports.map((port) => start({ ...env, PORT: String(port) }))
  await Promise.all(nodes.map((node) => node.printed('is ready at')))
  const { status, output } = await runToEnd(['init'], { DATA_DIR: directory, ...env })
  expect(status).toBe(0)
  const credentials = JSON.parse(output)
  for (const port of ports) {
    const answer = await requestToken(`http://127.0.0.1:${port}`, credentials, {
      resource: credentials.resource,
      scope: 'all',
    })
    expect(answer.status).toBe(200)
  }
  const { rows } = await withClient(database.url, (client) =>
    client.query(
      'SELECT (SELECT count(*)::int FROM tenants) AS tenants, (SELECT count(*)::int FROM applications) AS applications',
    ),
  )
  // the console and the client of the Management API
  expect(rows[0]).toEqual({ tenants: 1, applications: 2 })
})

test('SIGTERM finishes requests in flight, then exits with 0', async () => {
  const database = await createDatabase(inject('cluster'), { empty: true })
  const PORT = String(await freePort())
  const node = start({ DATABASE_URL: database.url, SECRET_KEY, PORT })
  await node.printed('is ready at')
  const token = await managementToken()
  // others wait for locks of their own databases
  const waits = `SELECT count(*)::int AS n FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`
  const waiting = await withClient(database.url, async (client) => {
    await client.query('BEGIN')
    await client.query('LOCK TABLE roles IN ACCESS EXCLUSIVE MODE')
    const status = statusOf(`http://localhost:${PORT}`, '/roles', token)
    // a failure is met when its turn comes
    status.catch(() => undefined)
    const blocked = async () => {
      // within a transaction the list of connections stays as it was when it was looked at first
      await client.query('SELECT pg_stat_clear_snapshot()')
      return (await client.query(waits)).rows[0].n
    }
    await expect.poll(blocked).toBeGreaterThan(0)
    node.process.kill('SIGTERM')
    await client.query('COMMIT')
    return { status }
  })
  expect(await waiting.status).toBe(200)
  expect(await node.ended).toBe(0)
})

test('the command line works alongside a running server, which learns of the changes', async () => {
  const PORT = String(await freePort())
  const server = start({ PORT })
  await server.printed('is ready at')
  const env = { DATA_DIR: directory, PORT }
  const rotated = await runToEnd(['keys', 'rotate', '--grace', '60'], env)
  expect(rotated.status).toBe(0)
  expect(rotated.output).toMatch(/^CHAIN +STATE[\s\S]*^main +Next[\s\S]*^main +Current/m)
  const keyCount = async () => {
    const answer = await fetch(`http://localhost:${PORT}/oidc/jwks`)
    return ((await answer.json()) as { keys: unknown[] }).keys.length
  }
  await expect.poll(keyCount).toBe(2)
  const tenants = await runToEnd(['tenants', 'list'], env)
  expect(tenants.output).toContain(`http://localhost:${PORT}`)
  const doctor = await runToEnd(['doctor'], env)
  expect(doctor.output).not.toContain('PROBLEM')
  expect(doctor.status).toBe(0)
})

test('migrate --dry-run lists what would run and changes nothing', async () => {
  const database = await createDatabase(inject('cluster'), { empty: true })
  const env = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: directory }
  const dry = await runToEnd(['migrate', '--dry-run'], env)
  expect(dry.output).toContain('0001 foundation')
  const again = await runToEnd(['migrate', '--dry-run'], env)
  expect(again.output).toBe(dry.output)
  expect((await runToEnd(['migrate'], env)).output).toContain('These migrations ran:')
  expect((await runToEnd(['migrate'], env)).output).toContain('nothing to migrate')
})

test('a start with another base URL moves the tenant, and tokens name the new address', async () => {
  const database = await createDatabase(inject('cluster'), { empty: true })
  const PORT = String(await freePort())
  const env = { DATABASE_URL: database.url, SECRET_KEY, PORT, LOG_LEVEL: 'silent' }
  const before = start(env)
  await before.printed('is ready at')
  before.process.kill('SIGTERM')
  expect(await before.ended).toBe(0)
  const after = start({ ...env, BASE_URL: `http://127.0.0.1:${PORT}` })
  await after.printed('is ready at')
  expect(await readManagement()).toMatchObject({
    baseUrl: `http://127.0.0.1:${PORT}`,
    resource: `http://127.0.0.1:${PORT}/api`,
  })
  expect(await statusOf(`http://127.0.0.1:${PORT}`, '/roles', await managementToken())).toBe(200)
})
