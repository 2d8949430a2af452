/** Back-channel logout of the identity providers of companies: the session there ends, and ours with it. */
import type { IdentityProvider, Person } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { createApp, redeem } from '../sign-in/arrange.ts'
import { connectSso, newPerson, startProvider, visitSso } from './arrange.ts'

let server: TestServer
let provider: IdentityProvider
let configuration: client.Configuration
let acme: string
let other: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  provider = await startProvider(server)
  configuration = (await createApp(server)).configuration
  acme = await connectSso(server, provider.config)
  other = await connectSso(server, provider.config)
  await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })
})
afterAll(async () => {
  await provider.close()
  await server.close()
})

/** Signs in, and registers if need be: the user, and their refresh token is not asked for. */
const signedIn = async (person: Person, connectorId = acme): Promise<string> => {
  const page = await openPage(server, configuration)
  await page.start('SignIn')
  const { body } = await visitSso(page, provider, connectorId, person)
  if ((await page.call('POST', '/identification', body)).status === 404) {
    await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
  }
  const { body: end } = await page.call('POST', '/submit')
  const claims = (await redeem(configuration, await page.browser.open(end.redirectTo), page.begun)).claims()
  return claims?.sub ?? ''
}
const sessionsOf = async (userId: string): Promise<number> =>
  (await server.api('GET', `/users/${userId}/sessions`)).body.sessions.length

/** What the endpoint of a connector answers to a token. */
const send = async (token: string, connectorId = acme) => {
  const response = await fetch(`${server.baseUrl}/sso/${connectorId}/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  })
  return [response.status, response.headers.get('cache-control')]
}
const ENDED = [200, 'no-store']

describe('a logout token', () => {
  test('ends the session that it names, and tells the applications in it', async () => {
    const person = newPerson({})
    const userId = await signedIn({ ...person, sid: 'first' })
    await signedIn({ ...person, sid: 'second' })
    expect(await sessionsOf(userId)).toBe(2)
    expect(await send(await provider.logoutToken({ sub: person.sub, sid: 'first' }))).toEqual(ENDED)
    expect(await sessionsOf(userId)).toBe(1)
    expect(await send(await provider.logoutToken({ sid: 'second' }))).toEqual(ENDED)
    expect(await sessionsOf(userId)).toBe(0)
    // where nothing has to end, it is not said
    expect(await send(await provider.logoutToken({ sid: 'second' }))).toEqual(ENDED)
  })

  test('without a session ends all that the user has by the connector, and no others', async () => {
    const person = newPerson({ sid: 'any' })
    const userId = await signedIn(person)
    await signedIn(person)
    const elsewhere = await signedIn(person, other)
    const another = await signedIn(newPerson({ sid: 'any' }))
    expect(await send(await provider.logoutToken({ sub: person.sub }))).toEqual(ENDED)
    expect([await sessionsOf(userId), await sessionsOf(elsewhere), await sessionsOf(another)]).toEqual([0, 1, 1])
  })

  test('has no effect on a session that began long after it', async () => {
    const person = newPerson({})
    const token = await provider.logoutToken({ sub: person.sub })
    server.clock.advance(120)
    const userId = await signedIn(person)
    expect(await send(token)).toEqual(ENDED)
    expect(await sessionsOf(userId)).toBe(1)
  })
})

describe('R-29 a token that does not hold ends nothing', () => {
  let person: Person
  let userId: string
  beforeEach(async () => {
    person ??= newPerson({ sid: 'kept' })
    userId ??= await signedIn(person)
  })
  const REFUSED = [400, 'no-store']

  test.each<[string, Record<string, unknown>]>([
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://elsewhere.example' }],
    ['with a nonce, as an ID token', { nonce: 'nonce' }],
    ['without the event', { events: {} }],
    ['with another event', { events: { 'https://elsewhere.example/event': {} } }],
    ['that names no one', { sub: undefined, sid: undefined }],
    ['without an id', { jti: undefined }],
    ['of yesterday', { iat: 1000, exp: undefined }],
    ['that has expired', { exp: 1000 }],
  ])('%s', async (_, claims) => {
    expect(await send(await provider.logoutToken({ sub: person.sub, ...claims }))).toEqual(REFUSED)
    expect(await sessionsOf(userId)).toBe(1)
  })

  test.each<[string, () => Promise<string>]>([
    ['signed by another', () => provider.logoutToken({ sub: person.sub }, false)],
    ['of another type', () => provider.logoutToken({ sub: person.sub }, true, 'at+jwt')],
    ['without a signature', async () => `${btoa('{"alg":"none"}')}.${btoa(`{"sub":"${person.sub}"}`)}.`],
    ['that is none', async () => 'token'],
  ])('%s', async (_, token) => {
    expect(await send(await token())).toEqual(REFUSED)
    expect(await sessionsOf(userId)).toBe(1)
  })

  test('at another connector, at none, or without a token', async () => {
    const token = await provider.logoutToken({ sub: person.sub })
    expect(await send(token, other)).toEqual(ENDED)
    expect(await send(token, '0'.repeat(21))).toEqual(REFUSED)
    expect(await send('')).toEqual(REFUSED)
    expect(await sessionsOf(userId)).toBe(1)
  })
})
