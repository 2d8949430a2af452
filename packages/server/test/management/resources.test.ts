/** API resources: SPEC 2.1, DECISIONS D1, D2. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createWorld, fresh } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const create = (fields: Record<string, unknown> = {}) =>
  server.api('POST', '/resources', { name: 'Orders', indicator: `https://${fresh('api')}.example`, ...fields })

test('POST answers 201 with the resource, its defaults and no permissions yet', async () => {
  const { status, body } = await create({ indicator: 'https://orders.example/v1', name: 'Órdenes 注文 🧾' })
  expect(status).toBe(201)
  expect(body).toEqual({
    tenantId: 'default',
    id: expect.stringMatching(/^[0-9a-z]{21}$/),
    name: 'Órdenes 注文 🧾',
    indicator: 'https://orders.example/v1',
    isDefault: false,
    accessTokenTtl: 3600,
    senderConstraint: 'none',
    dpopNonceRequired: false,
    scopes: [],
  })
  const { scopes: _, ...resource } = body
  expect((await server.api('GET', `/resources/${body.id}`)).body).toEqual(resource)
})

describe('D1: the indicator', () => {
  test.each([
    'https://api.example',
    'https://api.example/',
    'https://API.example/Path?query=1&x=%20',
    'http://internal:8080/a',
    'urn:example:orders',
    'api://orders',
    'com.example.app:/orders',
    `https://long.example/${'x'.repeat(2048 - 'https://long.example/'.length)}`,
  ])('may be %s, and is kept byte for byte', async (indicator) => {
    const { status, body } = await create({ indicator })
    expect(status).toBe(201)
    expect(body.indicator).toBe(indicator)
  })

  test.each([
    'https://api.example/#fragment',
    'https://api.example/#',
    '/relative',
    'api.example',
    '//api.example/',
    'https://',
    'https://api example/',
    'https://api.example/\n',
    ' https://api.example/',
    'https://api.example/é',
    'orders',
    ':',
    'https:',
  ])('may not be %j: 400', async (indicator) => {
    const { status, body } = await create({ indicator })
    expect(status).toBe(400)
    expect(body.code).toBe('resource.invalid_indicator')
  })

  test('may not be longer than 2048 characters: 400', async () => {
    const { status, body } = await create({ indicator: `https://x.example/${'x'.repeat(2048)}` })
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
  })

  test('is unique, byte for byte: 422 only for the same bytes', async () => {
    const indicator = 'https://twice.example/a'
    expect((await create({ indicator })).status).toBe(201)
    const { status, body } = await create({ indicator })
    expect([status, body.code]).toEqual([422, 'resource.resource_identifier_in_use'])
    expect((await create({ indicator: `${indicator}/` })).status).toBe(201)
    expect((await create({ indicator: 'https://TWICE.example/a' })).status).toBe(201)
  })

  test('is created once by 20 concurrent requests; the others get 422', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ indicator: 'https://race.example' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 422)])
  })

  test('cannot be changed', async () => {
    const { body } = await create()
    const { status, body: after } = await server.api('PATCH', `/resources/${body.id}`, {
      indicator: 'https://other.example',
    })
    expect(status).toBe(200)
    expect(after.indicator).toBe(body.indicator)
  })
})

describe('D2: accessTokenTtl', () => {
  test.each([1, 60, 31_536_000])('may be %d', async (accessTokenTtl) => {
    const { status, body } = await create({ accessTokenTtl })
    expect([status, body.accessTokenTtl]).toEqual([201, accessTokenTtl])
  })
  test.each([0, -1, 1.5, 31_536_001, 1e300, '3600', null, true])('may not be %j: 400', async (accessTokenTtl) => {
    const { status, body } = await create({ accessTokenTtl })
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
    expect(body.data.issues[0].path).toBe('/accessTokenTtl')
  })
})

test('a body without the required fields is refused with 400 and names them', async () => {
  const { status, body } = await server.api('POST', '/resources', {})
  expect(status).toBe(400)
  expect(body.data.issues).toEqual([
    { path: '/name', reason: 'is required', code: 'missing' },
    { path: '/indicator', reason: 'is required', code: 'missing' },
  ])
})

test('PATCH changes name and lifetime separately, and nothing else', async () => {
  const { body: before } = await create()
  const { scopes: _, ...resource } = before
  const path = `/resources/${before.id}`
  expect((await server.api('PATCH', path, { name: 'New' })).body).toEqual({ ...resource, name: 'New' })
  expect((await server.api('PATCH', path, { accessTokenTtl: 60 })).body).toMatchObject({
    name: 'New',
    accessTokenTtl: 60,
  })
  expect((await server.api('PATCH', path, { senderConstraint: 'dpop' })).body.senderConstraint).toBe('dpop')
  expect((await server.api('PATCH', path, { senderConstraint: 'mine' })).status).toBe(400)
  const kept = { name: 'New', accessTokenTtl: 60, senderConstraint: 'dpop' }
  expect((await server.api('PATCH', path, {})).body).toMatchObject(kept)
})

test('DELETE removes the resource and its permissions, also from roles', async () => {
  const { api } = server
  const world = await createWorld(server)
  const { status } = await api('DELETE', `/resources/${world.resourceId}`)
  expect(status).toBe(204)
  expect((await api('GET', `/resources/${world.resourceId}`)).status).toBe(404)
  expect((await api('GET', `/resources/${world.resourceId}/scopes`)).status).toBe(404)
  expect((await api('GET', `/roles/${world.roleId}/scopes`)).body).toEqual([])
  expect((await api('DELETE', `/resources/${world.resourceId}`)).status).toBe(404)
})

test('GET with includeScopes=true includes the permissions of each resource, otherwise none', async () => {
  const world = await createWorld(server)
  const ours = ({ body }: { body: { id: string; scopes?: { id: string }[] }[] }) =>
    body.find(({ id }) => id === world.resourceId)?.scopes?.map(({ id }) => id)
  const path = '/resources?page_size=100'
  expect(new Set(ours(await server.api('GET', `${path}&includeScopes=true`)))).toEqual(
    new Set([world.scopeId, world.freeScopeId]),
  )
  expect(ours(await server.api('GET', path))).toBeUndefined()
  expect(ours(await server.api('GET', `${path}&includeScopes=false`))).toBeUndefined()
})

test('ids of another kind are 404', async () => {
  const world = await createWorld(server)
  for (const id of [world.roleId, world.scopeId, world.applicationId]) {
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await server.api(method, `/resources/${id}`)).status).toBe(404)
    }
  }
})
