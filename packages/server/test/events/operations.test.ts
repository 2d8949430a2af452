/** SPEC 6.2 walked row by row: which operation causes which events, and what they carry (DECISIONS K1, K2). */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { eventSchema } from '@countersign/contract/events.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import Value from 'typebox/value'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { call, createWorld, managementToken, type World } from '../management/arrange.ts'
import { worldsOf } from '../management/worlds.ts'
import { readAll } from './feed.ts'
import { ADDED, type Operation, SILENT, SPEC_6_2 } from './spec-6-2.ts'

let server: TestServer
let worldFor: ReturnType<typeof worldsOf>
/** In which nothing succeeds. */
let untouched: World
let token: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  worldFor = worldsOf(server)
  untouched = await createWorld(server)
  token = await managementToken(server, 'all')
})
afterAll(() => server.close())

const titled = (operations: readonly Operation[]) =>
  operations.map((one) => [`${one.method} ${one.path}${one.when ? ` ${one.when}` : ''}`, one] as const)

let cursor = ''
/** What the feed has since this was asked last. */
const since = async () => {
  const read = await readAll(server.api, cursor)
  cursor = read.cursor
  return read.events
}

/** Runs the operation in a world that has what it needs, and returns what the feed has since. */
const caused = async (operation: Operation) => {
  const world = await worldFor(operation)
  await since()
  const headers = { 'user-agent': 'the specification' }
  const path = operation.at(world)
  const answer = await call(server, operation.method, path, { token, headers, body: operation.body?.(world) })
  return { world, path, answer, events: await since() }
}

test('the table has every operation of SPEC 6.2 whose route exists', () => {
  const LISTED = [
    'POST /users',
    'DELETE /users/:userId',
    'PATCH /users/:userId',
    'PATCH /users/:userId/custom-data',
    'PATCH /users/:userId/profile',
    'PATCH /users/:userId/password',
    'PATCH /users/:userId/is-suspended',
    'POST /roles',
    'DELETE /roles/:id',
    'PATCH /roles/:id',
    'POST /roles/:id/scopes',
    'DELETE /roles/:id/scopes/:scopeId',
    'POST /resources/:resourceId/scopes',
    'DELETE /resources/:resourceId/scopes/:scopeId',
    'PATCH /resources/:resourceId/scopes/:scopeId',
    'POST /organizations',
    'DELETE /organizations/:id',
    'PATCH /organizations/:id',
    'PUT /organizations/:id/users',
    'POST /organizations/:id/users',
    'DELETE /organizations/:id/users/:userId',
    'PUT /organizations/:id/applications',
    'POST /organizations/:id/applications',
    'DELETE /organizations/:id/applications/:applicationId',
    'PUT /organization-invitations/:id/status',
    'POST /organization-roles',
    'DELETE /organization-roles/:id',
    'PATCH /organization-roles/:id',
    'POST /organization-scopes',
    'DELETE /organization-scopes/:id',
    'PATCH /organization-scopes/:id',
    'PUT /organization-roles/:id/scopes',
    'POST /organization-roles/:id/scopes',
    'DELETE /organization-roles/:id/scopes/:organizationScopeId',
  ]
  const routes = new Set(API_ROUTES.map(({ method, path }) => `${method} ${path}`))
  const walked = new Set(SPEC_6_2.map(({ method, path }) => `${method} ${path}`))
  expect([...walked].sort()).toEqual(LISTED.filter((one) => routes.has(one)).sort())
})

describe.each(titled([...SPEC_6_2, ...ADDED]))('%s', (_, operation) => {
  test(`emits ${operation.events.join(' and ')}, and nothing else`, async () => {
    const { answer, events, path, world } = await caused(operation)
    expect(answer.status).toBeLessThan(300)
    expect(events.map(({ event }) => event)).toEqual(operation.events)
    for (const [index, event] of events.entries()) {
      const { event: type } = event
      expect([...Value.Errors(eventSchema(type as Operation['events'][number]), event)]).toEqual([])
      expect(event).toMatchObject(operation.fields?.(world)[index] ?? {})
      const matched = operation.path
      expect(event).toMatchObject({
        id: expect.stringMatching(/^[0-9a-z]{21}$/),
        createdAt: server.clock.now().toISOString(),
        ip: '127.0.0.1',
        userAgent: 'the specification',
        actor: { type: 'application', id: server.credentials.clientId },
        application: { id: server.credentials.clientId, type: 'MachineToMachine', name: 'Management API client' },
        path,
        method: operation.method,
        status: answer.status,
        matchedRoute: matched,
        params: parametersOf(matched, path),
      })
    }
  })

  test('emits nothing when it is refused for want of the permission', async () => {
    await since()
    const weak = await managementToken(server, 'none')
    const body = operation.body?.(untouched)
    expect((await call(server, operation.method, operation.at(untouched), { token: weak, body })).status).toBe(403)
    expect(await since()).toEqual([])
  })
})

const parametersOf = (pattern: string, path: string): Record<string, string> => {
  const segments = path.split('/')
  return Object.fromEntries(
    pattern.split('/').flatMap((part, i) => (part.startsWith(':') ? [[part.slice(1), segments[i] ?? '']] : [])),
  )
}

test.each(titled(SILENT))('%s emits nothing', async (_, operation) => {
  const { answer, events } = await caused(operation)
  expect(answer.status).toBeLessThan(300)
  expect(events).toEqual([])
})

const FAILING: readonly (readonly [
  string,
  (world: World) => readonly ['POST' | 'PATCH' | 'DELETE', string, unknown?],
])[] = [
  ['a name already in use', () => ['POST', '/roles', { name: 'Management API access' }]],
  ['one unknown permission among valid ones', (w) => ['POST', '/roles', { name: 'half', scopeIds: [w.scopeId, 'x'] }]],
  [
    'a permission that it already has',
    (w) => ['POST', `/roles/${w.roleId}/scopes`, { scopeIds: [w.freeScopeId, w.scopeId] }],
  ],
  ['an invalid body', (w) => ['PATCH', `/roles/${w.roleId}`, { name: 1 }]],
  ['an unknown id', () => ['DELETE', '/roles/x']],
  ['a permission it does not hold', (w) => ['DELETE', `/roles/${w.roleId}/scopes/${w.freeScopeId}`]],
  ['a default role of machines', (w) => ['PATCH', `/roles/${w.roleId}`, { isDefault: true }]],
  ['a scope name already in use', (w) => ['POST', `/resources/${w.resourceId}/scopes`, { name: 'read' }]],
  ['a scope name with a space', (w) => ['PATCH', `/resources/${w.resourceId}/scopes/${w.scopeId}`, { name: 'a b' }]],
]
test.each(FAILING)('a change that is refused emits nothing: %s', async (_, request) => {
  await since()
  const { status } = await server.api(...request(untouched))
  expect(status).toBeGreaterThanOrEqual(400)
  expect(await since()).toEqual([])
})

test("the server's own setup emits nothing", async () => {
  const other = await startTestServer(inject('cluster'))
  try {
    expect((await readAll(other.api)).events).toEqual([])
  } finally {
    await other.close()
  }
})
