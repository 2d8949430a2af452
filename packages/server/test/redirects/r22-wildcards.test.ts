/** R-22 for an application with wildcards: they match what they describe and nothing else (DECISIONS C3). */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { post } from '../protocol/arrange.ts'
import { type SignedIn, signedInUser } from '../sign-in/user-tokens.ts'
import { HOSTILE_URIS } from './hostile-uris.ts'
import { ask, expectPage, query, requestFor } from './redirect-requests.ts'
import { ATTACKS, HONEST, PATTERNS } from './wildcard-attacks.ts'

let server: TestServer
let known: SignedIn
const ids: Record<string, string> = {}
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  known = await signedInUser(server)
  for (const type of ['SPA', 'Native']) {
    const { status, body } = await server.api('POST', '/applications', {
      name: 'Previews',
      type,
      oidcClientMetadata: { redirectUris: PATTERNS, postLogoutRedirectUris: PATTERNS },
      customClientMetadata: { dangerouslyAllowWildcardRedirectUris: true },
    })
    expect(status).toBe(200)
    ids[type] = body.id
  }
})
afterAll(() => server.close())

const session = () => known.browser.cookie('countersign-session') ?? ''
const at = (path: string, body?: string) => ask(server, session(), path, body)
const idOf = (type: string) => ids[type] ?? ''
const signOutAt = (type: string, uri: string) =>
  query([
    ['client_id', idOf(type)],
    ['post_logout_redirect_uri', uri],
  ])
// the challenge of RFC 7636 appendix B
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

test('R-22 there are at least 60 attacks', () => {
  expect(new Set(ATTACKS).size).toBeGreaterThanOrEqual(60)
  expect(new Set(ATTACKS).size).toBe(ATTACKS.length)
})

test.each(['SPA', 'Native'])('R-22 a wildcard of an application of type %s matches what it describes', async (type) => {
  for (const uri of HONEST) {
    const parameters = query(requestFor(idOf(type), uri))
    const separator = uri.includes('?') ? '&' : '?'
    for (const answer of [await at(`/auth?${parameters}`), await at('/auth', parameters)]) {
      expect([answer.status, answer.headers.location]).toEqual([303, expect.any(String)])
      expect(String(answer.headers.location).startsWith(`${uri}${separator}code=`)).toBe(true)
    }
    const pushed = await post(server, '/request', Object.fromEntries(requestFor(idOf(type), uri)))
    expect(pushed.status).toBe(201)
    const back = await at(
      `/auth?${query([
        ['client_id', idOf(type)],
        ['request_uri', pushed.body.request_uri],
      ])}`,
    )
    expect(String(back.headers.location).startsWith(`${uri}${separator}code=`)).toBe(true)
    const done = await ask(server, '', `/session/end?${signOutAt(type, uri)}`)
    expect([done.status, done.headers.location]).toEqual([303, uri])
  }
})

test.each([...ATTACKS, ...PATTERNS.filter((uri) => !ATTACKS.includes(uri))])(
  'R-22 a wildcard does not lead to %j',
  async (uri) => {
    const parameters = query(requestFor(idOf('SPA'), uri))
    expectPage(await at(`/auth?${parameters}`))
    expectPage(await at('/auth', parameters))
    expectPage(await at(`/auth?${parameters}&prompt=none&response_mode=form_post`))
    const pushed = await post(server, '/request', Object.fromEntries(requestFor(idOf('SPA'), uri)))
    expect([pushed.status, pushed.body.error]).toEqual([400, 'invalid_request'])
    expectPage(await at(`/session/end?${signOutAt('SPA', uri)}`))
    expectPage(await at('/session/end', signOutAt('SPA', uri)))
    expectPage(await at(`/auth?${query(requestFor(idOf('Native'), uri))}`))
  },
)

test('R-22 hostile addresses stay refused', async () => {
  for (const uri of HOSTILE_URIS) {
    expectPage(await at(`/auth?${query(requestFor(idOf('Native'), uri))}`))
  }
})

test('R-22 a code is redeemed only with the address of its request, not with another one that matches', async () => {
  const [uri = '', other = ''] = HONEST
  const codeFor = async () => {
    const request = new Map([...requestFor(idOf('SPA'), uri), ['code_challenge', CHALLENGE]] as [string, string][])
    const { location } = (await at(`/auth?${query([...request])}`)).headers
    return new URL(String(location)).searchParams.get('code') ?? ''
  }
  const redeemAt = async (redirect_uri: string) =>
    post(server, '/token', {
      grant_type: 'authorization_code',
      client_id: idOf('SPA'),
      code: await codeFor(),
      redirect_uri,
      code_verifier: VERIFIER,
    })
  for (const wrong of [other, PATTERNS[0] ?? '']) {
    const { status, body } = await redeemAt(wrong)
    expect([status, body.error]).toEqual([400, 'invalid_grant'])
  }
  const { status, body } = await redeemAt(uri)
  expect([status, typeof body.access_token]).toEqual([200, 'string'])
})

test('R-22 an application without wildcards, or one that removed them, redirects nowhere by them', async () => {
  const [uri = ''] = HONEST
  expectPage(await at(`/auth?${query(requestFor(known.app.id, uri))}`))
  const { body } = await server.api('POST', '/applications', {
    name: 'Was open',
    type: 'SPA',
    oidcClientMetadata: { redirectUris: PATTERNS },
    customClientMetadata: { dangerouslyAllowWildcardRedirectUris: true },
  })
  expect((await at(`/auth?${query(requestFor(body.id, uri))}`)).status).toBe(303)
  const change = { oidcClientMetadata: { redirectUris: [] } }
  expect((await server.api('PATCH', `/applications/${body.id}`, change)).status).toBe(200)
  expectPage(await at(`/auth?${query(requestFor(body.id, uri))}`))
})
