/** Which redirect URIs with wildcards can be registered, and by whom (DECISIONS C3). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { HOSTILE_URIS } from './hostile-uris.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const allowed = { dangerouslyAllowWildcardRedirectUris: true }
const register = (oidcClientMetadata: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  server.api('POST', '/applications', {
    name: 'x',
    type: 'SPA',
    oidcClientMetadata,
    customClientMetadata: allowed,
    ...more,
  })
const change = (id: string, body: Record<string, unknown>) => server.api('PATCH', `/applications/${id}`, body)

const GOOD = [
  'https://*.app.example.com/callback',
  'https://*.example.com/callback',
  'https://pr-*.example.com/callback',
  'https://*-preview.example.com',
  'https://pr-*-x.example.com:8443/callback?via=x',
  'https://*.*.example.com/*/v-*',
  'https://*.example.co.uk/callback',
  'https://*.mine.vercel.app/callback',
  'https://*.xn--bcher-kva.example/callback',
  'https://*.corp.internal/callback',
  'https://example.com/*',
  'https://example.com/branches/*/callback',
  'http://localhost:3000/*',
  'http://127.0.0.1/*',
]
const LAST_TWO = 'has a wildcard in the last two labels of its host'
const ANYBODY = 'has a wildcard directly below'
const NO_NAME = 'has a wildcard in a host that is not a name'
const NOT_PLAIN = 'is not in canonical form'
const BAD: readonly (readonly [string, string])[] = [
  ['https://*', LAST_TWO],
  ['https://*/cb', LAST_TWO],
  ['https://*.com/cb', LAST_TWO],
  ['https://*.*/cb', LAST_TWO],
  ['https://example.*/cb', LAST_TWO],
  ['https://app.*.com/cb', LAST_TWO],
  ['https://app.example*/cb', LAST_TWO],
  ['https://app.example.com*', LAST_TWO],
  ['https://app.example.com*/cb', LAST_TWO],
  ['https://*.app.*.com/cb', LAST_TWO],
  ['https://*localhost/cb', LAST_TWO],
  ['https://*.co.uk/cb', ANYBODY],
  ['https://*.com.au/cb', ANYBODY],
  ['https://*.foo.ck/cb', ANYBODY],
  ['https://*.kobe.jp/cb', ANYBODY],
  ['https://*.vercel.app/cb', ANYBODY],
  ['https://my-*.vercel.app/cb', ANYBODY],
  ['https://*.github.io/cb', ANYBODY],
  ['https://*.s3.amazonaws.com/cb', ANYBODY],
  ['https://x.*.pages.dev/cb', ANYBODY],
  ['https://*.com./cb', NO_NAME],
  ['https://*.example.com./cb', NO_NAME],
  ['https://-*.example.com/cb', NO_NAME],
  ['https://*-.example.com/cb', NO_NAME],
  ['https://xn--*.example.com/cb', NO_NAME],
  ['https://_*.example.com/cb', NO_NAME],
  ['https://a$*.example.com/cb', NO_NAME],
  [`https://${'a'.repeat(63)}*.example.com/cb`, NO_NAME],
  ['https://*.Example.com/cb', NOT_PLAIN],
  ['HTTPS://*.example.com/cb', NOT_PLAIN],
  ['https://*.example.com:443/cb', NOT_PLAIN],
  ['https://*.example.com:08443/cb', NOT_PLAIN],
  ['https://*.example.com/a/../cb', NOT_PLAIN],
  ['https://*.example.com/%2e/cb', NOT_PLAIN],
  ['https://*.example.com?x', NOT_PLAIN],
  ['https://**.example.com/cb', 'has two wildcards'],
  ['https://*a*.example.com/cb', 'has two wildcards'],
  ['https://example.com/**', 'has two wildcards'],
  ['https://example.com/*-*', 'has two wildcards'],
  ['https://example.com/cb?x=*', 'has a wildcard in its query'],
  ['https://*.example.com/cb?*', 'has a wildcard in its query'],
  ['https://example.com/..;*', 'has a wildcard next to a character'],
  ['https://example.com/%2f*', 'has a wildcard next to a character'],
  ['https://example.com/@*', 'has a wildcard next to a character'],
  ['https://example.com/cb#*', 'has a fragment'],
  ['https://*@example.com/cb', 'contains user information'],
  ['https://example.com:*/cb', 'is not an absolute URI'],
  ['https://[::*]/cb', 'is not an absolute URI'],
  ['https://*.0.0.1/cb', 'is not an absolute URI'],
  ['https:*.example.com/cb', 'does not have its host in canonical form'],
  ['*://example.com/cb', 'is not an absolute URI'],
  ['http*://app.example.com/cb', 'is not an absolute URI'],
  ['http://*.example.com/cb', 'is http and not a loopback address'],
  ['http://*.localhost/cb', 'is http and not a loopback address'],
  ['http://127.0.0.*/cb', 'is http and not a loopback address'],
  ['javascript:*', 'has a scheme that is not allowed'],
]

describe('while dangerouslyAllowWildcardRedirectUris is set', () => {
  test.each(GOOD)('%s may be registered, stored byte for byte', async (uri) => {
    for (const field of ['redirectUris', 'postLogoutRedirectUris']) {
      const { status, body } = await register({ [field]: [uri] })
      expect([status, body.oidcClientMetadata?.[field]]).toEqual([200, [uri]])
    }
  })

  test.each(BAD)('%s may not: it %s', async (uri, why) => {
    for (const field of ['redirectUris', 'postLogoutRedirectUris']) {
      const { status, body } = await register({ [field]: ['https://good.example/cb', uri] })
      expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
      expect(body.message).toContain(`${field}[1] `)
      expect(body.message).toContain(why)
    }
  })

  test('nor may any other hostile URI', async () => {
    const isGood = (uri: string) => ['https://*.app.example/cb', 'https://app.example/*'].includes(uri)
    const answers = HOSTILE_URIS.filter((uri) => !isGood(uri)).map((uri) => register({ redirectUris: [uri] }))
    for (const { status } of await Promise.all(answers)) expect(status).toBe(400)
  })

  test.each(['com.example.app:/*', 'com.example.app://*.example.com/cb'])(
    'a private scheme has none: %s',
    async (uri) => {
      const { status, body } = await register({ redirectUris: [uri] }, { type: 'Native' })
      expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
      expect(body.message).toContain('allowed only with https and http')
    },
  )

  test.each(['backchannelLogoutUri', 'logoUri'])('%s has none', async (field) => {
    const { status, body } = await register({ [field]: 'https://*.example.com/x' })
    expect([status, body.message]).toEqual([400, expect.stringContaining(`${field}[0] has a wildcard`)])
  })
})

const WILD = ['https://*.example.com/cb', 'https://example.com/*']

test.each([{}, { dangerouslyAllowWildcardRedirectUris: false }])('with %j none may be registered', async (off) => {
  const uris = { redirectUris: ['https://good.example/cb', ...WILD], postLogoutRedirectUris: WILD.slice(0, 1) }
  const { status, body } = await register(uris, { customClientMetadata: off })
  expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
  expect(body.data.issues.map(({ path }: { path: string }) => path)).toEqual([
    '/oidcClientMetadata/redirectUris/1',
    '/oidcClientMetadata/redirectUris/2',
    '/oidcClientMetadata/postLogoutRedirectUris/0',
  ])
})

test('PATCH turns it on, but not off while URIs with wildcards are registered; the error names them', async () => {
  const { body } = await register({ redirectUris: ['https://good.example/cb'] }, { customClientMetadata: {} })
  const wild = { redirectUris: ['https://good.example/cb', WILD[0]], postLogoutRedirectUris: [WILD[1]] }
  expect((await change(body.id, { oidcClientMetadata: wild })).status).toBe(400)
  expect((await change(body.id, { customClientMetadata: allowed, oidcClientMetadata: wild })).status).toBe(200)
  const off = { customClientMetadata: { dangerouslyAllowWildcardRedirectUris: false } }
  const refused = await change(body.id, off)
  expect([refused.status, refused.body.code]).toEqual([400, 'guard.invalid_input'])
  expect(refused.body.message).toContain(`redirectUris[1] has a wildcard (${WILD[0]})`)
  expect(refused.body.message).toContain(`postLogoutRedirectUris[0] has a wildcard (${WILD[1]})`)
  const still = (await server.api('GET', `/applications/${body.id}`)).body
  expect(still).toMatchObject({ customClientMetadata: allowed, oidcClientMetadata: wild })
  // a change of other fields is unaffected
  expect((await change(body.id, { name: 'y' })).status).toBe(200)
  const none = { oidcClientMetadata: { redirectUris: [], postLogoutRedirectUris: [] } }
  expect((await change(body.id, { ...off, ...none })).status).toBe(200)
})

test('a hundred refused URIs are named in the data, ten of them in the message', async () => {
  const { body } = await register(
    { redirectUris: Array.from({ length: 100 }, () => WILD[0]) },
    {
      customClientMetadata: {},
    },
  )
  expect(body.data.issues).toHaveLength(100)
  expect(body.message.match(/has a wildcard/g)).toHaveLength(10)
})

test('a third-party application cannot turn it on', async () => {
  const { status, body } = await register({ redirectUris: [] }, { isThirdParty: true })
  expect([status, body.code]).toEqual([400, 'guard.invalid_input'])
  expect(body.message).toContain('third-party')
  const plain = await register({ redirectUris: [] }, { isThirdParty: true, customClientMetadata: {} })
  expect((await change(plain.body.id, { customClientMetadata: allowed })).status).toBe(400)
})

test('R-33 a wildcard in a host allows no CORS origin; the host of a wildcard in a path does', async () => {
  const uris = { redirectUris: ['https://*.wild.example/cb', 'https://exact.example/*'] }
  const { body } = await register(uris, {
    customClientMetadata: { ...allowed, corsAllowedOrigins: ['https://named.wild.example'] },
  })
  const opened = async (origin: string) => {
    const answer = await fetch(`${server.issuer}/token`, { method: 'OPTIONS', headers: { origin } })
    return answer.headers.get('access-control-allow-origin')
  }
  for (const origin of ['https://exact.example', 'https://named.wild.example'])
    expect(await opened(origin)).toBe(origin)
  for (const origin of ['https://a.wild.example', 'https://*.wild.example', 'https://wild.example']) {
    expect(await opened(origin)).toBeNull()
  }
  const named = { customClientMetadata: { ...allowed, corsAllowedOrigins: ['https://*.wild.example'] } }
  expect((await change(body.id, named)).body.message).toContain('corsAllowedOrigins[0] is not an origin')
})
