import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createApp } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const ask = (path: string, method: string, origin: string) =>
  fetch(`${server.issuer}${path}`, { method, headers: { origin } })
const allowed = (response: Response) => response.headers.get('access-control-allow-origin')

test('R-33 scripts may call from exactly the origins of an application', async () => {
  expect(allowed(await ask('/token', 'OPTIONS', 'https://app.example'))).toBeNull()
  const { id } = await createApp(server, 'SPA')
  const preflight = await ask('/token', 'OPTIONS', 'https://app.example')
  expect(preflight.status).toBe(204)
  expect(allowed(preflight)).toBe('https://app.example')
  expect(preflight.headers.get('access-control-allow-methods')).toBe('POST')
  expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain('dpop')
  expect(preflight.headers.get('access-control-expose-headers')?.split(', ')).toContain('dpop-nonce')
  // errors can be read too
  expect(allowed(await ask('/me', 'GET', 'https://app.example'))).toBe('https://app.example')
  for (const origin of [
    'https://app.example.evil',
    'http://app.example',
    'https://app.example:444',
    'null',
    'https://APP.example',
  ]) {
    expect(allowed(await ask('/token', 'OPTIONS', origin))).toBeNull()
  }
  const named = { customClientMetadata: { corsAllowedOrigins: ['https://other.example'] } }
  await server.api('PATCH', `/applications/${id}`, named)
  expect(allowed(await ask('/token', 'OPTIONS', 'https://other.example'))).toBe('https://other.example')
  await server.api('PATCH', `/applications/${id}`, { customClientMetadata: {} })
  expect(allowed(await ask('/token', 'OPTIONS', 'https://other.example'))).toBeNull()
  await server.api('PATCH', `/applications/${id}`, named)
  await server.api('DELETE', `/applications/${id}`)
  expect(allowed(await ask('/token', 'OPTIONS', 'https://other.example'))).toBeNull()
})

test('the authorization endpoint is never open to scripts', async () => {
  expect(allowed(await ask('/auth', 'GET', server.baseUrl))).toBeNull()
})

test('a value that is not an origin is refused', async () => {
  const body = { name: 'x', type: 'SPA', customClientMetadata: { corsAllowedOrigins: ['https://app.example/path'] } }
  expect((await server.api('POST', '/applications', body)).status).toBe(400)
})
