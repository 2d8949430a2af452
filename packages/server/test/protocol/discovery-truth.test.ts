/**
 * Discovery is true: every member has a row here, which uses what it names, then asks for what it does not name, or switches the
 * feature off, and sees it refused. A member without a row fails.
 */
import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { decodeJwt, exportJWK, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { allow, register } from '../registered-clients/arrange.ts'
import { begin, CALLBACK, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import { type Arranged, arrange, askToken, authorization, fresh, post, registerApplication, send } from './arrange.ts'
import { ASSERTION_TYPE, nowOf } from './assertions.ts'

type Fields = Readonly<Record<string, unknown>>
type Row = (named: never) => Promise<void>

/** With everything on that the configuration switches. */
let server: TestServer
let plain: TestServer
let arranged: Arranged
let app: Awaited<ReturnType<typeof createApp>>
let publicId: string
/** Authenticates with any of the keys. */
let keyed: string
/** Sends its secret in the body. */
let posting: Arranged['client']
let jwks: JWK[]
let tokens: Awaited<ReturnType<typeof redeem>>
let responseIssuer: string | null
/** One of each kind: an algorithm that is refused is one that the key could sign with. */
const keys: Readonly<Record<string, KeyObject[]>> = (() => {
  const pairs = {
    RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    EC: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    EC384: generateKeyPairSync('ec', { namedCurve: 'P-384' }),
    OKP: generateKeyPairSync('ed25519'),
  }
  return Object.fromEntries(Object.entries(pairs).map(([kind, pair]) => [kind, [pair.privateKey, pair.publicKey]]))
})()
const kindOf = (alg: string): string => ({ ES256: 'EC', ES384: 'EC384', EdDSA: 'OKP', Ed25519: 'OKP' })[alg] ?? 'RSA'
const REFUSED = ['RS512', 'PS384']
const SCOPE = 'openid profile email phone address custom_data identities roles'

const metadataOf = async ({ issuer }: TestServer): Promise<Fields> =>
  (await send(`${issuer}/.well-known/openid-configuration`, { method: 'GET' })).body

beforeAll(async () => {
  const mutualTls = {
    TRUSTED_PROXIES: '127.0.0.1',
    CLIENT_CERTIFICATE_HEADER: 'x-client-cert',
    CLIENT_CERTIFICATE_FORMAT: 'pem',
    MTLS_ADDRESS: 'https://mtls.{host}',
  }
  ;[server, plain] = await Promise.all([
    startTestServer(inject('cluster'), mutualTls),
    startTestServer(inject('cluster')),
  ])
  jwks = await Promise.all(Object.values(keys).map(([, publicKey]) => exportJWK(publicKey as KeyObject)))
  arranged = await arrange(server)
  app = await createApp(server)
  publicId = (await createApp(server, 'SPA')).id
  // an RSA key is for RS256, unless it says PS256
  const padded = jwks.filter(({ kty }) => kty === 'RSA').map((jwk) => ({ ...jwk, alg: 'PS256' }))
  keyed = (await created({ tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [...jwks, ...padded] } })).id
  posting = await registerApplication(server, 'Traditional', { tokenEndpointAuthMethod: 'client_secret_post' })
  const user = await createUser(server)
  const claims = JSON.stringify({ id_token: { username: null, no_such_claim: { essential: true } } })
  const begun = await begin(app.configuration, { scope: `${SCOPE} no_such_scope`, claims })
  const back = await signIn(newBrowser(), begun, user.username)
  responseIssuer = back.url.searchParams.get('iss')
  tokens = await redeem(app.configuration, back, begun)
})
afterAll(() => Promise.all([server.close(), plain.close()]))

const created = async (customClientMetadata: Fields, oidc: Fields = {}, type = 'Traditional') => {
  const oidcClientMetadata = { redirectUris: [CALLBACK], postLogoutRedirectUris: [], ...oidc }
  const reply = await server.api('POST', '/applications', {
    ...{ name: fresh('App'), type, oidcClientMetadata, customClientMetadata },
  })
  return { id: reply.body?.id as string, status: reply.status, metadata: reply.body?.customClientMetadata as Fields }
}

/** What comes of an authorization request: the error that the application gets, or `page`. */
const authorize = async (parameters: Readonly<Record<string, string>>, id = app.id): Promise<string> => {
  const usual = { client_id: id, redirect_uri: CALLBACK, response_type: 'code', scope: 'openid', state: 'a' }
  const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
  const query = new URLSearchParams({ ...usual, ...challenge, ...parameters })
  const { status, headers } = await send(`${server.issuer}/auth?${query}`, { method: 'GET' })
  const location = String(headers.location ?? '')
  if (location.startsWith(CALLBACK)) return new URL(location).searchParams.get('error') ?? 'code'
  return status < 400 ? 'page' : `refused ${status}`
}

const signed = (alg: string, claims: Fields, header: Fields = {}): Promise<string> => {
  const now = nowOf(server)
  return new SignJWT({ jti: randomUUID(), iat: now, exp: now + 60, ...claims })
    .setProtectedHeader({ alg, ...header })
    .sign(keys[kindOf(alg)]?.[0] as KeyObject)
}

/** An endpoint that answers, where one beside it is nothing. */
const endpoint = (method: 'GET' | 'POST') => async (url: string) => {
  expect((await send(url, { method })).status).not.toBe(404)
  expect([401, 404]).toContain((await send(`${url}x`, { method })).status)
}

/** Each value is taken as a setting of an application, and no other. */
const setting =
  (name: string, others: readonly string[], more: Fields = {}) =>
  async (values: readonly string[]) => {
    for (const value of values)
      expect((await created({ jwks: { keys: jwks }, ...more, [name]: value })).status, value).toBe(200)
    for (const value of others)
      expect((await created({ jwks: { keys: jwks }, ...more, [name]: value })).status, value).toBe(400)
  }

/** Each algorithm is taken in a client assertion at the endpoint, and no other. */
const assertions = (path: string) => async (algorithms: readonly string[]) => {
  const ask = async (alg: string) => {
    const client_assertion = await signed(alg, { iss: keyed, sub: keyed, aud: server.issuer })
    const fields = { client_assertion_type: ASSERTION_TYPE, client_assertion, token: 'x', grant_type: 'refresh_token' }
    return (await post(server, path, { ...fields, refresh_token: 'x' })).status !== 401
  }
  for (const alg of algorithms) expect(await ask(alg), alg).toBe(true)
  for (const alg of REFUSED) expect(await ask(alg), alg).toBe(false)
}

/** Each method authenticates at the endpoint, and no other. Certificates: test/mtls. */
const methods = (path: string) => async (named: readonly string[]) => {
  const { clientId: client_id, clientSecret: client_secret } = posting
  const fields = { token: 'x', grant_type: 'refresh_token', refresh_token: 'x' }
  const by = async (more: Readonly<Record<string, string>>, headers = {}) =>
    (await post(server, path, { ...fields, ...more }, headers)).status !== 401
  const asserted = async (jwt: string) => by({ client_assertion_type: ASSERTION_TYPE, client_assertion: jwt })
  const whose = { iss: keyed, sub: keyed, aud: server.issuer }
  expect(await by({}, authorization(arranged.client))).toBe(named.includes('client_secret_basic'))
  expect(await by({ client_id, client_secret })).toBe(named.includes('client_secret_post'))
  expect(await asserted(await signed('ES256', whose))).toBe(named.includes('private_key_jwt'))
  expect(await by({ client_id: publicId })).toBe(named.includes('none'))
  const hmac = new SignJWT({ ...whose, iss: client_id, sub: client_id, jti: randomUUID(), exp: nowOf(server) + 60 })
  const symmetric = await hmac.setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(client_secret))
  expect(await asserted(symmetric)).toBe(named.includes('client_secret_jwt'))
  expect(named).toEqual(expect.arrayContaining(['tls_client_auth', 'self_signed_tls_client_auth']))
  expect((await metadataOf(plain)).token_endpoint_auth_methods_supported).not.toContain('tls_client_auth')
}

/** The value of a member now, while a setting is another; it is set back afterwards. */
const during = async (path: string, [on, off]: readonly [Fields, Fields], body: () => Promise<void>) => {
  expect((await server.api('PATCH', path, on)).status).toBe(200)
  try {
    await body()
  } finally {
    await server.api('PATCH', path, off)
  }
}
const algorithmsOf = (name: string) => setting(name, ['HS256', 'none', 'ES512'])
const keyEncryptions = (name: string) => setting(name, ['RSA1_5', 'dir', 'A128KW'])
const encryptions = (use: string) =>
  setting(`${use}EncryptedResponseEnc`, ['A128CBC', 'none'], { [`${use}EncryptedResponseAlg`]: 'ECDH-ES' })

const ROWS: Readonly<Record<string, Row>> = {
  issuer: async (issuer: string) => {
    expect(decodeJwt(tokens.id_token ?? '').iss).toBe(issuer)
    expect((await send(`${issuer}x/.well-known/openid-configuration`, { method: 'GET' })).status).toBe(404)
  },
  authorization_endpoint: endpoint('GET'),
  token_endpoint: endpoint('POST'),
  userinfo_endpoint: endpoint('GET'),
  pushed_authorization_request_endpoint: endpoint('POST'),
  device_authorization_endpoint: endpoint('POST'),
  backchannel_authentication_endpoint: endpoint('POST'),
  end_session_endpoint: endpoint('GET'),
  jwks_uri: endpoint('GET'),
  introspection_endpoint: endpoint('POST'),
  revocation_endpoint: endpoint('POST'),
  service_documentation: endpoint('GET'),
  require_pushed_authorization_requests: async (isRequired: boolean) => {
    expect([isRequired, await authorize({})]).toEqual([false, 'page'])
    const settings = [
      { requirePushedAuthorizationRequests: true },
      { requirePushedAuthorizationRequests: false },
    ] as const
    await during('/configs/security', settings, async () => {
      expect((await metadataOf(server)).require_pushed_authorization_requests).toBe(true)
      expect(await authorize({})).toBe('invalid_request')
    })
  },
  registration_endpoint: async (url: string) => {
    expect((await register(server, { redirect_uris: [CALLBACK] })).status).toBe(201)
    await allow(server, { mode: 'closed' })
    expect(await metadataOf(server)).not.toHaveProperty('registration_endpoint')
    expect([401, 403, 404]).toContain((await register(server, { redirect_uris: [CALLBACK] })).status)
    await allow(server, { mode: 'open' })
    expect(url).toBe(`${server.issuer}/register`)
  },
  client_id_metadata_document_supported: async (isSupported: boolean) => {
    expect(isSupported).toBe(true)
    await during('/configs/cimd', [{ enabled: false }, { enabled: true }], async () => {
      expect(await metadataOf(server)).not.toHaveProperty('client_id_metadata_document_supported')
      expect(await authorize({}, 'https://client.example/client.json')).toBe('refused 400')
    })
  },
  authorization_details_types_supported: async (types: readonly string[]) => {
    expect(types).toEqual(['payment'])
    const ask = async (type: string) => authorize({ authorization_details: JSON.stringify([{ type }]) })
    expect([await ask('payment'), await ask('other')]).toEqual(['page', 'invalid_authorization_details'])
    expect(await metadataOf(plain)).not.toHaveProperty('authorization_details_types_supported')
  },
  backchannel_token_delivery_modes_supported: async (modes: readonly string[]) => {
    const statusOf = async (backchannelTokenDeliveryMode: string) => {
      const oidc = { backchannelClientNotificationEndpoint: 'https://app.example/ciba' }
      return (await created({ backchannelTokenDeliveryMode }, oidc)).status
    }
    for (const mode of modes) expect(await statusOf(mode), mode).toBe(200)
    expect(await statusOf('push')).toBe(400)
  },
  native_sso_supported: async (isSupported: boolean) => {
    const { metadata } = await created({ nativeSsoGroup: 'suite' }, {}, 'Native')
    expect([isSupported, metadata.nativeSsoGroup]).toEqual([true, 'suite'])
    // without a group there is nothing to share: the scope that asks for it is dropped
    expect(tokens).not.toHaveProperty('device_secret')
  },
  backchannel_authentication_request_signing_alg_values_supported: async (algorithms: readonly string[]) => {
    const padded = jwks.filter(({ kty }) => kty === 'RSA').map((jwk) => ({ ...jwk, alg: 'PS256' }))
    const whole = { backchannelTokenDeliveryMode: 'poll', tokenEndpointAuthMethod: 'private_key_jwt' }
    /** What comes of a request that is signed so, by an application that registered this. */
    const ask = async (alg: string, registered: Fields) => {
      const { id } = await created({ ...whole, jwks: { keys: [...jwks, ...padded] }, ...registered })
      const own = { iss: id, aud: server.issuer }
      const client_assertion = await signed('ES256', { ...own, sub: id })
      const request = await signed(alg, { ...own, nbf: nowOf(server), scope: 'openid', login_hint: 'nobody' })
      const fields = { client_assertion_type: ASSERTION_TYPE, client_assertion, request }
      return (await post(server, '/bc-authorize', fields)).body.error
    }
    const registration = (alg: string) => ({ backchannelAuthenticationRequestSigningAlg: alg })
    // the request is right; only nobody can be told of it without a connector
    for (const alg of algorithms) expect(await ask(alg, registration(alg)), alg).toBe('temporarily_unavailable')
    for (const alg of REFUSED) expect(await ask(alg, registration('RS256')), alg).toBe('invalid_request')
    expect(await ask('ES256', {})).toBe('invalid_request')
    expect((await created({ jwks: { keys: jwks }, ...registration('HS256') })).status).toBe(400)
  },
  backchannel_user_code_parameter_supported: async (isSupported: boolean) => {
    const { metadata } = await created({ backchannelUserCodeParameter: true })
    expect(isSupported).toBe(false)
    expect(metadata).not.toHaveProperty('backchannelUserCodeParameter')
  },
  grant_management_endpoint: async (url: string) => {
    expect((await send(`${url}/x`, { method: 'GET' })).status).toBe(401)
    expect((await send(`${url}x/x`, { method: 'GET' })).status).toBe(404)
  },
  grant_management_actions_supported: async (actions: readonly string[]) => {
    const { id } = await created({ grantManagement: true })
    const ask = (grant_management_action: string, of = id) => authorize({ grant_management_action, grant_id: 'x' }, of)
    expect(actions).toEqual(['create', 'merge', 'replace', 'query', 'revoke'])
    expect(await authorize({ grant_management_action: 'create' }, id)).toBe('page')
    for (const action of ['merge', 'replace']) expect(await ask(action), action).toBe('invalid_grant_id')
    // the last two are for the endpoint; without `grantManagement` none is
    for (const action of ['query', 'revoke', 'update']) expect(await ask(action), action).toBe('invalid_request')
    expect([await ask('create', app.id), await ask('merge', app.id)]).toEqual(['invalid_request', 'invalid_request'])
  },
  grant_management_action_required: async (isRequired: boolean) => {
    const { id } = await created({ grantManagement: true })
    expect([isRequired, await authorize({}, id)]).toEqual([false, 'page'])
  },
  grant_types_supported: async (types: readonly string[]) => {
    const errorOf = async (grant_type: string) =>
      (await askToken(server, arranged.client, { grant_type, resource: arranged.resource.indicator })).body.error
    for (const type of types) expect(await errorOf(type), type).not.toBe('unsupported_grant_type')
    for (const type of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:saml2-bearer'])
      expect(await errorOf(type), type).toBe('unsupported_grant_type')
  },
  authorization_grant_profiles_supported: async () => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
    const claims = { iss: 'https://elsewhere.example', aud: server.issuer, sub: 'x' }
    const assertion = await signed('ES256', claims, { typ: 'oauth-id-jag+jwt' })
    // without `identityAssertionConnectors`
    const { body } = await askToken(server, arranged.client, { grant_type, assertion })
    expect(body.error).toBe('unauthorized_client')
  },
  identity_chaining_requested_token_types_supported: async (types: readonly string[]) => {
    const client = await registerApplication(server, 'Traditional', { allowTokenExchange: true })
    const ask = async (requested_token_type: string) => {
      const subject_token_type = 'urn:ietf:params:oauth:token-type:id_token'
      const subject = { subject_token: tokens.id_token ?? '', subject_token_type, audience: 'https://as.example' }
      const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange'
      return (await askToken(server, client, { grant_type, ...subject, requested_token_type })).body.error
    }
    // known, but for no audience without `identityAssertionAudiences`
    for (const type of types) expect(await ask(type)).toBe('invalid_target')
    expect(await ask('urn:ietf:params:oauth:token-type:saml2')).toBe('invalid_request')
  },
  response_types_supported: async (types: readonly string[]) => {
    for (const type of types) expect(await authorize({ response_type: type })).toBe('page')
    for (const response_type of ['token', 'id_token', 'code id_token', 'none'])
      expect(await authorize({ response_type }), response_type).toBe('unsupported_response_type')
  },
  response_modes_supported: async (modes: readonly string[]) => {
    for (const mode of modes) expect(await authorize({ response_mode: mode }), mode).toBe('page')
    for (const response_mode of ['fragment', 'fragment.jwt', 'web_message'])
      expect(await authorize({ response_mode }), response_mode).not.toBe('page')
  },
  scopes_supported: async (scopes: readonly string[]) => {
    expect(scopes).toEqual(expect.arrayContaining(SCOPE.split(' ')))
    expect((tokens.scope ?? '').split(' ').toSorted()).toEqual(SCOPE.split(' ').toSorted())
  },
  claims_supported: async (claims: readonly string[]) => {
    const { username, no_such_claim } = decodeJwt(tokens.id_token ?? '')
    expect([typeof username, no_such_claim]).toEqual(['string', undefined])
    expect(claims).not.toContain('no_such_claim')
  },
  acr_values_supported: async (values: readonly string[]) => {
    const ask = (value: string) =>
      authorize({ claims: JSON.stringify({ id_token: { acr: { essential: true, values: [value] } } }) })
    for (const value of values) expect(await ask(value), value).toBe('page')
    expect(await ask('urn:example:gold')).toBe('unmet_authentication_requirements')
  },
  prompt_values_supported: async (prompts: readonly string[]) => {
    for (const prompt of prompts)
      expect(await authorize({ prompt }), prompt).toBe(prompt === 'none' ? 'login_required' : 'page')
    expect(await authorize({ prompt: 'whatever' })).toBe('invalid_request')
  },
  code_challenge_methods_supported: async (named: readonly string[]) => {
    for (const method of named) expect(await authorize({ code_challenge_method: method })).toBe('page')
    expect(await authorize({ code_challenge_method: 'plain' })).toBe('invalid_request')
  },
  authorization_response_iss_parameter_supported: async (isSupported: boolean) => {
    expect([isSupported, responseIssuer]).toEqual([true, server.issuer])
  },
  backchannel_logout_supported: async (isSupported: boolean) => {
    const withUri = async (backchannelLogoutUri: string) => (await created({}, { backchannelLogoutUri })).status
    expect([isSupported, await withUri('https://app.example/out'), await withUri('ftp://x')]).toEqual([true, 200, 400])
  },
  backchannel_logout_session_supported: async (isSupported: boolean) => {
    expect([isSupported, typeof decodeJwt(tokens.id_token ?? '').sid]).toEqual([true, 'string'])
  },
  ui_locales_supported: async (locales: readonly string[]) => {
    const languageOf = async (ui_locales: string) => {
      const { text } = await newBrowser().open((await begin(app.configuration, { ui_locales })).url)
      return /<html[^>]* lang="([^"]+)"/.exec(text)?.[1]
    }
    for (const locale of locales) expect(await languageOf(locale)).toMatch(new RegExp(`^${locale}(-|$)`))
    expect(locales).toContain(await languageOf('xx'))
  },
  claims_parameter_supported: async (isSupported: boolean) => {
    expect([isSupported, await authorize({ claims: '[]' })]).toEqual([true, 'invalid_request'])
    expect(typeof decodeJwt(tokens.id_token ?? '').username).toBe('string')
  },
  request_parameter_supported: async (isSupported: boolean) => {
    // of an application without keys, which could have signed none
    expect([isSupported, await authorize({ request: 'eyJhbGciOiJub25lIn0.e30.' })]).toEqual([
      ...[true, 'request_not_supported'],
    ])
  },
  request_object_signing_alg_values_supported: async (algorithms: readonly string[]) => {
    const ask = async (alg: string) => {
      const claims = { iss: keyed, aud: server.issuer, nbf: nowOf(server), client_id: keyed, response_type: 'code' }
      const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
      const own = { redirect_uri: CALLBACK, scope: 'openid', ...challenge }
      const request = await signed(alg, { ...claims, ...own }, { typ: 'oauth-authz-req+jwt' })
      return authorize({ request }, keyed)
    }
    for (const alg of algorithms) expect(await ask(alg), alg).toBe('page')
    for (const alg of REFUSED) expect(await ask(alg), alg).toBe('invalid_request_object')
  },
  request_uri_parameter_supported: async (isSupported: boolean) => {
    const answer = await authorize({ request_uri: 'https://app.example/request.jwt' })
    expect([isSupported, answer]).toEqual([false, 'request_uri_not_supported'])
  },
  dpop_signing_alg_values_supported: async (algorithms: readonly string[]) => {
    const ask = async (alg: string) => {
      const jwk = await exportJWK(keys[kindOf(alg)]?.[1] as KeyObject)
      const proof = await signed(alg, { htm: 'POST', htu: `${server.issuer}/token` }, { typ: 'dpop+jwt', jwk })
      const wanted = { resource: arranged.resource.indicator, scope: 'read:orders' }
      const { body } = await askToken(server, arranged.client, wanted, { dpop: proof })
      return body.token_type ?? body.error
    }
    for (const alg of algorithms) expect(await ask(alg), alg).toBe('DPoP')
    for (const alg of REFUSED) expect(await ask(alg), alg).toBe('invalid_dpop_proof')
  },
  subject_types_supported: setting('subjectType', ['secret']),
  id_token_signing_alg_values_supported: algorithmsOf('idTokenSignedResponseAlg'),
  userinfo_signing_alg_values_supported: algorithmsOf('userinfoSignedResponseAlg'),
  authorization_signing_alg_values_supported: algorithmsOf('authorizationSignedResponseAlg'),
  introspection_signing_alg_values_supported: algorithmsOf('introspectionSignedResponseAlg'),
  id_token_encryption_alg_values_supported: keyEncryptions('idTokenEncryptedResponseAlg'),
  id_token_encryption_enc_values_supported: encryptions('idToken'),
  userinfo_encryption_alg_values_supported: keyEncryptions('userinfoEncryptedResponseAlg'),
  userinfo_encryption_enc_values_supported: encryptions('userinfo'),
  token_endpoint_auth_methods_supported: methods('/token'),
  token_endpoint_auth_signing_alg_values_supported: assertions('/token'),
  introspection_endpoint_auth_methods_supported: methods('/token/introspection'),
  introspection_endpoint_auth_signing_alg_values_supported: assertions('/token/introspection'),
  revocation_endpoint_auth_methods_supported: methods('/token/revocation'),
  revocation_endpoint_auth_signing_alg_values_supported: assertions('/token/revocation'),
  tls_client_certificate_bound_access_tokens: async (isSupported: boolean) => {
    expect(isSupported).toBe(true)
    expect(await metadataOf(plain)).not.toHaveProperty('tls_client_certificate_bound_access_tokens')
    // without a certificate there is no token that is bound to one
    const { client, resource } = await arrange(server, { metadata: { tlsClientCertificateBoundAccessTokens: true } })
    const { body } = await askToken(server, client, { resource: resource.indicator })
    expect(body.error).toBe('invalid_request')
  },
  mtls_endpoint_aliases: async (aliases: Readonly<Record<string, string>>) => {
    expect(await metadataOf(plain)).not.toHaveProperty('mtls_endpoint_aliases')
    const metadata = await metadataOf(server)
    for (const [name, alias] of Object.entries(aliases))
      expect(new URL(alias).pathname, name).toBe(new URL(String(metadata[name])).pathname)
  },
}

describe('discovery is true', () => {
  beforeAll(async () => {
    await allow(server, { mode: 'open' })
    expect((await server.api('PATCH', '/configs/cimd', { enabled: true })).status).toBe(200)
    const path = `/resources/${arranged.resource.id}/authorization-details-types`
    expect((await server.api('POST', path, { type: 'payment', schema: { type: 'object' } })).status).toBe(201)
    const change = { customClientMetadata: { authorizationDetailsTypes: ['payment'] } }
    expect((await server.api('PATCH', `/applications/${app.id}`, change)).status).toBe(200)
  })

  test('every member of both documents has a row, and every row a member', async () => {
    const metadata = await metadataOf(server)
    expect(Object.keys(ROWS).toSorted()).toEqual(Object.keys(metadata).toSorted())
    const address = `${server.baseUrl}/.well-known/oauth-authorization-server/oidc`
    expect((await send(address, { method: 'GET' })).body).toEqual(metadata)
  })

  test.each(Object.keys(ROWS))('%s', async (name) => {
    const { [name]: named } = await metadataOf(server)
    expect(named, 'the document has the member').toBeDefined()
    await ROWS[name]?.(named as never)
  })
})
