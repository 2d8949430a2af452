import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from './arrange.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

const ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256']
const SCOPES = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'offline_access',
  'custom_data',
  'identities',
  'roles',
  'urn:logto:scope:organizations',
  'urn:logto:scope:organization_roles',
  'urn:logto:scope:sessions',
  'urn:logto:scope:trusted_devices',
  'grant_management_query',
  'grant_management_revoke',
  'device_sso',
]
const CLAIMS = [
  ...['sub', 'iss', 'auth_time', 'amr', 'acr', 'sid', 'name', 'username', 'family_name', 'given_name'],
  ...['middle_name', 'nickname', 'preferred_username', 'profile', 'picture', 'website', 'gender', 'birthdate'],
  ...['zoneinfo', 'locale', 'created_at', 'updated_at'],
  ...['email', 'email_verified', 'phone_number', 'phone_number_verified', 'address'],
  ...['custom_data', 'identities', 'roles', 'organizations', 'organization_data', 'organization_roles'],
]
const ADDRESSES = [
  '/oidc/.well-known/openid-configuration',
  '/oidc/.well-known/oauth-authorization-server',
  '/.well-known/oauth-authorization-server/oidc',
  '/.well-known/openid-configuration/oidc',
]

describe('discovery (OpenID Connect Discovery 1.0, RFC 8414)', () => {
  // reviewed by hand: a change of this table changes what clients are promised
  test.each(ADDRESSES)('%s states what the server does, and nothing else', async (address) => {
    const { status, body } = await send(`${server.baseUrl}${address}`, { method: 'GET' })
    expect(status).toBe(200)
    expect(body).toEqual({
      issuer: server.issuer,
      authorization_endpoint: `${server.issuer}/auth`,
      token_endpoint: `${server.issuer}/token`,
      userinfo_endpoint: `${server.issuer}/me`,
      pushed_authorization_request_endpoint: `${server.issuer}/request`,
      device_authorization_endpoint: `${server.issuer}/device/auth`,
      backchannel_authentication_endpoint: `${server.issuer}/bc-authorize`,
      backchannel_token_delivery_modes_supported: ['poll', 'ping'],
      backchannel_authentication_request_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'ES384', 'EdDSA'],
      backchannel_user_code_parameter_supported: false,
      grant_management_endpoint: `${server.issuer}/grants`,
      grant_management_actions_supported: ['create', 'merge', 'replace', 'query', 'revoke'],
      grant_management_action_required: false,
      native_sso_supported: true,
      end_session_endpoint: `${server.issuer}/session/end`,
      jwks_uri: `${server.issuer}/jwks`,
      introspection_endpoint: `${server.issuer}/token/introspection`,
      revocation_endpoint: `${server.issuer}/token/revocation`,
      service_documentation: `${server.baseUrl}/api/docs`,
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:openid:params:grant-type:ciba',
        'urn:ietf:params:oauth:grant-type:token-exchange',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
      response_types_supported: ['code'],
      response_modes_supported: ['jwt', 'query', 'form_post', 'query.jwt', 'form_post.jwt'],
      require_pushed_authorization_requests: false,
      scopes_supported: SCOPES,
      claims_supported: CLAIMS,
      acr_values_supported: ['urn:countersign:acr:1fa', 'urn:countersign:acr:mfa', 'urn:countersign:acr:phr'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
      ui_locales_supported: ['ar', 'de', 'en', 'es', 'fr', 'he', 'it', 'ja', 'ko', 'nl', 'pl', 'pt', 'ru', 'tr', 'zh'],
      claims_parameter_supported: true,
      request_parameter_supported: true,
      request_object_signing_alg_values_supported: ALGORITHMS,
      request_uri_parameter_supported: false,
      dpop_signing_alg_values_supported: ALGORITHMS,
      subject_types_supported: ['public', 'pairwise'],
      id_token_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'ES384', 'EdDSA'],
      userinfo_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'ES384', 'EdDSA'],
      id_token_encryption_alg_values_supported: ['RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'],
      id_token_encryption_enc_values_supported: ['A128CBC-HS256', 'A128GCM', 'A256GCM'],
      userinfo_encryption_alg_values_supported: ['RSA-OAEP-256', 'ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'],
      userinfo_encryption_enc_values_supported: ['A128CBC-HS256', 'A128GCM', 'A256GCM'],
      authorization_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'ES384', 'EdDSA'],
      introspection_signing_alg_values_supported: ['ES256', 'RS256', 'PS256', 'ES384', 'EdDSA'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
      introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      introspection_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
      revocation_endpoint_auth_methods_supported: [
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
        'none',
      ],
      revocation_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
    })
  })

  test('every endpoint that it names responds', async () => {
    const { body } = await send(`${server.baseUrl}${ADDRESSES[0]}`, { method: 'GET' })
    for (const name of ['token', 'introspection', 'revocation', 'device_authorization'].map(
      (each) => `${each}_endpoint`,
    )) {
      expect((await send(body[name])).status).toBe(400)
    }
    expect((await send(body.jwks_uri, { method: 'GET' })).status).toBe(200)
  })

  test('R-25 issuer and links come from the configuration, never from the request', async () => {
    const hostile = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
      'x-original-url': 'https://evil.example/',
    }
    for (const address of ADDRESSES) {
      const { body, text } = await send(`${server.baseUrl}${address}`, { method: 'GET', headers: hostile })
      expect(body.issuer).toBe(server.issuer)
      expect(text).not.toContain('evil')
    }
  })

  test('pages of any origin may read discovery and keys, and caches may store them', async () => {
    for (const address of [...ADDRESSES, '/oidc/jwks']) {
      const { headers } = await send(`${server.baseUrl}${address}`, { method: 'GET' })
      expect(headers).toMatchObject({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' })
      const asked = { origin: 'https://inspector.example', 'access-control-request-headers': 'mcp-protocol-version' }
      const preflight = await send(`${server.baseUrl}${address}`, { method: 'OPTIONS', headers: asked })
      expect(preflight).toMatchObject({
        status: 204,
        headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
      })
    }
  })
})

describe('the key set (RFC 7517)', () => {
  test('holds only public members of every kind of key', async () => {
    for (const algorithm of ['RS256', 'ES384', 'EdDSA']) {
      await server.api('POST', '/configs/oidc/private-keys/rotate', { algorithm, rotationGracePeriod: 1 })
      server.clock.advance(1)
    }
    const { body, headers } = await send(`${server.issuer}/jwks`, { method: 'GET' })
    expect(headers['content-type']).toBe('application/jwk-set+json')
    const members = (kty: string) => ({ EC: ['crv', 'x', 'y'], OKP: ['crv', 'x'], RSA: ['e', 'n'] })[kty] ?? []
    expect(body.keys.map(({ kty }: { kty: string }) => kty)).toEqual(['OKP', 'EC', 'RSA', 'EC'])
    for (const key of body.keys) {
      expect(Object.keys(key).toSorted()).toEqual(['alg', 'kid', 'kty', 'use', ...members(key.kty)].toSorted())
      expect(key.use).toBe('sig')
    }
  })

  test('has Next, Current and Previous keys', async () => {
    const { body: listed } = await server.api('POST', '/configs/oidc/private-keys/rotate', {})
    const { body } = await send(`${server.issuer}/jwks`, { method: 'GET' })
    expect(new Set(listed.map(({ status }: { status: string }) => status))).toEqual(
      new Set(['Next', 'Current', 'Previous']),
    )
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toEqual(listed.map(({ id }: { id: string }) => id))
  })

  test('neither it nor any response about keys holds a private part', async () => {
    const { body } = await server.api('GET', '/configs/oidc/private-keys')
    for (const key of body) {
      expect(Object.keys(key).toSorted()).toEqual(
        ['algorithm', 'chain', 'createdAt', 'effectiveAt', 'id', 'signingKeyAlgorithm', 'status'].toSorted(),
      )
    }
  })
})
