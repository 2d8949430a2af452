import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { createUser } from '../sign-in/arrange.ts'
import type { Page } from '../sign-in/browser.ts'
import {
  checkEndpoints,
  checkReturn,
  checkSignedOut,
  checkStillSignedIn,
  endSession,
  signedIn,
  wholeRequest,
} from './logout.ts'
import { readProvider } from './provider.ts'
import {
  createRelyingParty,
  type Flow,
  type Person,
  POST_LOGOUT_REDIRECT_URI,
  type RelyingParty,
} from './relying-party.ts'

let server: TestServer
let party: RelyingParty
let person: Person
let flow: Flow
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  person = await createUser(server)
})
afterAll(() => server.close())

beforeEach(async () => {
  party = await createRelyingParty(server)
  flow = await signedIn(party, person)
})

/** A page of the server at the end_session_endpoint, without a redirect to the application. */
const checkPage = ({ status, url, headers, text }: Page, expected: number, title: string): void => {
  expect(`${url.origin}${url.pathname}`).toBe(party.provider.metadata.end_session_endpoint)
  expect(status).toBe(expected)
  expect(headers.get('location')).toBeNull()
  expect(headers.get('content-type')).toMatch(/^text\/html/)
  expect(text).toContain(`<h1 id="title">${title}</h1>`)
}

/** The screenshot that the suite requires: an error that names what is wrong; the session is unchanged. */
const checkRefused = async (page: Page, detail: string): Promise<void> => {
  checkPage(page, 400, 'This did not work')
  expect(page.text).toContain('made a request that cannot be understood')
  expect(/<p class="hint" id="detail" lang="en">([^<]*)<\/p>/.exec(page.text)?.[1]).toBe(detail)
  // the link onward is the application's own address, never the requested one
  expect(page.text.replace('href="https://rp.example/"', '')).not.toContain('rp.example')
  await checkStillSignedIn(party, flow.browser)
}

const checkSignedOutPage = async (page: Page): Promise<void> => {
  checkPage(page, 200, 'You are signed out')
  await checkSignedOut(party, flow.browser)
}

/** Presses the button that confirms; the other button cancels. */
const confirm = async (page: Page): Promise<Page> => {
  checkPage(page, 200, 'Sign out?')
  expect(page.text.match(/<button[^>]*>/g)).toEqual([
    expect.stringMatching(/type="submit" id="confirm"/),
    expect.stringMatching(/type="submit" id="cancel"/),
  ])
  await checkStillSignedIn(party, flow.browser)
  return flow.browser.submit(page, { confirm: 'yes' })
}

test('oidcc-rp-initiated-logout-discovery-endpoint-verification: discovery names the end_session_endpoint', async () => {
  checkEndpoints(await readProvider(server.issuer))
})

test('oidcc-rp-initiated-logout: the user is signed out and returns with the state', async () => {
  const request = wholeRequest(flow)
  checkReturn(await endSession(party, flow.browser, request), request.state)
  await checkSignedOut(party, flow.browser)
  const { body } = await server.api('GET', '/logs?logKey=EndSession&page_size=1')
  expect(body[0].payload).toMatchObject({ result: 'Success', actor: { type: 'user', id: person.id } })
})

test('oidcc-rp-initiated-logout-bad-post-logout-redirect-uri: there is no redirect to an unregistered address', async () => {
  const request = { ...wholeRequest(flow), post_logout_redirect_uri: 'https://rp.example/bad-logged-out' }
  const page = await endSession(party, flow.browser, request)
  await checkRefused(page, 'post_logout_redirect_uri is not registered for the application')
})

test('oidcc-rp-initiated-logout-modified-id-token-hint: a hint with alg none is refused', async () => {
  const [, payload] = flow.tokens.idToken.split('.')
  const header = Buffer.from('{"alg": "none"}').toString('base64url')
  const request = { ...wholeRequest(flow), id_token_hint: `${header}.${payload}.` }
  await checkRefused(await endSession(party, flow.browser, request), 'id_token_hint is not an ID token of this server')
})

test('a hint with a changed claim is refused: its signature no longer matches', async () => {
  const [header, , signature] = flow.tokens.idToken.split('.')
  const payload = Buffer.from(JSON.stringify({ ...flow.tokens.claims, sub: 'another' })).toString('base64url')
  const request = { ...wholeRequest(flow), id_token_hint: `${header}.${payload}.${signature}` }
  await checkRefused(await endSession(party, flow.browser, request), 'id_token_hint is not an ID token of this server')
})

test('RP-Initiated Logout section 2: a client_id next to the hint must match that of the hint', async () => {
  const request = wholeRequest(flow)
  const { client } = await createRelyingParty(server)
  const page = await endSession(party, flow.browser, { ...request, client_id: client.id })
  await checkRefused(page, 'client_id is not the client of id_token_hint')
  checkReturn(await endSession(party, flow.browser, { ...request, client_id: party.client.id }), request.state)
})

test('oidcc-rp-initiated-logout-no-id-token-hint: post_logout_redirect_uri alone does not redirect', async () => {
  const { id_token_hint: _, ...request } = wholeRequest(flow)
  const page = await endSession(party, flow.browser, request)
  await checkRefused(page, 'post_logout_redirect_uri requires id_token_hint or client_id')
})

test('oidcc-rp-initiated-logout-no-params: the user is asked, then signed out', async () => {
  await checkSignedOutPage(await confirm(await endSession(party, flow.browser, {})))
})

test('oidcc-rp-initiated-logout-no-post-logout-redirect-uri: the user is signed out and stays on the page of the server', async () => {
  const { post_logout_redirect_uri: _, ...request } = wholeRequest(flow)
  await checkSignedOutPage(await endSession(party, flow.browser, request))
})

test('oidcc-rp-initiated-logout-no-state: the user returns without a state', async () => {
  const { state: _, ...request } = wholeRequest(flow)
  checkReturn(await endSession(party, flow.browser, request), undefined)
  await checkSignedOut(party, flow.browser)
})

test('oidcc-rp-initiated-logout-only-state: the user is asked, then signed out', async () => {
  const { state } = wholeRequest(flow)
  await checkSignedOutPage(await confirm(await endSession(party, flow.browser, { state })))
})

test('oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri: an added query makes it another address', async () => {
  const request = { ...wholeRequest(flow), post_logout_redirect_uri: `${POST_LOGOUT_REDIRECT_URI}?foo=bar` }
  const page = await endSession(party, flow.browser, request)
  await checkRefused(page, 'post_logout_redirect_uri is not registered for the application')
})

test('oidcc-rp-initiated-logout-bad-id-token-hint: a hint that the client signed is refused', async () => {
  const { client, provider } = party
  const claims = { iss: client.id, sub: 'SubjectID', aud: provider.metadata.issuer, nonce: 'a nonce' }
  const now = Math.floor(server.clock.now().getTime() / 1000)
  const forge = (more: object) =>
    new SignJWT({ ...claims, iat: now, exp: now + 300, ...more })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(Buffer.from(client.secret))
  // as the suite creates it, and one that has every claim of the real one
  for (const forged of [await forge({}), await forge(flow.tokens.claims)]) {
    const page = await endSession(party, flow.browser, { ...wholeRequest(flow), id_token_hint: forged })
    await checkRefused(page, 'id_token_hint is not an ID token of this server')
  }
})
