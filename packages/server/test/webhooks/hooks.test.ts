/** `/hooks`: what may be registered, what is shown, trying a hook out, its log, and what is forgotten (DECISIONS K3, K6 to K8). */
import { EVENT_TYPES } from '@countersign/contract/events.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { holdFinePermissions, managementToken } from '../management/arrange.ts'
import {
  answering,
  causeEvent,
  createHook,
  deliveriesOf,
  type HookReceiver,
  hookOf,
  later,
  receiveHooks,
  startHookServer,
  states,
} from './arrange.ts'

const NO_ATTEMPTS = { successCount: 0, requestCount: 0 }
const NOTHING_WAITS = { waitingCount: 0, oldestWaitingAt: null }

let server: TestServer
let receiver: HookReceiver
const post = (body: unknown) => server.api('POST', '/hooks', body)
beforeAll(async () => {
  server = await startHookServer(inject('cluster'))
  receiver = await receiveHooks()
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const URL_OF_MINE = 'https://receiver.example/hooks'

test('a hook is shown as the reference has it; it can be changed and deleted', async () => {
  const { status, body: hook } = await post({
    name: 'Mine',
    events: ['User.Created'],
    config: { url: URL_OF_MINE, headers: { authorization: 'Bearer x' }, retries: 3 },
  })
  expect([status, hook]).toEqual([
    201,
    {
      tenantId: 'default',
      id: expect.stringMatching(/^[0-9a-z]{21}$/),
      name: 'Mine',
      event: null,
      events: ['User.Created'],
      config: { url: URL_OF_MINE, headers: { authorization: 'Bearer x' }, retries: 3 },
      signingKey: expect.stringMatching(/^whsec_/),
      previousSigningKeyExpiresAt: null,
      enabled: true,
      ordered: false,
      createdAt: server.clock.now().getTime(),
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
      pausedUntil: null,
    },
  ])
  const { body: rows } = await server.api('GET', '/hooks?includeExecutionStats=true')
  expect(rows).toContainEqual({ ...hook, executionStats: { ...NO_ATTEMPTS, ...NOTHING_WAITS } })
  const change = {
    name: 'Ours',
    events: ['User.Deleted', 'PostSignIn'],
    enabled: false,
    ordered: true,
    config: { url: 'https://other.example' },
  }
  const { body: changed } = await server.api('PATCH', `/hooks/${hook.id}`, change)
  expect(changed).toMatchObject({
    ...change,
    disabledReason: 'Requested',
    signingKey: hook.signingKey,
    config: { url: 'https://other.example', headers: {} },
  })
  expect(await hookOf(server, hook.id)).toEqual(changed)
  expect((await server.api('DELETE', `/hooks/${hook.id}`)).status).toBe(204)
  expect((await server.api('GET', `/hooks/${hook.id}`)).status).toBe(404)
})

test('the single event of older clients counts when there are no events', async () => {
  const { body } = await post({ event: 'Role.Deleted', config: { url: URL_OF_MINE } })
  expect(body).toMatchObject({ event: 'Role.Deleted', events: ['Role.Deleted'] })
  const { body: changed } = await server.api('PATCH', `/hooks/${body.id}`, { event: 'Role.Created' })
  expect(changed).toMatchObject({ event: 'Role.Created', events: ['Role.Created'] })
})

const REFUSED: readonly (readonly [string, object, string])[] = [
  ['no event', { config: { url: URL_OF_MINE } }, 'hook.missing_events'],
  ['an empty list of events', { events: [], config: { url: URL_OF_MINE } }, 'hook.missing_events'],
  ['an unknown event', { events: ['User.Renamed'], config: { url: URL_OF_MINE } }, 'guard.invalid_input'],
  [
    'a duplicate event',
    { events: ['User.Created', 'User.Created'], config: { url: URL_OF_MINE } },
    'guard.invalid_input',
  ],
  ['no URL', { events: ['User.Created'], config: {} }, 'guard.invalid_input'],
  ...[
    'receiver.example',
    'ftp://receiver.example',
    'https://a:b@receiver.example',
    'javascript:alert(1)',
    'https://receiver.example/#part',
  ].map((url) => [`the URL ${url}`, { events: ['User.Created'], config: { url } }, 'hook.invalid_url'] as const),
  ...['http://receiver.example/hooks', 'http://192.168.0.7/hooks', 'HTTP://8.8.8.8'].map(
    (url) => [`the URL ${url}`, { events: ['User.Created'], config: { url } }, 'hook.insecure_url'] as const,
  ),
  ...['webhook-id', 'Webhook-Signature', 'LOGTO-SIGNATURE-SHA-256', 'Content-Length', 'host', 'Content-Type'].map(
    (name) =>
      [
        `the header ${name}`,
        { events: ['User.Created'], config: { url: URL_OF_MINE, headers: { [name]: 'x' } } },
        'hook.reserved_header',
      ] as const,
  ),
  ...[{ 'a b': 'x' }, { '': 'x' }, { a: 'x\r\nb: y' }, { a: 'é' }].map(
    (headers) =>
      [
        `the headers ${JSON.stringify(headers)}`,
        { events: ['User.Created'], config: { url: URL_OF_MINE, headers } },
        'guard.invalid_input',
      ] as const,
  ),
]

test.each(REFUSED)('%s is refused', async (_what, body, code) => {
  const { status, body: refusal } = await post(body)
  expect([status, refusal.code]).toEqual([400, code])
})

test('a hook is not moved to where nothing would be sent, and stays as it was', async () => {
  const { id } = await createHook(server, URL_OF_MINE)
  const { config } = await hookOf(server, id)
  const { status, body } = await server.api('PATCH', `/hooks/${id}`, { config: { url: 'http://receiver.example' } })
  expect([status, body.code]).toEqual([400, 'hook.insecure_url'])
  expect(body.message).toContain('OUTBOUND_ALLOW')
  expect((await hookOf(server, id)).config).toEqual(config)
})

test('sealed values are not in the database in plain text', async () => {
  const { body } = await post({
    events: ['User.Created'],
    config: { url: URL_OF_MINE, headers: { authorization: 'Bearer hidden-word' } },
  })
  const { rows } = await server.store.database.pool.query(
    'SELECT to_jsonb(h)::text AS text FROM hooks h WHERE id = $1',
    [body.id],
  )
  const stored = Buffer.from(rows[0].text)
  for (const secret of [body.signingKey, 'hidden-word']) {
    expect(stored.includes(secret)).toBe(false)
    expect(stored.includes(Buffer.from(secret).toString('hex'))).toBe(false)
  }
})

test('a caller who may only read hooks sees deliveries but no signing key', async () => {
  const { id } = await createHook(server, URL_OF_MINE)
  await holdFinePermissions(server)
  const token = await managementToken(server, 'read:hooks')
  expect((await server.api('GET', `/hooks/${id}`, undefined, { token })).status).toBe(403)
  expect((await server.api('GET', `/hooks/${id}/deliveries`, undefined, { token })).status).toBe(200)
})

test('a test sends a sample of each event, which the published schemas accept, signed with the stored key', async () => {
  const { body: schemas } = await server.api('GET', '/.well-known/webhook-events.json')
  expect(Object.keys(schemas.$defs)).toEqual(EVENT_TYPES)
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema(schemas, 'webhooks')
  const { id, signingKey } = await createHook(server, URL_OF_MINE)
  const before = receiver.got.length
  const tried = await server.api('POST', `/hooks/${id}/test`, { events: EVENT_TYPES, config: { url: receiver.url } })
  expect(tried.status).toBe(204)
  const got = receiver.got.slice(before)
  expect(got.map(({ body }) => body.event).toSorted()).toEqual(EVENT_TYPES.toSorted())
  for (const { body, raw, headers } of got) {
    expect(ajv.validate(`webhooks#/$defs/${body.event}`, body), `${body.event}: ${ajv.errorsText()}`).toBe(true)
    expect(body.hookId).toBe(id)
    expect(new Webhook(signingKey).verify(raw, headers as Record<string, string>)).toEqual(body)
  }
  // a schema that accepted everything would prove nothing
  expect(ajv.validate('webhooks#/$defs/Role.Created', { ...got[0]?.body, event: 'Role.Created', data: {} })).toBe(false)
})

test("a test reports the receiver's response, or that there was none", async () => {
  const refusing = await receiveHooks((response) => void response.writeHead(418).end('no coffee'))
  const { id } = await createHook(server, URL_OF_MINE)
  const tryAt = (url: string) => server.api('POST', `/hooks/${id}/test`, { events: ['User.Created'], config: { url } })
  const answered = await tryAt(refusing.url)
  await refusing.close()
  expect([answered.status, answered.body.code, answered.body.data]).toEqual([
    422,
    'hook.endpoint_responded_with_error',
    { responseStatus: 418, responseBody: 'no coffee' },
  ])
  const moved = await receiveHooks(answering(308, { location: URL_OF_MINE }))
  const redirected = await tryAt(moved.url)
  await moved.close()
  expect([redirected.status, redirected.body.code, redirected.body.data.responseStatus]).toEqual([
    422,
    'hook.endpoint_responded_with_error',
    308,
  ])
  const silent = await tryAt(`http://127.0.0.1:${await freePort()}/hooks`)
  expect([silent.status, silent.body.code]).toEqual([422, 'hook.send_test_payload_failed'])
  expect(silent.body.message).toContain('ECONNREFUSED')
  const inside = await tryAt('http://169.254.169.254/latest/meta-data')
  expect([inside.body.code, inside.body.data]).toEqual([
    'hook.send_test_payload_failed',
    { reason: 'the host is at an address that is not public' },
  ])
})

test('recent-logs has every attempt with request and response; the figures of a day follow', async () => {
  const failing = await receiveHooks((response) => void response.writeHead(500).end('broken'))
  const hook = await createHook(server, failing.url)
  const name = await causeEvent(server)
  await states(server, hook.id, ['Waiting'])
  const stats = async () =>
    (await server.api('GET', `/hooks/${hook.id}?includeExecutionStats=true`)).body.executionStats
  const [{ createdAt }] = await deliveriesOf(server, hook.id)
  expect(await stats()).toMatchObject({ waitingCount: 1, oldestWaitingAt: createdAt })
  const within = async (query: string) => (await server.api('GET', `/hooks/${hook.id}/deliveries?${query}`)).body
  expect(await within(`start_time=${createdAt}&end_time=${createdAt + 1}&state=Waiting`)).toHaveLength(1)
  expect(await within(`start_time=${createdAt + 1}`)).toEqual([])
  expect(await within(`end_time=${createdAt}`)).toEqual([])
  expect(await within('start_time=2&end_time=1')).toMatchObject({ code: 'log.invalid_time_window' })
  failing.answerWith((response) => void response.writeHead(200).end('{"taken":[1]}'))
  await later(server, 6)
  await states(server, hook.id, ['Delivered'])
  const [delivery] = await deliveriesOf(server, hook.id)
  const logs = async (query = '') => (await server.api('GET', `/hooks/${hook.id}/recent-logs${query}`)).body
  const [second, first, ...more] = await logs()
  expect(more).toEqual([])
  expect(first).toMatchObject({
    key: 'TriggerHook.Role.Created',
    payload: {
      key: 'TriggerHook.Role.Created',
      result: 'Error',
      hookId: hook.id,
      deliveryId: delivery.id,
      attempt: 1,
      hookRequest: { body: { event: 'Role.Created', data: { name }, hookId: hook.id } },
      response: { statusCode: 500, body: 'broken' },
      error: 'the receiver answered 500',
    },
  })
  expect(first.payload.hookRequest.body).toEqual(failing.got[0]?.body)
  // JSON is parsed, as Logto does it
  const response = { statusCode: 200, body: { taken: [1] } }
  expect(second.payload).toMatchObject({ result: 'Success', attempt: 2, response })
  expect(await logs('?logKey=TriggerHook.Role.Created')).toHaveLength(2)
  expect(await logs('?logKey=TriggerHook.Role.Deleted')).toEqual([])
  expect(await stats()).toEqual({ successCount: 1, requestCount: 2, ...NOTHING_WAITS })
  const { body, status } = await server.api('GET', `/hooks/${hook.id}/recent-logs?start_time=2&end_time=1`)
  expect([status, body.code]).toEqual([400, 'log.invalid_time_window'])
  server.clock.advance(86_401)
  expect([await stats(), await logs()]).toEqual([{ ...NO_ATTEMPTS, ...NOTHING_WAITS }, []])
  expect(await logs('?start_time=0')).toHaveLength(2)
  await failing.close()
})

test('deliveries and their attempts are forgotten after 30 days, as events are', async () => {
  const hook = await createHook(server, receiver.url)
  await causeEvent(server)
  await states(server, hook.id, ['Delivered'])
  server.clock.advance(30 * 86_400 - 10)
  await forgetExpired(server.store)
  expect(await deliveriesOf(server, hook.id)).toHaveLength(1)
  server.clock.advance(20)
  await forgetExpired(server.store)
  expect(await deliveriesOf(server, hook.id)).toEqual([])
  expect((await server.api('GET', `/hooks/${hook.id}/recent-logs?start_time=0`)).body).toEqual([])
})

test('the metrics say how long the oldest event waits, and count attempts', async () => {
  const { registry } = server.store.metrics
  const metric = async (name: string, labels = '') => {
    const line = (await registry.metrics()).split('\n').find((one) => one.startsWith(`${name}${labels} `))
    return Number(line?.split(' ').at(-1) ?? 0)
  }
  const { body: hooks } = await server.api('GET', '/hooks?page_size=100')
  for (const { id } of hooks) await server.api('DELETE', `/hooks/${id}`)
  const failed = await metric('countersign_webhook_attempts_total', '{result="postponed"}')
  const failing = await receiveHooks(answering(500))
  const hook = await createHook(server, failing.url)
  await causeEvent(server)
  await states(server, hook.id, ['Waiting'])
  // a delivery waits before its first attempt too: it is the count that says that it was tried
  await expect.poll(() => metric('countersign_webhook_attempts_total', '{result="postponed"}')).toBe(failed + 1)
  server.clock.advance(3)
  expect(await metric('countersign_webhook_oldest_pending_seconds')).toBe(3)
  await server.api('DELETE', `/hooks/${hook.id}`)
  expect(await metric('countersign_webhook_oldest_pending_seconds')).toBe(0)
  await failing.close()
})
