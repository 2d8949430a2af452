/** Single logout with SAML identity providers, begun on either side (DECISIONS P20). */

import { createVerify } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import {
  encrypted,
  type SamlAnswer,
  SamlIdentityProvider,
  type SamlLogout,
} from '@countersign/harness/saml-identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { redirectAddress } from '@countersign/server/kernel/saml-redirect.ts'
import type { Configuration } from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { authnRequest, createSamlApp, newKey, redirectOf, responseOf } from '../saml/arrange.ts'
import { begin, createApp, newBrowser, redeem } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'

const BYE = 'https://app.example/bye'
let server: TestServer
let idp: SamlIdentityProvider
let configuration: Configuration
let connector: string
let certificate: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  idp = await new SamlIdentityProvider(() => server.clock.now()).start()
  configuration = (await createApp(server)).configuration
  expect((await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })).status).toBe(200)
  connector = await connect({ metadataUrl: idp.entityId, signOutAtProvider: true })
  expect(await metadataOf(connector)).not.toContain('SingleLogoutService')
  certificate = await activeKey(connector)
})
afterAll(async () => {
  await idp.close()
  await server.close()
})
// so that what the audit log has of it is the newest
beforeEach(() => server.clock.advance(1))

let count = 0
const connect = async (config: object): Promise<string> => {
  const input = { providerName: 'SAML', connectorName: `SAML ${++count}`, config }
  const { status, body } = await server.api('POST', '/sso-connectors', input)
  expect([status, body.isComplete]).toEqual([200, true])
  return body.id
}
const activeKey = async (id: string): Promise<string> =>
  (await server.api('POST', `/sso-connectors/${id}/signing-keys`, { active: true })).body.certificate
const metadataOf = async (id: string) => (await fetch(`${server.baseUrl}/enterprise-sso/${id}`)).text()
const address = (id = connector) => `${server.baseUrl}/enterprise-sso/${id}/logout`
const post = (browser: Browser, to: string, fields: Record<string, string>) =>
  browser.open(to, { method: 'POST', body: new URLSearchParams(fields) })
const base64 = (xml: string) => Buffer.from(xml).toString('base64')

/** A browser in which a user has signed in by the connector, and who that is. */
const signedIn = async (answer: SamlAnswer, id = connector) => {
  const browser = newBrowser(`${idp.origin}/slo`, 'https://sp.example/')
  const begun = await begin(configuration, { direct_sign_in: `sso:${id}` })
  const { url } = await browser.open(begun.url)
  const request = idp.request(url.href)
  const sent = { SAMLResponse: base64(await idp.respond(request, answer)), RelayState: request.relayState }
  const tokens = await redeem(configuration, await post(browser, request.acs, sent), begun)
  return { browser, idToken: tokens.id_token ?? '', sub: tokens.claims()?.sub ?? '' }
}
const sessionsOf = async (userId: string): Promise<number> =>
  (await server.api('GET', `/users/${userId}/sessions`)).body.sessions.length
const newestReason = async () => {
  const { body } = await server.api('GET', '/logs?page_size=1')
  return [body[0].key, body[0].payload.connectorId, body[0].payload.reason]
}

describe('a request of the identity provider', () => {
  const send = (xml: string, more: Record<string, string> = {}, to = address()) =>
    fetch(to, { method: 'POST', body: new URLSearchParams({ SAMLRequest: base64(xml), ...more }), redirect: 'manual' })
  const ask = (said: SamlLogout = {}, answer: SamlAnswer = {}, to = address()) => {
    const { xml, id } = idp.logoutRequest(to, said)
    return send(idp.sign(xml, id, answer), {}, to)
  }

  test('ends the session that it names, by POST and by Redirect, or all of the name; the answer is signed', async () => {
    expect((await metadataOf(connector)).match(/<SingleLogoutService [^>]*Location="[^"]*\/logout"/g)).toHaveLength(2)
    const { sub: user } = await signedIn({ nameId: 'l-1', sessionIndex: 'first' })
    for (const sessionIndex of ['second', 'third', 'fourth']) await signedIn({ nameId: 'l-1', sessionIndex })
    const { sub: another } = await signedIn({ nameId: 'l-2', sessionIndex: 'first' })
    const left = async () => [await sessionsOf(user), await sessionsOf(another)]
    expect(await left()).toEqual([4, 1])
    expect((await ask({ nameId: 'l-1', sessionIndexes: ['first'] })).status).toBe(303)
    expect(await left()).toEqual([3, 1])

    const { xml, id } = idp.logoutRequest(address(), { nameId: 'l-1', sessionIndexes: ['second', 'unknown'] })
    const message = { name: 'SAMLRequest', xml, relayState: 'theirs & only' } as const
    const answer = await fetch(redirectAddress(address(), message, idp.keys[0]?.privateKey), { redirect: 'manual' })
    expect([answer.status, ...(await left())]).toEqual([303, 2, 1])
    const location = answer.headers.get('location') ?? ''
    const [, signed = '', signature = ''] = /\?(.*)&Signature=(.*)$/.exec(location) ?? []
    const value = Buffer.from(decodeURIComponent(signature), 'base64')
    expect(createVerify('sha256').update(signed).verify(certificate, value)).toBe(true)
    const query = new URL(location).searchParams
    const said = inflateRawSync(Buffer.from(query.get('SAMLResponse') ?? '', 'base64')).toString()
    expect([location.startsWith(`${idp.origin}/slo?`), query.get('RelayState')]).toEqual([true, 'theirs & only'])
    expect(said).toContain(`InResponseTo="${id}"`)
    expect(said).toContain('status:Success')

    // as a release left them that did not keep the NameID
    const forgotten = "UPDATE sso_sessions SET name_id = NULL WHERE provider_session_id IN ('first', 'third')"
    await server.store.database.pool.query(forgotten)
    const name = '<saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">l-1</saml:NameID>'
    const named = `<saml:EncryptedID>${await encrypted(name, certificate)}</saml:EncryptedID>`
    expect((await ask({ named })).status).toBe(303)
    expect(await left()).toEqual([0, 1])
  })

  test('is answered by a form where its metadata has only that, and by a page where it has nothing', async () => {
    const posting = await connect({
      metadata: idp.metadata.replace(/(<SingleLogout[^>]*)HTTP-Redirect/, '$1HTTP-POST'),
    })
    await activeKey(posting)
    const form = await ask({ nameId: 'l-3' }, {}, address(posting))
    expect([form.status, form.headers.get('content-security-policy')]).toEqual([
      200,
      expect.stringContaining("form-action 'self' http:"),
    ])
    expect(await form.text()).toMatch(/action="[^"]*\/slo".*name="SAMLResponse"/s)
    const silent = await connect({ metadata: idp.metadata.replace(/<SingleLogoutService[^>]*>/, '') })
    const { sub } = await signedIn({ nameId: 'l-3' }, silent)
    const page = await ask({ nameId: 'l-3' }, {}, address(silent))
    expect([page.status, page.headers.get('location')]).toEqual([303, `${server.baseUrl}/sso/${silent}/signed-out`])
    expect(await sessionsOf(sub)).toBe(0)
  })

  test('is answered once the browser has been to the SAML applications of the session, and says whether all have confirmed', async () => {
    const singleLogout = {
      url: 'https://sp.example/slo',
      binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
    }
    const { certificate: theirs } = await newKey()
    const { id: app } = await createSamlApp(server, { requestCertificates: [theirs], singleLogout })
    const { browser, sub } = await signedIn({ nameId: 'l-4', sessionIndex: 'through' })
    responseOf(await browser.open(redirectOf(server, app, authnRequest(server, app))))
    const { xml, id } = idp.logoutRequest(address(), { nameId: 'l-4', sessionIndexes: ['through'] })
    const asked = await post(browser, address(), { SAMLRequest: base64(idp.sign(xml, id)), RelayState: 'theirs' })
    expect(asked.url.href).toMatch(/^https:\/\/sp\.example\/slo\?SAMLRequest=/)
    expect(await sessionsOf(sub)).toBe(0)
    const unanswered = await browser.open(`${server.baseUrl}/api/saml/sign-out`)
    const { url } = await browser.submit(unanswered, { choice: 'skip' })
    const said = inflateRawSync(Buffer.from(url.searchParams.get('SAMLResponse') ?? '', 'base64')).toString()
    expect([url.href.startsWith(`${idp.origin}/slo?`), url.searchParams.get('RelayState')]).toEqual([true, 'theirs'])
    expect(said).toContain(`InResponseTo="${id}"`)
    expect(said).toContain('status:PartialLogout')
  })

  describe('R-36 ends nothing', () => {
    let user: string
    beforeAll(async () => {
      user = (await signedIn({ nameId: 'kept', sessionIndex: 'kept' })).sub
    })
    const KEPT = { nameId: 'kept' }
    const unsigned = (said: SamlLogout = KEPT) => idp.logoutRequest(address(), said).xml
    const redirected = (change: (url: string) => string = (url) => url, privateKey = idp.keys[0]?.privateKey) =>
      fetch(change(redirectAddress(address(), { name: 'SAMLRequest', xml: unsigned(), relayState: 'a' }, privateKey)))

    test.each<[string, () => Promise<Response>, RegExp]>([
      ['without a signature', () => send(unsigned()), /not signed/],
      ['by another key', async () => ask(KEPT, { key: await idp.newKey() }), /signature is not by/],
      ['by a key that has expired', async () => ask(KEPT, { key: await idp.newKey(-1, -9) }), /signature is not by/],
      ['whose signature was taken away', () => redirected((url) => url.replace(/&Signature=.*/, '')), /not signed/],
      ['whose signature is for another RelayState', () => redirected((url) => url.replace('=a&', '=b&')), /signature/],
      [
        'with another message before the signature',
        () =>
          redirected((url) => {
            const other = redirectAddress(address(), { name: 'SAMLRequest', xml: unsigned({ nameId: 'x' }) })
            return `${other}&${url.replace(/^[^?]*\?SAMLRequest=[^&]*&/, '')}`
          }),
        /signature/,
      ],
      ['with two messages', () => redirected((url) => `${url}&SAMLRequest=AAAA`), /SAMLRequest is repeated/],
      ['with a weak signature', () => redirected((url) => url.replace('rsa-sha256', 'rsa-sha1')), /signature/],
      ['of another issuer', () => ask({ ...KEPT, issuer: 'https://other.example' }), /Issuer/],
      ['for another address', () => ask({ ...KEPT, destination: 'https://other.example' }), /Destination/],
      ['of an hour ago', () => ask({ ...KEPT, issuedAt: -3600 }), /IssueInstant/],
      ['that has expired', () => ask({ ...KEPT, notOnOrAfter: -61 }), /NotOnOrAfter/],
      ['with too many sessions', () => ask({ ...KEPT, sessionIndexes: [...'x'.repeat(21)] }), /more than 20/],
      ['with a comment in the name', () => ask({ named: '<saml:NameID>kept<!-- -->x</saml:NameID>' }), /comment/],
      ['with elements in the name', () => ask({ named: '<saml:NameID>ke<b>p</b>t</saml:NameID>' }), /more than text/],
      ['without a name', () => ask({ named: '' }), /NameID is missing/],
      ['with two names', () => ask({ named: '<saml:NameID>kept</saml:NameID>'.repeat(2) }), /repeated/],
      ['with a name that cannot be decrypted', () => ask({ named: '<saml:EncryptedID/>' }), /EncryptedData/],
      ['that is a response as well', () => send(unsigned(), { SAMLResponse: 'AAAA' }), /request and a response/],
      ['that is another message', () => send('<x/>'), /not a SAML 2.0 LogoutRequest/],
      ['that is nothing', () => fetch(address()), /SAMLRequest is missing/],
    ])('%s', async (_what, attack, reason) => {
      expect((await attack()).status).toBe(400)
      await expect.poll(newestReason).toEqual(['Saml.Logout', connector, expect.stringMatching(reason)])
      expect(await sessionsOf(user)).toBe(1)
    })

    test('for another connector, for none, and a second time', async () => {
      const other = await connect({ metadata: idp.metadata })
      expect((await ask(KEPT, {}, address(other))).status).toBe(303)
      expect((await send(unsigned(), {}, address('none'))).status).toBe(404)
      const oidc = await server.api('POST', '/sso-connectors', { providerName: 'OIDC', connectorName: 'Other' })
      expect((await send(unsigned(), {}, address(oidc.body.id))).status).toBe(404)
      const { xml, id } = idp.logoutRequest(address(), { ...KEPT, sessionIndexes: ['another'] })
      const signed = idp.sign(xml, id)
      const statuses = (await Promise.all([1, 2, 3].map(() => send(signed)))).map(({ status }) => status)
      expect(statuses.toSorted()).toEqual([303, 400, 400])
      expect(await sessionsOf(user)).toBe(1)
    })

    test('as long as its key is not published; then the metadata is asked for again', async () => {
      server.clock.advance(61)
      const next = await idp.newKey()
      expect((await ask(KEPT, { key: next })).status).toBe(400)
      idp.keys = [...idp.keys, next]
      server.clock.advance(61)
      expect((await ask({ ...KEPT, sessionIndexes: ['another'] }, { key: next })).status).toBe(303)
    })
  })
})

describe('signing out here', () => {
  const end = (browser: Browser, idToken: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: BYE, state: 'mine', ...more })
    return browser.open(`${server.issuer}/session/end?${query}`)
  }
  const DONE = `${BYE}?state=mine`

  test('leads to the identity provider with a signed request, and its signed answer back to the application', async () => {
    const nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
    const { browser, idToken, sub } = await signedIn({ nameId: 's<1>', nameIdFormat, sessionIndex: 'there' })
    const { url } = await end(browser, idToken)
    expect([`${url.origin}${url.pathname}`, await sessionsOf(sub)]).toEqual([`${idp.origin}/slo`, 0])
    const [, signed = '', signature = ''] = /\?(.*)&Signature=(.*)$/.exec(url.href) ?? []
    const value = Buffer.from(decodeURIComponent(signature), 'base64')
    expect(createVerify('sha256').update(signed).verify(certificate, value)).toBe(true)
    const { id, relayState, issuer, xml } = idp.request(url.href)
    expect([issuer, relayState.length <= 80]).toEqual([`${server.baseUrl}/enterprise-sso/${connector}`, true])
    expect(xml).toContain(
      `<saml:NameID Format="${nameIdFormat}" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">s&lt;1&gt;</saml:NameID>`,
    )
    expect(xml).toContain('<samlp:SessionIndex>there</samlp:SessionIndex>')

    const answer = (inResponseTo: string, more: SamlAnswer = {}) => {
      const sent = idp.logoutResponse(address(), inResponseTo, more)
      return more.signs === 'nothing' ? sent.xml : idp.sign(sent.xml, sent.id, more)
    }
    const bring = (text: string, state = relayState) =>
      post(browser, address(), { SAMLResponse: base64(text), RelayState: state })
    const refused: [string, string?][] = [
      [answer(id, { signs: 'nothing' })],
      [answer(id, { key: await idp.newKey() })],
      [answer(id, { issuer: 'https://other.example' })],
      [answer(id), 'another-state'],
    ]
    for (const [text, state] of refused) expect((await bring(text, state)).status).toBe(400)
    // it is no answer to a sign-in either
    const acs = `${server.baseUrl}/api/authn/single-sign-on/saml/${connector}`
    expect((await post(browser, acs, { SAMLResponse: base64(answer(id)), RelayState: relayState })).status).toBe(400)
    expect((await bring(answer(id))).url.href).toBe(DONE)
    expect((await bring(answer(id))).status).toBe(400)
  })

  test('an answer to another request leads nowhere, one that has not ended everything back', async () => {
    const { browser, idToken } = await signedIn({ nameId: 's-2' })
    const { relayState } = idp.request((await end(browser, idToken)).url.href)
    const bring = (state: string, sent: { xml: string }) => {
      const message = { name: 'SAMLResponse', xml: sent.xml, relayState: state } as const
      return browser.open(redirectAddress(address(), message, idp.keys[0]?.privateKey))
    }
    expect((await bring(relayState, idp.logoutResponse(address(), '_other'))).status).toBe(400)
    // nor does one to no request, whatever else waits for an answer
    const { url: asked } = await newBrowser().open(
      (await begin(configuration, { direct_sign_in: `sso:${connector}` })).url,
    )
    const { xml } = idp.logoutResponse(address(), '_none')
    const alone = await bring(idp.request(asked.href).relayState, { xml: xml.replace(/ InResponseTo="[^"]*"/, '') })
    expect([alone.status, alone.url.href.startsWith(address())]).toEqual([400, true])
    const again = await signedIn({ nameId: 's-2' })
    const request = idp.request((await end(again.browser, again.idToken)).url.href)
    const status = 'urn:oasis:names:tc:SAML:2.0:status:Responder'
    const back = await bring(request.relayState, idp.logoutResponse(address(), request.id, { status }))
    expect(back.url.href).toBe(DONE)
  })

  test('a request is posted where the identity provider takes no other', async () => {
    const metadata = idp.metadata.replace(/(<SingleLogout[^>]*)HTTP-Redirect/, '$1HTTP-POST')
    const id = await connect({ metadata, signOutAtProvider: true })
    const key = await activeKey(id)
    const { browser, idToken } = await signedIn({ nameId: 's-3', encryptedTo: key, nameIdEncryptedTo: key }, id)
    const page = await end(browser, idToken)
    expect([page.status, page.url.pathname]).toEqual([200, `/enterprise-sso/${id}/request`])
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? ''
    const request = idp.read(Buffer.from(field('SAMLRequest'), 'base64').toString(), field('RelayState'))
    expect(request.xml).toMatch(/^<samlp:LogoutRequest.*<ds:SignatureValue>.*>s-3<\/saml:NameID>/s)
    const sent = idp.logoutResponse(address(id), request.id)
    const fields = { SAMLResponse: base64(idp.sign(sent.xml, sent.id)), RelayState: request.relayState }
    expect((await post(browser, address(id), fields)).url.href).toBe(DONE)
  })

  test('ends here without the setting, without a key, without an address there, and for an identity provider that cannot be reached', async () => {
    const kept = async (id: string): Promise<boolean[]> => {
      const text = 'SELECT sealed_id_token IS NOT NULL AS kept FROM sso_sessions WHERE connector_id = $1'
      return (await server.store.database.pool.query(text, [id])).rows.map((row) => row.kept)
    }
    const metadata = idp.metadata.replace(/<SingleLogoutService[^>]*>/, '')
    const plain = await connect({ metadata: idp.metadata })
    const keyless = await connect({ metadata: idp.metadata, signOutAtProvider: true })
    const silent = await connect({ metadata, signOutAtProvider: true })
    const gone = await connect({ metadataUrl: idp.entityId, signOutAtProvider: true })
    for (const id of [plain, silent, gone]) await activeKey(id)
    for (const id of [plain, keyless, silent, gone]) {
      const { browser, idToken, sub } = await signedIn({ nameId: 's-4' }, id)
      expect(await kept(id)).toEqual([id !== plain])
      const config = { metadataUrl: `${idp.origin}/nothing`, signOutAtProvider: true }
      if (id === gone) expect((await server.api('PATCH', `/sso-connectors/${id}`, { config })).status).toBe(200)
      expect([(await end(browser, idToken)).url.href, await sessionsOf(sub)]).toEqual([DONE, 0])
    }
  })
})

// moves the clock beyond what a token of the Management API lives
test('a node that starts while an identity provider cannot be reached knows it for fourteen days, and follows it afterwards', async () => {
  const id = await connect({ metadataUrl: `${idp.entityId}?kept` })
  await signedIn({ nameId: 'n-1' }, id)
  const started = async () => {
    const node = await server.startNode({ WORKERS: 'off' })
    const ask = async (key = idp.keys[0]) => {
      const request = idp.logoutRequest(address(id), { nameId: 'n-1' })
      const body = new URLSearchParams({ SAMLRequest: base64(idp.sign(request.xml, request.id, key ? { key } : {})) })
      return (await fetch(`${node.url}/enterprise-sso/${id}/logout`, { method: 'POST', body, redirect: 'manual' }))
        .status
    }
    return { ask, close: () => node.close() }
  }
  idp.metadataAnswer = { status: 503, body: '' }
  server.clock.advance(13 * 86_400)
  const soon = await started()
  expect(await soon.ask()).toBe(303)
  const next = await idp.newKey()
  server.clock.advance(61)
  expect(await soon.ask(next)).toBe(400)
  idp.keys = [next]
  idp.metadataAnswer = undefined
  server.clock.advance(61)
  expect(await soon.ask(next)).toBe(303)
  await soon.close()
  idp.metadataAnswer = { status: 503, body: '' }
  server.clock.advance(14 * 86_400)
  const late = await started()
  expect(await late.ask()).toBe(400)
  await late.close()
  idp.metadataAnswer = undefined
})
