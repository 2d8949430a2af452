/**
 * SECURITY R-30: no response is read as another type than declared, whether it comes from an endpoint, the shell or the
 * HTTP parser.
 */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { API_ROUTES } from '@countersign/contract/api.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createSignalFeed } from '@countersign/server/domain/signals/feed.ts'
import { createRevocationFeed } from '@countersign/server/domain/tenants/revocation-feed.ts'
import { pageEndpoints } from '@countersign/server/pages/routes.ts'
import { atSignIn } from '@countersign/server/protocol/authorize/at-sign-in.ts'
import { protocolEndpoints } from '@countersign/server/protocol/routes.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { send } from '../protocol/arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const raw = async (request: string): Promise<string> => {
  const { hostname, port } = new URL(server.baseUrl)
  const socket = connect(Number(port), hostname)
  socket.write(request)
  return text(socket)
}

test('R-30 every route responds with nosniff, to its own methods and to others', async () => {
  const paths = [
    ...[
      ...protocolEndpoints(
        server.store,
        createRevocationFeed(server.store, () => () => undefined),
        createSignalFeed(server.store, () => () => undefined),
      ),
      ...pageEndpoints(server.store, atSignIn(server.store)),
    ].map(({ path }) => path),
    ...API_ROUTES.map(({ path }) => `/api${path}`),
    ...['/api/docs', '/api/docs/roles', '/api/docs/nothing', '/nothing', '/%ff', `/api/roles/${'x'.repeat(2000)}`],
  ]
  const requests = [...new Set(paths)].flatMap((path) =>
    ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].map((method) => ({ path, method })),
  )
  const without: string[] = []
  for (const { path, method } of requests) {
    const { status, headers } = await send(`${server.baseUrl}${path}`, { method })
    if (headers['x-content-type-options'] !== 'nosniff') without.push(`${method} ${path} ${status}`)
  }
  expect(requests.length).toBeGreaterThan(900)
  expect(without).toEqual([])
})

test.each([
  ['bytes that are not HTTP', 'GARBAGE\r\n\r\n', 400],
  ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n', 417],
])('R-30 so is %s', async (_what, request, status) => {
  const answer = await raw(request)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer.toLowerCase()).toContain('\r\nx-content-type-options: nosniff\r\n')
})
