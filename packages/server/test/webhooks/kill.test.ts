/** K4: a server that is killed at any point loses no committed event, and sends none that was not committed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createDatabase, databaseUrl } from '@countersign/harness/cluster.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import { type ApiClient, type Credentials, managementClient } from '@countersign/harness/management-client.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { type AutocommitGate, type AutocommitPlace, autocommitGate } from '../reliability/autocommit-gate.ts'
import { answering, type HookReceiver, receiveHooks, soon } from './arrange.ts'

const PROGRAM = fileURLToPath(new URL('node.ts', import.meta.url))
/** More than a lease and the first pauses of a hook. */
const AHEAD_SECONDS = 120
const ROUNDS = 5

let database: Awaited<ReturnType<typeof createDatabase>>
let gate: AutocommitGate
let dataDir: string
let port: number
let receiver: HookReceiver
let credentials: Credentials
let child: ChildProcess
let ahead = 0
/** Names of roles whose creation was answered with success. */
const answered: string[] = []

/** Starts the next server; gives a client of its own. */
const start = async (): Promise<ApiClient> => {
  child = spawn(process.execPath, [PROGRAM, String(ahead)], {
    env: {
      ...{
        DATABASE_URL: databaseUrl(gate.address, database.name),
        DATA_DIR: dataDir,
        SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
      },
      ...{ HOST: '127.0.0.1', PORT: String(port), BASE_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'silent' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child, 'spawn')
  ahead += AHEAD_SECONDS
  if (!child.stdout) throw new Error('the server has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('ready ')) continue
    credentials = (JSON.parse(line.slice('ready '.length)) as Credentials | null) ?? credentials
    return managementClient(`http://127.0.0.1:${port}`, credentials)
  }
  throw new Error('the server ended before it was ready')
}

const kill = async (): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Creates a role; whether its answer came. */
const causeEvent = async (api: ApiClient): Promise<boolean> => {
  const name = fresh('role')
  const status = await api('POST', '/roles', { name }).then(
    (answer) => answer.status,
    () => undefined,
  )
  if (status === 200) answered.push(name)
  return status === 200
}

/** Each ends what was begun, also when the next could not be begun. */
const closers: (() => unknown)[] = []
beforeAll(async () => {
  database = await createDatabase(inject('cluster'))
  closers.push(() => database.drop())
  gate = await autocommitGate(inject('cluster'))
  closers.push(() => gate.close())
  dataDir = await mkdtemp(join(tmpdir(), 'countersign-test-'))
  closers.push(() => rm(dataDir, { recursive: true, force: true }))
  port = await freePort()
  receiver = await receiveHooks()
  closers.push(() => receiver.close(), kill)
  const api = await start()
  const hook = { events: ['Role.Created'], config: { url: receiver.url } }
  expect((await api('POST', '/hooks', hook)).status).toBe(201)
}, 300_000)
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

/** What was committed, by the ids of events; every one of them has a number once a server has looked. */
const committed = () =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query(
      `SELECT id, payload->'data'->>'name' AS name FROM events WHERE type = 'Role.Created'
       UNION ALL SELECT id, payload->'data'->>'name' FROM outbox WHERE type = 'Role.Created' ORDER BY id`,
    )
    return rows as { id: string; name: string }[]
  })
/** What is stored as delivered, by the ids of events. */
const delivered = () =>
  withClient(database.url, async (client) => {
    const { rows } = await client.query(`SELECT id FROM hook_deliveries WHERE state = 'Delivered' ORDER BY id`)
    return rows.map(({ id }) => id)
  })
const arrived = () => [...new Set(receiver.got.map(({ body }) => body.id))].toSorted()

/** A server that is not killed delivers all that there is, and nothing else has ever arrived. */
const expectEverything = async () => {
  receiver.answerWith(answering(200))
  await start()
  // a commit that was under way when its server died may still become one
  await soon(async () => expect(await delivered()).toEqual((await committed()).map(({ id }) => id)))
  const events = await committed()
  expect(arrived()).toEqual(events.map(({ id }) => id))
  expect(events.map(({ name }) => name)).toEqual(expect.arrayContaining(answered))
}

test('killed when the change was answered', { timeout: 300_000 }, async () => {
  const api = managementClient(`http://127.0.0.1:${port}`, credentials)
  expect(await causeEvent(api)).toBe(true)
  await kill()
  await expectEverything()
})

/** The statements of the queue, by words that only they have. */
const [CLAIM, STORE] = ['WITH room AS MATERIALIZED', 'INSERT INTO hook_attempts']
test.each<[string, string, AutocommitPlace, number]>([
  ['before it has claimed the delivery', CLAIM, 'unsent', 1],
  ['when it has claimed the delivery, before it knows', CLAIM, { answer: /UPDATE [1-9]/ }, 1],
  ['when it has the response, before the result is stored', STORE, 'unsent', 2],
  ['when the result is stored, before it knows', STORE, { answer: /UPDATE / }, 1],
])('killed %s', { timeout: 300_000 }, async (_when, statement, place, times) => {
  const before = receiver.got.length
  const stopped = gate.stop(statement, place)
  expect(await causeEvent(managementClient(`http://127.0.0.1:${port}`, credentials))).toBe(true)
  await stopped
  await kill()
  await expectEverything()
  const [first, ...again] = receiver.got.slice(before)
  expect(first?.body.data.name).toBe(answered.at(-1))
  expect(again.map(({ raw }) => raw)).toEqual(Array.from({ length: times - 1 }, () => first?.raw))
})

test('killed while the receiver has the request', { timeout: 300_000 }, async () => {
  const before = receiver.got.length
  receiver.answerWith(() => void child.kill('SIGKILL'))
  await causeEvent(managementClient(`http://127.0.0.1:${port}`, credentials))
  await soon(() => expect(receiver.got.length).toBeGreaterThan(before))
  await kill()
  await expectEverything()
  const [lost, again] = receiver.got.slice(before)
  expect([lost?.raw, lost?.headers['webhook-id']]).toEqual([again?.raw, again?.headers['webhook-id']])
  const { rows } = await withClient(database.url, (client) =>
    client.query('SELECT attempts FROM hook_deliveries WHERE id = $1', [lost?.body.id]),
  )
  expect(rows, 'the schedule of retries is for receivers that fail, not for nodes that do').toEqual([{ attempts: 1 }])
})

test('killed when the receiver has answered', { timeout: 300_000 }, async () => {
  const before = receiver.got.length
  receiver.answerWith((response) => void response.end(() => child.kill('SIGKILL')))
  await causeEvent(managementClient(`http://127.0.0.1:${port}`, credentials))
  await soon(() => expect(receiver.got.length).toBeGreaterThan(before))
  await kill()
  await expectEverything()
})

test(`killed ${ROUNDS} times at any moment while events are caused and sent`, { timeout: 300_000 }, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const api = managementClient(`http://127.0.0.1:${port}`, credentials)
    await causeEvent(api)
    const writers = Array.from({ length: 4 }, async () => {
      let isAlive = true
      while (isAlive) isAlive = await causeEvent(api)
    })
    await delay(30 + Math.random() * 400)
    await kill()
    await Promise.all(writers)
    if (round < ROUNDS - 1) await start()
  }
  await expectEverything()
  expect(answered.length).toBeGreaterThan(ROUNDS * 2)
})
