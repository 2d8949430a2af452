/**
 * SPEC 6.2 a second time, with the published npm package `@logto/api` as the client, unchanged: it gets its own token, and
 * what it sends has the same statuses, answers and events as what our own client sends (DECISIONS B1).
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createApiClient, createManagementApi } from '@logto/api/management'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { SPEC_6_2 } from '../events/spec-6-2.ts'
import { createWorld, fresh, managementToken, type World } from './arrange.ts'
import type { Fields } from './logto-api.shapes.ts'
import { CALLS, READS } from './logto-api.table.ts'
import { worldsOf } from './worlds.ts'

let server: TestServer
let worldFor: ReturnType<typeof worldsOf>
let credentials: { clientId: string; clientSecret: string }
let client: ReturnType<typeof createApiClient>
/** Where the feed was read to. */
let cursor = ''

const managementApi = (of: { clientId: string; clientSecret: string }) =>
  createManagementApi('default', { ...of, baseUrl: server.baseUrl, apiIndicator: `${server.baseUrl}/api` })

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const { api } = server
  // this package sends its secret in the body, which an application must be allowed to do (DECISIONS C1)
  const customClientMetadata = { tokenEndpointAuthMethod: 'client_secret_post' }
  const application = { name: 'Script', type: 'MachineToMachine', customClientMetadata }
  const { id: clientId } = (await api('POST', '/applications', application)).body
  const { body: roles } = await api('GET', '/roles?type=MachineToMachine')
  const access = roles.find(({ name }: { name: string }) => name === 'Management API access')
  await api('POST', `/applications/${clientId}/roles`, { roleIds: [access.id] })
  const { body: secrets } = await api('GET', `/applications/${clientId}/secrets`)
  credentials = { clientId, clientSecret: secrets[0].value }
  client = managementApi(credentials).apiClient
  worldFor = worldsOf(server)
})
afterAll(() => server.close())

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

/** The fields that are not of the kind that was promised, each with the kind that it is of. */
const broken = (entity: unknown, fields: Fields) =>
  Object.entries(fields).flatMap(([name, kind]) => {
    const found = kindOf((entity as Record<string, unknown>)[name])
    const kinds = kind.endsWith('?') ? [kind.slice(0, -1), 'null'] : [kind]
    return kinds.includes(found) ? [] : [{ name, found, kind }]
  })

test('every row of the table has a call', () => {
  expect(new Set(SPEC_6_2.map(({ method, path }) => `${method} ${path}`))).toEqual(new Set(Object.keys(CALLS)))
})

test.each(SPEC_6_2.map((one) => [`${one.method} ${one.path}${one.when ? ` ${one.when}` : ''}`, one] as const))(
  '%s',
  async (_, operation) => {
    const call = CALLS[`${operation.method} ${operation.path}`]
    if (!call) throw new Error('there is no such call')
    const world = await worldFor(operation)
    const { cursor: before } = await readAll(server.api, cursor)
    const { data, error, response } = await call.send(client, world, operation.body?.(world) as never)
    expect({ status: response.status, error }).toEqual({ status: call.status, error: undefined })
    expect(new URL(response.url).pathname).toBe(`/api${operation.at(world)}`)
    if (call.status === 204) expect(data).toBeUndefined()
    expect(Array.isArray(data)).toBe(call.isList)
    const { fields } = call
    if (fields) expect([data].flat().flatMap((entity) => broken(entity, fields))).toEqual([])

    const { events, cursor: after } = await readAll(server.api, before)
    cursor = after
    expect(events.map(({ event }) => event)).toEqual(operation.events)
    for (const [index, event] of events.entries()) {
      expect(event).toMatchObject(operation.fields?.(world)[index] ?? {})
      expect(event).toMatchObject({
        application: { id: credentials.clientId, name: 'Script', type: 'MachineToMachine' },
        matchedRoute: operation.path,
        status: call.status,
      })
    }
  },
)

test('gets one token for all requests, with the scope it requests', async () => {
  const { clientCredentials } = managementApi(credentials)
  const token = await clientCredentials.getAccessToken()
  expect(token).toMatchObject({ scope: 'all' })
  expect(decodeJwt(token.value)).toMatchObject({ aud: `${server.baseUrl}/api`, client_id: credentials.clientId })
  expect(await clientCredentials.getAccessToken()).toBe(token)
})

test('an application that authenticates with Basic gets its token itself and passes it on', async () => {
  await expect(managementApi(server.credentials).apiClient.GET('/api/users')).rejects.toThrow('401')
  const own = createApiClient({ baseUrl: server.baseUrl, getToken: () => managementToken(server, 'all') })
  const { data } = await own.GET('/api/applications/{id}', { params: { path: { id: server.credentials.clientId } } })
  expect(data).toMatchObject({ id: server.credentials.clientId, type: 'MachineToMachine', isAdmin: true })
})

describe('what scripts read', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(server)
  })

  test.each(Object.entries(READS))('GET %s', async (_, { call, differs = [] }) => {
    const { data, response } = await call.send(client, world, undefined as never)
    expect(response.status).toBe(call.status)
    const items = data as unknown[]
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) expect(broken(item, call.fields ?? {}).map(({ name }) => name)).toEqual(differs)
  })
})

test('a list has pages, a total, and search', async () => {
  for (const name of ['Zoe', 'Yan', 'Zoey']) {
    server.clock.advance(1)
    await server.api('POST', '/users', { username: fresh('listed'), name })
  }
  const query = { page: 1, page_size: 1, search_params: { search: '%Zoe%' } }
  const { data = [], response } = await client.GET('/api/users', {
    params: { query },
    // `search=…`, not `search_params[search]=…`
    querySerializer: { object: { style: 'form', explode: true } },
  })
  expect(data.map(({ name }) => name)).toEqual(['Zoey'])
  expect(response.headers.get('total-number')).toBe('2')
  expect(response.headers.get('link')).toContain('rel="next"')
})

test('a refusal is an error with a code and a message', async () => {
  const missing = await client.GET('/api/roles/{id}', { params: { path: { id: 'x' } } })
  expect({ data: missing.data, status: missing.response.status }).toEqual({ data: undefined, status: 404 })
  expect(missing.error).toMatchObject({ code: 'entity.not_exists_with_id', message: expect.any(String) })
  const { error, response } = await client.POST('/api/roles', { body: { name: '', description: '' } })
  expect({ status: response.status, error }).toMatchObject({ status: 400, error: { code: 'guard.invalid_input' } })
})

test('public routes are called without a token', async () => {
  const { data, response } = await createApiClient({
    baseUrl: server.baseUrl,
    getToken: () => Promise.reject(new Error('no token is needed')),
  }).GET('/api/.well-known/sign-in-exp')
  expect(response.status).toBe(200)
  expect(data).toMatchObject({ signUp: { identifiers: ['username'] }, signInMode: 'SignInAndRegister' })
})
