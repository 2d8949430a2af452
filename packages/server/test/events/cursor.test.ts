/** The cursor of the event feed: stable, opaque, refused when it is none (DECISIONS K6). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createWorld, fresh } from '../management/arrange.ts'
import { readAll } from './feed.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  for (let i = 0; i < 25; i += 1) await server.api('POST', '/roles', { name: fresh('role') })
  await createWorld(server)
})
afterAll(() => server.close())

const get = async (query: string) => (await server.api('GET', `/events?${query}`)).body

test('without a cursor the feed begins with the oldest, and brings at most 100', async () => {
  const { events } = await get('')
  expect(events[0].sequence).toBe(1)
  expect(events.length).toBeGreaterThan(25)
  expect((await get('limit=3')).events).toHaveLength(3)
})

test('any limit leads through the same events, and the same cursor always to the same ones', async () => {
  const all = await readAll(server.api)
  for (const limit of [1, 7, 100]) expect((await readAll(server.api, '', limit)).events).toEqual(all.events)
  const { nextCursor } = await get('limit=5')
  expect(await get(`limit=5&after=${nextCursor}`)).toEqual(await get(`limit=5&after=${nextCursor}`))
})

test('at the end the response is empty and the cursor stays; later events are found from there', async () => {
  const { cursor } = await readAll(server.api)
  expect(await get(`after=${cursor}`)).toEqual({ events: [], nextCursor: cursor })
  await server.api('POST', '/roles', { name: fresh('later') })
  expect((await get(`after=${cursor}`)).events).toHaveLength(1)
})

test('events can be filtered by type; the cursor also moves past the others', async () => {
  const all = await readAll(server.api)
  const { events, nextCursor } = await get('event=Scope.Created')
  expect(events).toEqual(all.events.filter(({ event }) => event === 'Scope.Created'))
  expect(nextCursor).toBe(all.cursor)
  const none = await get('event=TrustedDevice.Created')
  expect(none).toEqual({ events: [], nextCursor: all.cursor })
  const page = await get('event=Role.Created&limit=2')
  expect(page.events).toHaveLength(2)
  const third = all.events.filter(({ event }) => event === 'Role.Created')[2]
  expect((await get(`event=Role.Created&limit=1&after=${page.nextCursor}`)).events[0].sequence).toBe(third?.sequence)
})

test('with last the feed begins near its end; a cursor takes precedence', async () => {
  const all = await readAll(server.api)
  expect(await get('last=3')).toEqual({ events: all.events.slice(-3), nextCursor: all.cursor })
  const roles = all.events.filter(({ event }) => event === 'Role.Created')
  expect(await get('last=2&event=Role.Created')).toEqual({ events: roles.slice(-2), nextCursor: all.cursor })
  expect(await get(`last=3&after=${all.cursor}`)).toEqual({ events: [], nextCursor: all.cursor })
})

test.each(['x', 'MQ', '-', '%00', 'ZTE=x', 'e1', Buffer.from('e-1').toString('base64url'), 'x'.repeat(64)])(
  'the cursor %s is refused with 400',
  async (after) => {
    const { status, body } = await server.api('GET', `/events?after=${after}`)
    expect(status).toBe(400)
    expect(body.code).toMatch(/^guard\.invalid_(pagination|input)$/)
  },
)

test.each(['limit=0', 'last=0', 'limit=101', 'limit=x', 'limit=1.5', 'after=a&after=b', `after=${'x'.repeat(65)}`])(
  '%s is refused with 400',
  async (query) => {
    expect((await server.api('GET', `/events?${query}`)).status).toBe(400)
  },
)
