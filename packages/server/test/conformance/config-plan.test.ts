/** The one module of oidcc-config-certification-test-plan, with static registration. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readProvider } from './provider.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

type Kind = 'address' | 'names' | 'flag'

/** The registered members of discovery that this server has, with what they must hold. */
const REGISTERED: Readonly<Record<Kind, readonly string[]>> = {
  address: [
    ...['issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'service_documentation'],
    ...['introspection_endpoint', 'revocation_endpoint', 'device_authorization_endpoint', 'end_session_endpoint'],
    'pushed_authorization_request_endpoint',
    'backchannel_authentication_endpoint',
    'grant_management_endpoint',
  ],
  names: [
    ...['grant_types_supported', 'response_types_supported', 'response_modes_supported', 'scopes_supported'],
    ...['claims_supported', 'acr_values_supported', 'code_challenge_methods_supported', 'subject_types_supported'],
    ...['id_token_signing_alg_values_supported', 'token_endpoint_auth_methods_supported'],
    ...['token_endpoint_auth_signing_alg_values_supported', 'introspection_endpoint_auth_methods_supported'],
    ...['introspection_endpoint_auth_signing_alg_values_supported', 'revocation_endpoint_auth_methods_supported'],
    ...['revocation_endpoint_auth_signing_alg_values_supported', 'ui_locales_supported', 'claims_locales_supported'],
    ...[
      'prompt_values_supported',
      'backchannel_token_delivery_modes_supported',
      'backchannel_authentication_request_signing_alg_values_supported',
      'grant_management_actions_supported',
      'userinfo_signing_alg_values_supported',
      'request_object_signing_alg_values_supported',
      'authorization_signing_alg_values_supported',
      'dpop_signing_alg_values_supported',
      'introspection_signing_alg_values_supported',
      'id_token_encryption_alg_values_supported',
      'id_token_encryption_enc_values_supported',
      'userinfo_encryption_alg_values_supported',
      'userinfo_encryption_enc_values_supported',
      'dpop_signing_alg_values_supported',
    ],
    // of the draft about identity assertions
    ...['authorization_grant_profiles_supported', 'identity_chaining_requested_token_types_supported'],
  ],
  flag: [
    ...['claims_parameter_supported', 'request_parameter_supported', 'request_uri_parameter_supported'],
    'backchannel_user_code_parameter_supported',
    'grant_management_action_required',
    'native_sso_supported',
    ...['backchannel_logout_supported', 'backchannel_logout_session_supported'],
    'authorization_response_iss_parameter_supported',
    'require_pushed_authorization_requests',
  ],
}

const holds: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  address: (value) => typeof value === 'string' && URL.canParse(value),
  names: (value) =>
    Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === 'string' && name !== ''),
  flag: (value) => typeof value === 'boolean',
}

/** BCP 47 in its canonical case; optional. */
const isLocale = (tag: string): boolean => Intl.getCanonicalLocales(tag)[0] === tag

test('oidcc-discovery-endpoint-verification: the discovery document is valid and has what is required of a provider', async () => {
  // its address is derived from the issuer, which has no query, fragment or user (OpenID Connect Discovery section 4.3)
  const issuer = new URL(server.issuer)
  expect([issuer.search, issuer.hash, issuer.username, issuer.password]).toEqual(['', '', '', ''])
  expect(server.issuer.endsWith('/')).toBe(false)
  const discovery = await fetch(`${server.issuer}/.well-known/openid-configuration`)
  expect(discovery.status).toBe(200)
  expect(discovery.headers.get('content-type')).toMatch(/^application\/json(;|$)/)

  // every member has its registered type, and none is unregistered
  const { metadata } = await readProvider(server.issuer)
  for (const [name, value] of Object.entries(metadata)) {
    const kind = (Object.keys(REGISTERED) as Kind[]).find((each) => REGISTERED[each].includes(name))
    expect(kind, `${name} is a registered member`).toBeDefined()
    expect(kind && holds[kind](value), name).toBe(true)
  }

  // section 3: required and recommended members
  for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'])
    expect(metadata[name], name).toMatch(/^http/)
  expect(metadata.response_types_supported).toContain('code')
  expect(metadata.grant_types_supported).toContain('authorization_code')
  for (const type of metadata.subject_types_supported as string[]) expect(['public', 'pairwise']).toContain(type)
  expect(metadata.id_token_signing_alg_values_supported).toContain('RS256')
  expect(metadata.claims_supported).toContain('sub')
  expect(metadata.scopes_supported).toContain('openid')
  for (const scope of metadata.scopes_supported as string[]) expect(scope).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/)
  const locales = [metadata.ui_locales_supported, metadata.claims_locales_supported].flatMap((tags) => tags ?? [])
  expect(locales.filter((tag) => !isLocale(String(tag)))).toEqual([])

  // only noted by the suite: what a relying party cannot use
  expect(metadata.request_uri_parameter_supported).toBe(false)
  expect(metadata).not.toHaveProperty('registration_endpoint')
})
