/** Delivering events to hooks: body and signatures, retries, disabling, order, isolation, replay (DECISIONS K2 to K6). */
import { createHmac } from 'node:crypto'
import { webhookSchema } from '@countersign/contract/hooks.ts'
import { freePort } from '@countersign/harness/free-port.ts'
import type { TestServer } from '@countersign/harness/server.ts'
import { Webhook } from 'standardwebhooks'
import Value from 'typebox/value'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  answering,
  causeEvent,
  createHook,
  deliveriesOf,
  EVERY_EVENT_OF_A_ROLE,
  type Got,
  type HookReceiver,
  hookOf,
  later,
  receiversOfATest,
  soon,
  standardSignature,
  startHookServer,
  states,
} from './arrange.ts'

let server: TestServer
const { receive, end } = receiversOfATest()
beforeAll(async () => {
  server = await startHookServer(inject('cluster'))
})
afterEach(() => end(server))
afterAll(() => server.close())

const only = async (hookId: string) => {
  const deliveries = await deliveriesOf(server, hookId)
  expect(deliveries).toHaveLength(1)
  return deliveries[0]
}
const first = ({ got }: HookReceiver): Got => {
  const [one] = got
  if (!one) throw new Error('nothing came')
  return one
}

describe('what is sent', () => {
  test('the body is the event with its envelope, as the schema says, and the feed shows the same', async () => {
    const receiver = await receive()
    const hook = await createHook(server, receiver.url, { events: EVERY_EVENT_OF_A_ROLE })
    const { body: role } = await server.api('POST', '/roles', { name: 'seen' })
    await server.api('PATCH', `/roles/${role.id}`, { name: 'seen again' })
    await server.api('DELETE', `/roles/${role.id}`)
    await receiver.count(3)
    const { body: feed } = await server.api('GET', '/events?limit=100')
    const got = receiver.got.toSorted((a, b) => a.body.sequence - b.body.sequence)
    expect(got.map(({ body }) => body.event)).toEqual(EVERY_EVENT_OF_A_ROLE)
    for (const { body, headers } of got) {
      expect([...Value.Errors(webhookSchema(body.event as 'Role.Created'), body)]).toEqual([])
      const { hookId, ...rest } = body
      expect(hookId).toBe(hook.id)
      expect(feed.events.find(({ id }: { id: string }) => id === body.id)).toEqual(rest)
      expect(headers['webhook-id']).toBe(body.id)
      expect(headers['content-type']).toBe('application/json')
    }
    expect(got[0]?.body).toMatchObject({
      method: 'POST',
      path: '/roles',
      matchedRoute: '/roles',
      data: { name: 'seen' },
    })
  })

  test('both signatures verify with a library and with our own HMAC', async () => {
    const receiver = await receive()
    const { signingKey } = await createHook(server, receiver.url, {
      config: { url: receiver.url, headers: { 'X-Of-Mine': '1', 'User-Agent': 'me' } },
    })
    expect(signingKey).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await causeEvent(server)
    await receiver.count(1)
    const got = first(receiver)
    expect(new Webhook(signingKey).verify(got.raw, got.headers as Record<string, string>)).toEqual(got.body)
    expect(got.headers['webhook-signature']).toBe(standardSignature(got, signingKey))
    const legacy = createHmac('sha256', signingKey).update(got.raw).digest('hex')
    expect(got.headers).toMatchObject({ 'logto-signature-sha-256': legacy, 'x-of-mine': '1', 'user-agent': 'me' })
    const other = `whsec_${Buffer.alloc(32).toString('base64')}`
    expect(() => new Webhook(other).verify(got.raw, got.headers as Record<string, string>)).toThrow(/signature/)
  })

  test('while a key rotates, both sign; an attempt after the rotation has the new one, and after a day only the new one', async () => {
    const receiver = await receive(answering(500))
    const before = await createHook(server, receiver.url)
    await causeEvent(server)
    await states(server, before.id, ['Waiting'])
    await receiver.count(1)
    expect(first(receiver).headers['webhook-signature']).toBe(standardSignature(first(receiver), before.signingKey))
    const { body: after } = await server.api('PATCH', `/hooks/${before.id}/signing-key`)
    expect(after.signingKey).not.toBe(before.signingKey)
    await later(server, 6)
    await receiver.count(2)
    const second = receiver.got[1] as Got
    expect(second.headers['webhook-id']).toBe(first(receiver).headers['webhook-id'])
    expect(second.raw).toBe(first(receiver).raw)
    expect(second.headers['webhook-signature']?.toString().split(' ')).toEqual([
      standardSignature(second, after.signingKey),
      standardSignature(second, before.signingKey),
    ])
    await states(server, before.id, ['Waiting'])
    await later(server, 86_400)
    await receiver.count(3)
    const third = receiver.got[2] as Got
    expect(third.headers['webhook-signature']).toBe(standardSignature(third, after.signingKey))
  })

  test('events that a hook did not subscribe to, earlier ones and rolled-back ones are not sent', async () => {
    const receiver = await receive()
    await causeEvent(server)
    const hook = await createHook(server, receiver.url)
    await server.api('POST', '/organizations', { name: 'Not asked for' })
    const { body: role } = await server.api('POST', '/roles', { name: 'taken' })
    expect((await server.api('POST', '/roles', { name: 'taken' })).status).toBe(422)
    await receiver.count(1)
    expect(first(receiver).body.data).toMatchObject({ id: role.id })
    await states(server, hook.id, ['Delivered'])
    expect(receiver.got).toHaveLength(1)
  })
})

describe('retries', () => {
  test('follows the schedule of K4 with jitter, then ends as Failed; it can be retried manually', async () => {
    const SCHEDULE = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
    const receiver = await receive(answering(503))
    const hook = await createHook(server, receiver.url)
    await causeEvent(server)
    for (const [index, seconds] of SCHEDULE.entries()) {
      await receiver.count(index + 1)
      await states(server, hook.id, ['Waiting'])
      const { nextAttemptAt, attempts, lastAttempt } = await only(hook.id)
      expect(attempts).toBe(index + 1)
      expect(lastAttempt).toMatchObject({ status: 503, error: 'the receiver answered 503' })
      const wait = (nextAttemptAt - server.clock.now().getTime()) / 1000
      expect(wait).toBeGreaterThanOrEqual(seconds * 0.8)
      expect(wait).toBeLessThanOrEqual(seconds * 1.2)
      await later(server, wait + 0.001)
    }
    await receiver.count(SCHEDULE.length + 1)
    await states(server, hook.id, ['Failed'])
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    receiver.answerWith(answering(204))
    const { status, body } = await server.api('POST', `/hooks/${hook.id}/deliveries/${(await only(hook.id)).id}/retry`)
    expect([status, body.attempts]).toEqual([200, 0])
    await states(server, hook.id, ['Delivered'])
    expect(await hookOf(server, hook.id)).toMatchObject({ failingSince: null, pausedUntil: null, enabled: true })
  })

  test('Retry-After of a receiver is respected for all deliveries of its hook', async () => {
    const receiver = await receive(answering(429, { 'retry-after': '600' }))
    const hook = await createHook(server, receiver.url)
    await causeEvent(server)
    await states(server, hook.id, ['Waiting'])
    const { nextAttemptAt } = await only(hook.id)
    expect(nextAttemptAt).toBe(server.clock.now().getTime() + 600_000)
    receiver.answerWith(answering(200))
    await causeEvent(server)
    await later(server, 599)
    await states(server, hook.id, ['Waiting', 'New'])
    expect(receiver.got).toHaveLength(1)
    await later(server, 1)
    await states(server, hook.id, ['Delivered', 'Delivered'])
  })

  test('a redirect is a failure and is not followed', async () => {
    const elsewhere = await receive()
    const receiver = await receive(answering(307, { location: elsewhere.url }))
    const hook = await createHook(server, receiver.url)
    await causeEvent(server)
    await receiver.count(1)
    await states(server, hook.id, ['Waiting'])
    expect((await only(hook.id)).lastAttempt).toMatchObject({
      status: 307,
      headers: { location: elsewhere.url },
      error: 'the receiver answered 307, and redirects are not followed',
    })
    expect(elsewhere.got).toEqual([])
  })

  test('the first 4 KiB of a large response are stored', async () => {
    const receiver = await receive(
      (response) => void response.writeHead(500, { 'x-of-theirs': 'a' }).end(`\0${'x'.repeat(100_000)}`),
    )
    const hook = await createHook(server, receiver.url)
    await causeEvent(server)
    await states(server, hook.id, ['Waiting'])
    const { lastAttempt } = await only(hook.id)
    expect(lastAttempt.body).toBe(`\ufffd${'x'.repeat(4095)}`)
    expect(lastAttempt.headers).toMatchObject({ 'x-of-theirs': 'a' })
  })

  test('a receiver that was down gets everything when it is up', async () => {
    const port = await freePort()
    const hook = await createHook(server, `http://127.0.0.1:${port}/hooks`)
    const names = [await causeEvent(server), await causeEvent(server)]
    await soon(async () =>
      expect(
        (await deliveriesOf(server, hook.id)).map(
          ({ lastAttempt }: { lastAttempt: { error: string } }) => lastAttempt?.error,
        ),
      ).toEqual(['the connection failed: ECONNREFUSED', 'the connection failed: ECONNREFUSED']),
    )
    const up = await receive(undefined, port)
    await later(server, 6)
    await states(server, hook.id, ['Delivered', 'Delivered'])
    expect(up.got.map(({ body }) => body.data.name).toSorted()).toEqual(names.toSorted())
  })
})

describe('disabled and deleted hooks', () => {
  test('410 disables the hook; pending deliveries are sent once it is enabled', async () => {
    const receiver = await receive(answering(410))
    const hook = await createHook(server, receiver.url)
    await causeEvent(server)
    await soon(async () =>
      expect(await hookOf(server, hook.id)).toMatchObject({ enabled: false, disabledReason: 'Gone' }),
    )
    const { id } = await only(hook.id)
    expect((await server.api('POST', `/hooks/${hook.id}/deliveries/${id}/retry`)).body.code).toBe('hook.disabled')
    await causeEvent(server)
    await later(server, 60)
    receiver.answerWith(answering(200))
    await server.api('PATCH', `/hooks/${hook.id}`, { enabled: true })
    await states(server, hook.id, ['Delivered'])
    expect(await hookOf(server, hook.id)).toMatchObject({ enabled: true, disabledReason: null, disabledAt: null })
    expect(receiver.got).toHaveLength(2)
  })

  test('five days of nothing but failures disable', async () => {
    const receiver = await receive(answering(500))
    const hook = await createHook(server, receiver.url)
    await causeEvent(server)
    await soon(async () => expect((await hookOf(server, hook.id)).failingSince).not.toBeNull())
    await later(server, 5 * 86_400 - 1)
    await receiver.count(2)
    await soon(async () => expect((await only(hook.id)).attempts).toBe(2))
    await states(server, hook.id, ['Waiting'])
    expect(await hookOf(server, hook.id)).toMatchObject({ enabled: true })
    await later(server, 400)
    await soon(async () =>
      expect(await hookOf(server, hook.id)).toMatchObject({ enabled: false, disabledReason: 'Failing' }),
    )
    const { body } = await server.api('GET', '/logs?logKey=System.disableHook')
    expect(body[0].payload).toMatchObject({ hookId: hook.id, reason: 'Failing', result: 'Success' })
  })

  test('a hook that is deleted while deliveries wait receives nothing more', async () => {
    const receiver = await receive(answering(500))
    const other = await receive()
    const hook = await createHook(server, receiver.url)
    const kept = await createHook(server, other.url)
    await causeEvent(server)
    await states(server, hook.id, ['Waiting'])
    expect((await server.api('DELETE', `/hooks/${hook.id}`)).status).toBe(204)
    await later(server, 3600)
    await causeEvent(server)
    await states(server, kept.id, ['Delivered', 'Delivered'])
    expect(receiver.got).toHaveLength(1)
  })
})

describe('order and isolation', () => {
  test('an ordered hook is sent one event after another; one that fails holds the later ones, visibly', async () => {
    const receiver = await receive(answering(500))
    const hook = await createHook(server, receiver.url, { ordered: true })
    const names: string[] = []
    for (let n = 0; n < 5; n += 1) names.push(await causeEvent(server))
    await soon(async () => expect(receiver.got).toHaveLength(1))
    await states(server, hook.id, ['Waiting', 'Held', 'Held', 'Held', 'Held'])
    await later(server, 6)
    await receiver.count(2)
    await states(server, hook.id, ['Waiting', 'Held', 'Held', 'Held', 'Held'])
    receiver.answerWith(answering(200))
    await later(server, 360)
    await states(server, hook.id, Array(5).fill('Delivered'))
    expect(receiver.got.slice(2).map(({ body }) => body.data.name)).toEqual(names)
    expect(receiver.got.map(({ body }) => body.data.name)).toEqual([names[0], names[0], ...names])
  })

  test('an ordered hook on two nodes', async () => {
    let underway = 0
    let most = 0
    const receiver = await receive((response) => {
      underway += 1
      most = Math.max(most, underway)
      setImmediate(() => {
        underway -= 1
        response.end()
      })
    })
    const node = await server.startNode()
    try {
      const hook = await createHook(server, receiver.url, { ordered: true })
      await Promise.all(Array.from({ length: 20 }, () => causeEvent(server)))
      await states(server, hook.id, Array(20).fill('Delivered'))
      const sequences = receiver.got.map(({ body }) => body.sequence)
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
      expect([sequences.length, most]).toEqual([20, 1])
    } finally {
      await node.close()
    }
  })

  test('two nodes send an event once', async () => {
    const receiver = await receive()
    const node = await server.startNode()
    try {
      const hook = await createHook(server, receiver.url)
      await Promise.all(Array.from({ length: 40 }, () => causeEvent(server)))
      await states(server, hook.id, Array(40).fill('Delivered'))
      expect(new Set(receiver.got.map(({ body }) => body.id)).size).toBe(40)
      expect(receiver.got).toHaveLength(40)
    } finally {
      await node.close()
    }
  })

  test('a receiver that never answers does not delay another hook, and has few requests at a time', async () => {
    const hole = await receive(() => undefined)
    const receiver = await receive()
    await createHook(server, hole.url)
    const hook = await createHook(server, receiver.url)
    await Promise.all(Array.from({ length: 30 }, () => causeEvent(server)))
    await states(server, hook.id, Array(30).fill('Delivered'))
    await hole.count(8)
    // or the end of the tests would wait for them
    await hole.close()
  })

  test('after five failures in a row a hook is paused, then probed with one delivery', async () => {
    const receiver = await receive(answering(500))
    const hook = await createHook(server, receiver.url)
    await Promise.all(Array.from({ length: 5 }, () => causeEvent(server)))
    await soon(async () =>
      expect((await hookOf(server, hook.id)).pausedUntil).toBe(server.clock.now().getTime() + 30_000),
    )
    expect(receiver.got).toHaveLength(5)
    await causeEvent(server)
    await later(server, 29)
    await states(server, hook.id, [...Array(5).fill('Waiting'), 'New'])
    expect(receiver.got).toHaveLength(5)
    await later(server, 1)
    await soon(async () =>
      expect((await hookOf(server, hook.id)).pausedUntil).toBe(server.clock.now().getTime() + 60_000),
    )
    expect(receiver.got).toHaveLength(6)
    receiver.answerWith(answering(200))
    await later(server, 400)
    await states(server, hook.id, Array(6).fill('Delivered'))
  })
})

describe('sending again', () => {
  test('a replay sends the events of a time, under the same ids; a second window is empty', async () => {
    const receiver = await receive()
    server.clock.advance(10)
    const since = server.clock.now().getTime()
    await causeEvent(server)
    server.clock.advance(10)
    await causeEvent(server)
    const hook = await createHook(server, receiver.url)
    const replay = (body: object) => server.api('POST', `/hooks/${hook.id}/replay`, body)
    expect((await replay({ since, until: since + 10_000 })).body).toEqual({ count: 1 })
    await states(server, hook.id, ['Delivered'])
    expect((await replay({ since })).body).toEqual({ count: 2 })
    await states(server, hook.id, ['Delivered', 'Delivered'])
    await receiver.count(3)
    const [one, two, three] = receiver.got.map(({ headers }) => headers['webhook-id'])
    expect([two, three]).toContain(one)
    expect((await replay({ since, events: ['User.Deleted'] })).body).toEqual({ count: 0 })
    expect((await replay({ since, until: since })).body.code).toBe('log.invalid_time_window')
  })
})
