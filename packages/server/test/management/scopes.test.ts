/** Permissions of API resources: SPEC 2.2, DECISIONS D3. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createWorld, type World } from './arrange.ts'

let server: TestServer
let world: World
let path: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  world = await createWorld(server)
  path = `/resources/${world.resourceId}/scopes`
})
afterAll(() => server.close())

test('POST answers 201 with the permission; the description may be absent, null or Unicode', async () => {
  const { status, body } = await server.api('POST', path, { name: 'first' })
  expect(status).toBe(201)
  expect(body).toEqual({
    tenantId: 'default',
    id: expect.stringMatching(/^[0-9a-z]{21}$/),
    resourceId: world.resourceId,
    name: 'first',
    description: null,
    createdAt: server.clock.now().getTime(),
  })
  expect((await server.api('POST', path, { name: 'a1', description: null })).body.description).toBeNull()
  expect((await server.api('POST', path, { name: 'a2', description: 'Lesen 読む 📖' })).body.description).toBe(
    'Lesen 読む 📖',
  )
})

describe('D3: the name', () => {
  test.each(['a', '!', 'read:orders', 'https://api.example/read', '#[]~', 'READ:orders', 'x'.repeat(256)])(
    'may be %s',
    async (name) => {
      const { status, body } = await server.api('POST', path, { name })
      expect([status, body.name]).toEqual([201, name])
    },
  )
  test.each(['read orders', 'a\tb', 'a\nb', ' a', 'a ', 'a"b', 'a\\b', 'é', '読む', '\u007f', 'a\u00a0b', 'a\u2028b'])(
    'may not be %j: 400',
    async (name) => {
      const attempts = [server.api('POST', path, { name }), server.api('PATCH', `${path}/${world.scopeId}`, { name })]
      for (const { status, body } of await Promise.all(attempts)) {
        expect([status, body.code]).toEqual([400, 'scope.name_with_space'])
      }
    },
  )
  test.each(['', 'x'.repeat(257), 1, null, ['a']])('may not be %j: 400', async (name) => {
    const { status, body } = await server.api('POST', path, { name })
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
  })

  test('is unique within a resource, case counts, and another resource may have it too', async () => {
    expect((await server.api('POST', path, { name: 'once' })).status).toBe(201)
    const { status, body } = await server.api('POST', path, { name: 'once' })
    expect([status, body.code]).toEqual([422, 'scope.name_exists'])
    expect((await server.api('POST', path, { name: 'Once' })).status).toBe(201)
    const other = await createWorld(server)
    expect((await server.api('POST', `/resources/${other.resourceId}/scopes`, { name: 'once' })).status).toBe(201)
  })

  test('cannot become that of another permission: 422; its own is accepted', async () => {
    const { body: a } = await server.api('POST', path, { name: 'rename-a' })
    await server.api('POST', path, { name: 'rename-b' })
    const { status, body } = await server.api('PATCH', `${path}/${a.id}`, { name: 'rename-b' })
    expect([status, body.code]).toEqual([422, 'scope.name_exists'])
    expect((await server.api('PATCH', `${path}/${a.id}`, { name: 'rename-a' })).status).toBe(200)
  })
})

test('PATCH changes the given fields: null clears the description, absence keeps it', async () => {
  const { body } = await server.api('POST', path, { name: 'patched', description: 'before' })
  const one = `${path}/${body.id}`
  expect((await server.api('PATCH', one, { name: 'patched2' })).body).toEqual({ ...body, name: 'patched2' })
  expect((await server.api('PATCH', one, { description: null })).body).toMatchObject({
    name: 'patched2',
    description: null,
  })
  expect((await server.api('PATCH', one, {})).body).toMatchObject({ name: 'patched2', description: null })
})

test('DELETE removes it, also from the roles that hold it; a second time is 404', async () => {
  const other = await createWorld(server)
  const one = `/resources/${other.resourceId}/scopes/${other.scopeId}`
  expect((await server.api('DELETE', one)).status).toBe(204)
  expect((await server.api('GET', `/roles/${other.roleId}/scopes`)).body).toEqual([])
  expect((await server.api('DELETE', one)).status).toBe(404)
})

test('a permission is found only under its own resource', async () => {
  const other = await createWorld(server)
  const wrong = `/resources/${other.resourceId}/scopes/${world.scopeId}`
  expect((await server.api('PATCH', wrong, { description: 'x' })).status).toBe(404)
  expect((await server.api('DELETE', wrong)).status).toBe(404)
  expect((await server.api('PATCH', `${path}/${world.roleId}`, {})).status).toBe(404)
  const { body } = await server.api('GET', `/roles/${world.roleId}/scopes`)
  expect(body).toMatchObject([{ id: world.scopeId, name: 'read' }])
})

test.each([
  ['%b', ['a%b', 'a_b', 'acb']],
  ['A%', ['a%b', 'a_b', 'acb']],
  ['%_%', ['a_b']],
  ['%\\%', []],
  ['%a%b%', ['a%b', 'a_b', 'acb']],
  ['_', ['a_b']],
  ['a%b', ['a%b']],
  ['A_B', ['a_b']],
  ["'", ["it's"]],
  ['nothing like it', []],
])(
  'search for %s finds exactly the names that contain it, or fit it where % is at an end',
  async (search, expected) => {
    const other = await createWorld(server)
    const list = `/resources/${other.resourceId}/scopes`
    for (const name of ['50%', 'a%b', 'a_b', 'acb', "it's"]) await server.api('POST', list, { name })
    const { body } = await server.api('GET', `${list}?search=${encodeURIComponent(search)}`)
    expect(body.map(({ name }: { name: string }) => name).sort()).toEqual([...expected].sort())
  },
)
