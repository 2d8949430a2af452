/** The order of events: numbered without gaps as they are committed, no matter who writes and who reads (DECISIONS K5). */
import { managementClient } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { fresh } from '../management/arrange.ts'
import { type FeedEvent, readAll } from './feed.ts'

let server: TestServer
let node: Awaited<ReturnType<TestServer['startNode']>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  node = await server.startNode()
})
afterAll(async () => {
  await node.close()
  await server.close()
})

const numbers = (events: readonly FeedEvent[]) => events.map(({ sequence }) => sequence)

test('120 writers on two nodes, read by both meanwhile: the numbers have no gap, each event once, the same for all', async () => {
  const other = managementClient(node.url, server.credentials)
  const writers = Array.from({ length: 120 }, (_, i) =>
    (i % 2 ? server.api : other)('POST', '/roles', { name: fresh('writer') }),
  )
  let writing = true
  const read = async (api: typeof other) => {
    const seen: FeedEvent[] = []
    let cursor = ''
    for (let last = false; ; ) {
      const { body } = await api('GET', `/events?limit=7&after=${cursor}`)
      seen.push(...body.events)
      cursor = body.nextCursor
      if (body.events.length > 0) continue
      if (last) return seen
      last = !writing
    }
  }
  const readers = [read(server.api), read(other), read(server.api)]
  const written = Promise.all(writers).finally(() => {
    writing = false
  })
  const [answers, [first = [], second, third]] = await Promise.all([written, Promise.all(readers)])
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(numbers(first)).toEqual(Array.from({ length: 120 }, (_, i) => i + 1))
  expect(new Set(first.map(({ id }) => id)).size).toBe(120)
  expect(second).toEqual(first)
  expect(third).toEqual(first)
  const created = answers.map(({ body }) => body.id).sort()
  expect(first.map(({ data }) => (data as { id: string }).id).sort()).toEqual(created)
})

test('changes one after another are in the order in which they were answered', async () => {
  const { cursor } = await readAll(server.api)
  const names: string[] = []
  for (let i = 0; i < 10; i += 1) {
    const { body } = await (i % 2 ? server.api : managementClient(node.url, server.credentials))('POST', '/roles', {
      name: fresh('ordered'),
    })
    names.push(body.name)
  }
  const { events } = await readAll(server.api, cursor)
  expect(events.map(({ data }) => (data as { name: string }).name)).toEqual(names)
})

test('a transaction that writes earlier and commits later is numbered later: nothing appears behind a cursor', async () => {
  const { cursor: before } = await readAll(server.api)
  const insert = `INSERT INTO outbox (tenant_id, id, type, payload, created_at) VALUES ('default', $1, 'Role.Created', '{}', now())`
  await withClient(server.databaseUrl, async (slow) => {
    await slow.query('BEGIN')
    await slow.query(insert, ['slow'])
    await server.api('POST', '/roles', { name: fresh('quick') })
    const { events, cursor } = await readAll(server.api, before)
    expect(events).toHaveLength(1)
    await slow.query('COMMIT')
    const { events: later } = await readAll(server.api, cursor)
    expect(later.map(({ id }) => id)).toEqual(['slow'])
    expect(later[0]?.sequence).toBe((events[0]?.sequence ?? 0) + 1)
  })
})

test('a rolled back transaction leaves no gap', async () => {
  const { cursor, events } = await readAll(server.api)
  for (let i = 0; i < 5; i += 1) await server.api('POST', '/roles', { name: 'Management API access' })
  await server.api('POST', '/roles', { name: fresh('after') })
  const { events: after } = await readAll(server.api, cursor)
  expect(numbers(after)).toEqual([Math.max(...numbers(events)) + 1])
})
