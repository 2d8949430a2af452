/**
 * The modules of the OpenID Foundation's plans `fapi2-security-profile-final-test-plan` and `fapi2-message-signing-final-test-plan`
 * (private_key_jwt, DPoP, openid_connect, plain_fapi) and what else the profile `fapi2` rules. Both plans run against clients of the
 * profile. The test of a module begins with its name, without `fapi2-security-profile-final-`.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { makePair, type Parts, type ProofPair, proofOf } from '../dpop/proofs.ts'
import { post, type Reply, send } from '../protocol/arrange.ts'
import { ASSERTION_TYPE, assertionOf, type KeyPair, makeKey, nowOf } from '../protocol/assertions.ts'
import { createUser, PASSWORD } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { newBrowser, REDIRECT_URI } from './relying-party.ts'

type Fields = Readonly<Record<string, unknown>>
type Form = Readonly<Record<string, string>>

/** A client of a plan: the suite has two, each with keys of its own. */
interface Party {
  readonly id: string
  readonly key: KeyPair
  readonly pair: ProofPair
  /** Whether its requests are signed, and answered with JWTs, as the plan for message signing has it. */
  readonly signs: boolean
}

let server: TestServer
let first: Party
let second: Party
let signing: Party
/** Of a user who is signed in. */
let browser: Browser
let userId: string
let keys: Record<'ES256' | 'PS256' | 'RS256', KeyPair>

const registration = (name: string, more: Fields = {}) => ({
  name,
  type: 'Traditional',
  oidcClientMetadata: { redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [] },
  customClientMetadata: {
    securityProfile: 'fapi2',
    tokenEndpointAuthMethod: 'private_key_jwt',
    jwks: { keys: [keys.ES256.jwk, keys.PS256.jwk] },
    ...more,
  },
})
const party = async (name: string, more: Fields = {}): Promise<Party> => {
  const { status, body } = await server.api('POST', '/applications', registration(name, more))
  expect(status, JSON.stringify(body)).toBe(200)
  return { id: body.id, key: keys.ES256, pair: await makePair(), signs: more.requireSignedRequestObject === true }
}

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const [es256, ps256, rs256] = await Promise.all(
    ['ES256', 'PS256', 'RS256'].map((each) => makeKey(each, { kid: each })),
  )
  keys = { ES256: es256, PS256: ps256, RS256: rs256 } as typeof keys
  first = await party('first')
  second = await party('second')
  signing = await party('signing', { requireSignedRequestObject: true })
  browser = newBrowser()
  const user = await createUser(server)
  userId = user.id
  const page = await browser.open(await addressOf(first, await pushed(first)))
  const back = await browser.submit(page, { identifier: user.username, password: PASSWORD })
  expect(back.url.searchParams.has('code')).toBe(true)
})
afterAll(() => server.close())

const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

/** The parameters of a request; undefined takes one away. */
const wanted = ({ id, signs }: Party, more: Fields = {}): Fields => ({
  client_id: id,
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  scope: 'openid offline_access',
  state: 'a state',
  nonce: 'a nonce',
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  ...(signs ? { response_mode: 'jwt' } : {}),
  ...more,
})
const formOf = (fields: Fields): Form =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

const authentication = async (
  who: Party,
  parts: Parameters<typeof assertionOf>[3] = {},
  key = who.key,
): Promise<Form> => ({
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: await assertionOf(server, who, key, parts),
})

const objectOf = (who: Party, more: Fields = {}, header: Fields = {}, key = who.key): Promise<string> => {
  const now = nowOf(server)
  const times = { iat: now, nbf: now, exp: now + 300 }
  return new SignJWT({ ...wanted(who), iss: who.id, aud: server.issuer, ...times, ...more })
    .setProtectedHeader({ alg: key.algorithm, kid: key.jwk.kid ?? '', typ: 'oauth-authz-req+jwt', ...header })
    .sign(key.privateKey)
}

/** A pushed request as the party makes it. @param parts of its assertion */
const push = async (
  who: Party,
  more: Fields = {},
  parts: Parameters<typeof assertionOf>[3] = {},
  headers: Form = {},
) => {
  const own = who.signs ? { client_id: who.id, request: await objectOf(who, more) } : formOf(wanted(who, more))
  return post(server, '/request', { ...(await authentication(who, parts)), ...own }, headers)
}
const pushed = async (who: Party, more: Fields = {}): Promise<string> => {
  const { status, body } = await push(who, more)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.request_uri
}
const addressOf = async ({ id }: Party, requestUri: string): Promise<URL> => {
  const url = new URL(`${server.issuer}/auth`)
  url.search = new URLSearchParams({ client_id: id, request_uri: requestUri }).toString()
  return url
}

/** The authorization response, verified if it is a JWT. */
const responseOf = async (who: Party, { url }: Page): Promise<Record<string, unknown>> => {
  if (!who.signs) return Object.fromEntries(url.searchParams)
  expect([...url.searchParams.keys()]).toEqual(['response'])
  const published = (await (await fetch(`${server.issuer}/jwks`)).json()) as JSONWebKeySet
  const options = { issuer: server.issuer, audience: who.id, currentDate: server.clock.now(), requiredClaims: ['exp'] }
  return (await jwtVerify(url.searchParams.get('response') ?? '', createLocalJWKSet(published), options)).payload
}
const codeOf = async (who: Party, more: Fields = {}): Promise<string> => {
  const response = await responseOf(who, await browser.open(await addressOf(who, await pushed(who, more))))
  expect(response).toMatchObject({ code: expect.any(String), iss: server.issuer })
  return String(response.code)
}

interface TokenRequest {
  readonly parameters?: Fields
  readonly proof?: Parts | 'none'
  readonly pair?: ProofPair
  readonly assertion?: Form
}
/** A token request as the party makes it. */
const ask = async (
  who: Party,
  { parameters = {}, proof = {}, pair = who.pair, assertion }: TokenRequest,
): Promise<Reply> =>
  post(
    server,
    '/token',
    formOf({ ...(assertion ?? (await authentication(who))), ...parameters }),
    proof === 'none' ? {} : { dpop: await proofOf(server, pair, proof) },
  )
const redeem = (who: Party, code: string, { parameters = {}, ...more }: TokenRequest = {}) =>
  ask(who, {
    parameters: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      ...parameters,
    },
    ...more,
  })
const outcome = ({ status, body }: Reply) => [status, body.error]
const userinfo = async ({ pair }: Party, token: string, scheme = 'DPoP') => {
  const url = `${server.issuer}/me`
  const dpop = await proofOf(server, pair, { method: 'GET', url, token })
  return send(url, { method: 'GET', headers: { authorization: `${scheme} ${token}`, dpop } })
}

describe.each([
  ['fapi2-security-profile-final-test-plan', () => first],
  ['fapi2-message-signing-final-test-plan', () => signing],
] as const)('%s', (_, who) => {
  test('discovery-end-point-verification: what the profile needs is there, and is permitted', async () => {
    const { body } = await send(`${server.issuer}/.well-known/openid-configuration`, { method: 'GET' })
    expect(body).toMatchObject({
      authorization_response_iss_parameter_supported: true,
      request_parameter_supported: true,
    })
    expect(body.code_challenge_methods_supported).toEqual(['S256'])
    expect(body.token_endpoint_auth_methods_supported).toContain('private_key_jwt')
    expect(body.response_modes_supported).toContain('jwt')
    for (const name of [
      ...['token_endpoint_auth_signing_alg_values_supported', 'request_object_signing_alg_values_supported'],
      ...['dpop_signing_alg_values_supported', 'authorization_signing_alg_values_supported'],
    ])
      expect(body[name], name).toEqual(expect.arrayContaining(['PS256', 'ES256', 'EdDSA']))
    for (const name of ['pushed_authorization_request_endpoint', 'jwks_uri', 'token_endpoint'])
      expect(body[name]).toBeTypeOf('string')
  })

  test('happy-flow, refresh-token, access-token-type-header-case-sensitivity', async () => {
    const tokens = await redeem(who(), await codeOf(who()))
    expect(tokens.body).toMatchObject({ token_type: 'DPoP', refresh_token: expect.any(String) })
    expect(decodeJwt(tokens.body.id_token)).toMatchObject({ sub: userId, aud: who().id, nonce: 'a nonce' })
    expect(['PS256', 'ES256', 'EdDSA']).toContain(decodeProtectedHeader(tokens.body.id_token).alg)
    for (const scheme of ['DPoP', 'dpop', 'DPOP'])
      expect((await userinfo(who(), tokens.body.access_token, scheme)).body.sub).toBe(userId)
    const again = (more: TokenRequest = {}) =>
      ask(who(), { parameters: { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token }, ...more })
    // FAPI 2.0 section 5.3.2.1: not rotated, and not without authentication, proof, or by another client
    for (const _ of [1, 2]) {
      const { status, body } = await again()
      expect([status, body.refresh_token ?? tokens.body.refresh_token]).toEqual([200, tokens.body.refresh_token])
    }
    expect(outcome(await again({ proof: 'none' }))).toEqual([400, 'invalid_request'])
    expect(outcome(await again({ assertion: { client_id: who().id } }))).toEqual([401, 'invalid_client'])
    const parameters = { grant_type: 'refresh_token', refresh_token: tokens.body.refresh_token }
    expect(outcome(await ask(second, { parameters }))).toEqual([400, 'invalid_grant'])
  })

  test('user-rejects-authentication: access_denied', async () => {
    const { body } = await server.api('PATCH', `/applications/${who().id}`, { appLevelAccessControlEnabled: true })
    expect(body.appLevelAccessControlEnabled).toBe(true)
    const page = await browser.open(await addressOf(who(), await pushed(who())))
    expect(await responseOf(who(), page)).toMatchObject({ error: 'access_denied', state: 'a state' })
    await server.api('PATCH', `/applications/${who().id}`, { appLevelAccessControlEnabled: false })
  })

  test('ensure-authorization-request-without-state-success, -without-nonce-success, -with-64-char-nonce-success, ensure-other-scope-order-succeeds, test-claims-parameter-identity-claims', async () => {
    const stateless = await responseOf(
      who(),
      await browser.open(await addressOf(who(), await pushed(who(), { state: undefined }))),
    )
    expect(stateless).not.toHaveProperty('state')
    const nonceless = await redeem(who(), await codeOf(who(), { nonce: undefined, scope: 'offline_access openid' }))
    expect(decodeJwt(nonceless.body.id_token)).not.toHaveProperty('nonce')
    const nonce = 'n'.repeat(64)
    const claims = JSON.stringify({ id_token: { auth_time: { essential: true } } })
    const long = await redeem(who(), await codeOf(who(), { nonce, claims }))
    expect(decodeJwt(long.body.id_token)).toMatchObject({ nonce, auth_time: expect.any(Number) })
  })

  test('ensure-authorization-request-with-long-nonce, -with-long-state: kept whole, or refused', async () => {
    const state = 's'.repeat(1000)
    const page = await browser.open(await addressOf(who(), await pushed(who(), { state, nonce: 'n'.repeat(1000) })))
    expect((await responseOf(who(), page)).state).toBe(state)
    expect((await push(who(), { nonce: 'n'.repeat(3000) })).status).toBe(400)
  })

  test('ensure-mismatched-dpop-jkt-fails, -token-endpoint-fails-with-mismatched-dpop-proof-jkt, -with-mismatched-dpop-jkt, ensure-dpop-proof-at-par-endpoint-binding-success, ensure-dpop-auth-code-binding-success', async () => {
    const headers = { dpop: await proofOf(server, who().pair, { url: `${server.issuer}/request` }) }
    const wrong = await push(who(), { dpop_jkt: second.pair.jkt }, {}, headers)
    expect(wrong.status).toBe(400)
    const url = `${server.issuer}/request`
    const { body } = await push(who(), {}, {}, { dpop: await proofOf(server, who().pair, { url }) })
    const page = await browser.open(await addressOf(who(), body.request_uri))
    const code = String((await responseOf(who(), page)).code)
    expect(outcome(await redeem(who(), code, { pair: second.pair }))).toEqual([400, 'invalid_grant'])
    const named = await codeOf(who(), { dpop_jkt: who().pair.jkt })
    expect((await redeem(who(), named)).status).toBe(200)
    const other = await codeOf(who(), { dpop_jkt: who().pair.jkt })
    expect(outcome(await redeem(who(), other, { pair: second.pair }))).toEqual([400, 'invalid_grant'])
  })

  test('check-dpop-proof-nbf-exp, ensure-dpop-proof-with-iat-10-seconds-before-succeeds, -after-succeeds, dpop-negative-tests', async () => {
    const now = nowOf(server)
    const right: Parts[] = [
      { claims: { iat: now - 10 } },
      { claims: { iat: now + 10 } },
      { claims: { nbf: now, exp: now + 60 } },
    ]
    for (const proof of right) expect((await redeem(who(), await codeOf(who()), { proof })).status).toBe(200)
    const code = await codeOf(who())
    const wrong: Parts[] = [
      { claims: { htm: 'GET' } },
      { claims: { htu: `${server.issuer}/other` } },
      { claims: { iat: now - 3600 } },
      { claims: { iat: now + 3600 } },
      { claims: { jti: undefined } },
      { header: { typ: 'JWT' } },
    ]
    for (const proof of wrong)
      expect(outcome(await redeem(who(), code, { proof }))).toEqual([400, 'invalid_dpop_proof'])
  })

  test('ensure-holder-of-key-required: no token without a proof', async () => {
    expect(outcome(await redeem(who(), await codeOf(who()), { proof: 'none' }))).toEqual([400, 'invalid_request'])
  })

  test('ensure-registered-redirect-uri, ensure-redirect-uri-in-authorization-request, ensure-response-type-code-id-token-fails, -token-fails', async () => {
    expect((await push(who(), { redirect_uri: `${REDIRECT_URI}/other` })).status).toBe(400)
    expect((await push(who(), { redirect_uri: undefined })).status).toBe(400)
    for (const type of ['code id_token', 'token', 'id_token'])
      expect((await push(who(), { response_type: type })).status).toBe(400)
  })

  test('ensure-unsigned-authorization-request-without-using-par-fails, ensure-matching-key-in-authorization-request: what was not pushed is refused', async () => {
    const direct = new URL(`${server.issuer}/auth`)
    direct.search = new URLSearchParams(formOf(wanted(who()))).toString()
    expect(await responseOf(who(), await browser.open(direct))).toMatchObject({ error: 'invalid_request' })
    direct.search = new URLSearchParams({ client_id: who().id, request: await objectOf(who()) }).toString()
    expect((await browser.open(direct)).status).toBe(400)
  })

  test('ensure-client-id-in-token-endpoint, ensure-authorization-code-is-bound-to-client', async () => {
    const code = await codeOf(who())
    expect(outcome(await redeem(second, code))).toEqual([400, 'invalid_grant'])
    const foreign = { parameters: { client_id: second.id } }
    expect(outcome(await redeem(who(), await codeOf(who()), foreign))).toEqual([400, 'invalid_request'])
  })

  test('attempt-reuse-authorization-code-after-one-second, attempt-to-use-expired-auth-code: used once, within a minute', async () => {
    const code = await codeOf(who())
    const tokens = await redeem(who(), code)
    server.clock.advance(1)
    expect(outcome(await redeem(who(), code))).toEqual([400, 'invalid_grant'])
    expect((await userinfo(who(), tokens.body.access_token)).status).toBe(401)
    const late = await codeOf(who())
    server.clock.advance(61)
    expect(outcome(await redeem(who(), late))).toEqual([400, 'invalid_grant'])
  })

  test('ensure-client-assertion-in-token-endpoint, -with-exp-is-5-minutes-in-past-fails, -with-wrong-aud-fails, -with-no-sub-fails, ensure-signed-client-assertion-with-RS256-fails', async () => {
    const now = nowOf(server)
    const code = await codeOf(who())
    const wrong = [
      { claims: { exp: now - 300 } },
      { claims: { aud: 'https://other.example' } },
      { claims: { sub: undefined } },
      { claims: { iss: 'other' } },
      { claims: { aud: `${server.issuer}/token` } },
      { claims: { aud: [server.issuer] } },
      { claims: { iat: now + 61, nbf: undefined } },
      { claims: { nbf: now + 61 } },
    ]
    for (const parts of wrong)
      expect(
        outcome(await redeem(who(), code, { assertion: await authentication(who(), parts) })),
        JSON.stringify(parts),
      ).toEqual([401, 'invalid_client'])
    const rs256 = await authentication(who(), {}, keys.RS256)
    expect(outcome(await redeem(who(), code, { assertion: rs256 }))).toEqual([401, 'invalid_client'])
    expect(outcome(await redeem(who(), code, { assertion: { client_id: who().id } }))).toEqual([401, 'invalid_client'])
    const ps256 = await authentication(who(), {}, keys.PS256)
    expect((await redeem(who(), code, { assertion: ps256 })).status).toBe(200)
  })

  test('par-ensure-reused-request-uri-prior-to-auth-completion-succeeds, par-attempt-reuse-request_uri, par-attempt-to-use-expired-request_uri, par-attempt-to-use-request_uri-for-different-client', async () => {
    const url = await addressOf(who(), await pushed(who()))
    // two visits that do not finish, then one that does
    for (const _ of [1, 2]) expect((await newBrowser().open(url)).url.pathname).toMatch(/^\/sign-in\//)
    expect(await responseOf(who(), await browser.open(url))).toHaveProperty('code')
    expect((await browser.open(url)).status).toBe(400)
    const requestUri = await pushed(who())
    expect((await browser.open(await addressOf(second, requestUri))).status).toBe(400)
    const { body } = await push(who())
    expect(body.expires_in).toBeLessThan(600)
    server.clock.advance(body.expires_in + 1)
    expect((await browser.open(await addressOf(who(), body.request_uri))).status).toBe(400)
  })

  test('par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted, -over-60-seconds-fails; par-endpoint-as-audience-fails, -as-array-audience-fails, par-token-endpoint-as-audience-fails', async () => {
    const now = nowOf(server)
    expect((await push(who(), {}, { claims: { nbf: now + 8, iat: now + 8 } })).status).toBe(201)
    for (const claims of [
      { nbf: now + 61, iat: now + 61 },
      { aud: `${server.issuer}/request` },
      { aud: [`${server.issuer}/request`] },
      { aud: `${server.issuer}/token` },
    ])
      expect(outcome(await push(who(), {}, { claims }))).toEqual([401, 'invalid_client'])
  })

  test('par-authorization-request-containing-request_uri-form-param, par-pushed-authorization-url-as-audience, ensure-par-requires-post', async () => {
    const form = {
      ...(await authentication(who())),
      ...formOf(wanted(who())),
      request_uri: 'https://rp.example/object',
    }
    expect(outcome(await post(server, '/request', form))).toEqual([400, 'invalid_request'])
    for (const method of ['GET', 'PUT'] as const)
      expect([404, 405]).toContain((await fetch(`${server.issuer}/request`, { method })).status)
    expect(outcome(await post(server, '/request', formOf(wanted(who()))))).toEqual([401, 'invalid_client'])
  })

  test('par-ensure-pkce-required, -pkce-code-verifier-required, par-incorrect-pkce-code-verifier-rejected, par-ensure-plain-pkce-rejected', async () => {
    for (const more of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge: VERIFIER, code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
    ])
      expect((await push(who(), more)).status).toBe(400)
    for (const verifier of [undefined, `${VERIFIER.slice(0, -1)}A`])
      expect(outcome(await redeem(who(), await codeOf(who()), { parameters: { code_verifier: verifier } }))).toEqual([
        400,
        'invalid_grant',
      ])
  })

  test('par-without-duplicate-parameters: client_id and request_uri are all that the browser brings', async () => {
    const url = await addressOf(who(), await pushed(who()))
    expect([...url.searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    url.searchParams.set('state', 'another')
    expect((await responseOf(who(), await browser.open(url))).state).toBe('a state')
  })
})

describe('fapi2-message-signing-final-test-plan, request objects', () => {
  const refusal = async (request: string) =>
    outcome(await post(server, '/request', { ...(await authentication(signing)), client_id: signing.id, request }))

  test('ensure-server-accepts-request-object-with-multiple-aud, ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted', async () => {
    for (const more of [{ aud: ['https://other.example', server.issuer] }, { nbf: nowOf(server) + 8 }])
      expect((await push(signing, more)).status).toBe(201)
  })

  test('ensure-request-object-without-exp-fails, -without-nbf-fails, -with-bad-aud-fails, -with-exp-over-60-fails, -with-nbf-over-60-fails, ensure-expired-request-object-fails', async () => {
    const now = nowOf(server)
    for (const more of [
      { exp: undefined },
      { nbf: undefined },
      { aud: 'https://other.example' },
      { exp: now + 70 * 60 },
      { nbf: now - 70 * 60 },
      { exp: now - 300, nbf: now - 600 },
    ])
      expect(await refusal(await objectOf(signing, more)), JSON.stringify(more)).toEqual([
        400,
        'invalid_request_object',
      ])
  })

  test('ensure-signed-request-object-with-RS256-fails, ensure-request-object-signature-algorithm-is-not-none, -with-invalid-signature-fails, ensure-unsigned-request-at-par-endpoint-fails', async () => {
    const foreign = await makeKey('ES256', { kid: 'ES256' })
    const whole = await objectOf(signing)
    for (const request of [
      await objectOf(signing, {}, {}, keys.RS256),
      new UnsecuredJWT(decodeJwt(whole)).encode(),
      await objectOf(signing, {}, {}, foreign),
      `${whole.slice(0, -4)}AAAA`,
    ])
      expect(await refusal(request)).toEqual([400, 'invalid_request_object'])
    const plain = { ...(await authentication(signing)), ...formOf(wanted(signing)) }
    expect(outcome(await post(server, '/request', plain))).toEqual([400, 'invalid_request'])
  })

  test('ensure-different-nonce-inside-and-outside-request-object, ensure-different-state-…, state-only-outside-request-object-not-used, ensure-request-object-without-redirect-uri-fails, par-authorization-request-containing-request_uri', async () => {
    const beside = async (more: Fields, outside: Form) =>
      post(server, '/request', {
        ...(await authentication(signing)),
        client_id: signing.id,
        request: await objectOf(signing, more),
        ...outside,
      })
    const { body } = await beside({}, { state: 'outside', nonce: 'outside' })
    const response = await responseOf(signing, await browser.open(await addressOf(signing, body.request_uri)))
    expect(response.state).toBe('a state')
    expect(decodeJwt((await redeem(signing, String(response.code))).body.id_token).nonce).toBe('a nonce')
    const only = await beside({ state: undefined }, { state: 'outside' })
    const stateless = await responseOf(signing, await browser.open(await addressOf(signing, only.body.request_uri)))
    expect(stateless).not.toHaveProperty('state')
    expect((await beside({ redirect_uri: undefined }, { redirect_uri: REDIRECT_URI })).status).toBe(400)
    expect((await beside({ request_uri: 'https://rp.example/object' }, {})).status).toBe(400)
  })
})

describe('the profile', () => {
  test('refuses to store what breaks a rule of it, and says which', async () => {
    const https = { redirectUris: ['http://127.0.0.1/callback'], postLogoutRedirectUris: [] }
    const lies: [body: Fields, member: RegExp][] = [
      [{ type: 'SPA', customClientMetadata: { securityProfile: 'fapi2' } }, /tokenEndpointAuthMethod/],
      [registration('x', { tokenEndpointAuthMethod: 'client_secret_basic' }), /tokenEndpointAuthMethod/],
      [registration('x', { jwks: { keys: [keys.ES256.jwk, { ...keys.RS256.jwk, alg: 'RS256' }] } }), /jwks/],
      [registration('x', { idTokenSignedResponseAlg: 'RS256' }), /idTokenSignedResponseAlg/],
      [registration('x', { requestObjectSigningAlg: 'ES384' }), /requestObjectSigningAlg/],
      [registration('x', { dangerouslyAllowWildcardRedirectUris: true }), /dangerouslyAllowWildcard/],
      [{ ...registration('x'), oidcClientMetadata: https }, /redirectUris/],
    ]
    for (const [body, member] of lies) {
      const answered = await server.api('POST', '/applications', { name: 'x', ...body })
      expect([answered.status, answered.body.code]).toEqual([400, 'guard.invalid_input'])
      expect(JSON.stringify(answered.body)).toMatch(member)
    }
    // RSA keys that name no algorithm sign with PS256
    const { alg: _, ...unnamed } = keys.PS256.jwk
    expect((await server.api('POST', '/applications', registration('x', { jwks: { keys: [unnamed] } }))).status).toBe(
      200,
    )
  })

  test('says in the audit log what it changes', async () => {
    const { id } = await party('audited', { rotateRefreshToken: true })
    const { body: entries } = await server.api('GET', `/logs?logKey=ManagementApi.createApplication&page_size=100`)
    const entry = entries.find(({ payload }: { payload: Fields }) => JSON.stringify(payload).includes(id))
    expect(entry.payload.securityProfileSets).toEqual({
      requirePushedAuthorizationRequests: true,
      requirePkce: true,
      dpopBoundAccessTokens: true,
      rotateRefreshToken: false,
    })
  })

  test('holds the keys of the tenant to its algorithms', async () => {
    const rotate = (algorithm: string) =>
      server.api('POST', '/configs/oidc/private-keys/rotate', { algorithm, rotationGracePeriod: 0 })
    expect((await rotate('RS256')).status).toBe(400)
    server.clock.advance(1)
    expect((await rotate('PS256')).status).toBe(200)
    const tokens = await redeem(first, await codeOf(first))
    expect(decodeProtectedHeader(tokens.body.id_token).alg).toBe('PS256')
  })

  test('of the tenant: only when every application keeps to it or is exempt, and discovery says what it demands', async () => {
    const change = (body: Fields) => server.api('PATCH', '/configs/security', body)
    const { body: plain } = await server.api('POST', '/applications', { name: 'Plain', type: 'SPA' })
    const refused = await change({ profile: 'fapi2' })
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining(plain.id)])
    const { body: applications } = await server.api('GET', '/applications?page_size=100')
    for (const { id, customClientMetadata } of applications)
      if (customClientMetadata.securityProfile === undefined)
        await server.api('PATCH', `/applications/${id}`, {
          customClientMetadata: { ...customClientMetadata, securityProfile: 'none' },
        })
    expect((await change({ profile: 'fapi2' })).body).toEqual({
      profile: 'fapi2',
      requirePushedAuthorizationRequests: false,
      dpopNonceRequired: false,
    })
    const discovered = async () =>
      (await send(`${server.issuer}/.well-known/openid-configuration`, { method: 'GET' })).body
        .require_pushed_authorization_requests
    expect(await discovered()).toBe(true)
    expect((await server.api('POST', '/applications', { name: 'New', type: 'SPA' })).status).toBe(400)
    const { securityProfile: _, ...own } = registration('heir').customClientMetadata
    const { body: heir } = await server.api('POST', '/applications', {
      ...registration('heir'),
      customClientMetadata: own,
    })
    const inherits: Party = { ...first, id: heir.id }
    expect((await redeem(inherits, await codeOf(inherits))).body.token_type).toBe('DPoP')
    expect((await change({ profile: 'none', requirePushedAuthorizationRequests: true })).status).toBe(200)
    expect(await discovered()).toBe(true)
    const unpushed = new URL(`${server.issuer}/auth`)
    unpushed.search = new URLSearchParams(formOf(wanted(inherits))).toString()
    expect((await browser.open(unpushed)).url.searchParams.get('error_description')).toMatch(/push/)
    // a file says the same, and its export changes nothing
    const text = 'security:\n  requirePushedAuthorizationRequests: false\n'
    expect((await server.api('POST', '/configs/declaration/apply', { text })).status).toBe(200)
    const { body: exported } = await server.api('GET', '/configs/declaration')
    expect(exported.text).toContain('security:\n  profile: none\n  requirePushedAuthorizationRequests: false\n')
    expect(await discovered()).toBe(false)
    expect((await browser.open(unpushed)).url.searchParams.has('code')).toBe(true)
  })

  test('openid-client with everything at once: signed and pushed request, JWT response, DPoP, userinfo', async () => {
    const behind = nowOf(server) - Math.floor(Date.now() / 1000)
    const privateKey = { key: keys.ES256.privateKey as client.CryptoKey, kid: 'ES256' }
    const configuration = await client.discovery(
      new URL(server.issuer),
      signing.id,
      { [client.clockSkew]: behind } as client.ClientMetadata,
      client.PrivateKeyJwt(privateKey),
      { execute: [client.allowInsecureRequests, client.useJwtResponseMode] },
    )
    const DPoP = client.getDPoPHandle(configuration, await client.randomDPoPKeyPair('ES256'))
    const [pkceCodeVerifier, expectedState] = [client.randomPKCECodeVerifier(), client.randomState()]
    const parameters = {
      ...{ redirect_uri: REDIRECT_URI, scope: 'openid', state: expectedState, code_challenge_method: 'S256' },
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    }
    const signed = await client.buildAuthorizationUrlWithJAR(configuration, parameters, privateKey)
    const url = await client.buildAuthorizationUrlWithPAR(configuration, Object.fromEntries(signed.searchParams), {
      DPoP,
    })
    const back = await browser.open(url)
    const checks = { pkceCodeVerifier, expectedState }
    const tokens = await client.authorizationCodeGrant(configuration, back.url, checks, undefined, { DPoP })
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, userId, { DPoP })
    expect([tokens.token_type, claims.sub]).toEqual(['dpop', userId])
  })
})
