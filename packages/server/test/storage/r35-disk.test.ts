/** SECURITY R-35: unauthenticated callers cannot fill the disk: what they leave is small, limited and deleted. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import { createSlidingLimit } from '@countersign/server/kernel/sliding-limit.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { basic, FORM, form, post, type Reply, send } from '../protocol/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, signIn } from '../sign-in/arrange.ts'
import { ask, createDevice, enter } from '../sign-in/device.ts'

type App = Awaited<ReturnType<typeof createApp>>
interface World {
  readonly server: TestServer
  readonly app: App
  readonly device: App
}

const arrange = async (env: NodeJS.ProcessEnv): Promise<World> => {
  const server = await startTestServer(inject('cluster'), env)
  return { server, app: await createApp(server, 'SPA'), device: await createDevice(server) }
}

/** The rows of a table, and the mean of their bytes without indexes. */
const sizeOf = async ({ server: { store } }: World, table: string): Promise<{ rows: number; bytes: number }> => {
  await store.audit.flush()
  const { rows } = await store.database.pool.query(
    `SELECT count(*)::integer AS rows, coalesce(avg(pg_column_size(t.*)), 0)::integer AS bytes FROM ${table} t`,
  )
  return rows[0]
}

/** How many rows each table has. */
const rowsOfAll = async ({ server: { store } }: World): Promise<Record<string, number>> => {
  await store.audit.flush()
  const { pool } = store.database
  const { rows: tables } = await pool.query(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)
  const counted = tables.map(async ({ name }) => {
    const { rows } = await pool.query(`SELECT count(*)::integer AS count FROM ${name}`)
    return [name, rows[0].count] as const
  })
  return Object.fromEntries(await Promise.all(counted))
}

const parametersOf = async ({ app }: World, more: Record<string, string> = {}) => {
  const { url } = await begin(app.configuration, more)
  return Object.fromEntries(url.searchParams)
}
const authorize = async (world: World, headers: Record<string, string> = {}): Promise<Reply> =>
  send(`${world.server.issuer}/auth?${form(await parametersOf(world))}`, { method: 'GET', headers })
const push = async (world: World, headers: Record<string, string> = {}): Promise<Reply> =>
  post(world.server, '/request', await parametersOf(world), headers)
const askDevice = ({ server, device }: World, headers: Record<string, string> = {}, scope = 'openid'): Promise<Reply> =>
  post(server, '/device/auth', { client_id: device.id, scope }, headers)
const refresh = ({ server, app }: World, headers: Record<string, string> = {}): Promise<Reply> =>
  post(server, '/token', { grant_type: 'refresh_token', client_id: app.id, refresh_token: 'none' }, headers)
const unknownClient = ({ server }: World, headers: Record<string, string> = {}): Promise<Reply> =>
  post(server, '/token', { grant_type: 'client_credentials', client_id: 'unknown', client_secret: 'x' }, headers)

const refused = ({ server }: World, headers: Record<string, string> = {}): Promise<Reply> => {
  const query = form({ client_id: 'unknown', redirect_uri: `https://app.example/${'x'.repeat(4000)}`, state: 'x' })
  return send(`${server.issuer}/auth?${query}`, { method: 'GET', headers })
}

const times = async (count: number, one: () => Promise<Reply>): Promise<number[]> => {
  const statuses: number[] = []
  for (let done = 0; done < count; done += 1) statuses.push((await one()).status)
  return statuses
}
const from = (address: string) => ({ 'x-forwarded-for': address })

describe('R-35 one address', () => {
  let world: World
  beforeAll(async () => {
    world = await arrange({
      ADDRESS_INTERACTIONS: '3',
      ADDRESS_PUSHED_REQUESTS: '3',
      ADDRESS_DEVICE_CODES: '3',
      ADDRESS_AUDIT_ENTRIES: '4',
      TRUSTED_PROXIES: '127.0.0.1',
    })
  })
  afterAll(() => world.server.close())

  test('begins a limited number of sign-ins, and learns when it may begin another', async () => {
    const ip = from('192.0.2.1')
    expect(await times(4, () => authorize(world, ip))).toEqual([303, 303, 303, 429])
    const refused = await authorize(world, ip)
    expect(refused.text).toContain('Too many sign-ins were started from your network')
    expect(refused.headers['content-type']).toContain('text/html')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    expect((await authorize(world, from('192.0.2.2'))).status).toBe(303)
    world.server.clock.advance(661)
    expect((await authorize(world, ip)).status).toBe(303)
  })

  test('signs in any number of times: finished sign-ins do not count, nor do those on devices', async () => {
    const { server, app, device } = world
    const { username } = await createUser(server)
    for (let count = 0; count < 5; count += 1) {
      const back = await signIn(newBrowser(), await begin(app.configuration), username)
      expect(back.url.href).toContain(CALLBACK)
    }
    const browser = newBrowser()
    await signIn(browser, await begin(app.configuration), username)
    for (let count = 0; count < 5; count += 1) {
      const { body } = await ask(server, device.id)
      const page = await browser.submit(await enter(server, browser, body.user_code), { answer: 'allow' })
      expect(page.url.pathname).toBe('/device/done')
      server.clock.advance(200)
    }
  })

  test('begins no more sign-ins with the code of a device', async () => {
    const { server, device } = world
    const { body } = await ask(server, device.id)
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) statuses.push((await enter(server, newBrowser(), body.user_code)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    server.clock.advance(661)
  })

  test('an authorization without a page takes no started sign-in off the count', async () => {
    const { server, app } = world
    const { username } = await createUser(server)
    const browser = newBrowser()
    await signIn(browser, await begin(app.configuration), username)
    const start = async () => (await newBrowser().open((await begin(app.configuration)).url)).status
    expect([await start(), await start(), await start()]).toEqual([200, 200, 200])
    expect((await browser.open((await begin(app.configuration)).url)).url.href).toContain(CALLBACK)
    expect(await start()).toBe(429)
    server.clock.advance(661)
  })

  test.each([
    ['requests pushed', push, 201],
    ['requested device codes', askDevice, 200],
  ])('has so many %s without a secret', async (_what, one, status) => {
    const ip = from('192.0.2.3')
    expect(await times(4, () => one(world, ip))).toEqual([status, status, status, 429])
    const refused = await one(world, ip)
    expect(refused.body.error).toBe('temporarily_unavailable')
    expect(refused.body.error_description).toContain('too many attempts from this address')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    expect((await one(world, from('192.0.2.4'))).status).toBe(status)
  })

  test('has a limited number of stored forms that are too long for an address', async () => {
    const state = 'x'.repeat(5000)
    const body = form(await parametersOf(world, { state }))
    const headers = { 'content-type': FORM, ...from('192.0.2.5') }
    const statuses = await times(4, () => send(`${world.server.issuer}/auth`, { headers, body }))
    expect(statuses).toEqual([303, 303, 303, 429])
  })

  test('pushes any number of requests for an application with a secret', async () => {
    const { id } = await createApp(world.server)
    const { body: secrets } = await world.server.api('GET', `/applications/${id}/secrets`)
    const headers = { authorization: basic(id, secrets[0].value), ...from('192.0.2.6') }
    const one = async () => post(world.server, '/request', { ...(await parametersOf(world)), client_id: id }, headers)
    expect(await times(5, one)).toEqual([201, 201, 201, 201, 201])
  })

  test('leaves a limited number of audit entries of refusals and of what it has begun; all entries of authenticated callers are kept', async () => {
    const { server } = world
    const logged = async (ip: string) => {
      await server.store.audit.flush()
      const { rows } = await server.store.database.pool.query(`SELECT 1 FROM audit_log WHERE payload->>'ip' = $1`, [ip])
      return rows.length
    }
    for (const [one, ip] of [
      [refresh, '192.0.2.10'],
      [unknownClient, '192.0.2.11'],
      [authorize, '192.0.2.12'],
      [refused, '192.0.2.14'],
    ] as const) {
      for (let count = 0; count < 6; count += 1) {
        server.clock.advance(one === authorize ? 120 : 1)
        await one(world, from(ip))
      }
      expect([ip, await logged(ip)]).toEqual([ip, 4])
    }
    const { id } = await createApp(server)
    const { body: secrets } = await server.api('GET', `/applications/${id}/secrets`)
    const headers = { authorization: basic(id, secrets[0].value), ...from('192.0.2.13') }
    await times(6, () => post(server, '/token', { grant_type: 'refresh_token', refresh_token: 'none' }, headers))
    expect(await logged('192.0.2.13')).toBe(6)
  })
})

describe('R-35 what unauthenticated callers leave', () => {
  let world: World
  let atFirst: Record<string, number>
  beforeAll(async () => {
    world = await arrange({})
    // it notes when it was done last
    await forgetExpired(world.server.store)
    atFirst = await rowsOfAll(world)
  })
  afterAll(() => world.server.close())

  test('the rows are small, and one request leaves one of each kind', async () => {
    const { rows: before } = await sizeOf(world, 'audit_log')
    const kinds = [authorize, push, askDevice, refresh, unknownClient, refused]
    for (const kind of kinds) await times(20, () => kind(world))
    const tables = ['interactions', 'pushed_requests', 'device_codes', 'audit_log']
    const sizes = await Promise.all(tables.map((table) => sizeOf(world, table)))
    expect(sizes.map(({ rows }) => rows)).toEqual([20, 20, 20, before + 20 * kinds.length])
    // an authorization request leaves about 970 bytes with all indexes, and the name of its browser
    const most = [480, 600, 600, 360]
    for (const [index, { bytes }] of sizes.entries()) expect(bytes).toBeLessThan(most[index] ?? 0)
  })

  test('the indexes of the audit log are small, and serve every search', async () => {
    const { pool } = world.server.store.database
    const size = async () => (await pool.query(`SELECT pg_indexes_size('audit_log')::integer AS bytes`)).rows[0].bytes
    const ROWS = 20_000
    const before = await size()
    await pool.query(
      `INSERT INTO audit_log (tenant_id, id, key, user_id, application_id, payload, created_at)
       SELECT 'default', left(encode(sha256(n::text::bytea), 'hex'), 21), 'ExchangeTokenBy.RefreshToken', NULL,
         CASE WHEN n < 10 THEN 'zyxwvutsrqponmlkjihgf' ELSE 'abcdefghijklmnopqrstu' END, '{}', $1::timestamptz + n * interval '1 millisecond'
       FROM generate_series(1, ${ROWS}) n`,
      [world.server.clock.now()],
    )
    expect(((await size()) - before) / ROWS).toBeLessThan(400)
    await pool.query('ANALYZE audit_log')
    for (const [condition, index] of [
      ["application_id = 'zyxwvutsrqponmlkjihgf'", 'audit_log_of_application'],
      ["user_id = 'rare'", 'audit_log_of_user'],
      ["key = 'Rare'", 'audit_log_of_key'],
      ['true', 'audit_log_by_moment'],
    ]) {
      const { rows } = await pool.query(
        `EXPLAIN SELECT * FROM audit_log WHERE tenant_id = 'default' AND ${condition}
         ORDER BY created_at DESC, id DESC LIMIT 21`,
      )
      expect(rows.map((row) => row['QUERY PLAN']).join(' ')).toContain(index)
    }
    await pool.query("DELETE FROM audit_log WHERE payload = '{}'")
  })

  test('an audit entry is short, whatever the request contained', async () => {
    const { server } = world
    const names = Array.from({ length: 200 }, (_, index) => `${'n'.repeat(60)}${index}`)
    await askDevice(world, { 'user-agent': 'u'.repeat(8000) }, names.join(' '))
    await send(`${server.baseUrl}/api/experience/profile`, {
      headers: { 'content-type': 'application/json', 'user-agent': '\u00e9'.repeat(4000) },
      body: JSON.stringify({ type: 'username', value: 'x'.repeat(200) }),
    })
    await server.store.audit.flush()
    const { rows } = await server.store.database.pool.query(
      'SELECT key, length(payload::text) AS length FROM audit_log ORDER BY length DESC LIMIT 1',
    )
    expect(rows[0].length).toBeLessThan(2000)
  })

  test('everything is deleted after its lifetime, audit entries after 400 days', async () => {
    const { server } = world
    const tables = ['interactions', 'pushed_requests', 'device_codes']
    const rows = async () => Promise.all(tables.map(async (table) => (await sizeOf(world, table)).rows))
    expect(Math.min(...(await rows()))).toBeGreaterThan(0)
    // an unknown user, and one who does not sign in
    for (const identifier of ['nobody', 'nobody@example.com'])
      await signIn(newBrowser(), await begin(world.app.configuration), identifier)
    expect((await rowsOfAll(world)).identifier_failures).toBeGreaterThan(0)
    server.clock.advance(3601)
    await forgetExpired(server.store)
    expect(await rows()).toEqual([0, 0, 0])

    const { rows: before } = await sizeOf(world, 'audit_log')
    // more than one batch of a deletion
    await server.store.database.pool.query(
      `INSERT INTO audit_log SELECT 'default', 'old' || n, 'Old', null, null, '{}', $1 FROM generate_series(1, 2500) n`,
      [new Date(server.clock.now().getTime() - 400 * 86_400_000 - 1)],
    )
    expect(await forgetExpired(server.store)).toBe(2500)
    expect((await sizeOf(world, 'audit_log')).rows).toBe(before)
    server.clock.advance(401 * 86_400)
    await forgetExpired(server.store)
    expect(await rowsOfAll(world)).toEqual({ ...atFirst, audit_log: 0 })
  })

  test('with AUDIT_DAYS=0 audit entries stay', async () => {
    const forEver = await arrange({ AUDIT_DAYS: '0' })
    try {
      const { rows } = await sizeOf(forEver, 'audit_log')
      forEver.server.clock.advance(4000 * 86_400)
      await forgetExpired(forEver.server.store)
      expect((await sizeOf(forEver, 'audit_log')).rows).toBe(rows)
    } finally {
      await forEver.server.close()
    }
  })
})

test('the counter can undo its latest increment', () => {
  const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
  const limit = createSlidingLimit({ most: 2, windowSeconds: 100, capacity: 10 })
  limit.admit('a', at(0))
  limit.admit('a', at(50))
  limit.takeBackLatest('a', at(60))
  limit.admit('a', at(60))
  expect(limit.admit('a', at(89))).toEqual({ isAdmitted: false, retryAfter: 11 })
  for (let count = 0; count < 3; count += 1) limit.takeBackLatest('a', at(90))
  expect(limit.size).toBe(0)
})
