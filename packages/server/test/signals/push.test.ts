/** Events of Shared Signals that are pushed (RFC 8935): to whom, how, again and again, and by whoever is left after a kill -9. */
import type { ServerResponse } from 'node:http'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../events/receiver.ts'
import { startFleet } from '../webhooks/fleet.ts'
import { arrive, createReceiver, createStream, type TestReceiver, URIS, verifySet } from './arrange.ts'

const PUSH = 'urn:ietf:rfc:8935'
const HEADER = 'Bearer kNoWn-To-ThE-rEcEiVeR'

let server: TestServer
let receiver: TestReceiver
let streamId: string
let endpoint: Receiver
/** An answer with this status. */
const respond =
  (status: number, body = '', headers: Readonly<Record<string, string>> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(status, headers).end(body)
  }
const accept = respond(202)
const hangUp = (response: ServerResponse): void => {
  response.socket?.destroy()
}
let answer = accept
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  endpoint = await startReceiver((response) => answer(response))
  receiver = await createReceiver(server, { events: ['account-disabled', 'account-enabled'] })
  const delivery = { method: PUSH, endpoint_url: `${endpoint.url}/sets`, authorization_header: HEADER }
  streamId = (await createStream(receiver, { delivery })).stream_id
})
afterAll(async () => {
  await server.close()
  await endpoint.close()
})

const suspend = (path: string, isSuspended = true) => server.api('PATCH', `${path}/is-suspended`, { isSuspended })
const eventsIn = async (from: number, as: TestReceiver = receiver, at: Receiver = endpoint) => {
  const sets = await Promise.all(at.received.slice(from).map(({ body }) => verifySet(as, body)))
  return sets.map(({ jti, sub_id, events }) => ({ jti, sub: sub_id.sub, event: Object.keys(events)[0] }))
}
const streamRow = (id = streamId) =>
  server.store.database.kysely.selectFrom('signal_streams').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
/** How many events wait. */
const waiting = async (id = streamId): Promise<number> => {
  const rows = await server.store.database.kysely
    .selectFrom('signal_events')
    .select('jti')
    .where('stream_id', '=', id)
    .execute()
  return rows.length
}
const settled = (id = streamId) =>
  vi.waitFor(async () => expect(await waiting(id)).toBe(0), { timeout: 20_000, interval: 10 })
const failed = (times: number) =>
  vi.waitFor(async () => expect((await streamRow()).attempts).toBe(times), { timeout: 20_000, interval: 10 })
/** The clock of a test moves without telling anyone. */
const wake = () => server.store.database.pool.query(`SELECT pg_notify('countersign_signal', '')`)
/** A user whom the receiver is told of, however often they are suspended. */
const known = async () => {
  const one = await arrive(receiver)
  await receiver.ask('POST', '/subjects/add', { stream_id: streamId, subject: { format: 'opaque', id: one.id } })
  return one
}

test('an event is sent at once, as a signed token, with the header that the receiver wants, and forgotten once it is accepted', async () => {
  const before = endpoint.received.length
  const one = await known()
  await suspend(one.path)
  await endpoint.got(before + 1)
  const { method, path, headers } = endpoint.received.at(-1) ?? {}
  expect([method, path, headers?.['content-type'], headers?.accept, headers?.authorization]).toEqual([
    ...['POST', '/sets', 'application/secevent+jwt', 'application/json', HEADER],
  ])
  expect(await eventsIn(before)).toEqual([{ jti: expect.any(String), sub: one.id, event: URIS['account-disabled'] }])
  await settled()
  expect(await receiver.ask('POST', `/poll/${streamId}`, {})).toMatchObject({ status: 404 })
  const { rows } = await server.store.database.pool.query('SELECT FROM signal_streams s WHERE s::text ~ $1', [HEADER])
  expect(rows).toEqual([])
})

describe('a receiver that does not take it', () => {
  test.each([
    ['answers 500', respond(500), 'answered 500'],
    ['answers 400 without an error', respond(400, '[1'), 'answered 400'],
    ['redirects', respond(307, '', { location: '/elsewhere' }), 'answered 307'],
    ['hangs up', hangUp, ''],
    ['answers with a megabyte', respond(503, 'x'.repeat(1_000_000)), 'answered 503'],
    ['does not know the transmitter', respond(400, '{"err":"authentication_failed"}'), 'authentication_failed'],
  ] as const)('%s: it gets the same again, before anything later', async (_what, refuse, error) => {
    const before = endpoint.received.length
    const one = await known()
    answer = refuse
    await suspend(one.path)
    await failed(1)
    await suspend(one.path, false)
    expect((await streamRow()).last_error).toContain(error)
    answer = accept
    const tries = endpoint.received.length
    server.clock.advance(7)
    await wake()
    await settled()
    const events = await eventsIn(tries)
    expect(events.map(({ event }) => event)).toEqual([URIS['account-disabled'], URIS['account-enabled']])
    expect(await eventsIn(before, receiver)).toContainEqual(events[0])
    expect(endpoint.received.map(({ path }) => path)).not.toContain('/elsewhere')
    expect(await streamRow()).toMatchObject({ attempts: 0, failing_since: null })
  })

  test('says that an event is not valid: it is not sent again, and the audit log has why', async () => {
    const one = await known()
    answer = respond(400, '{"err":"invalid_request","description":"what is this"}')
    const before = endpoint.received.length
    await suspend(one.path)
    await endpoint.got(before + 1)
    await settled()
    answer = accept
    const entries = await server.client.listLogs({ query: { logKey: 'System.pushSecurityEvent' } })
    expect(JSON.stringify(entries)).toContain('what is this')
  })

  test('for five days: the stream is paused, keeps what happens, and goes on when it is enabled', async () => {
    const one = await known()
    answer = respond(500)
    await suspend(one.path)
    await failed(1)
    server.clock.advance(6 * 86_400)
    await wake()
    await vi.waitFor(async () => expect((await streamRow()).status).toBe('paused'), { timeout: 20_000, interval: 10 })
    answer = accept
    await server.client.suspendUser({ params: { userId: one.id }, body: { isSuspended: false } })
    const before = endpoint.received.length
    const again = await receiver.tokenFor('ssf.manage')
    expect(await receiver.ask('POST', '/status', { stream_id: streamId, status: 'enabled' }, again)).toMatchObject({
      status: 200,
    })
    await settled()
    const [first] = await eventsIn(before)
    expect(first).toMatchObject({ sub: one.id, event: URIS['account-disabled'] })
  })
})

test('the address is https or the operator listed it, and another one does not get the header of before', async () => {
  const other = await createReceiver(server)
  for (const endpoint_url of [undefined, 'ftp://a.example', 'http://public.example/', 'https://u:p@a.example/', 'x'])
    expect(await other.ask('POST', '/streams', { delivery: { method: PUSH, endpoint_url } })).toMatchObject({
      status: 400,
    })
  const bad = { method: PUSH, endpoint_url: 'https://a.example/', authorization_header: 'a\r\nb' }
  expect(await other.ask('POST', '/streams', { delivery: bad })).toMatchObject({ status: 400 })
  const { stream_id } = await createStream(other, { delivery: { ...bad, authorization_header: HEADER } })
  const sealed = async () => (await streamRow(stream_id)).sealed_authorization
  const first = await sealed()
  expect(first).not.toBeNull()
  const change = (method: string, delivery?: object) => other.ask(method, '/streams', { stream_id, delivery })
  const { body } = await change('PATCH', { method: PUSH, endpoint_url: 'https://a.example/' })
  expect(JSON.stringify(body)).not.toContain('kNoWn')
  expect(await sealed()).toEqual(first)
  await change('PATCH', { method: PUSH, endpoint_url: 'https://b.example/' })
  expect(await sealed()).toBeNull()
  expect((await change('PUT')).body.delivery.method).toBe('urn:ietf:rfc:8936')
})

test('kill -9 between the commit and the delivery: another worker sends all of it, in order', async () => {
  const apart = await startTestServer(inject('cluster'), { WORKERS: 'off' })
  const stuck = await startReceiver(() => undefined)
  const fleet = startFleet(apart, apart.environment.SECRET_KEY, 1)
  try {
    const own = await createReceiver(apart, { events: ['account-disabled', 'account-enabled'] })
    const one = await arrive(own)
    const { stream_id } = await createStream(own, { delivery: { method: PUSH, endpoint_url: stuck.url } })
    await own.ask('POST', '/subjects/add', { stream_id, subject: { format: 'opaque', id: one.id } })
    await fleet.ready(0)
    await apart.api('PATCH', `${one.path}/is-suspended`, { isSuspended: true })
    // the worker has taken it and waits for an answer
    await stuck.got(1)
    await fleet.kill(0)
    for (const isSuspended of [false, true]) await apart.api('PATCH', `${one.path}/is-suspended`, { isSuspended })
    const healthy = await startReceiver(accept)
    await own.ask('PATCH', '/streams', { stream_id, delivery: { method: PUSH, endpoint_url: healthy.url } })
    fleet.start(0, 120)
    await healthy.got(3)
    const names = (await eventsIn(0, own, healthy)).map(({ event }) => event)
    expect(names).toEqual([URIS['account-disabled'], URIS['account-enabled'], URIS['account-disabled']])
    await healthy.close()
  } finally {
    await fleet.close()
    await stuck.close()
    await apart.close()
  }
})
