/** Which redirect URIs can be registered (DECISIONS C3). Matching those of requests is tested with the protocol. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { HOSTILE_URIS } from './hostile-uris.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const register = (type: string, oidcClientMetadata: Record<string, unknown>) =>
  server.api('POST', '/applications', { name: 'x', type, oidcClientMetadata })

const WEB = [
  'https://app.example/callback',
  'https://app.example',
  'https://app.example:8443/cb?tenant=1&x=%2F',
  'https://app.example:443/cb',
  'https://sub.app.example/a/b;c=d',
  'https://xn--bcher-kva.example/cb',
  'https://192.0.2.1/cb',
  'https://[2001:db8::1]/cb',
  'HTTPS://App.Example/CB',
  'http://localhost:3000/cb',
  'http://127.0.0.1/cb',
  'http://127.0.0.1:49152/cb',
  'http://[::1]:3000/cb',
]
const NATIVE = ['com.example.app:/oauth', 'com.example.app://callback', 'io.example:/cb', 'com.example.my-app:/cb?x=1']

describe.each(['Native', 'SPA'])('an application of type %s', (type) => {
  test.each(WEB)('may register %s, stored byte for byte', async (uri) => {
    for (const field of ['redirectUris', 'postLogoutRedirectUris']) {
      const { status, body } = await register(type, { [field]: [uri] })
      expect(status).toBe(200)
      expect(body.oidcClientMetadata[field]).toEqual([uri])
    }
  })

  test.each(HOSTILE_URIS)('R-22, R-23: may not register %j: 400 with the URI and the reason', async (uri) => {
    const { status, body } = await register(type, { redirectUris: ['https://good.example/cb', uri] })
    expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
    expect(body.message).toMatch(/redirectUris(\/1|\[1\])/)
  })
})

test.each(NATIVE)('a Native application may register the private scheme of %s, other types may not', async (uri) => {
  expect((await register('Native', { redirectUris: [uri] })).status).toBe(200)
  for (const type of ['SPA', 'Traditional', 'MachineToMachine']) {
    expect((await register(type, { redirectUris: [uri] })).status).toBe(400)
  }
})

test('R-23: PATCH refuses what POST refuses, and leaves the old URIs', async () => {
  const { body } = await register('SPA', { redirectUris: ['https://app.example/cb'] })
  for (const uri of HOSTILE_URIS) {
    const change = { oidcClientMetadata: { redirectUris: [uri] } }
    expect((await server.api('PATCH', `/applications/${body.id}`, change)).status).toBe(400)
  }
  const { body: after } = await server.api('GET', `/applications/${body.id}`)
  expect(after.oidcClientMetadata.redirectUris).toEqual(['https://app.example/cb'])
})

test.each([
  ['postLogoutRedirectUris', (uri: string) => [uri], []],
  ['backchannelLogoutUri', (uri: string) => uri, ['com.example.app:/x']],
  ['logoUri', (uri: string) => uri, ['com.example.app:/x']],
])('R-23: %s is held to the same rules', async (field, value, more) => {
  expect((await register('Native', { [field]: value('https://app.example/x') })).status).toBe(200)
  for (const uri of [...HOSTILE_URIS, ...more]) {
    expect((await register('Native', { [field]: value(uri) })).status).toBe(400)
  }
})

test('R-22: the corpus has at least 200 URIs', () => {
  expect(new Set(HOSTILE_URIS).size).toBeGreaterThanOrEqual(200)
})

test('R-22: nothing is registered by default', async () => {
  const { body } = await register('SPA', {})
  expect(body.oidcClientMetadata).toEqual({ redirectUris: [], postLogoutRedirectUris: [] })
})
