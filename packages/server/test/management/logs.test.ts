/** Reading the audit log: filters, the window, one entry. */
import { requestToken } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from './arrange.ts'

let server: TestServer
/** The moments of the three changes that this file looks at. */
const times: number[] = []
let other: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  for (let i = 0; i < 3; i += 1) {
    server.clock.advance(60)
    times.push(server.clock.now().getTime())
    await server.api('POST', '/roles', { name: fresh('role') })
  }
  server.clock.advance(60)
  const { body } = await server.api('POST', '/applications', { name: 'Other', type: 'MachineToMachine' })
  other = body.id
  const { body: secrets } = await server.api('GET', `/applications/${other}/secrets`)
  await requestToken(
    server.baseUrl,
    { clientId: other, clientSecret: secrets[0].value },
    { resource: 'https://no.example' },
  )
})
afterAll(() => server.close())

interface Entry {
  readonly id: string
  readonly key: string
  readonly createdAt: number
  readonly payload: Record<string, unknown>
}
const list = async (query: string): Promise<Entry[]> => (await server.api('GET', `/logs?page_size=100&${query}`)).body

test('entries are newest first, and the same when read by id', async () => {
  const entries = await list('')
  const created = entries.map(({ createdAt }) => createdAt)
  expect(created).toEqual([...created].sort((a, b) => b - a))
  const { status, body } = await server.api('GET', `/logs/${entries[0]?.id}`)
  expect([status, body]).toEqual([200, entries[0]])
})

test('an unknown id is 404', async () => {
  const { status, body } = await server.api('GET', '/logs/000000000000000000000')
  expect([status, body.code]).toEqual([404, 'entity.not_exists_with_id'])
})

test('logKey finds exactly the entries of that key', async () => {
  const entries = await list('logKey=ManagementApi.createRole')
  expect(entries.map(({ createdAt }) => createdAt)).toEqual([...times].reverse())
  expect(await list('logKey=ManagementApi.createRol')).toEqual([])
})

test('requestId finds the entry of an answer, result those that failed, both within a day', async () => {
  const { headers } = await server.api('POST', '/organizations', { name: fresh('organization') })
  const requestId = headers.get('x-request-id') ?? ''
  expect(await list(`requestId=${requestId}`)).toMatchObject([
    { key: 'ManagementApi.createOrganization', payload: { requestId } },
  ])
  expect(await list('requestId=unknown')).toEqual([])
  const failed = await list('result=Error')
  expect(failed).toMatchObject([{ payload: { result: 'Error', applicationId: other } }])
  const at = failed[0]?.createdAt ?? 0
  const day = 86_400_000
  expect(await list(`result=Error&start_time=${at - day + 1}`)).toHaveLength(1)
  expect(await list(`result=Error&start_time=${at - day}`)).toEqual([])
  expect(await list(`result=Error&end_time=${at + 1}`)).toHaveLength(1)
  expect(await list(`result=Error&end_time=${at}`)).toEqual([])
})

test('applicationId finds exactly the entries of that application', async () => {
  const entries = await list(`applicationId=${other}`)
  expect(entries).toMatchObject([
    { key: 'ExchangeTokenBy.ClientCredentials', payload: { result: 'Error', applicationId: other } },
  ])
  expect(await list('userId=abcdefghijkl')).toEqual([])
})

test('the window includes start_time and excludes end_time', async () => {
  const within = async (start: number | undefined, end: number | undefined) => {
    const window = [start === undefined ? '' : `&start_time=${start}`, end === undefined ? '' : `&end_time=${end}`]
    const entries = await list(`logKey=ManagementApi.createRole${window.join('')}`)
    return entries.map(({ createdAt }) => times.indexOf(createdAt)).sort()
  }
  const [first = 0, second = 0, third = 0] = times
  expect(await within(second, undefined)).toEqual([1, 2])
  expect(await within(undefined, second)).toEqual([0])
  expect(await within(first, third)).toEqual([0, 1])
  expect(await within(second, second + 1)).toEqual([1])
  expect(await within(second + 1, third)).toEqual([])
  expect(await within(0, 8_640_000_000_000_000)).toEqual([0, 1, 2])
})

test.each([['start_time=2&end_time=1'], ['start_time=1&end_time=1']])(
  'an empty window is refused with 400: %s',
  async (query) => {
    const { status, body } = await server.api('GET', `/logs?${query}`)
    expect([status, body.code]).toEqual([400, 'log.invalid_time_window'])
  },
)

test.each([
  'start_time=x',
  'start_time=-1',
  'start_time=1.5',
  'start_time=',
  'end_time=8640000000000001',
  'end_time=1&end_time=2',
])('%s is refused with 400', async (query) => {
  const { status, body } = await server.api('GET', `/logs?${query}`)
  expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
})

test('live: entries come once each, in the order in which they become visible', async () => {
  const follow = async (query: string) => (await server.api('GET', `/logs/live?${query}`)).body
  const begun = await follow('')
  expect(begun).toMatchObject({ entries: [], isCut: false })
  // waits, through what is not asked for, until the entry that is
  const waiting = follow(`since=${begun.cursor}&wait=25&logKey=ManagementApi.createOrganization`)
  await server.api('POST', '/roles', { name: fresh('role') })
  server.clock.advance(1)
  const { headers } = await server.api('POST', '/organizations', { name: fresh('organization') })
  const requestId = headers.get('x-request-id')
  expect(await waiting).toMatchObject({ entries: [{ payload: { requestId } }] })
  // an entry of a transaction that ends after a cursor was made is behind it, whatever its time
  const client = await server.store.database.pool.connect()
  try {
    await client.query('BEGIN')
    await client.query(
      `INSERT INTO audit_log (tenant_id, id, key, payload, created_at) VALUES ('default', 'late', 'Late', '{"result":"Success"}', $1)`,
      [new Date(server.clock.now().getTime() - 10_000)],
    )
    const before = await follow(`since=${begun.cursor}`)
    expect(before.entries.map(({ key }: Entry) => key)).toEqual([
      'ManagementApi.createRole',
      'ManagementApi.createOrganization',
    ])
    await client.query('COMMIT')
    const after = await follow(`since=${before.cursor}&result=Success`)
    expect(after.entries).toMatchObject([{ id: 'late' }])
    expect((await follow(`since=${after.cursor}`)).entries).toEqual([])
  } finally {
    client.release(true)
  }
})

test('live: what is no cursor is refused', async () => {
  const cursors = ['x', '5:4:', '1:9:3,2', '1:9:9', '1:9'].map((each) => Buffer.from(`1 ${each}`).toString('base64url'))
  for (const since of ['x', ...cursors]) {
    const { status, body } = await server.api('GET', `/logs/live?since=${since}`)
    expect([status, body.code]).toEqual([400, 'guard.invalid_pagination'])
  }
})

test('live: few wait at a time, those who leave make room, and all are answered when the server stops', async () => {
  const { cursor } = (await server.api('GET', '/logs/live')).body
  const leaving = new AbortController()
  const follow = (wait: number, signal?: AbortSignal) =>
    server.client
      .followLogs({ query: { since: cursor, wait, logKey: 'None' } }, signal ? { signal } : {})
      .then(() => 200)
      .catch(({ status = 0 }: { status?: number }) => status)
  const left = Array.from({ length: 21 }, () => follow(25, leaving.signal))
  expect(await Promise.race(left)).toBe(503)
  leaving.abort()
  await Promise.all(left)
  await expect.poll(() => follow(1), { timeout: 15_000 }).toBe(200)
  const since = (await server.api('GET', '/logs/live')).body.cursor
  const waiting = Array.from({ length: 21 }, () => server.api('GET', `/logs/live?since=${since}&wait=25`))
  expect((await Promise.race(waiting)).status).toBe(503)
  await server.close()
  const answers = await Promise.all(waiting)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(200), 503])
})
