/** Dynamic client registration (RFC 7591): who may register, what is registered of what is asked for, and what such a client may do. */
import { managementClient } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { removeUnusedClients } from '@countersign/server/domain/registered-clients/unused.ts'
import fc from 'fast-check'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readAll } from '../events/feed.ts'
import { fresh, post, send } from '../protocol/arrange.ts'
import { makeKey } from '../protocol/assertions.ts'
import { begin, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { allow, CALLBACK, newToken, register } from './arrange.ts'

let server: TestServer
let resource: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  resource = 'https://notes.example/api'
  const { body } = await server.api('POST', '/resources', { name: 'Notes', indicator: resource })
  for (const name of ['read:notes', 'write:notes'])
    await server.api('POST', `/resources/${body.id}/scopes`, { name, description: name })
})
afterAll(() => server.close())

/** Time passes, beyond the life of the token of `server.api` too. */
const pass = (seconds: number) => {
  server.clock.advance(seconds)
  server = { ...server, api: managementClient(server.baseUrl, server.credentials) }
}

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'
const insecure = { [oauth.allowInsecureRequests]: true }
const discovered = async (): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(server.issuer)
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
}
const opened = () => allow(server, { mode: 'open' })
const refusedBy = async (metadata: unknown) => {
  const { status, body } = await register(server, metadata)
  expect(status, JSON.stringify(body)).toBe(400)
  return body as { error: string; error_description: string }
}

describe('who may register', () => {
  test('nobody, as long as registration is closed; discovery then has no endpoint', async () => {
    await allow(server, { mode: 'closed' })
    expect((await discovered()).registration_endpoint).toBeUndefined()
    const { value } = await newToken(server)
    for (const token of [undefined, value])
      expect(await register(server, { redirect_uris: [CALLBACK] }, token)).toMatchObject({
        status: 403,
        body: { error: 'access_denied' },
      })
  })

  test('whoever has an initial access token: oauth4webapi registers with it, as often as it may', async () => {
    await allow(server, { mode: 'initial-access-token' })
    const as = await discovered()
    const { id, value: initialAccessToken } = await newToken(server, { maxRegistrations: 2 })
    const metadata = { redirect_uris: [CALLBACK], client_name: 'Two' }
    const request = () => oauth.dynamicClientRegistrationRequest(as, metadata, { initialAccessToken, ...insecure })
    for (let left = 2; left > 0; left -= 1) {
      const registered = await oauth.processDynamicClientRegistrationResponse(await request())
      expect(registered).toMatchObject({ client_secret_expires_at: 0, client_name: 'Two', redirect_uris: [CALLBACK] })
      expect((await server.api('GET', `/applications/${registered.client_id}`)).body).toMatchObject({
        isThirdParty: true,
        registration: { applicationType: 'web', grantTypes: ['authorization_code'] },
      })
    }
    expect((await request()).status).toBe(401)
    const { body } = await server.api('GET', '/initial-access-tokens')
    expect(body.find((one: { id: string }) => one.id === id)).toMatchObject({ registrations: 2, maxRegistrations: 2 })
    expect(JSON.stringify(body)).not.toContain(initialAccessToken)
  })

  test('a token is used up once by many requests at the same moment, on two nodes', async () => {
    const node = await server.startNode()
    const { value } = await newToken(server)
    const at = (url: string) =>
      send(`${url}/oidc/register`, {
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${value}`,
          host: new URL(server.baseUrl).host,
        },
        body: JSON.stringify({ redirect_uris: [CALLBACK] }),
      })
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => at(index % 2 ? node.url : server.baseUrl)),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(401)])
    await node.close()
  })

  test('no token that is missing, unknown, malformed, expired, deleted or of another kind; a refused request uses none up', async () => {
    const expiring = await newToken(server, { expiresAt: server.clock.now().getTime() + 60_000 })
    const deleted = await newToken(server)
    await server.api('DELETE', `/initial-access-tokens/${deleted.id}`)
    const { value } = await newToken(server)
    expect((await register(server, { redirect_uris: ['http://app.example/'] }, value)).body.error).toBe(
      'invalid_redirect_uri',
    )
    pass(61)
    const wrong = [
      undefined,
      'x',
      `cs_ia_${'a'.repeat(43)}`,
      expiring.value,
      deleted.value,
      value.replace('_ia_', '_at_'),
    ]
    for (const token of wrong) {
      const { status, body, headers } = await register(server, { redirect_uris: [CALLBACK] }, token)
      expect([status, body.error, headers['www-authenticate']]).toEqual([
        401,
        'invalid_token',
        'Bearer error="invalid_token"',
      ])
    }
    expect((await register(server, { redirect_uris: [CALLBACK] }, value)).status).toBe(201)
    const headers = { authorization: [`Bearer ${value}`, 'Bearer x'], 'content-type': 'application/json' }
    expect((await send(`${server.issuer}/register`, { headers, body: '{}' })).status).toBe(401)
  })

  test('anyone where it is open, as far as the limits go: of an address, of an hour, of all', async () => {
    const { length: all } = (await server.api('GET', '/applications?page_size=100')).body.filter(
      (one: { registration: unknown }) => one.registration !== null,
    )
    await allow(server, { mode: 'open', openRegistrationsPerHour: 2 })
    const one = () => register(server, { redirect_uris: [CALLBACK] })
    expect([await one(), await one(), await one()].map(({ status }) => status)).toEqual([201, 201, 429])
    pass(3601)
    await allow(server, { maxClients: all + 3, openRegistrationsPerHour: 1000 })
    expect((await one()).status).toBe(201)
    expect(await one()).toMatchObject({ status: 403, body: { error: 'access_denied' } })
    await allow(server, { maxClients: 1000 })
    const replies = await Promise.all(Array.from({ length: 25 }, one))
    expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5)
    expect(replies.find(({ status }) => status === 429)?.headers['retry-after']).toMatch(/^\d+$/)
    pass(3601)
  })
})

describe('what is registered', () => {
  test('every member that is a setting here, and the response names all of them', async () => {
    await opened()
    const { jwk } = await makeKey('ES256', { kid: 'a' })
    const metadata = {
      redirect_uris: [CALLBACK, 'https://app.example/other'],
      token_endpoint_auth_method: 'private_key_jwt',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'web',
      client_name: 'Notes of app.example',
      client_uri: 'https://app.example/',
      logo_uri: 'https://app.example/logo.png',
      policy_uri: 'https://app.example/privacy',
      tos_uri: 'https://app.example/terms',
      contacts: ['ops@app.example'],
      software_id: 'notes',
      software_version: '4.1',
      jwks: { keys: [jwk] },
      subject_type: 'pairwise',
      id_token_signed_response_alg: 'RS256',
      userinfo_signed_response_alg: 'ES256',
      request_object_signing_alg: 'ES256',
      authorization_signed_response_alg: 'RS256',
      introspection_signed_response_alg: 'RS256',
      require_pushed_authorization_requests: true,
      require_signed_request_object: true,
      dpop_bound_access_tokens: true,
      tls_client_certificate_bound_access_tokens: false,
      post_logout_redirect_uris: ['https://app.example/bye'],
      backchannel_logout_uri: 'https://app.example/logout',
      backchannel_logout_session_required: true,
    }
    const { status, body } = await register(server, {
      ...metadata,
      'client_name#de': 'Notizen',
      unknown: 1,
      jwks_uri: null,
    })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject(metadata)
    expect(Object.keys(body).toSorted()).toEqual(
      [
        ...Object.keys(metadata),
        'client_id',
        'client_id_issued_at',
        'registration_access_token',
        'registration_client_uri',
        'scope',
      ].toSorted(),
    )
    expect(body.client_id_issued_at).toBe(Math.floor(server.clock.now().getTime() / 1000))
  })

  test('what is left out has the defaults of RFC 7591; the algorithm of ID tokens is named', async () => {
    const { body } = await register(server, { redirect_uris: [CALLBACK] })
    expect(body).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      application_type: 'web',
      client_name: 'app.example',
      scope: 'openid offline_access profile email',
    })
    expect(body.id_token_signed_response_alg).toMatch(/^(ES384|ES256|RS256)$/)
  })

  test('the type follows from what it is: without a secret, on a device, with a code of a device', async () => {
    const typeOf = async (metadata: object) => {
      const { body } = await register(server, metadata)
      const { body: application } = await server.api('GET', `/applications/${body.client_id}`)
      return [
        application.type,
        body.application_type,
        body.token_endpoint_auth_method,
        body.client_secret !== undefined,
      ]
    }
    const none = { token_endpoint_auth_method: 'none' }
    expect(await typeOf({ redirect_uris: [CALLBACK], ...none })).toEqual(['SPA', 'web', 'none', false])
    expect(await typeOf({ redirect_uris: ['http://localhost:3333/cb'], ...none })).toEqual([
      'Native',
      'native',
      'none',
      false,
    ])
    expect(await typeOf({ redirect_uris: ['com.example.app:/cb'], application_type: 'native' })).toEqual([
      'Native',
      'native',
      'none',
      false,
    ])
    expect(await typeOf({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'client_secret_post' })).toEqual([
      'Traditional',
      'web',
      'client_secret_post',
      true,
    ])
    const device = { grant_types: [DEVICE, 'refresh_token'], application_type: 'native' }
    expect(await typeOf(device)).toEqual(['Native', 'native', 'none', false])
  })

  test('what cannot be had, or breaks a rule of applications, is refused by name', async () => {
    const uri = (redirect: string) => ({ redirect_uris: [redirect] })
    const also = (more: object) => ({ redirect_uris: [CALLBACK], ...more })
    const { jwk } = await makeKey('ES256')
    const REFUSED: readonly [error: string, names: string, metadata: unknown][] = [
      ['invalid_redirect_uri', 'redirect_uris is required', {}],
      ['invalid_redirect_uri', 'redirect_uris[0] is http', uri('http://app.example/')],
      ['invalid_redirect_uri', 'redirect_uris[0] has a fragment', uri('https://app.example/#a')],
      ['invalid_redirect_uri', 'redirect_uris[0]', uri('javascript:alert(1)')],
      ['invalid_redirect_uri', 'redirect_uris[0] has a wildcard', uri('https://*.app.example/')],
      ['invalid_client_metadata', 'redirect_uris', { redirect_uris: 'https://app.example/' }],
      ['invalid_client_metadata', 'grant type client_credentials', also({ grant_types: ['client_credentials'] })],
      ['invalid_client_metadata', 'grant type implicit', also({ grant_types: ['authorization_code', 'implicit'] })],
      ['invalid_client_metadata', 'response_types', also({ response_types: ['code id_token'] })],
      ['invalid_client_metadata', 'grant_types', also({ grant_types: ['authorization_code'], response_types: [] })],
      [
        'invalid_client_metadata',
        'device grant',
        also({ grant_types: ['authorization_code', DEVICE], token_endpoint_auth_method: 'none' }),
      ],
      [
        'invalid_client_metadata',
        'token_endpoint_auth_method',
        also({ application_type: 'native', token_endpoint_auth_method: 'client_secret_basic' }),
      ],
      [
        'invalid_client_metadata',
        'token_endpoint_auth_method must be',
        also({ token_endpoint_auth_method: 'client_secret_jwt' }),
      ],
      [
        'invalid_client_metadata',
        'token_endpoint_auth_method must be',
        also({ token_endpoint_auth_method: 'tls_client_auth' }),
      ],
      [
        'invalid_client_metadata',
        'private_key_jwt needs the public keys',
        also({ token_endpoint_auth_method: 'private_key_jwt' }),
      ],
      [
        'invalid_client_metadata',
        'jwks.keys[0] contains a private key',
        also({ jwks: { keys: [{ ...jwk, d: 'AA' }] } }),
      ],
      [
        'invalid_client_metadata',
        'sector_identifier_uri',
        also({ subject_type: 'pairwise', redirect_uris: [CALLBACK, 'https://b.example/'] }),
      ],
      [
        'invalid_client_metadata',
        'id_token_signed_response_alg must be',
        also({ id_token_signed_response_alg: 'none' }),
      ],
      [
        'invalid_client_metadata',
        'request_object_encryption_alg',
        also({ request_object_encryption_alg: 'RSA-OAEP-256' }),
      ],
      ['invalid_client_metadata', 'client_name', also({ client_name: 'Bank\u202e' })],
      ['invalid_client_metadata', 'client_uri', also({ client_uri: 'javascript:alert(1)' })],
      ['invalid_client_metadata', 'not a JSON object', []],
      ['invalid_client_metadata', 'not valid JSON', '{'],
      ['invalid_client_metadata', 'empty', ''],
    ]
    for (const [error, names, metadata] of REFUSED) {
      pass(60)
      const refused = await refusedBy(metadata)
      expect(refused.error, refused.error_description).toBe(error)
      expect(refused.error_description).toContain(names)
    }
    pass(600)
    expect(
      (await send(`${server.issuer}/register`, { headers: { 'content-type': 'text/plain' }, body: '{}' })).status,
    ).toBe(400)
    expect((await register(server, { client_name: 'x'.repeat(20_000) })).status).toBe(413)
  })

  test('the policy of a token holds: hosts, types, grants, scopes, lifetimes, the prefix of the name', async () => {
    const policy = {
      grantTypes: ['authorization_code'],
      redirectHosts: ['app.example', '*.apps.example', 'com.example.app:'],
      userScopes: ['email'],
      permissions: [{ resource, scopes: ['read:notes'] }],
      refreshTokenTtl: 3600,
      idTokenTtl: 600,
      namePrefix: 'Community: ',
    }
    const { value } = await newToken(server, { policy, maxRegistrations: null })
    const at = (uri: string, more: object = {}) => register(server, { redirect_uris: [uri], ...more }, value)
    const native = { application_type: 'native' }
    const { body } = await at(CALLBACK, { client_name: 'Notes', scope: 'openid profile email write:notes read:notes' })
    expect(body).toMatchObject({ client_name: 'Community: Notes', scope: 'openid email read:notes' })
    const { body: scopes } = await server.api('GET', `/applications/${body.client_id}/user-consent-scopes`)
    expect(scopes.userScopes).toEqual(['email'])
    expect(scopes.resourceScopes).toMatchObject([
      { resource: { indicator: resource }, scopes: [{ name: 'read:notes' }] },
    ])
    const { body: application } = await server.api('GET', `/applications/${body.client_id}`)
    expect(application.customClientMetadata).toMatchObject({ refreshTokenTtl: 3600, idTokenTtl: 600 })
    for (const [uri, more] of [
      ['https://a.b.apps.example/', {}],
      ['http://127.0.0.1/cb', native],
      ['com.example.app:/cb', native],
    ] as const)
      expect((await at(uri, more)).status, uri).toBe(201)
    for (const uri of ['https://apps.example/', 'https://xapps.example/', 'https://app.example.evil.example/'])
      expect((await at(uri)).body.error, uri).toBe('invalid_redirect_uri')
    expect((await at('com.evil.app:/cb', native)).body.error).toBe('invalid_redirect_uri')
    const refused = await at(CALLBACK, { grant_types: ['authorization_code', 'refresh_token'] })
    expect(refused.body.error_description).toBe('the grant type refresh_token may not be registered here')
  })

  test('a policy cannot name permissions of the Management API, nor such as do not exist', async () => {
    for (const [named, scopes] of [
      [`${server.baseUrl}/api`, ['all']],
      [resource, ['fly']],
    ] as const) {
      const policy = { permissions: [{ resource: named, scopes }] }
      expect((await server.api('PATCH', '/configs/client-registration', { policy })).status).toBe(400)
      expect((await server.api('POST', '/initial-access-tokens', { name: 'x', policy })).status).toBe(400)
    }
  })

  test('any JSON is registered or refused, and never fails', { timeout: 60_000 }, async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('code', 'none', CALLBACK, 'native', [CALLBACK], ['code']))
    const names = [
      'redirect_uris',
      'grant_types',
      'response_types',
      'token_endpoint_auth_method',
      'jwks',
      'scope',
      'contacts',
      'client_name',
      'logo_uri',
      'application_type',
      'subject_type',
      'sector_identifier_uri',
      '__proto__',
    ] as const
    const metadata = fc.dictionary(fc.constantFrom(...names), value)
    await fc.assert(
      fc.asyncProperty(metadata, async (some) => {
        pass(600)
        const { status } = await register(server, some)
        expect([201, 400, 429]).toContain(status)
      }),
      { numRuns: 60 },
    )
  })
})

describe('what a registered client may do', () => {
  const metadata = {
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
  }
  const registered = async (more: Partial<client.ClientMetadata> = {}) => {
    pass(600)
    await allow(server, { mode: 'open', policy: { permissions: [{ resource, scopes: ['read:notes'] }] } })
    const options = { execute: [client.allowInsecureRequests] }
    return client.dynamicClientRegistration(new URL(server.issuer), { ...metadata, ...more }, undefined, options)
  }

  test('openid-client registers, signs a user in who consents, and refreshes', async () => {
    const configuration = await registered()
    const user = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(configuration, { scope: 'openid profile offline_access', prompt: 'consent' })
    const consent = await signIn(browser, begun, user.username)
    expect(consent.url.pathname).toMatch(/^\/consent\//)
    const tokens = await redeem(configuration, await browser.submit(consent, { answer: 'allow' }), begun)
    expect(tokens.claims()?.sub).toBe(user.id)
    const again = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(again.access_token).toBeDefined()
  })

  test('it uses no grant that it did not register: no refresh token, no token of its own', async () => {
    const configuration = await registered({ grant_types: ['authorization_code'] })
    const user = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(configuration, { scope: 'openid offline_access', prompt: 'consent' })
    const consent = await signIn(browser, begun, user.username)
    const tokens = await redeem(configuration, await browser.submit(consent, { answer: 'allow' }), begun)
    expect(tokens.refresh_token).toBeUndefined()
    const { client_id: id, client_secret: secret } = configuration.clientMetadata()
    for (const grant of ['client_credentials', 'refresh_token'])
      expect(
        (
          await post(server, '/token', {
            grant_type: grant,
            refresh_token: 'x',
            client_id: id,
            client_secret: String(secret),
          })
        ).body.error,
      ).toBe('unauthorized_client')
  })

  test('it gets no role, and never becomes an administrator', async () => {
    const { client_id: id } = (await registered()).clientMetadata()
    const { body: role } = await server.api('POST', '/roles', { name: fresh('machine'), type: 'MachineToMachine' })
    expect((await server.api('POST', `/applications/${id}/roles`, { roleIds: [role.id] })).status).toBe(422)
    expect((await server.api('PATCH', `/applications/${id}`, { isAdmin: true })).status).toBe(422)
  })

  test('SECURITY 74 a request that is refused leads to it only by a link that says where', async () => {
    const configuration = await registered({ client_name: 'Free money' })
    const address = (more: Record<string, string>) =>
      client.buildAuthorizationUrl(configuration, { redirect_uri: CALLBACK, scope: 'openid', state: 'a"b', ...more })
    const page = await send(address({ response_type: 'token' }).href, { method: 'GET' })
    expect([page.status, page.headers.location]).toEqual([400, undefined])
    expect(page.text).toMatch(/Free money.* made a request that cannot be answered/)
    expect(page.text).toMatch(
      /<a id="leave" href="https:\/\/app\.example\/callback\?error=unsupported_response_type[^"]*state=a%22b[^"]*"[^>]*>.*app\.example/,
    )
    const posted = await send(address({ response_type: 'token', response_mode: 'form_post' }).href, { method: 'GET' })
    expect(posted.text).toContain('id="leave"')
    expect(posted.text).not.toMatch(/\.submit\(|\.click\(/)
    const silent = await send(address({ prompt: 'none' }).href, { method: 'GET' })
    expect([silent.status, silent.headers.location]).toEqual([400, undefined])
  })

  test('one that nobody has signed in to is removed after its days, with an event; one that was used stays', async () => {
    const used = await registered()
    const unused = await registered()
    const user = await createUser(server)
    const browser = newBrowser()
    const begun = await begin(used, { scope: 'openid', prompt: 'consent' })
    const consent = await signIn(browser, begun, user.username)
    await redeem(used, await browser.submit(consent, { answer: 'allow' }), begun)
    await allow(server, { unusedClientDays: null })
    pass(31 * 86_400 + 1)
    expect(await removeUnusedClients(server.store)).toBe(0)
    await allow(server, { unusedClientDays: 31 })
    const { cursor } = await readAll(server.api, '')
    expect(await removeUnusedClients(server.store)).toBeGreaterThan(0)
    const { events } = await readAll(server.api, cursor)
    const { client_id: id } = unused.clientMetadata()
    expect(events).toContainEqual(
      expect.objectContaining({
        event: 'Application.Unregistered',
        reason: 'unused',
        data: expect.objectContaining({ id }),
      }),
    )
    expect((await server.api('GET', `/applications/${id}`)).status).toBe(404)
    expect((await server.api('GET', `/applications/${used.clientMetadata().client_id}`)).status).toBe(200)
    expect(await removeUnusedClients(server.store)).toBe(0)
  })
})
