/** Addresses and methods that do not exist, and what every answer carries whatever happens. */
import { API_ROUTES } from '@countersign/contract/api.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Reply } from '../protocol/arrange.ts'
import { call, managementToken, unknownPath } from './arrange.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  token = await managementToken(server, 'all')
})
afterAll(() => server.close())

const assertError = ({ headers, body, text }: Reply, code: string) => {
  expect(headers['x-request-id']).toMatch(/^[0-9a-z]{21}$/)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toEqual({
    code,
    message: expect.any(String),
    requestId: headers['x-request-id'],
    ...(body.data ? { data: body.data } : {}),
  })
  expect(text).not.toMatch(/\bat .+:\d+:\d+|node_modules|select |insert |constraint|relation "/i)
}

test.each(['', '/', '/nothing', '/Roles', '/roles//x', '/roles/x/y/z', '/resources/x/nothing', '/../oidc'])(
  'answers 404 for the unknown address /api%s, with and without a token',
  async (path) => {
    const answers = [await call(server, 'GET', path, { token }), await call(server, 'GET', path)]
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      assertError(answer, 'request.not_found')
    }
  },
)

const PATHS = [...new Set(API_ROUTES.map(({ path }) => path))]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']

describe.each(PATHS)('%s', (path) => {
  // DELETE of /configs/oidc/private-keys/rotate is that of a key with the id "rotate"
  const fits = (pattern: string) => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)
  const supported = API_ROUTES.filter((route) => fits(route.path)).flatMap(({ method }) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method as string],
  )
  test.each(METHODS.filter((method) => !supported.includes(method)))(
    'answers 405 to %s, and names the methods it has',
    async (method) => {
      const answer = await call(server, method, unknownPath({ path } as (typeof API_ROUTES)[number]), { token })
      expect(answer.status).toBe(405)
      expect(String(answer.headers.allow).split(', ').sort()).toEqual([...supported].sort())
      if (method !== 'HEAD') assertError(answer, 'request.method_not_allowed')
    },
  )
})

test.each([
  ['success', 'GET', '/roles', {}, 200],
  ['no content', 'GET', '/status', {}, 204],
  ['a malformed address', 'GET', '/roles/%ff', {}, 400],
  ['a long parameter', 'GET', `/roles/${'x'.repeat(4000)}`, {}, 404],
  ['an unknown id', 'GET', '/roles/x', {}, 404],
  ['a malformed body', 'POST', '/roles', { body: '{' }, 400],
  ['a body that is too large', 'POST', '/roles', { body: 'x'.repeat(1024 * 1024 + 1) }, 413],
  ['an unsupported content type', 'POST', '/roles', { body: '{}', headers: { 'content-type': '/' } }, 415],
])('every answer has x-request-id: %s', async (_title, method, path, options, status) => {
  const answer = await call(server, method, path, { token, ...options })
  expect(answer.status).toBe(status)
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-z]{21}$/)
  if (status >= 400) expect(answer.body.requestId).toBe(answer.headers['x-request-id'])
})

test("two requests never share a request id, and a client's request id is ignored", async () => {
  const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => (await call(server, 'GET', '/status', { headers })).headers['x-request-id']),
  )
  expect(new Set(ids).size).toBe(20)
  expect(ids).not.toContain('mine')
})

test('R-33: a method cannot be overridden by a header, a query parameter or a body field', async () => {
  const answer = await call(server, 'GET', '/roles?_method=DELETE&method=DELETE', {
    token,
    headers: { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE' },
  })
  expect(answer.status).toBe(200)
})

test('responses of the API are never cached', async () => {
  const { headers } = await call(server, 'GET', '/roles', { token })
  expect(headers['cache-control']).toBe('no-store')
})
