/**
 * `countersign worker`: background work without a server, servers without background work, and databases that it
 * refuses.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTP } from '@countersign/contract/connector-configs.ts'
import { createDatabase } from '@countersign/harness/cluster.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { type Program, runProgram, runToEnd } from '@countersign/harness/program.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { queueMessage } from '@countersign/server/domain/delivery/messages.ts'
import { getTenant } from '@countersign/server/domain/tenants/tenants.ts'
import { systemCaller } from '@countersign/server/kernel/caller.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { operation, perform } from '@countersign/server/storage/unit-of-work.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { configOf, startMailServer } from '../management/mail.ts'
import { causeEvent, createHook, deliveriesOf, receiveHooks, soon, startHookServer } from '../webhooks/arrange.ts'
import { runHere } from './in-process.ts'

// each of them starts the program, on a shared machine
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const SECRET_KEY = Buffer.alloc(32, 4).toString('base64')
let folder: string
const programs: Program[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-worker-'))
})
afterEach(async () => {
  for (const { process } of programs) process.kill('SIGTERM')
  await Promise.all(programs.splice(0).map(({ ended }) => ended))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const rowsOf = (url: string, text: string) =>
  withClient(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows)

describe('with a server that has WORKERS=off', () => {
  let server: TestServer
  beforeEach(async () => {
    server = await startHookServer(inject('cluster'), { SECRET_KEY, WORKERS: 'off' })
  })
  afterEach(() => server.close())

  const startWorker = async (env: NodeJS.ProcessEnv = {}): Promise<Program> => {
    const program = runProgram(['worker'], {
      ...{ DATABASE_URL: server.databaseUrl, SECRET_KEY, DATA_DIR: folder, LOG_LEVEL: 'silent' },
      ...env,
    })
    programs.push(program)
    await program.printed('is ready')
    return program
  }
  const queueMail = async () => {
    const { store } = server
    const sends = operation([], async (unit) =>
      queueMessage(unit, { recipient: 'ann@example.com', usage: 'SignIn', variables: { code: '271828' } }, 600),
    )
    await perform({ store, tenant: await getTenant(store, 'default'), caller: systemCaller('test') }, sends)
  }

  test('the server sends nothing; two workers, started later, send webhooks and mail, each once', async () => {
    const receiver = await receiveHooks()
    const mailServer = await startMailServer()
    await server.api('POST', '/connectors', { connectorId: SMTP, config: configOf(mailServer) })
    const hook = await createHook(server, receiver.url)
    await queueMail()
    const names: string[] = []
    for (let n = 0; n < 20; n += 1) names.push(await causeEvent(server))
    const waiting = `SELECT (SELECT count(*)::int FROM outbox WHERE type = 'Role.Created') AS unnumbered,
      (SELECT coalesce(sum(attempts), 0)::int FROM dispatches) AS tries`
    expect(await rowsOf(server.databaseUrl, waiting)).toEqual([{ unnumbered: 20, tries: 0 }])
    expect([receiver.got, mailServer.mails]).toEqual([[], []])

    await Promise.all([startWorker(), startWorker()])
    await receiver.count(20)
    await mailServer.got(1)
    // and what happens while they run
    names.push(await causeEvent(server))
    await receiver.count(21)
    expect(receiver.got.map(({ body }) => body.data.name).toSorted()).toEqual(names.toSorted())
    await soon(async () =>
      expect((await deliveriesOf(server, hook.id)).map(({ state }: { state: string }) => state)).toEqual(
        Array.from({ length: 21 }, () => 'Delivered'),
      ),
    )
    await Promise.all([receiver.close(), mailServer.close()])
  })

  test('SIGTERM waits for the response to the current delivery, stores it, and exits with 0', async () => {
    const held: ServerResponse[] = []
    const receiver = await receiveHooks((response) => void held.push(response))
    const hook = await createHook(server, receiver.url)
    const ADMIN_PORT = String(await freePort())
    const worker = await startWorker({ ADMIN_PORT })
    await causeEvent(server)
    await receiver.count(1)
    worker.process.kill('SIGTERM')
    await soon(() => expect(fetch(`http://127.0.0.1:${ADMIN_PORT}/status`)).rejects.toThrow('fetch failed'))
    // this one is no longer started
    await causeEvent(server)
    held[0]?.writeHead(204).end()
    expect(await worker.ended).toBe(0)
    const stored = `SELECT d.state, a.status FROM hook_deliveries d LEFT JOIN hook_attempts a ON a.delivery_id = d.id
      WHERE d.hook_id = '${hook.id}' AND d.attempts > 0`
    expect(await rowsOf(server.databaseUrl, stored)).toEqual([{ state: 'Delivered', status: 204 }])
    await receiver.count(1)
    await receiver.close()
  })

  test('it listens only on ADMIN_PORT, with metrics and readiness', async () => {
    const [PORT, ADMIN_PORT] = [String(await freePort()), String(await freePort())]
    const receiver = await receiveHooks()
    await createHook(server, receiver.url)
    const worker = await startWorker({ PORT, ADMIN_PORT })
    expect(worker.output()).toContain(`Metrics:  port ${ADMIN_PORT}, /metrics`)
    await causeEvent(server)
    await receiver.count(1)
    const at = (path: string, port = ADMIN_PORT) => fetch(`http://127.0.0.1:${port}${path}`)
    await soon(async () => {
      const metrics = await (await at('/metrics')).text()
      expect(metrics).toMatch(/countersign_webhook_attempts_total\{result="delivered"\} 1\n/)
      // the attempt is counted before its success is stored
      expect(metrics).toContain('countersign_webhook_oldest_pending_seconds 0\n')
    })
    const statuses = ['/status', '/api/status', '/oidc/jwks'].map(async (path) => (await at(path)).status)
    expect(await Promise.all(statuses)).toEqual([204, 404, 404])
    await expect(at('/api/status', PORT)).rejects.toThrow('fetch failed')
    const second = await runToEnd(['worker'], {
      ...{ DATABASE_URL: server.databaseUrl, SECRET_KEY, DATA_DIR: folder, LOG_LEVEL: 'silent', ADMIN_PORT },
    })
    expect(second.status).toBe(1)
    expect(second.output).toMatch(new RegExp(`^Port ${ADMIN_PORT} is already in use; .* ADMIN_PORT`))
    await receiver.close()
  })

  test('R-31 what it may reach depends on the base URL in the database, not on a missing BASE_URL', async () => {
    const receiver = await receiveHooks()
    await createHook(server, receiver.url)
    await causeEvent(server)
    await rowsOf(server.databaseUrl, `UPDATE tenants SET base_url = 'https://auth.example' WHERE id = 'default'`)
    await startWorker()
    const errors = () => rowsOf(server.databaseUrl, 'SELECT error FROM hook_attempts')
    await soon(async () => expect(await errors()).toEqual([{ error: 'the host is at an address that is not public' }]))
    expect(receiver.got).toEqual([])
    await receiver.close()
  })
})

describe('it exits with 1 and one sentence', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  beforeAll(async () => {
    database = await createDatabase(inject('cluster'))
  })
  afterAll(() => database.drop())

  const refusal = async (env: NodeJS.ProcessEnv, command = 'worker') => {
    const own = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: folder, LOG_LEVEL: 'silent', PORT: '0' }
    const { status, out, err } = await runHere([command], { env: { ...own, ...env }, folder })
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(err.trim().split('\n')).toHaveLength(1)
    return err.trim()
  }

  test('without DATABASE_URL', async () => {
    expect(await refusal({ DATABASE_URL: '' })).toMatch(/^A worker needs DATABASE_URL: the embedded database belongs/)
  })

  test('without SECRET_KEY', async () => {
    expect(await refusal({ SECRET_KEY: '' })).toMatch(/^SECRET_KEY is required with DATABASE_URL/)
  })

  test('on a missing database', async () => {
    const sentence = await refusal({ DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:1/none' })
    expect(sentence).toMatch(/^The database of DATABASE_URL cannot be used/)
    expect(sentence).not.toContain('secret')
  })

  test('on a database that was not migrated, which it leaves unchanged', async () => {
    const empty = await createDatabase(inject('cluster'), { empty: true })
    expect(await refusal({ DATABASE_URL: empty.url })).toMatch(
      /^The database is not of this version: \d+ migrations must run first; start the server or run `countersign migrate`\.$/,
    )
    expect(await rowsOf(empty.url, `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace`)).toEqual(
      [],
    )
    await empty.drop()
  })

  test('on a database without a tenant, for which it stores no secret key; then with a key other than that of the installation', async () => {
    const SECOND_KEY = Buffer.alloc(32, 6).toString('base64')
    expect(await refusal({ SECRET_KEY: SECOND_KEY })).toMatch(/^The database of DATABASE_URL has no tenant yet/)
    const env = { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: folder }
    expect((await runHere(['init'], { env, folder })).status).toBe(0)
    expect(await refusal({ SECRET_KEY: SECOND_KEY })).toMatch(/^SECRET_KEY is not the key/)
  })

  test('on a database that a newer program migrated', async () => {
    const newer = await createDatabase(inject('cluster'))
    await rowsOf(newer.url, `INSERT INTO schema_migrations VALUES (9999, 'future', '', now())`)
    expect(await refusal({ DATABASE_URL: newer.url })).toMatch(/migrated to version 9999 by a newer Countersign/)
    await newer.drop()
  })

  test('a server with WORKERS=off on the embedded database: no other process could do the work', async () => {
    expect(await refusal({ DATABASE_URL: '', WORKERS: 'off' }, 'start')).toMatch(/^WORKERS=off needs DATABASE_URL/)
    expect(await refusal({ WORKERS: 'none' }, 'start')).toMatch(/^WORKERS must be one of on, off \(it is "none"\)/)
  })
})
