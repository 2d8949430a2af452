/** What an event costs the request that causes it: nothing beside the one statement that every change ends with (DECISIONS K1). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CountingProxy, countingProxy } from '../protocol/database-proxy.ts'
import { begin, createApp, createUser, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import { readAll } from './feed.ts'

let proxy: CountingProxy
let server: TestServer
beforeAll(async () => {
  proxy = await countingProxy(inject('cluster'))
  // sending is done elsewhere: what reaches the database is what the requests ask of it
  server = await startTestServer(proxy.address, { WORKERS: 'off' })
})
afterAll(async () => {
  await server.close()
  await proxy.close()
})

const statementsOf = (work: () => Promise<unknown>): Promise<string[]> => proxy.statements(work)
const FLUSHES = ['unit-flush', 'entry-event', 'entries-event']
const isOfEvents = (statement: string) => FLUSHES.includes(statement) || /outbox|hook|\bevents\b/.test(statement)

const change = async (method: 'POST' | 'PATCH', path: string, body: object) =>
  expect((await server.api(method, path, body)).status).toBe(200)

test('a change takes as many statements with twenty hooks as with none, and one of them is for its event', async () => {
  const { body: role } = await server.api('POST', '/roles', { name: 'before' })
  const patched = (name: string) => statementsOf(() => change('PATCH', `/roles/${role.id}`, { name }))
  await patched('warm')
  const without = await patched('without hooks')
  expect(without.at(-1)).toBe('COMMIT')
  expect(without.filter(isOfEvents)).toEqual(['entry-event'])
  const hooks: string[] = []
  for (let count = 0; count < 20; count += 1) {
    const hook = { events: ['Role.Data.Updated'], config: { url: 'https://receiver.example' } }
    hooks.push((await server.api('POST', '/hooks', hook)).body.id)
  }
  await patched('warm again')
  const { cursor } = await readAll(server.api)
  expect(await patched('with hooks')).toEqual(without)
  // and every one of them is going to get it
  const { events } = await readAll(server.api, cursor)
  expect(events).toMatchObject([{ event: 'Role.Data.Updated', data: { name: 'with hooks' } }])
  for (const id of hooks) {
    const { body } = await server.api('GET', `/hooks/${id}/deliveries`)
    expect(body.filter(({ id: event }: { id: string }) => event === events[0]?.id)).toHaveLength(1)
  }
})

test('two events of one change take one statement, as does a change without an event, for its audit entry', async () => {
  const resource = { name: 'Orders', indicator: 'https://orders.example' }
  const { body: api } = await server.api('POST', '/resources', resource)
  const { body: scope } = await server.api('POST', `/resources/${api.id}/scopes`, { name: 'read' })
  const { cursor } = await readAll(server.api)
  const made = await statementsOf(() => change('POST', '/roles', { name: 'reader', scopeIds: [scope.id] }))
  expect(made.filter(isOfEvents)).toEqual(['unit-flush'])
  expect((await readAll(server.api, cursor)).events.map(({ event }) => event)).toEqual([
    'Role.Created',
    'Role.Scopes.Updated',
  ])
  const silent = await statementsOf(() => change('PATCH', `/resources/${api.id}`, { name: 'All orders' }))
  expect(silent.filter(isOfEvents)).toEqual(['unit-flush'])
})

test('a single event takes one statement with its audit entry, in a sign-in with that of the code too', async () => {
  const user = await createUser(server)
  const { cursor } = await readAll(server.api)
  const made = await statementsOf(() => change('PATCH', `/users/${user.id}`, { name: 'Ada' }))
  expect(made.filter(isOfEvents)).toEqual(['entry-event'])
  const { configuration, id } = await createApp(server)
  const browser = newBrowser()
  const page = await browser.open((await begin(configuration)).url)
  const submitted = { identifier: user.username, password: PASSWORD }
  const sent = await statementsOf(() => browser.submit(page, submitted))
  expect(sent.filter(isOfEvents)).toEqual(['entries-event'])
  const { events } = await readAll(server.api, cursor)
  expect(events.map(({ event }) => event)).toEqual(['User.Data.Updated', 'PostSignIn'])
  const { body: logs } = await server.api('GET', `/logs?userId=${user.id}&applicationId=${id}`)
  expect(logs.map(({ key }: { key: string }) => key).sort()).toEqual([
    'Interaction.Authorize',
    'Interaction.SignIn.Submit',
  ])
})
