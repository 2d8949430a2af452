/** Sign-out and the identity providers of companies: where the session there ends ours does, and the other way round if it is wanted. */
import type { IdentityProvider, Person } from '@countersign/harness/identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { begin, createApp, newBrowser, redeem } from '../sign-in/arrange.ts'
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

describe('signing out here', () => {
  const BYE = 'https://app.example/bye'
  let leading: string
  beforeAll(async () => {
    leading = await connectSso(server, { ...provider.config, signOutAtProvider: true })
  })

  /** A browser that has signed in by the connector, with the ID token that it got here. */
  const arrived = async (connectorId = leading) => {
    const browser = newBrowser()
    const begun = await begin(configuration, { direct_sign_in: `sso:${connectorId}` })
    const back = await browser.open(begun.url)
    const { id_token: hint = '' } = await redeem(configuration, back, begun)
    const end = (more: Record<string, string> = {}) => {
      const query = new URLSearchParams({ id_token_hint: hint, post_logout_redirect_uri: BYE, ...more })
      return browser.open(`${server.issuer}/session/end?${query}`)
    }
    return { browser, end }
  }
  const kept = async (connectorId: string): Promise<boolean[]> => {
    const { rows } = await server.store.database.pool.query(
      'SELECT sealed_id_token IS NOT NULL AS kept FROM sso_sessions WHERE connector_id = $1',
      [connectorId],
    )
    return rows.map((row) => row.kept)
  }
  beforeEach(() => {
    provider.person = newPerson({ sid: 'of the browser' })
    provider.lie = undefined
    provider.signOuts.length = 0
  })

  test('leads to the provider with the ID token, and back to the application', async () => {
    const { browser, end } = await arrived()
    const back = await end({ state: 'of the application' })
    expect([back.url.href, browser.cookie('countersign-session')]).toEqual([
      `${BYE}?state=of%20the%20application`,
      undefined,
    ])
    const [asked] = provider.signOuts
    expect(asked).toMatchObject({
      client_id: provider.clientId,
      post_logout_redirect_uri: `${server.baseUrl}/sso/${leading}/signed-out`,
    })
    const claims = JSON.parse(Buffer.from(asked?.id_token_hint?.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ iss: provider.issuer, sub: provider.person.sub, sid: 'of the browser' })
    expect(await kept(leading)).toEqual([])
  })

  test('so does the page that asks, whose form may lead there; without an application the last page says that it is done', async () => {
    const { browser } = await arrived()
    const page = await browser.open(`${server.issuer}/session/end`)
    expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self'[^;]* http:/)
    const done = await browser.submit(page, { confirm: 'yes' })
    expect([done.status, provider.signOuts.length]).toEqual([200, 1])
    expect(done.text).toContain('You are signed out')
    expect(done.url.pathname).toBe(`/sso/${leading}/signed-out`)
  })

  test('ends here where the connector does not say so, and then keeps no ID token', async () => {
    const { end } = await arrived(acme)
    expect(await kept(acme)).not.toContain(true)
    expect((await end()).url.href).toBe(BYE)
    expect(provider.signOuts).toEqual([])
  })

  test('ends here where the provider cannot be reached, or the address would be too long', async () => {
    const gone = await connectSso(server, { ...provider.config, signOutAtProvider: true })
    const { browser, end } = await arrived(gone)
    const config = { ...provider.config, issuer: `${server.baseUrl}/nothing`, signOutAtProvider: true }
    expect((await server.api('PATCH', `/sso-connectors/${gone}`, { config })).status).toBe(200)
    expect((await end()).url.href).toBe(BYE)
    expect(browser.cookie('countersign-session')).toBeUndefined()
    const again = await arrived()
    const state = 'x'.repeat(8000)
    expect((await again.end({ state })).url.href).toBe(`${BYE}?state=${state}`)
    expect(provider.signOuts).toEqual([])
  })

  test('ID tokens are deleted when the setting is switched off', async () => {
    const id = await connectSso(server, { ...provider.config, signOutAtProvider: true })
    const { end } = await arrived(id)
    expect(await kept(id)).toEqual([true])
    expect((await server.api('PATCH', `/sso-connectors/${id}`, { config: provider.config })).status).toBe(200)
    expect(await kept(id)).toEqual([false])
    expect((await end()).url.href).toBe(BYE)
    expect(provider.signOuts).toEqual([])
  })

  test('R-22 a state that is of another connector or not of this server leads nowhere', async () => {
    const { end } = await arrived()
    await end({ state: 'mine' })
    const state = provider.signOuts[0]?.state ?? ''
    const at = (id: string, text: string) => newBrowser().open(`${server.baseUrl}/sso/${id}/signed-out?state=${text}`)
    expect((await at(leading, state)).url.href).toBe(`${BYE}?state=mine`)
    for (const [id, text] of [
      [acme, state],
      [leading, `${state.slice(0, -4)}AAAA`],
      [leading, 'state'],
      ['0', state],
    ] as const)
      expect(await at(id, text)).toMatchObject({ status: 200, text: expect.stringContaining('You are signed out') })
  })
})
