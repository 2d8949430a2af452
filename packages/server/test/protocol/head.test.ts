/** HEAD (RFC 9110 sections 9.1, 9.3.2): every GET route answers HEAD, unless its GET has side effects. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { begin, CALLBACK, createApp, createUser, newBrowser, signIn } from '../sign-in/arrange.ts'
import { type Reply, send } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

/** Without what differs between any two responses. */
const lasting = ({ status, headers: { date: _, 'x-request-id': id, 'set-cookie': __, ...headers } }: Reply) => {
  expect(id).toMatch(/^[0-9a-z]{21}$/)
  return { status, headers }
}

test.each([
  ['/api/status', 204],
  ['/api/openapi.json', 200],
  ['/api/docs', 200],
  ['/api/.well-known/sign-in-exp', 200],
  ['/api/roles', 401],
  ['/oidc/jwks', 200],
  ['/oidc/.well-known/openid-configuration', 200],
  ['/.well-known/oauth-authorization-server/oidc', 200],
  ['/oidc/me', 401],
  ['/device/done', 200],
  ['/sign-in/nothing', 400],
])('HEAD %s has the status and the headers of GET, and no body', async (path, status) => {
  const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => send(`${server.baseUrl}${path}`, { method })))
  if (!get || !head) throw new Error('no answers')
  expect(lasting(head)).toEqual(lasting(get))
  expect([head.status, head.text]).toEqual([status, ''])
  expect(Number(head.headers['content-length'] ?? 0)).toBe(Buffer.byteLength(get.text))
})

test('HEAD does not use up an authorization request, advance a sign-in or end a session: 405', async () => {
  const { id, configuration } = await createApp(server)
  const { username } = await createUser(server)
  const begun = await begin(configuration)
  const metadata = configuration.serverMetadata()
  const { body: secrets } = await server.api('GET', `/applications/${id}/secrets`)
  const basic = Buffer.from(`${id}:${secrets[0].value}`).toString('base64')
  const { body: pushed } = await send(metadata.pushed_authorization_request_endpoint ?? '', {
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: `Basic ${basic}` },
    body: begun.url.searchParams.toString(),
  })
  const query = new URLSearchParams({ client_id: id, request_uri: pushed.request_uri })
  const url = new URL(`${metadata.authorization_endpoint}?${query}`)
  expect(await send(url.href, { method: 'HEAD' })).toMatchObject({ status: 405, headers: { allow: 'GET, POST' } })

  const browser = newBrowser()
  const back = await signIn(browser, { ...begun, url }, username)
  expect(back.url.href.split('?')[0]).toBe(CALLBACK)
  for (const [path, allow] of [
    ['/oidc/auth/x', 'GET'],
    ['/oidc/session/end', 'GET, POST'],
  ]) {
    const reply = await send(`${server.baseUrl}${path}`, { method: 'HEAD' })
    expect([reply.status, reply.headers.allow]).toEqual([405, allow])
  }
})
