/** What happens to deliveries that wait when the clock is set, their hook changes, they are large, or their time is over. */
import { createHmac } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { TestServer } from '@countersign/harness/server.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  answering,
  causeEvent,
  createHook,
  deliveriesOf,
  type Got,
  type HookReceiver,
  later,
  receiversOfATest,
  soon,
  standardSignature,
  startHookServer,
  states,
} from './arrange.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** After a first failure, with its jitter. */
const RETRY = 7

let server: TestServer
const { receive, end } = receiversOfATest()
beforeAll(async () => {
  server = await startHookServer(inject('cluster'))
})
afterEach(() => end(server))
afterAll(() => server.close())

const at = ({ got }: HookReceiver, index: number): Got => {
  const one = got[index]
  if (!one) throw new Error(`there is no request ${index}`)
  return one
}
const namesAt = ({ got }: HookReceiver) => got.map(({ body }) => body.data.name)

/** A hook of which one delivery has failed and waits. */
const failedOnce = async () => {
  const receiver = await receive(answering(500))
  const hook = await createHook(server, receiver.url)
  const name = await causeEvent(server)
  await states(server, hook.id, ['Waiting'])
  await receiver.count(1)
  return { receiver, hook, name }
}

/** Sees that nothing more comes: what is sent after it would have been sent with the next event. */
const nothingMore = async (receiver: HookReceiver, hookId: string) => {
  const before = receiver.got.length
  const delivered = (await deliveriesOf(server, hookId)).length
  await causeEvent(server)
  await states(server, hookId, Array(delivered + 1).fill('Delivered'))
  expect(receiver.got).toHaveLength(before + 1)
}

describe('when the clock is set', () => {
  test.each([HOUR, DAY])('forward by %d seconds: pending deliveries are sent once', async (seconds) => {
    const { receiver, hook, name } = await failedOnce()
    receiver.answerWith(answering(200))
    await later(server, seconds)
    await states(server, hook.id, ['Delivered'])
    expect(namesAt(receiver)).toEqual([name, name])
    await nothingMore(receiver, hook.id)
  })

  test.each([HOUR, DAY])(
    'back by %d seconds, new events go at once, and what waits when its time has come',
    async (seconds) => {
      const { receiver, hook, name } = await failedOnce()
      receiver.answerWith(answering(200))
      await later(server, -seconds)
      const next = await causeEvent(server)
      await states(server, hook.id, ['Waiting', 'Delivered'])
      expect(namesAt(receiver)).toEqual([name, next])
      await later(server, seconds + RETRY)
      await states(server, hook.id, ['Delivered', 'Delivered'])
      expect(namesAt(receiver)).toEqual([name, next, name])
      await nothingMore(receiver, hook.id)
    },
  )

  test.each([HOUR, DAY])(
    'forward and back by %d seconds while all fails, the tries are no more than those that were due',
    async (seconds) => {
      const { receiver, hook } = await failedOnce()
      await later(server, seconds)
      await receiver.count(2)
      await soon(async () =>
        expect((await deliveriesOf(server, hook.id))[0]).toMatchObject({ state: 'Waiting', attempts: 2 }),
      )
      await later(server, -seconds)
      await later(server, seconds)
      receiver.answerWith(answering(200))
      await later(server, 6 * 60)
      await states(server, hook.id, ['Delivered'])
      await receiver.count(3)
      await nothingMore(receiver, hook.id)
    },
  )

  /** A hook whose receiver has a request and has not answered. */
  const underway = async () => {
    const held: ServerResponse[] = []
    const receiver = await receive((response) => void held.push(response))
    const hook = await createHook(server, receiver.url)
    await causeEvent(server)
    await receiver.count(1)
    const release = () => {
      receiver.answerWith(answering(200))
      for (const response of held) response.end()
    }
    return { receiver, hook, release }
  }

  test('back by a day while a request is under way, its answer counts', async () => {
    const { receiver, hook, release } = await underway()
    await later(server, -DAY)
    release()
    await states(server, hook.id, ['Delivered'])
    await nothingMore(receiver, hook.id)
    await later(server, DAY)
    await nothingMore(receiver, hook.id)
  })

  test('forward by a day while a request is under way, it is sent once more at the most', async () => {
    const { receiver, hook, release } = await underway()
    // its lease is over: as if the node that has it had died
    await later(server, DAY)
    await receiver.count(2)
    release()
    await states(server, hook.id, ['Delivered'])
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await nothingMore(receiver, hook.id)
  })
})

describe('when the hook changes', () => {
  test('the retry goes to the new address with the new headers, and not to the old one', async () => {
    const { receiver, hook } = await failedOnce()
    const other = await receive()
    const config = { url: other.url, headers: { 'x-of-mine': 'new' } }
    expect((await server.api('PATCH', `/hooks/${hook.id}`, { config })).status).toBe(200)
    await later(server, RETRY)
    await states(server, hook.id, ['Delivered'])
    await other.count(1)
    expect(at(other, 0).raw).toBe(at(receiver, 0).raw)
    expect(at(other, 0).headers).toMatchObject({
      'x-of-mine': 'new',
      'webhook-id': at(receiver, 0).headers['webhook-id'],
    })
    expect(receiver.got).toHaveLength(1)
  })

  test('a change of events applies to later commits: pending deliveries are still sent', async () => {
    const { receiver, hook, name } = await failedOnce()
    expect((await server.api('PATCH', `/hooks/${hook.id}`, { events: ['Organization.Created'] })).status).toBe(200)
    receiver.answerWith(answering(200))
    await causeEvent(server)
    await later(server, RETRY)
    await states(server, hook.id, ['Delivered'])
    await server.api('POST', '/organizations', { name: 'Asked for now' })
    await states(server, hook.id, ['Delivered', 'Delivered'])
    expect(namesAt(receiver)).toEqual([name, name, 'Asked for now'])
  })

  test('nothing is sent while it is disabled; pending deliveries are sent to the current address once it is enabled', async () => {
    const { receiver, hook, name } = await failedOnce()
    const other = await receive()
    await server.api('PATCH', `/hooks/${hook.id}`, { enabled: false })
    const witness = await createHook(server, other.url)
    await later(server, HOUR)
    await causeEvent(server)
    await states(server, witness.id, ['Delivered'])
    await server.api('PATCH', `/hooks/${hook.id}`, { enabled: true, config: { url: other.url } })
    await states(server, hook.id, ['Delivered'])
    expect(namesAt(other)).toContain(name)
    expect(receiver.got).toHaveLength(1)
  })
})

test('an event of nearly a megabyte is delivered completely, and its signatures are valid', async () => {
  const receiver = await receive()
  const { id: hookId, signingKey } = await createHook(server, receiver.url, { events: ['User.Data.Updated'] })
  const { body: user } = await server.api('POST', '/users', { username: 'large' })
  // characters of several bytes: what counts is bytes
  const customData = { note: 'ü\u2028😀"\\'.repeat(80_000) }
  const { status } = await server.api('PATCH', `/users/${user.id}`, { customData })
  expect(status).toBe(200)
  await states(server, hookId, ['Delivered'])
  await receiver.count(1)
  const got = at(receiver, 0)
  expect(Buffer.byteLength(got.raw)).toBeGreaterThan(1_040_000)
  expect(got.body.data).toMatchObject({ id: user.id, customData })
  // the library's own check would compare the time with that of this machine
  const { 'webhook-id': id = '', 'webhook-timestamp': time } = got.headers as Record<string, string>
  const librarys = new Webhook(signingKey).sign(id, new Date(Number(time) * 1000), got.raw)
  expect(got.headers['webhook-signature']).toBe(librarys)
  expect(got.headers['webhook-signature']).toBe(standardSignature(got, signingKey))
  expect(got.headers['logto-signature-sha-256']).toBe(createHmac('sha256', signingKey).update(got.raw).digest('hex'))
})

test('finished deliveries are deleted in batches of at most a thousand rows', async () => {
  const OLD = `to_timestamp(0), to_timestamp(0)`
  await withClient(server.databaseUrl, async (client) => {
    await client.query(`
      CREATE TABLE deletions (name text, count bigint);
      CREATE FUNCTION note_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO deletions SELECT TG_TABLE_NAME, count(*) FROM gone; RETURN NULL; END $$;
      CREATE TRIGGER note AFTER DELETE ON events REFERENCING OLD TABLE AS gone EXECUTE FUNCTION note_deletion();
      CREATE TRIGGER note AFTER DELETE ON hook_deliveries REFERENCING OLD TABLE AS gone EXECUTE FUNCTION note_deletion();
      CREATE TRIGGER note AFTER DELETE ON hook_attempts REFERENCING OLD TABLE AS gone EXECUTE FUNCTION note_deletion();
      INSERT INTO events (tenant_id, sequence, id, type, payload, created_at)
        SELECT 'default', 1000000 + n, 'old' || n, 'Role.Created', '{}', to_timestamp(0) FROM generate_series(1, 2500) n;
      INSERT INTO hook_deliveries (tenant_id, hook_id, id, sequence, event, state, created_at, due_at)
        SELECT 'default', 'gone', 'old' || n, 1000000 + n, 'Role.Created', 'Delivered', ${OLD} FROM generate_series(1, 2500) n;
      INSERT INTO hook_attempts
        (tenant_id, id, hook_id, delivery_id, sequence, event, attempt, is_success, duration_ms, created_at)
        SELECT 'default', 'old' || n, 'gone', 'old' || n, 1000000 + n, 'Role.Created', 1, true, 1, to_timestamp(0)
        FROM generate_series(1, 2500) n`)
    await forgetExpired(server.store)
    const { rows } = await client.query(
      `SELECT name, array_agg(count ORDER BY count DESC)::int[] AS counts FROM deletions WHERE count > 0 GROUP BY name ORDER BY name`,
    )
    const counts = [1000, 1000, 500]
    expect(rows).toEqual(['events', 'hook_attempts', 'hook_deliveries'].map((name) => ({ name, counts })))
  })
})
