/** R-22 through the flow: the server redirects only to registered URIs, and no URI causes a server error. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { post } from '../protocol/arrange.ts'
import { CALLBACK } from '../sign-in/arrange.ts'
import { authorize, redeemCode, type SignedIn, signedInUser } from '../sign-in/user-tokens.ts'
import { HOSTILE_URIS } from './hostile-uris.ts'
import { ask, expectPage, query, requestFor } from './redirect-requests.ts'

const BYE = 'https://app.example/bye'
/** Near misses of registered URIs. */
const NEAR: readonly string[] = [CALLBACK, BYE].flatMap((uri) => [
  `${uri}/`,
  `${uri}//`,
  `${uri}?`,
  `${uri}?x=1`,
  `${uri}#`,
  `${uri}#x`,
  `${uri};x`,
  `${uri}/..;/x`,
  `${uri}/../x`,
  `${uri}/./`,
  `${uri}%2f..`,
  `${uri}%00`,
  `${uri}%23`,
  `${uri}.evil.example`,
  `${uri}@evil.example`,
  ` ${uri}`,
  `${uri} `,
  `${uri}\t`,
  `${uri}\r\nLocation: https://evil.example`,
  uri.toUpperCase(),
  uri.replace('https', 'HTTPS'),
  uri.replace('https', 'http'),
  uri.replace('app.example', 'APP.example'),
  uri.replace('app.example', 'app.example.'),
  uri.replace('app.example', 'app.example:443'),
  uri.replace('app.example', 'app.example:8443'),
  uri.replace('app.example', 'app.example@evil.example'),
  uri.replace('app.example', 'evil.example@app.example'),
  uri.replace('app.example', 'www.app.example'),
  uri.replace('app.example', 'app.example.evil.example'),
  uri.replace('app.example', 'evil.example#app.example'),
  uri.replace('app.example', 'evil.example\\.app.example'),
  uri.replace('app.example', 'app%2eexample'),
  uri.replace('app.example', 'xn--app.example'),
  uri.replace('//', '/'),
  uri.replace('//', '///'),
  uri.replace('//', '\\\\'),
  uri.slice(0, -1),
  `${uri}${uri}`,
  `${uri} ${uri}`,
  `${uri},${uri}`,
  encodeURIComponent(uri),
  encodeURI(uri).replaceAll('/', '%2F'),
])
const LOOPBACK = 'http://127.0.0.1/callback'
/** Only the port of a loopback IP address may differ, and only for native applications. */
const NEAR_LOOPBACK: readonly string[] = [
  'http://localhost/callback',
  'http://127.0.0.2/callback',
  'http://127.0.0.1:80/callback/',
  'http://127.0.0.1:80/other',
  'http://127.0.0.1:80@evil.example/callback',
  'http://127.0.0.1:x/callback',
  'http://127.0.0.1:/callback',
  'http://127.0.0.1:123456/callback',
  'http://127.0.0.1:80:80/callback',
  'http://127.0.0.1:80\\@evil.example/callback',
  'http://127.0.0.1:80/callback?x',
  'http://127.0.0.1:80/callback#x',
  'https://127.0.0.1/callback',
  'http://[::1]/callback',
  'http://0x7f000001/callback',
  'http://127.1/callback',
  'HTTP://127.0.0.1/callback',
]
const CORPUS = [...new Set([...HOSTILE_URIS, ...NEAR])]
const isRegistered = (uri: string) => uri === CALLBACK || uri === BYE

let server: TestServer
let known: SignedIn
let nativeId: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  known = await signedInUser(server)
  const oidcClientMetadata = { redirectUris: [LOOPBACK], postLogoutRedirectUris: [LOOPBACK] }
  const application = { name: 'x', type: 'Native', oidcClientMetadata }
  nativeId = (await server.api('POST', '/applications', application)).body.id
})
afterAll(() => server.close())

test('R-22 there are at least 200 of them, and none is registered', () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(200)
  expect(CORPUS.filter(isRegistered)).toEqual([])
})

const session = () => known.browser.cookie('countersign-session') ?? ''
const refused = async (path: string, body?: string) => expectPage(await ask(server, session(), path, body))

describe.each([
  ['a web application', () => known.app.id, CORPUS],
  ['a native application', () => nativeId, [...CORPUS, ...NEAR_LOOPBACK]],
] as const)('R-22 %s', (_what, clientId, corpus) => {
  test.each(corpus)('R-22 the authorization endpoint does not redirect to %j', async (uri) => {
    const parameters = query(requestFor(clientId(), uri))
    await refused(`/auth?${parameters}`)
    await refused('/auth', parameters)
    // neither with prompt=none nor with an error
    await refused(`/auth?${parameters}&prompt=none`)
    await refused(`/auth?${parameters}&response_mode=form_post&scope=x`)
  })

  test.each(corpus)('R-22 it cannot be pushed: %j', async (uri) => {
    const { status, body } = await post(server, '/request', Object.fromEntries(requestFor(clientId(), uri)))
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body).not.toHaveProperty('request_uri')
  })

  test.each(corpus.filter((uri) => uri !== ''))('R-22 sign-out does not end at %j', async (uri) => {
    const parameters = query([
      ['client_id', clientId()],
      ['post_logout_redirect_uri', uri],
    ])
    await refused(`/session/end?${parameters}`)
    await refused('/session/end', parameters)
  })
})

test('R-22 an empty post_logout_redirect_uri counts as absent', async () => {
  const { browser } = await signedInUser(server)
  const page = await browser.open(`${server.issuer}/session/end?client_id=${known.app.id}&post_logout_redirect_uri=`)
  const done = await browser.submit(page, { confirm: 'yes' })
  expect([done.status, done.headers.get('location'), done.url.origin]).toEqual([200, null, server.baseUrl])
})

test.each(CORPUS)('R-22 a code is not redeemed with %j', async (uri) => {
  const made = await authorize(known, 'openid', [])
  const { status, body } = await redeemCode(server, known, made, { redirect_uri: uri })
  expect(status).toBe(400)
  expect(body.error).toMatch(/^invalid_(grant|request)$/)
  expect(body).not.toHaveProperty('access_token')
})

test.each([
  ['the hostile one first', ['https://evil.example/', CALLBACK]],
  ['the hostile one last', [CALLBACK, 'https://evil.example/']],
  ['the right one twice', [CALLBACK, CALLBACK]],
])('R-22 of two addresses none counts: %s', async (_what, uris) => {
  const rest = requestFor(known.app.id, '').filter(([name]) => name !== 'redirect_uri')
  const parameters = query([...rest, ...uris.map((uri) => ['redirect_uri', uri] as const)])
  await refused(`/auth?${parameters}`)
  const pushed = await post(server, '/request', { ...Object.fromEntries(rest), redirect_uri: uris })
  expect([pushed.status, pushed.body.error]).toEqual([400, 'invalid_request'])
})

test('R-22 requests registered nothing', async () => {
  const { body } = await server.api('GET', `/applications/${known.app.id}`)
  expect(body.oidcClientMetadata).toMatchObject({ redirectUris: [CALLBACK], postLogoutRedirectUris: [BYE] })
})
