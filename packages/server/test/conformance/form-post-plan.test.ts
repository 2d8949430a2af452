/**
 * What only form_post has in oidcc-formpost-basic-certification-test-plan: the way the response is sent. Its modules
 * are those of the basic plan, and are tested with them.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startReceiver } from '../events/receiver.ts'
import { createPerson } from './person.ts'
import { createRelyingParty, newBrowser, type Person, registerClient } from './relying-party.ts'
import { checkUnguessable } from './response-checks.ts'

let server: TestServer
let person: Person
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  person = await createPerson(server)
})
afterAll(() => server.close())

test('oidcc-server: the code arrives in a POST when the button is pressed', async () => {
  const receiver = await startReceiver()
  try {
    const redirectUri = `${receiver.url}/callback`
    const client = await registerClient(server, { oidcClientMetadata: { redirectUris: [redirectUri] } })
    const party = await createRelyingParty(server, { client, responseMode: 'form_post' })
    const request = party.begin({ redirect_uri: redirectUri })
    const browser = newBrowser()
    const page = await party.authorize(request, browser, person)
    const code = party.codeOf(page, request)
    checkUnguessable(code)
    await browser.submit({ ...page, url: new URL(redirectUri) }, {})
    const [arrived] = receiver.received
    expect(arrived).toMatchObject({ method: 'POST', path: '/callback' })
    const body = new URLSearchParams(arrived?.body)
    expect(Object.fromEntries(body)).toEqual({ code, state: request.state, iss: server.issuer })
    await party.userinfo(await party.redeem(body.get('code') ?? '', request))
  } finally {
    await receiver.close()
  }
})

/** An unsigned request object with these claims. */
const unsigned = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`

test.each([
  ['no JWT', 'x'],
  ['claims that are not an object', unsigned('x')],
  ['claims of other types', unsigned({ state: 1, response_mode: 'fragment' })],
  ['a header alone', 'e30..'],
  ['encrypted', 'e30.e30.e30.e30.e30'],
  ['with contradicting claims', unsigned({ state: 'x', response_mode: 'query' })],
])('request_not_supported arrives in the form also for a request object that is %s', async (_what, object) => {
  const party = await createRelyingParty(server, { responseMode: 'form_post' })
  const request = party.begin({ request: object })
  expect(party.errorOf(await newBrowser().open(request.url), request)).toBe('request_not_supported')
})

test('a request object may contain form_post by itself, and state with it', async () => {
  const party = await createRelyingParty(server, { responseMode: 'form_post' })
  const request = party.begin()
  const { response_mode, state, ...outside } = Object.fromEntries(request.url.searchParams)
  expect(response_mode).toBe('form_post')
  request.url.search = new URLSearchParams({ ...outside, request: unsigned({ response_mode, state }) }).toString()
  expect(party.errorOf(await newBrowser().open(request.url), request)).toBe('request_not_supported')
})
