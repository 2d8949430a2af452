/**
 * J2: slow scripts of one tenant affect only that tenant; the others get their turn, and the server keeps its
 * connections.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { createFairQueue, QueueFull } from '../../src/tokens/claims/fair-queue.ts'
import { scriptPool } from '../../src/tokens/claims/pool.ts'
import { type OnHost, withSecondTenant } from '../tenants/second-tenant.ts'
import { ACCESS_TOKEN, BILLING, createExchanger, exchange, GRANT } from '../token-exchange/arrange.ts'
import { type ClaimsWorld, createClaimsWorld, functionOf, setScript } from './arrange.ts'

// on a busy machine scripts take seconds of wall time
vi.setConfig({ testTimeout: 300_000 })

let server: TestServer
let world: ClaimsWorld
let other: OnHost
let token: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createClaimsWorld(server)
  ;({ b: other } = await withSecondTenant(server, 'second', 'http://second.example:8080'))
  token = (await other.token()).body.access_token
})
afterAll(() => server.close())

const SLOW = 'for (;;);'
/** Milliseconds of CPU that a slow script gets, so that none finishes earlier. */
const SLOW_MS = 20
/** How many of a tenant run at once at most, and how many wait. */
const [EACH, IN_LINE] = [2, 64]

/** The other tenant runs a script, and gets a token. */
const askOther = async () => {
  const body = { tokenType: 'access-token', script: functionOf('return { fine: 1 }'), token: {}, context: {} }
  const ran = await other.request('POST', '/api/configs/jwt-customizer/test', { token, body })
  const issued = await other.token()
  return { ran: ran.body, status: issued.status }
}

test('R-32 of a thousand concurrent slow scripts those beyond the share are refused, while another tenant is served', async () => {
  await setScript(server, 'client-credentials', SLOW, { cpuLimit: SLOW_MS })
  let answered = 0
  let lastRefusalAt = 0
  const begunAt = performance.now()
  const slow = Promise.all(
    Array.from({ length: 1000 }, async () => {
      const { status, body } = await world.machine.ask()
      if (status === 400) answered += 1
      else lastRefusalAt = performance.now()
      return `${status} ${body.error}`
    }),
  )
  // a failure is handled when it is awaited
  slow.catch(() => undefined)
  let meanwhile = 0
  try {
    for (let count = 0; count < 10; count += 1) expect(await askOther()).toEqual({ ran: { fine: 1 }, status: 200 })
    meanwhile = answered
    // a thousand use no more threads and no more memory than a few
    expect(scriptPool.size).toBeLessThanOrEqual(4)
  } finally {
    await slow
  }
  const outcomes = await slow
  const ran = outcomes.filter((outcome) => outcome === '400 invalid_request').length
  expect(outcomes.filter((outcome) => outcome === '503 temporarily_unavailable').length).toBe(1000 - ran)
  // those that ran, those that waited, and those that took a place freed while the thousand arrived
  expect(ran).toBeGreaterThanOrEqual(IN_LINE)
  expect(ran).toBeLessThanOrEqual(IN_LINE + EACH * (1 + (lastRefusalAt - begunAt) / SLOW_MS))
  expect(meanwhile).toBeLessThan(ran)
})

test('transactions that wait for slow scripts leave connections for other requests', async () => {
  await setScript(server, 'access-token', SLOW, { cpuLimit: SLOW_MS })
  const subjects = await Promise.all(Array.from({ length: 30 }, () => world.subjectToken(world.user.id)))
  let answered = 0
  const slow = Promise.all(
    subjects.map(async (subject) => {
      const { body } = await exchange(server.baseUrl, world.exchanger, {
        subject_token: subject,
        subject_token_type: ACCESS_TOKEN,
        resource: BILLING,
        scope: 'read:bills',
      })
      answered += 1
      return body.error
    }),
  )
  // a failure is handled when it is awaited
  slow.catch(() => undefined)
  let meanwhile = 0
  try {
    for (let count = 0; count < 5; count += 1) {
      const created = await other.request('POST', '/api/roles', {
        token,
        body: { name: `Role ${count}`, description: 'x' },
      })
      expect(created.status).toBe(200)
    }
    meanwhile = answered
  } finally {
    await slow
  }
  expect(await slow).toEqual(subjects.map(() => 'invalid_request'))
  expect(meanwhile).toBeLessThan(subjects.length)
})

test('R-32 redemptions that wait for their turn with a script are refused immediately beyond their number', async () => {
  await setScript(server, 'access-token', 'return { ran: true }')
  const redeem = async (subject_token: string) => {
    const subject = { subject_token, subject_token_type: ACCESS_TOKEN, resource: BILLING, scope: 'read:bills' }
    const body = new URLSearchParams({ grant_type: GRANT, client_id: exchanger.id, ...subject })
    const response = await fetch(`${server.baseUrl}/oidc/token`, { method: 'POST', body })
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...(await response.json()) }
  }
  const exchanger = await createExchanger(server, 'SPA')
  const inTurn = Math.floor((server.store.database.pool.options.max ?? 0) / 4)
  const subjects = await Promise.all(Array.from({ length: inTurn }, () => world.subjectToken(world.user.id)))
  const blocker = await connectClient(server.databaseUrl)
  try {
    await blocker.query('BEGIN; LOCK TABLE subject_tokens')
    const first = Promise.all(subjects.map(redeem))
    const blocked = `SELECT count(*)::int FROM pg_locks WHERE NOT granted AND relation = 'subject_tokens'::regclass`
    const waiting = async () => (await blocker.query<{ count: number }>(blocked)).rows[0]?.count
    await expect.poll(waiting, { timeout: 60_000 }).toBe(inTurn)
    const refused: unknown[] = []
    const others = Promise.all(
      Array.from({ length: 128 + 3 }, async (_, at) => {
        const answer = await redeem(`sub_${at}`)
        if (answer.status === 503) refused.push([answer.error, answer.retryAfter])
        return answer.error
      }),
    )
    await expect.poll(() => refused, { timeout: 60_000 }).toEqual(Array(3).fill(['temporarily_unavailable', '1']))
    expect(await waiting()).toBe(inTurn)
    await blocker.query('ROLLBACK')
    expect((await first).map(({ status }) => status)).toEqual(subjects.map(() => 200))
    expect((await others).filter((error) => error === 'invalid_grant')).toHaveLength(128)
  } finally {
    await blocker.end()
  }
})

test('tenants take turns', async () => {
  const line = createFairQueue({ places: 2, placesPerTenant: 1, waitingPerTenant: 3 })
  const served: string[] = []
  const first = await line.enter('a')
  const waiting = ['a', 'a', 'b', 'b', 'c'].map(async (tenant, index) => {
    const leave = await line.enter(tenant, index === 1)
    served.push(`${tenant}${index}`)
    leave()
  })
  await Promise.all(waiting.slice(2))
  // no tenant waits for one that has used its share
  expect(served).toEqual(['b2', 'b3', 'c4'])
  first()
  await Promise.all(waiting)
  expect(served.slice(3)).toEqual(['a1', 'a0'])
})

test('a full queue refuses immediately, except requests that hold a transaction', async () => {
  const line = createFairQueue({ places: 1, placesPerTenant: 1, waitingPerTenant: 2 })
  const leave = await line.enter('a')
  const waiting = [line.enter('a'), line.enter('a')]
  await expect(line.enter('a')).rejects.toThrow(QueueFull)
  const urgent = line.enter('a', true)
  leave()
  ;(await urgent)()
  for (const each of waiting) (await each)()
  ;(await line.enter('a'))()
})
