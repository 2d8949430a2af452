/** Requests that are not what they seem, and answers that are another's: nothing is sent to the application, or only a refusal. */
import { createHmac, createSign } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { signedXml } from '@countersign/server/kernel/xml-signature.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { fresh } from '../protocol/arrange.ts'
import { PASSWORD } from '../sign-in/arrange.ts'
import {
  authnRequest,
  authnUrl,
  createSamlApp,
  newBrowser,
  newKey,
  newUser,
  redirectOf,
  signInAt,
  statusOf,
} from './arrange.ts'

let server: TestServer
let id: string
let strictId: string
let key: Awaited<ReturnType<typeof newKey>>
let strangerKey: Awaited<ReturnType<typeof newKey>>
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  ;[key, strangerKey] = await Promise.all([newKey(), newKey()])
  id = (await createSamlApp(server)).id
  const signed = { requestCertificates: [key.certificate], requireSignedRequests: true }
  strictId = (await createSamlApp(server, signed)).id
})
afterAll(() => server.close())

/** What the page says to developers, after a request that was refused without an answer to the application. */
const refusalAt = async (address: string, init?: RequestInit) => {
  const page = await newBrowser().open(address, init)
  expect([page.status, page.text.includes('SAMLResponse')]).toEqual([400, false])
  return /id="detail"[^>]*>([^<]+)</.exec(page.text)?.[1]
}
const post = (of: string, xml: string, more: Record<string, string> = {}) =>
  refusalAt(authnUrl(server, of), {
    method: 'POST',
    body: new URLSearchParams({ SAMLRequest: Buffer.from(xml).toString('base64'), ...more }),
  })

const at = (seconds: number) => new Date(server.clock.now().getTime() + seconds * 1000).toISOString()

describe('R-36: a request is refused', () => {
  test.each<[string, () => string | Buffer, RegExp]>([
    [
      'with an external entity',
      () => `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>${authnRequest(server, id)}`,
      /document type/,
    ],
    [
      'with entities that grow',
      () =>
        `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>${authnRequest(server, id, { issuer: '&b;' })}`,
      /document type/,
    ],
    ['that inflates to megabytes', () => Buffer.alloc(5_000_000, ' '), /longer than 65536 bytes/],
    ['nested deeply', () => authnRequest(server, id, { content: '<a>'.repeat(500) + '</a>'.repeat(500) }), /deeper/],
    ['that is not XML', () => 'SAMLRequest', /not acceptable/],
    [
      'of another kind',
      () => authnRequest(server, id).replaceAll('AuthnRequest', 'ArtifactResolve'),
      /not a SAML 2.0 AuthnRequest/,
    ],
    [
      'for another address to answer to',
      () => authnRequest(server, id, { attributes: { AssertionConsumerServiceURL: 'https://evil.example/acs' } }),
      /not registered/,
    ],
    [
      'for a part of a registered address',
      () => authnRequest(server, id, { attributes: { AssertionConsumerServiceURL: 'https://sp.example/acs/../x' } }),
      /not registered/,
    ],
    [
      'for an index that is not registered',
      () => authnRequest(server, id, { attributes: { AssertionConsumerServiceIndex: '7' } }),
      /not registered/,
    ],
    [
      'for another destination',
      () => authnRequest(server, id, { attributes: { Destination: authnUrl(server, strictId) } }),
      /Destination/,
    ],
    ['of another issuer', () => authnRequest(server, id, { issuer: 'https://other.example' }), /Issuer/],
    [
      'with an issuer of two texts',
      () => authnRequest(server, id, { issuer: 'https://sp.example/<a/>metadata' }),
      /Issuer has more/,
    ],
    ['that is old', () => authnRequest(server, id, { attributes: { IssueInstant: at(-601) } }), /IssueInstant/],
    ['from the future', () => authnRequest(server, id, { attributes: { IssueInstant: at(601) } }), /IssueInstant/],
    ['with an ID that is no name', () => authnRequest(server, id, { attributes: { ID: '1 &lt;' } }), /ID is missing/],
    ['of SAML 1.1', () => authnRequest(server, id, { attributes: { Version: '1.1' } }), /Version/],
  ])('%s', async (_, xml, reason) => {
    expect(await refusalAt(redirectOf(server, id, xml()))).toMatch(reason)
  })

  test('with a RelayState that is too long, or sent twice', async () => {
    const address = redirectOf(server, id, authnRequest(server, id), { RelayState: 'x'.repeat(513) })
    expect(await refusalAt(address)).toMatch(/RelayState is longer/)
    expect(await refusalAt(`${redirectOf(server, id, authnRequest(server, id))}&RelayState=a&RelayState=b`)).toMatch(
      /repeated/,
    )
    expect(await refusalAt(`${redirectOf(server, id, authnRequest(server, id))}&SAMLRequest=AAAA`)).toMatch(/repeated/)
  })

  test('without a signature, with one of a stranger, or with one of something else, where it has to be signed', async () => {
    const attributes = { ID: '_signed' }
    const xml = authnRequest(server, strictId, { attributes })
    expect(await refusalAt(redirectOf(server, strictId, xml))).toMatch(/not signed/)
    expect(await post(strictId, xml)).toMatch(/not signed/)
    expect(await post(strictId, signedXml(xml, '_signed', strangerKey.privateKey, strangerKey.certificate))).toMatch(
      /not by a key/,
    )
    // the certificate in the message is the right one, the key is not
    expect(await post(strictId, signedXml(xml, '_signed', strangerKey.privateKey, key.certificate))).toMatch(
      /not by a key/,
    )
    const right = signedXml(xml, '_signed', key.privateKey, key.certificate)
    expect(await post(strictId, right.replace('Version="2.0"', 'Version="2.0" ForceAuthn="true"'))).toMatch(
      /not by a key/,
    )
    // wrapped: the signed request inside one that says something else
    const wrapped = authnRequest(server, strictId, {
      attributes: { ID: '_evil' },
      content: `<samlp:Extensions>${right}</samlp:Extensions>`,
    })
    expect(await post(strictId, wrapped)).toMatch(/not signed/)
    const moved = /<ds:Signature[\s\S]*<\/ds:Signature>/.exec(right)?.[0] ?? ''
    const stolen = authnRequest(server, strictId, { attributes: { ID: '_evil' }, content: moved })
    expect(await post(strictId, stolen)).toMatch(/another element/)
  })

  test('with a signature in the query that does not cover it', async () => {
    const sign = (query: string, privateKey: string, digest = 'sha256') =>
      encodeURIComponent(createSign(digest).update(query).sign(privateKey, 'base64'))
    const query = (of: string, more: string, algorithm: string) =>
      `${new URL(redirectOf(server, of, authnRequest(server, of))).search.slice(1)}${more}&SigAlg=${encodeURIComponent(algorithm)}`
    const sha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
    const open = (signed: string, signature: string) =>
      newBrowser().open(`${authnUrl(server, strictId)}?${signed}&Signature=${signature}`)
    const good = query(strictId, '&RelayState=a%20b', sha256)
    expect((await open(good, sign(good, key.privateKey))).url.pathname).toMatch(/^\/sign-in\//)
    const refused = async (signed: string, signature: string) =>
      expect([(await open(signed, signature)).text]).toEqual([
        expect.stringContaining('not by a registered certificate'),
      ])
    await refused(good.replace('a%20b', 'c'), sign(good, key.privateKey))
    await refused(good.replace('RelayState=a%20b', 'Relay%53tate=c'), sign(good, key.privateKey))
    await refused(good, sign(good, strangerKey.privateKey))
    const weak = query(strictId, '', 'http://www.w3.org/2000/09/xmldsig#rsa-sha1')
    await refused(weak, sign(weak, key.privateKey, 'sha1'))
    const hmac = query(strictId, '', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256')
    await refused(hmac, encodeURIComponent(createHmac('sha256', key.certificate).update(hmac).digest('base64')))
  })

  test('of an application of another kind, or of no application', async () => {
    const { id: other } = (await server.api('POST', '/applications', { name: fresh('app'), type: 'Traditional' })).body
    for (const of of [other, 'nothing', '..%2Fx']) {
      const page = await newBrowser().open(redirectOf(server, of, authnRequest(server, of)))
      expect([page.status, page.text.includes('SAMLResponse')]).toEqual([404, false])
      expect((await fetch(`${server.baseUrl}/api/saml-applications/${of}/metadata`)).status).toBe(404)
    }
  })
})

describe('R-36: an answer', () => {
  test('is given once: a request that was answered is refused; one that was not begins again', async () => {
    const { username } = await newUser(server)
    const browser = newBrowser()
    const address = redirectOf(server, id, authnRequest(server, id))
    await browser.open(address)
    expect(statusOf(await signInAt(browser, address, username))).toEqual(['Success'])
    const again = await browser.open(address)
    expect([again.status, again.text.includes('answered before')]).toEqual([400, true])
  })

  test('is for the browser that signed in: a code of another one signs no one in, and cannot be redeemed elsewhere', async () => {
    const { username } = await newUser(server)
    const [attacker, victim] = [newBrowser(), newBrowser()]
    await signInAt(attacker, redirectOf(server, id, authnRequest(server, id)), username)
    await signInAt(victim, redirectOf(server, id, authnRequest(server, id)), (await newUser(server)).username)
    // the attacker's browser is stopped before it comes back
    const begun = await fetch(redirectOf(server, id, authnRequest(server, id)), { redirect: 'manual' })
    const cookie = `countersign-session=${attacker.cookie('countersign-session')}`
    const ended = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual', headers: { cookie } })
    const callback = new URL(ended.headers.get('location') ?? '')
    expect([callback.pathname, callback.searchParams.has('code')]).toEqual([
      `/api/saml-applications/${id}/callback`,
      true,
    ])
    expect(statusOf(await victim.open(callback))).toEqual(['Responder', 'AuthnFailed'])
    expect((await attacker.open(callback)).status).toBe(400)
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: id,
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: `${callback.origin}${callback.pathname}`,
    })
    expect((await fetch(`${server.baseUrl}/oidc/token`, { method: 'POST', body })).status).toBe(401)
  })

  test('does not come of an authorization request that the application did not make', async () => {
    const parameters = new URLSearchParams({
      client_id: id,
      redirect_uri: `${server.baseUrl}/api/saml-applications/${id}/callback`,
      response_type: 'code',
      scope: 'openid',
      state: 'mine',
    })
    const page = await newBrowser().open(`${server.baseUrl}/oidc/auth?${parameters}`)
    expect([page.status, page.text.includes('name="identifier"')]).toEqual([400, false])
    const callback = await newBrowser().open(`${parameters.get('redirect_uri')}?state=mine&code=cs_ac_x`)
    expect([callback.status, callback.text.includes('SAMLResponse')]).toEqual([400, false])
  })

  test('is not given to a user who was suspended meanwhile', async () => {
    const { id: userId, username } = await newUser(server)
    const browser = newBrowser()
    await signInAt(browser, redirectOf(server, id, authnRequest(server, id)), username)
    await server.api('PATCH', `/users/${userId}/is-suspended`, { isSuspended: true })
    const page = await browser.open(redirectOf(server, id, authnRequest(server, id)))
    expect(page.url.pathname).toMatch(/^\/sign-in\//)
    const refused = await browser.submit(page, { identifier: username, password: PASSWORD })
    expect(refused.text.includes('SAMLResponse')).toBe(false)
  })
})
