import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, authorization, issue, post, registerApplication } from './arrange.ts'

let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
})
afterAll(() => server.close())

type Client = Arranged['client']
const introspect = (client: Client, token: string, more: Record<string, string> = {}) =>
  post(server, '/token/introspection', { token, ...more }, authorization(client))
const INACTIVE = { active: false }

describe('introspection (RFC 7662, DECISIONS G5)', () => {
  test('shows a client the claims of its own token unchanged', async () => {
    const { token, claims } = await issue(server, arranged)
    const { status, body, headers } = await introspect(arranged.client, token)
    expect(status).toBe(200)
    expect(body).toEqual({ active: true, token_type: 'Bearer', ...claims })
    expect(headers['cache-control']).toBe('no-store')
  })

  test('a hint of any kind changes nothing', async () => {
    const { token } = await issue(server, arranged)
    for (const token_type_hint of ['access_token', 'refresh_token', 'nonsense', '']) {
      expect((await introspect(arranged.client, token, { token_type_hint })).body.active).toBe(true)
    }
  })

  test('the token is active until the second of its expiry', async () => {
    const short = await arrange(server, { resource: { accessTokenTtl: 60 } })
    const { token } = await issue(server, short)
    const remaining = 60 - (server.clock.now().getTime() % 1000) / 1000
    server.clock.advance(remaining - 0.001)
    expect((await introspect(short.client, token)).body.active).toBe(true)
    server.clock.advance(0.001)
    expect((await introspect(short.client, token)).body).toEqual(INACTIVE)
  })

  test('a token of a deleted application is not active, whichever client asks', async () => {
    const doomed = await arrange(server)
    const all = await registerApplication(server, 'Traditional', { dangerouslyIntrospectAllTokens: true })
    const { token } = await issue(server, doomed)
    expect((await introspect(all, token)).body.active).toBe(true)
    await server.api('DELETE', `/applications/${doomed.client.clientId}`)
    expect((await introspect(all, token)).body).toEqual(INACTIVE)
    expect((await introspect(doomed.client, token)).status).toBe(401)
  })

  test.each(['', 'x', '.', '..', '...', 'a.b.c', 'cs_at_abc', 'ey'.repeat(7_000), '{}', '\u0001'])(
    'garbage of the form %j is not active, or missing',
    async (token) => {
      const { status, body } = await introspect(arranged.client, token)
      expect({ status, error: body.error, active: body.active }).toEqual(
        token === ''
          ? { status: 400, error: 'invalid_request', active: undefined }
          : { status: 200, error: undefined, active: false },
      )
    },
  )

  test('asks for the token once', async () => {
    const { token } = await issue(server, arranged)
    const reply = await post(server, '/token/introspection', { token: [token, token] }, authorization(arranged.client))
    expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 400, error: 'invalid_request' })
  })
})

describe('R-14 a caller sees only tokens that concern it', () => {
  const served = () => ({ introspectionAudiences: [arranged.resource.indicator] })

  test.each<[string, () => Promise<Client>, boolean]>([
    ['another application', () => registerApplication(server), false],
    ['an application that holds the same role', () => sameRole(), false],
    ['the application that administers the tenant', async () => server.credentials, false],
    ['a resource server of its audience', () => registerApplication(server, 'MachineToMachine', served()), true],
    ['a web application that serves its audience', () => registerApplication(server, 'Traditional', served()), true],
    ['a resource server of another audience', () => serverOf('https://other.example'), false],
    ['a resource server of a prefix of its audience', () => serverOf(arranged.resource.indicator.slice(0, -1)), false],
    ['a resource server of a longer audience', () => serverOf(`${arranged.resource.indicator}/`), false],
    ['one that the tenant allows to see all', () => seesAll(true), true],
    ['one whose setting to see all is off', () => seesAll(false), false],
  ])('R-14 %s sees it or not as the table says', async (_who, register, sees) => {
    const { token } = await issue(server, arranged)
    const { status, body } = await introspect(await register(), token)
    expect(status).toBe(200)
    if (sees) expect(body).toMatchObject({ active: true, client_id: arranged.client.clientId })
    else expect(body).toEqual(INACTIVE)
  })

  const serverOf = (audience: string) =>
    registerApplication(server, 'MachineToMachine', { introspectionAudiences: [audience] })
  const seesAll = (dangerouslyIntrospectAllTokens: boolean) =>
    registerApplication(server, 'MachineToMachine', { dangerouslyIntrospectAllTokens })
  const sameRole = async () => {
    const client = await registerApplication(server)
    await server.api('POST', `/applications/${client.clientId}/roles`, { roleIds: [arranged.roleId] })
    return client
  }

  test('R-14 a public client may not ask at all, nor anyone without authentication', async () => {
    const { token } = await issue(server, arranged)
    const spa = await registerApplication(server, 'SPA')
    const asSpa = await post(server, '/token/introspection', { token, client_id: spa.clientId })
    const asNobody = await post(server, '/token/introspection', { token })
    const asWrong = await introspect({ ...arranged.client, clientSecret: 'x' }, token)
    for (const { status, body } of [asSpa, asNobody, asWrong]) {
      expect({ status, error: body.error }).toEqual({ status: 401, error: 'invalid_client' })
      expect(body).not.toHaveProperty('active')
    }
  })

  test('R-14 a resource server whose audience is removed sees nothing from the next request on', async () => {
    const { token } = await issue(server, arranged)
    const api = await registerApplication(server, 'MachineToMachine', served())
    expect((await introspect(api, token)).body.active).toBe(true)
    await server.api('PATCH', `/applications/${api.clientId}`, { customClientMetadata: { introspectionAudiences: [] } })
    expect((await introspect(api, token)).body).toEqual(INACTIVE)
  })
})
