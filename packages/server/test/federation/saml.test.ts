/** SAML connectors: their configuration, their keys, and sign-in at identity providers. R-36 has the responses that are refused. */
import { verify as verifySignature } from 'node:crypto'
import { type SamlAnswer, SamlIdentityProvider } from '@countersign/harness/saml-identity-provider.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { generateServiceProviderMetadata } from '@node-saml/node-saml'
import { authorizationCodeGrant, type Configuration } from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type OwnPage, openPage } from '../experience/arrange.ts'
import { call, holdFinePermissions, managementToken } from '../management/arrange.ts'
import { begin, createApp, newBrowser, redeem } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { told } from './arrange.ts'

let server: TestServer
let idp: SamlIdentityProvider
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  idp = await new SamlIdentityProvider(() => server.clock.now()).start()
})
afterAll(async () => {
  await idp.close()
  await server.close()
})

let count = 0
const connect = async (config: object, providerName = 'SAML', domains: string[] = []): Promise<string> => {
  const connectorName = `SAML ${++count}`
  const { status, body } = await server.api('POST', '/sso-connectors', { providerName, connectorName, config, domains })
  expect([status, body.isComplete]).toEqual([200, true])
  return body.id
}
const metadataOf = async (id: string) => {
  const answer = await fetch(`${server.baseUrl}/enterprise-sso/${id}`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/samlmetadata+xml'])
  return answer.text()
}

describe('configuration', () => {
  test.each<[string, () => object, number, RegExp]>([
    ['metadata', () => ({ metadata: idp.metadata }), 200, /./],
    [
      'single fields',
      () => ({ entityId: 'x', signInEndpoint: 'https://a.example', x509Certificate: idp.keys[0]?.certificate }),
      200,
      /./,
    ],
    ['no XML', () => ({ metadata: 'metadata' }), 400, /the metadata of the identity provider cannot be used/],
    ['a document type', () => ({ metadata: `<!DOCTYPE x [<!ENTITY e "e">]>${idp.metadata}` }), 400, /document type/],
    [
      'metadata of a service provider',
      () => ({ metadata: generateServiceProviderMetadata({ issuer: 'a', callbackUrl: 'https://a.example' }) }),
      400,
      /no identity provider/,
    ],
    [
      'metadata without a certificate',
      () => ({ metadata: idp.metadata.replace(/<KeyDescriptor.*<\/KeyDescriptor>/s, '') }),
      400,
      /no certificate/,
    ],
    [
      'metadata with more certificates than are tried',
      () => ({ metadata: idp.metadata.replace(/<KeyDescriptor.*<\/KeyDescriptor>/s, (key) => key.repeat(11)) }),
      400,
      /more than 10 certificates/,
    ],
    [
      'metadata without an address',
      () => ({ metadata: idp.metadata.replace(/<SingleSignOnService[^>]*>/, '') }),
      400,
      /no SingleSignOnService/,
    ],
    [
      'metadata of another provider',
      () => ({ metadata: idp.metadata, entityId: 'another' }),
      400,
      /no identity provider another/,
    ],
    ['no certificate', () => ({ x509Certificate: 'certificate' }), 400, /no certificate/],
  ])('%s', async (_what, config, status, reason) => {
    const input = { providerName: 'SAML', connectorName: `SAML ${++count}`, config: config() }
    const answer = await server.api('POST', '/sso-connectors', input)
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([status, expect.stringMatching(reason)])
  })
})

describe('keys', () => {
  test('one is active; the others are in the metadata, and are activated in its place', async () => {
    const id = await connect({ metadata: idp.metadata })
    const path = `/sso-connectors/${id}/signing-keys`
    expect(await metadataOf(id)).toContain('AuthnRequestsSigned="false"')
    const first = await server.api('POST', path, { active: true })
    expect([first.status, first.body]).toMatchObject([201, { active: true }])
    expect(first.body.fingerprints.sha256.formatted.replaceAll(':', '')).toBe(
      first.body.fingerprints.sha256.unformatted,
    )
    server.clock.advance(1)
    const next = await server.api('POST', path, { active: false })
    const metadata = await metadataOf(id)
    expect(metadata).toContain('AuthnRequestsSigned="true"')
    const plain = (pem: string) => pem.replaceAll(/-----.*-----|\s/g, '')
    expect(
      [...metadata.matchAll(/use="(\w+)".*?<ds:X509Certificate>(.*?)</g)].map(([, use, text]) => [use, text]),
    ).toEqual([
      ['signing', plain(next.body.certificate)],
      ['signing', plain(first.body.certificate)],
      ['encryption', plain(first.body.certificate)],
    ])
    expect((await server.api('DELETE', `${path}/${first.body.id}`)).body.code).toBe(
      'single_sign_on.can_not_delete_active_signing_key',
    )
    expect((await server.api('PATCH', `${path}/${next.body.id}`, { active: true })).body).toEqual({
      ...next.body,
      active: true,
    })
    expect((await server.api('GET', path)).body).toEqual([
      { ...next.body, active: true },
      { ...first.body, active: false },
    ])
    expect((await server.api('DELETE', `${path}/${first.body.id}`)).status).toBe(204)
    expect((await server.api('PATCH', `${path}/${next.body.id}`, { active: false })).body.active).toBe(false)
    expect(await metadataOf(id)).toContain('AuthnRequestsSigned="false"')
  })

  test('only SAML connectors have them, and private keys are nowhere to be read', async () => {
    const { body } = await server.api('POST', '/sso-connectors', { providerName: 'OIDC', connectorName: 'OIDC' })
    const refused = await server.api('POST', `/sso-connectors/${body.id}/signing-keys`, { active: true })
    expect([refused.status, refused.body.code]).toEqual([400, 'single_sign_on.sso_signing_unavailable'])
    expect((await fetch(`${server.baseUrl}/enterprise-sso/${body.id}`)).status).toBe(400)
    const id = await connect({ metadata: idp.metadata })
    await server.api('POST', `/sso-connectors/${id}/signing-keys`, { active: true })
    await holdFinePermissions(server)
    const token = await managementToken(server, 'read:connectors')
    const shown = await call(server, 'GET', `/sso-connectors/${id}/signing-keys`, { token })
    const { rows } = await server.store.database.pool.query('SELECT k::text AS row FROM sso_connector_signing_keys k')
    const everything = [shown.text, ...rows.map(({ row }) => row)].join()
    expect(everything).toContain('BEGIN CERTIFICATE')
    expect(everything).not.toContain('PRIVATE KEY')
    expect(everything).not.toContain(Buffer.from('PRIVATE KEY').toString('hex'))
  })
})

describe('sign-in', () => {
  let configuration: Configuration
  let connector: string
  beforeAll(async () => {
    configuration = (await createApp(server)).configuration
    connector = await connect({ metadataUrl: idp.entityId }, 'SAML', ['acme.example'])
    const change = {
      singleSignOnEnabled: true,
      signIn: { methods: ['username', 'email'].map((identifier) => ({ identifier, password: true })) },
    }
    expect((await server.api('PATCH', '/sign-in-exp', change)).status).toBe(200)
  })

  const begunPage = async () => {
    const page = await openPage(server, configuration)
    expect((await page.start('SignIn')).status).toBe(204)
    return page
  }
  const begin = async (page: OwnPage, id = connector) => {
    // so that what the audit log has of it is the newest
    server.clock.advance(1)
    const state = `state-${++count}`
    const redirectUri = `${server.baseUrl}/callback/${id}`
    const begun = await page.call('POST', `/verification/sso/${id}/authorization-uri`, { state, redirectUri })
    expect(begun.status).toBe(200)
    return { state, uri: begun.body.authorizationUri as string, verificationId: begun.body.verificationId as string }
  }
  /** The browser posts a response, without cookies: where it is sent. */
  const post = async (acs: string, xml: string, relayState: string) => {
    const SAMLResponse = Buffer.from(xml).toString('base64')
    const body = new URLSearchParams({ SAMLResponse, RelayState: relayState })
    return fetch(acs, { method: 'POST', body, redirect: 'manual' })
  }
  /** The parameters with which the browser comes back. */
  const broughtBy = (posted: Response): Record<string, string> =>
    Object.fromEntries(new URL(posted.headers.get('location') ?? '').searchParams)
  const verify = (page: OwnPage, connectorData: object, verificationId: string, id = connector) =>
    page.call('POST', `/verification/sso/${id}/verify`, { connectorData, verificationId })
  /** There and back again: the answer of the verification. */
  const visit = async (page: OwnPage, answer: SamlAnswer, id = connector) => {
    const { state, uri, verificationId } = await begin(page, id)
    const request = idp.request(uri)
    const posted = await post(request.acs, await idp.respond(request, answer), request.relayState)
    const data = broughtBy(posted)
    const returnTo = `${server.baseUrl}/callback/${id}?${new URLSearchParams({ state, code: data.code ?? '' })}`
    expect([posted.status, posted.headers.get('location')]).toEqual([303, returnTo])
    return verify(page, data, verificationId, id)
  }
  const submitted = async (page: OwnPage) => {
    const { status, body } = await page.call('POST', '/submit')
    expect([status, body.code]).toEqual([200, undefined])
    const claims = (await redeem(configuration, await page.browser.open(body.redirectTo), page.begun)).claims()
    if (!claims) throw new Error('there is no ID token')
    return claims
  }
  const registered = async (answer: SamlAnswer, id = connector) => {
    const page = await begunPage()
    const { status, body } = await visit(page, answer, id)
    expect([status, body.code]).toEqual([200, undefined])
    expect(told(await page.call('POST', '/identification', body))).toEqual([404, 'user.identity_not_exist'])
    expect((await page.call('PUT', '/interaction-event', { interactionEvent: 'Register' })).status).toBe(204)
    expect((await page.call('POST', '/identification', body)).status).toBe(201)
    return submitted(page)
  }
  const failures = async (id = connector): Promise<string[]> => {
    const { body } = await server.api('GET', '/logs?page_size=100')
    return body.flatMap(({ payload }: { payload: { connectorId?: string; reason?: string } }) =>
      payload.connectorId === id && payload.reason ? [payload.reason] : [],
    )
  }

  test('users register with what the assertion says, and come back as the same user', async () => {
    const answer = {
      nameId: 'u-1',
      attributes: { mail: 'ann@acme.example', displayName: 'Ann <Ä>', picture: 'https://acme.example/a.png' },
    }
    const { sub } = await registered(answer)
    const { body: user } = await server.api('GET', `/users/${sub}?includeSsoIdentities=true`)
    expect(user).toMatchObject({
      primaryEmail: 'ann@acme.example',
      name: 'Ann <Ä>',
      avatar: 'https://acme.example/a.png',
    })
    const page = await begunPage()
    const { body } = await visit(page, { ...answer, signs: 'both' })
    expect((await page.call('POST', '/identification', body)).status).toBe(204)
    expect((await submitted(page)).sub).toBe(sub)
  })

  test('an address that the identity provider calls unverified is not taken over', async () => {
    const config = { metadata: idp.metadata, attributeMapping: { emailVerified: 'verified' } }
    const id = await connect(config, 'SAML', ['mapped.example'])
    for (const [verified, expected] of [
      ['false', null],
      ['True', 'True@mapped.example'],
    ] as const) {
      const attributes = { mail: `${verified}@mapped.example`, verified }
      const { sub } = await registered({ nameId: `u-${verified}`, attributes }, id)
      expect((await server.api('GET', `/users/${sub}`)).body.primaryEmail).toBe(expected)
    }
  })

  test('Entra ID calls the address and the name by claims of its own', async () => {
    const id = await connect({ metadata: idp.metadata }, 'AzureAD', ['entra.example'])
    const claims = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims'
    const attributes = {
      [`${claims}/emailaddress`]: 'bea@entra.example',
      [`${claims}/name`]: 'bea@directory.example',
      'http://schemas.microsoft.com/identity/claims/displayname': 'Bea',
    }
    const { sub } = await registered({ nameId: 'bea@directory.example', attributes }, id)
    const { body: user } = await server.api('GET', `/users/${sub}`)
    expect(user).toMatchObject({ primaryEmail: 'bea@entra.example', name: 'Bea' })
  })

  test('the request names us, and is signed when the connector has an active key', async () => {
    const id = await connect({
      metadata: idp.metadata,
      nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    })
    const unsigned = new URL((await begin(await begunPage(), id)).uri)
    expect([...unsigned.searchParams.keys()]).toEqual(['SAMLRequest', 'RelayState'])
    expect(unsigned.searchParams.get('RelayState')?.length).toBeLessThanOrEqual(80)
    const { body: key } = await server.api('POST', `/sso-connectors/${id}/signing-keys`, { active: true })
    const { uri } = await begin(await begunPage(), id)
    const request = idp.request(uri)
    expect(request).toMatchObject({
      acs: `${server.baseUrl}/api/authn/single-sign-on/saml/${id}`,
      issuer: `${server.baseUrl}/enterprise-sso/${id}`,
    })
    expect(request.xml).toContain('nameid-format:persistent')
    const [, signed = '', signature = ''] = /\?(.*)&Signature=(.*)$/.exec(uri) ?? []
    const value = Buffer.from(decodeURIComponent(signature), 'base64')
    expect(verifySignature('sha256', Buffer.from(signed), key.certificate, value)).toBe(true)
    expect((await registered({ nameId: 'u-encrypted', encryptedTo: key.certificate }, id)).sub).toBeTruthy()
  })

  test('a request is posted where the identity provider takes no other', async () => {
    const metadata = idp.metadata.replace(/(<SingleSignOnService Binding="[^"]*)HTTP-Redirect/, '$1HTTP-POST')
    const id = await connect({
      metadata: metadata.replace('<IDPSSODescriptor', '<IDPSSODescriptor WantAuthnRequestsSigned="true"'),
    })
    const page = await begunPage()
    const asked = { state: 'state-at-random', redirectUri: `${server.baseUrl}/callback/${id}` }
    expect(told(await page.call('POST', `/verification/sso/${id}/authorization-uri`, asked))).toEqual([
      502,
      'connector.invalid_response',
    ])
    await server.api('POST', `/sso-connectors/${id}/signing-keys`, { active: true })
    const { uri, verificationId } = await begin(page, id)
    const shown = await fetch(uri)
    const text = await shown.text()
    expect(shown.headers.get('content-security-policy')).toContain("form-action 'self' http:")
    const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ''
    const request = idp.read(Buffer.from(field('SAMLRequest'), 'base64').toString(), field('RelayState'))
    expect(request.xml).toContain('<ds:SignatureValue>')
    const posted = await post(request.acs, await idp.respond(request, { nameId: 'u-posted' }), request.relayState)
    expect((await verify(page, broughtBy(posted), verificationId, id)).status).toBe(200)
    // its request is not shown again
    expect((await fetch(uri)).status).toBe(400)
  })

  test('a response is accepted once, from the browser that asked, and its assertion nowhere again', async () => {
    const page = await begunPage()
    const first = await begin(page)
    const request = idp.request(first.uri)
    const xml = await idp.respond(request, { nameId: 'u-once', assertionId: '_once' })
    const posted = await post(request.acs, xml, request.relayState)
    expect(posted.status).toBe(303)
    expect((await post(request.acs, xml, request.relayState)).status).toBe(400)
    const data = broughtBy(posted)
    const other = await begunPage()
    expect(told(await verify(other, data, (await begin(other)).verificationId))).toEqual([
      400,
      'session.connector_session_not_found',
    ])
    expect((await verify(page, data, first.verificationId)).status).toBe(200)
    expect(told(await verify(page, data, first.verificationId))).toEqual([400, 'session.connector_session_not_found'])
    expect(told(await visit(await begunPage(), { nameId: 'u-once', assertionId: '_once' }))).toEqual([
      401,
      'connector.authorization_failed',
    ])
    await expect.poll(() => failures()).toContain('the assertion has been used before')
    const stolen = await begin(await begunPage())
    const theirs = idp.request(stolen.uri)
    // the answer to our request, in the place of theirs
    const mine = await idp.respond(idp.request((await begin(page)).uri), { nameId: 'u-once' })
    expect((await post(theirs.acs, mine, theirs.relayState)).status).toBe(303)
  })

  test('R-35 a sign-in has one visit at a time, the newest', async () => {
    const page = await begunPage()
    const [first, second] = [await begin(page), await begin(page)]
    const post1 = idp.request(first.uri)
    expect((await post(post1.acs, await idp.respond(post1), post1.relayState)).status).toBe(400)
    const post2 = idp.request(second.uri)
    const posted = await post(post2.acs, await idp.respond(post2, { nameId: 'u-newest' }), post2.relayState)
    expect((await verify(page, broughtBy(posted), second.verificationId)).status).toBe(200)
  })

  test('R-29 whoever began a visit does not become the user whose browser the provider has answered', async () => {
    const attacker = await begunPage()
    for (const code of [undefined, '', 'a-guess']) {
      const { state, uri, verificationId } = await begin(attacker)
      const request = idp.request(uri)
      // the attacker has sent another user there, and knows the state: they have chosen it
      const xml = await idp.respond(request, { nameId: 'u-victim' })
      expect((await post(request.acs, xml, request.relayState)).status).toBe(303)
      const data = { state, ...(code === undefined ? {} : { code }) }
      expect(told(await verify(attacker, data, verificationId))).toEqual([401, 'connector.authorization_failed'])
    }
    await expect.poll(() => failures()).toContain('no response of the identity provider has come in this browser')
    // nor do they have it sent to them
    for (const origin of ['https://attacker.example', server.baseUrl.replace('://', '://attacker.')]) {
      const asked = { state: 'state-at-random', redirectUri: `${origin}/callback/${connector}` }
      const path = `/verification/sso/${connector}/authorization-uri` as const
      expect(told(await attacker.call('POST', path, asked))).toEqual([400, 'guard.invalid_input'])
    }
  })

  test.each<[string, SamlAnswer, number, string, RegExp]>([
    [
      'a lie',
      { signs: 'nothing' },
      401,
      'connector.authorization_failed',
      /neither the assertion nor the response is signed/,
    ],
    [
      'a refusal',
      { status: 'urn:oasis:names:tc:SAML:2.0:status:AuthnFailed' },
      401,
      'connector.authorization_failed',
      /answered AuthnFailed/,
    ],
    [
      'the answer to another request',
      { inResponseTo: '_other' },
      401,
      'connector.authorization_failed',
      /InResponseTo/,
    ],
    [
      'a NameID that changes',
      { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' },
      401,
      'connector.authorization_failed',
      /transient/,
    ],
  ])('nobody is signed in by %s, and the audit log says why', async (_what, answer, status, code, reason) => {
    const page = await begunPage()
    const result = await visit(page, answer)
    expect(told(result)).toEqual([status, code])
    await expect.poll(async () => (await failures()).join('\n')).toMatch(reason)
    expect((await page.call('POST', '/submit')).status).toBeGreaterThanOrEqual(400)
  })

  test('without a response, or with one for no request, there is a page or an error', async () => {
    const page = await begunPage()
    const { state, uri, verificationId } = await begin(page)
    const { acs } = idp.request(uri)
    expect(told(await verify(page, { state }, verificationId))).toEqual([401, 'connector.authorization_failed'])
    const xml = await idp.respond(idp.request(uri))
    for (const relayState of ['', 'unknown']) {
      const answer = await post(acs, xml, relayState)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    }
    expect((await post(acs, 'x'.repeat(400_000), 'unknown')).status).toBe(413)
    expect((await fetch(acs, { method: 'POST', body: new URLSearchParams({ RelayState: 'x' }) })).status).toBe(400)
    expect((await fetch(`${server.baseUrl}/api/authn/single-sign-on/saml/none`, { method: 'POST' })).status).toBe(400)
  })

  test('metadata is asked for once, again for a key that is not known, and a failure keeps the last', async () => {
    idp.metadataAttributes = ' cacheDuration="PT5M"'
    const id = await connect({ metadataUrl: `${idp.entityId}?once` })
    const before = idp.metadataRequests
    await registered({ nameId: 'u-kept' }, id)
    await visit(await begunPage(), { nameId: 'u-kept' }, id)
    expect(idp.metadataRequests).toBe(before + 1)
    const [old] = idp.keys
    idp.keys = [await idp.newKey(), ...idp.keys]
    server.clock.advance(61)
    expect((await visit(await begunPage(), { nameId: 'u-kept' }, id)).status).toBe(200)
    expect(idp.metadataRequests).toBe(before + 2)
    idp.metadataAnswer = { status: 500, body: '' }
    server.clock.advance(301)
    expect((await visit(await begunPage(), { nameId: 'u-kept' }, id)).status).toBe(200)
    await expect.poll(() => idp.metadataRequests).toBe(before + 3)
    idp.metadataAnswer = { status: 200, body: `<!DOCTYPE x>${idp.metadata}` }
    const never = await connect({ metadataUrl: `${idp.entityId}?never` })
    const asked = { state: 'state-at-random', redirectUri: `${server.baseUrl}/callback/${never}` }
    const refused = await (await begunPage()).call('POST', `/verification/sso/${never}/authorization-uri`, asked)
    expect(told(refused)).toEqual([502, 'connector.invalid_response'])
    await expect.poll(() => failures(never)).toContainEqual(expect.stringMatching(/document type/))
    idp.metadataAnswer = undefined
    idp.metadataAttributes = ''
    idp.keys = old ? [old] : []
  })
})

describe('sign-in that begins at the identity provider', () => {
  let connector: string
  let app: Awaited<ReturnType<typeof createApp>>
  const path = () => `/sso-connectors/${connector}/idp-initiated-auth-config`
  const sent = () => ({ defaultApplicationId: app.id, autoSendAuthorizationRequest: true })
  beforeAll(async () => {
    connector = await connect({ metadata: idp.metadata }, 'SAML', ['portal.example'])
    app = await createApp(server)
    expect((await server.api('PATCH', '/sign-in-exp', { singleSignOnEnabled: true })).status).toBe(200)
  })

  /** The response to no request. */
  const unsolicited = (answer: SamlAnswer = {}) =>
    idp.respond(
      {
        id: '',
        acs: `${server.baseUrl}/api/authn/single-sign-on/saml/${connector}`,
        issuer: `${server.baseUrl}/enterprise-sso/${connector}`,
        relayState: '',
        xml: '',
      },
      { inResponseTo: null, ...answer },
    )
  /** The browser brings it from the site of the identity provider. */
  const arrive = (browser: Browser, xml: string, relayState = 'https://evil.example/') =>
    browser.open(`${server.baseUrl}/api/authn/single-sign-on/saml/${connector}`, {
      method: 'POST',
      body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64'), RelayState: relayState }),
    })
  const redeemed = async ({ url }: Page) =>
    (await authorizationCodeGrant(app.configuration, url, { idTokenExpected: true })).claims()

  test('is refused while it is off', async () => {
    expect((await server.api('GET', path())).status).toBe(404)
    const page = await arrive(newBrowser(), await unsolicited())
    expect([page.status, page.url.pathname]).toEqual([400, `/api/authn/single-sign-on/saml/${connector}`])
    expect((await server.api('DELETE', path())).status).toBe(404)
  })

  test('is for SAML connectors, and for applications of the tenant that can use it', async () => {
    const { body: oidc } = await server.api('POST', '/sso-connectors', { providerName: 'OIDC', connectorName: 'Other' })
    const refusals: [object, string, string?][] = [
      [sent(), 'single_sign_on.idp_initiated_authentication_not_supported', oidc.id],
      [{ ...sent(), defaultApplicationId: 'none' }, 'entity.not_exists_with_id'],
      [sent(), 'entity.not_exists_with_id', 'none'],
      [
        { ...sent(), defaultApplicationId: (await createApp(server, 'SPA')).id },
        'single_sign_on.idp_initiated_authentication_invalid_application_type',
      ],
      [
        {
          ...sent(),
          defaultApplicationId: (await createApp(server, 'Traditional', { isThirdParty: true })).id,
        },
        'single_sign_on.idp_initiated_authentication_invalid_application_type',
      ],
      [
        {
          ...sent(),
          defaultApplicationId: (
            await createApp(server, 'Traditional', { customClientMetadata: { requirePkce: true } })
          ).id,
        },
        'guard.invalid_input',
      ],
      [
        { ...sent(), redirectUri: 'https://evil.example/' },
        'single_sign_on.idp_initiated_authentication_redirect_uri_not_registered',
      ],
      [{ ...sent(), autoSendAuthorizationRequest: false }, 'guard.invalid_input'],
      [
        { ...sent(), autoSendAuthorizationRequest: false, clientIdpInitiatedAuthCallbackUri: 'javascript:alert(1)' },
        'guard.invalid_input',
      ],
    ]
    for (const [body, code, id = connector] of refusals) {
      const answer = await server.api('PUT', `/sso-connectors/${id}/idp-initiated-auth-config`, body)
      expect({ body, code: answer.body.code }).toEqual({ body, code })
    }
    expect((await server.api('GET', path())).status).toBe(404)
  })

  test('ends at the application with a code, whatever the RelayState says, and each assertion once', async () => {
    const put = await server.api('PUT', path(), { ...sent(), authParameters: { scope: 'email' } })
    expect([put.status, put.body]).toEqual([
      200,
      {
        connectorId: connector,
        ...sent(),
        redirectUri: null,
        authParameters: { scope: 'email' },
        clientIdpInitiatedAuthCallbackUri: null,
        createdAt: expect.any(Number),
      },
    ])
    expect((await server.api('GET', path())).body).toEqual(put.body)
    const browser = newBrowser()
    const xml = await unsolicited({ nameId: 'p-1', attributes: { mail: 'pam@portal.example' } })
    const first = await redeemed(await arrive(browser, xml))
    expect(first).toMatchObject({ email: 'pam@portal.example', email_verified: true, amr: ['fed'] })
    // the assertion again, in this browser and in another
    for (const each of [browser, newBrowser()]) expect((await arrive(each, xml)).status).toBe(401)
    // another user in the same browser, in whose session someone else is
    const other = await redeemed(await arrive(browser, await unsolicited({ nameId: 'p-2' })))
    expect(other?.sub).not.toBe(first?.sub)
    const again = await redeemed(await arrive(browser, await unsolicited({ nameId: 'p-1' }), ''))
    expect(again?.sub).toBe(first?.sub)
  })

  test.each<[string, SamlAnswer]>([
    ['no signature', { signs: 'nothing' }],
    ['the answer to a request', { inResponseTo: '_request' }],
    ['the confirmation of a request', { confirmedInResponseTo: '_request' }],
    ['another audience', { audience: 'https://other.example' }],
    ['another recipient', { recipient: 'https://other.example' }],
    ['one that has expired', { notOnOrAfter: -301, confirmedUntil: -301, notBefore: -900 }],
  ])('nobody arrives by %s, and the audit log has the reason', async (_what, answer) => {
    server.clock.advance(1)
    const page = await arrive(newBrowser(), await unsolicited(answer))
    expect([page.status, page.url.pathname]).toEqual([401, `/api/authn/single-sign-on/saml/${connector}`])
    const newest = async () => (await server.api('GET', '/logs?page_size=1')).body[0]
    await expect
      .poll(newest)
      .toMatchObject({ key: 'Saml.Arrival', payload: { connectorId: connector, kind: 'assertion' } })
  })

  test('the application may send the request itself: in this browser, for itself, once, and soon', async () => {
    const callback = 'https://app.example/portal?from=us'
    const config = {
      ...sent(),
      autoSendAuthorizationRequest: false,
      clientIdpInitiatedAuthCallbackUri: callback,
    }
    expect((await server.api('PUT', path(), config)).status).toBe(200)
    const arrived = async (nameId: string) => {
      const browser = newBrowser()
      const { url } = await arrive(browser, await unsolicited({ nameId }))
      expect(url.href).toBe(`${callback}&ssoConnectorId=${connector}`)
      return browser
    }
    const asked = async (browser: Browser, more: Record<string, string> = {}, configuration = app.configuration) => {
      const begun = await begin(configuration, { direct_sign_in: `sso:${connector}`, ...more })
      return { begun, page: await browser.open(begun.url) }
    }
    const isSentToProvider = ({ page }: { page: Page }) => expect(page.url.href).toContain(`${idp.origin}/sso?`)
    const browser = await arrived('p-3')
    // a browser that has not brought it, another connector, another application, and a request that does not ask for it
    isSentToProvider(await asked(newBrowser()))
    const other = await connect({ metadata: idp.metadata })
    isSentToProvider(await asked(browser, { direct_sign_in: `sso:${other}` }))
    isSentToProvider(await asked(browser, {}, (await createApp(server)).configuration))
    expect((await asked(browser, { direct_sign_in: '' })).page.url.pathname).toMatch(/^\/sign-in\//)
    const { begun, page } = await asked(browser)
    expect((await redeem(app.configuration, page, begun)).claims()?.amr).toEqual(['fed'])
    isSentToProvider(await asked(browser, { prompt: 'login' }))
    const late = await arrived('p-3')
    server.clock.advance(301)
    isSentToProvider(await asked(late))
    // it is switched off meanwhile
    const revoked = await arrived('p-3')
    expect((await server.api('DELETE', path())).status).toBe(204)
    isSentToProvider(await asked(revoked))
    expect((await arrive(newBrowser(), await unsolicited())).status).toBe(400)
  })
})
