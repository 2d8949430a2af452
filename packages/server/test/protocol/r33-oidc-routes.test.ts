import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createSignalFeed } from '@countersign/server/domain/signals/feed.ts'
import { createRevocationFeed } from '@countersign/server/domain/tenants/revocation-feed.ts'
import { protocolEndpoints } from '@countersign/server/protocol/routes.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, authorization, FORM, form, issue, registerApplication, send } from './arrange.ts'

let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
})
afterAll(() => server.close())

/** Routes that anyone may read. */
const PUBLIC = [
  'GET /.well-known/oauth-authorization-server/oidc',
  'GET /.well-known/openid-configuration/oidc',
  'GET /.well-known/oauth-protected-resource/api',
  'GET /.well-known/oauth-protected-resource/api/my-account',
  'GET /.well-known/oauth-protected-resource/oidc/me',
  'GET /.well-known/oauth-protected-resource/oidc/ssf',
  'GET /.well-known/ssf-configuration/oidc',
  'GET /oidc/.well-known/oauth-authorization-server',
  'GET /oidc/.well-known/openid-configuration',
  'GET /oidc/jwks',
]
/** Routes that authenticate a client before they do anything. */
const FOR_CLIENTS = [
  'POST /oidc/bc-authorize',
  'POST /oidc/device/auth',
  'POST /oidc/request',
  'POST /oidc/revocations',
  'POST /oidc/token',
  'POST /oidc/token/introspection',
  'POST /oidc/token/revocation',
]
/** Routes that a user's browser visits, bound to it by cookies; tested in test/sign-in. */
const FOR_BROWSERS = [
  'GET /oidc/auth',
  'POST /oidc/auth',
  'GET /oidc/auth/:id',
  'GET /oidc/session/end',
  'POST /oidc/session/end',
  'GET /sso/:connectorId/signed-out',
]
/** Routes that require a user's token; tested in test/sign-in and test/grant-management. */
const FOR_TOKENS = ['GET /oidc/me', 'POST /oidc/me', 'GET /oidc/grants/:grantId', 'DELETE /oidc/grants/:grantId']
/** Routes that require a signed token of an identity provider; tested in test/federation. */
const FOR_PROVIDERS = ['POST /sso/:connectorId/backchannel-logout']
/** Routes that are closed, or require a token of registration; tested in test/registered-clients. */
const FOR_REGISTRATION = [
  'POST /oidc/register',
  'GET /oidc/register/:id',
  'PUT /oidc/register/:id',
  'DELETE /oidc/register/:id',
]
/** Routes that require a token of a receiver; tested in test/signals. */
const FOR_RECEIVERS = [
  'GET /oidc/ssf/streams',
  'POST /oidc/ssf/streams',
  'PATCH /oidc/ssf/streams',
  'PUT /oidc/ssf/streams',
  'DELETE /oidc/ssf/streams',
  'GET /oidc/ssf/status',
  'POST /oidc/ssf/status',
  'POST /oidc/ssf/subjects/add',
  'POST /oidc/ssf/subjects/remove',
  'POST /oidc/ssf/verification',
  'POST /oidc/ssf/poll/:id',
]
const PREFLIGHTS = [
  ...['OPTIONS /oidc/me', 'OPTIONS /oidc/token', 'OPTIONS /oidc/token/revocation'],
  ...PUBLIC.map((name) => name.replace('GET', 'OPTIONS')),
]

const endpoints = () =>
  protocolEndpoints(
    server.store,
    createRevocationFeed(server.store, () => () => undefined),
    createSignalFeed(server.store, () => () => undefined),
  )
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
const listed = (names: readonly string[]) => endpoints().filter((endpoint) => names.includes(nameOf(endpoint)))
const guarded = () => listed(FOR_CLIENTS)
const urlOf = ({ path }: { path: string }) => `${server.baseUrl}${path}`

describe('R-33 the routes of the protocol', () => {
  test('R-33 are these and no others: a new route belongs in a list, and each list is tested', () => {
    expect(endpoints().map(nameOf).toSorted()).toEqual(
      [
        ...PUBLIC,
        ...FOR_CLIENTS,
        ...FOR_BROWSERS,
        ...FOR_TOKENS,
        ...FOR_PROVIDERS,
        ...FOR_REGISTRATION,
        ...FOR_RECEIVERS,
        ...PREFLIGHTS,
      ].toSorted(),
    )
  })

  test('R-33 the public routes hold no secret', async () => {
    for (const endpoint of listed(PUBLIC)) {
      const { status, text } = await send(urlOf(endpoint), { method: 'GET' })
      expect(status).toBe(200)
      expect(text).not.toContain(server.credentials.clientSecret)
    }
  })

  test('R-33 those for clients refuse missing and unknown credentials, tokens, and wrong secrets', async () => {
    const { token } = await issue(server, arranged)
    const { credentials } = server
    const management = { client: credentials, resource: { id: '', indicator: credentials.resource } }
    const { token: admin } = await issue(server, management, 'all')
    const attempts: Record<string, string>[] = [
      {},
      { authorization: `Bearer ${token}` },
      { authorization: `Bearer ${admin}` },
      authorization({ clientId: 'z'.repeat(21), clientSecret: 'x' }),
      authorization({ ...arranged.client, clientSecret: 'x' }),
      authorization({ ...arranged.client, clientSecret: '' }),
      { cookie: `session=${token}` },
    ]
    expect(guarded()).toHaveLength(FOR_CLIENTS.length)
    for (const endpoint of guarded()) {
      for (const headers of attempts) {
        const reply = await send(urlOf(endpoint), {
          headers: { 'content-type': FORM, ...headers },
          body: form({ grant_type: 'client_credentials', token, access_token: admin }),
        })
        expect({ status: reply.status, error: reply.body.error }).toEqual({ status: 401, error: 'invalid_client' })
        expect(Object.keys(reply.body)).toEqual(['error', 'error_description', 'code', 'message', 'request_id'])
      }
    }
  })

  test('R-33 only the declared method is answered, and Allow names it', async () => {
    for (const endpoint of endpoints().filter(({ path }) => !path.includes(':'))) {
      const declared = endpoints().flatMap(({ method, path, isNotSafe }) => {
        if (path !== endpoint.path) return []
        return method === 'GET' && !isNotSafe ? ['GET', 'HEAD'] : [method as string]
      })
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        if (declared.includes(method)) continue
        const { status, headers } = await send(urlOf(endpoint), { method, headers: authorization(arranged.client) })
        expect({ status, allow: headers.allow }).toEqual({ status: 405, allow: declared.join(', ') })
      }
    }
  })

  test.each(['/oidc', '/oidc/', '/oidc/token/', '/oidc/token/x', '/oidc//token', '/OIDC/token', '/oidc/%74oken%00'])(
    'R-33 %s is nothing',
    async (path) => {
      const { status, text } = await send(`${server.baseUrl}${path}`, { headers: authorization(arranged.client) })
      expect([400, 404]).toContain(status)
      expect(text).not.toContain('access_token')
    },
  )

  test('R-33 responses of protected routes are readable by no other origin', async () => {
    for (const endpoint of guarded()) {
      const { headers } = await send(urlOf(endpoint), { headers: { origin: 'https://evil.example' } })
      expect(headers).not.toHaveProperty('access-control-allow-origin')
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })

  test('R-33 no response to a client repeats its secret', async () => {
    const secrets = [arranged.client.clientSecret, (await registerApplication(server)).clientSecret]
    for (const endpoint of guarded()) {
      for (const headers of [authorization(arranged.client), {}]) {
        const parameters = { client_id: arranged.client.clientId, client_secret: arranged.client.clientSecret }
        const reply = await send(urlOf(endpoint), {
          headers: { 'content-type': FORM, ...headers },
          body: form({ ...parameters, token: arranged.client.clientSecret }),
        })
        for (const secret of secrets) expect(reply.text).not.toContain(secret)
      }
    }
  })
})
