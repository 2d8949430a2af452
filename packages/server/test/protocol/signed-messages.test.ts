/**
 * Messages that one side signs: request objects (RFC 9101), authorization responses as JWTs (JARM) and introspection responses as JWTs
 * (RFC 9701), with the application's keys and the tenant's.
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  type JSONWebKeySet,
  jwtVerify,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { CALLBACK, createUser, newBrowser, PASSWORD } from '../sign-in/arrange.ts'
import type { Browser, Page } from '../sign-in/browser.ts'
import { post } from './arrange.ts'
import { ASSERTION_TYPE, askWith, assertionOf, type KeyPair, makeKey, nowOf, registerKeyClient } from './assertions.ts'

type Metadata = Readonly<Record<string, unknown>>

let server: TestServer
let keys: Record<'ES256' | 'PS256' | 'RS256' | 'foreign', KeyPair>
/** An application with all of the keys but the foreign one, and one without any. */
let id: string
let keyless: string
/** Of a user who is signed in. */
let browser: Browser

const register = async (customClientMetadata: Metadata): Promise<string> => {
  const oidcClientMetadata = { redirectUris: [CALLBACK], postLogoutRedirectUris: [] }
  const { body } = await server.api('POST', '/applications', {
    ...{ name: 'Bank', type: 'Traditional', oidcClientMetadata, customClientMetadata },
  })
  return body.id
}
const withKeys = (more: Metadata = {}): Promise<string> => {
  const jwks = { keys: [keys.ES256.jwk, keys.PS256.jwk, keys.RS256.jwk] }
  return register({ tokenEndpointAuthMethod: 'private_key_jwt', jwks, ...more })
}

beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  const [es256, ps256, rs256, foreign] = await Promise.all([
    makeKey('ES256', { kid: 'es' }),
    makeKey('PS256', { kid: 'ps', alg: 'PS256' }),
    makeKey('RS256', { kid: 'rs' }),
    makeKey('ES256', { kid: 'es' }),
  ])
  keys = { ES256: es256, PS256: ps256, RS256: rs256, foreign }
  ;[id, keyless] = [await withKeys(), await register({})]
  browser = newBrowser()
  const page = await browser.open(await addressOf(id, { request: await objectOf() }))
  const { username } = await createUser(server)
  expect((await browser.submit(page, { identifier: username, password: PASSWORD })).url.searchParams.has('code')).toBe(
    true,
  )
})
afterAll(() => server.close())

const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
/** The parameters of a request. */
const wanted = (clientId: string) => ({
  client_id: clientId,
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid',
  state: 'inside',
  code_challenge: challenge,
  code_challenge_method: 'S256',
})

interface Lie {
  /** Replace claims; undefined removes one. */
  readonly claims?: Metadata
  readonly header?: Metadata
  readonly key?: KeyPair
  readonly clientId?: string
}

/** A request object that is right except for the lie. */
const objectOf = ({ claims = {}, header = {}, key = keys.ES256, clientId = id }: Lie = {}): Promise<string> => {
  const now = nowOf(server)
  const whole = {
    ...wanted(clientId),
    iss: clientId,
    aud: server.issuer,
    exp: now + 300,
    nbf: now,
    iat: now,
    ...claims,
  }
  return new SignJWT(whole)
    .setProtectedHeader({ alg: key.algorithm, kid: key.jwk.kid ?? '', typ: 'oauth-authz-req+jwt', ...header })
    .sign(key.privateKey)
}

const addressOf = async (clientId: string, parameters: Record<string, string>): Promise<URL> => {
  const url = new URL(`${server.issuer}/auth`)
  url.search = new URLSearchParams({ client_id: clientId, ...parameters }).toString()
  return url
}

const push = async (clientId: string, parameters: Record<string, string>, key = keys.ES256) =>
  post(server, '/request', {
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: await assertionOf(server, { id: clientId }, key),
    ...parameters,
  })

/** A client of a library that knows nothing but discovery and its key; its clock is that of the server. */
const libraryClient = async (clientId: string, metadata: client.ClientMetadata | Metadata = {}, key = keys.ES256) => {
  const behind = nowOf(server) - Math.floor(Date.now() / 1000)
  const signing = { key: key.privateKey as client.CryptoKey, kid: key.jwk.kid ?? '' }
  const configuration = await client.discovery(
    new URL(server.issuer),
    clientId,
    { [client.clockSkew]: behind, ...metadata } as client.ClientMetadata,
    client.PrivateKeyJwt(signing),
    { execute: [client.allowInsecureRequests] },
  )
  return { configuration, signing }
}

const jwks = async () => createLocalJWKSet((await (await fetch(`${server.issuer}/jwks`)).json()) as JSONWebKeySet)

describe('request objects (RFC 9101)', () => {
  test.each(['pushed', 'by value'] as const)(
    'openid-client signs a request in with one %s, whose answer is a JWT too',
    async (way) => {
      const { configuration, signing } = await libraryClient(id)
      client.useJwtResponseMode(configuration)
      const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
      const parameters = {
        ...{ redirect_uri: CALLBACK, scope: 'openid profile', state, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
      }
      const direct = await client.buildAuthorizationUrlWithJAR(configuration, parameters, signing)
      const url =
        way === 'by value'
          ? direct
          : await client.buildAuthorizationUrlWithPAR(configuration, Object.fromEntries(direct.searchParams))
      const back = await browser.open(url)
      expect([...back.url.searchParams.keys()]).toEqual(['response'])
      const checks = { pkceCodeVerifier: verifier, expectedState: state }
      const tokens = await client.authorizationCodeGrant(configuration, back.url, checks)
      expect(tokens.claims()?.aud).toBe(id)
    },
  )

  test.each(['ES256', 'PS256', 'RS256'] as const)('signed with the key of %s', async (algorithm) => {
    const request = await objectOf({ key: keys[algorithm] })
    expect((await push(id, { client_id: id, request })).status).toBe(201)
  })

  test.each<[what: string, lie: Lie]>([
    ['without typ', { header: { typ: undefined } }],
    ['nbf and iat 10 seconds in the future', { claims: { nbf: 10, iat: 10 } }],
    ['several audiences', { claims: { aud: ['https://other.example', 'ISSUER'] } }],
    ['a jti', { claims: { jti: 'once' } }],
    ['several resources', { claims: { resource: [] } }],
  ])('accepted: %s', async (_, lie) => {
    expect((await push(id, { client_id: id, request: await objectOf(resolved(lie)) })).status).toBe(201)
  })

  /** Times relative to the clock of the server, and its issuer. */
  const resolved = (lie: Lie): Lie => {
    const claims = Object.entries(lie.claims ?? {}).map(([name, value]) => {
      if (['nbf', 'exp', 'iat'].includes(name) && typeof value === 'number') return [name, nowOf(server) + value]
      return [name, JSON.parse(JSON.stringify({ value }).replaceAll('ISSUER', server.issuer)).value]
    })
    return { ...lie, claims: Object.fromEntries(claims) }
  }

  test.each<[what: string, lie: Lie, saying: RegExp]>([
    ['no exp', { claims: { exp: undefined } }, /no exp/],
    ['expired', { claims: { exp: -20, nbf: -60 } }, /expired/],
    ['nbf a minute in the future', { claims: { nbf: 61 } }, /future/],
    ['iat a minute in the future', { claims: { iat: 61 } }, /future/],
    ['valid for more than an hour', { claims: { nbf: 0, exp: 3601 } }, /more than an hour/],
    ['valid for more than an hour from now', { claims: { nbf: undefined, exp: 3601 } }, /more than an hour/],
    ['nbf more than an hour ago', { claims: { nbf: -3601, exp: 1 } }, /more than an hour ago/],
    ['a text for exp', { claims: { exp: 'soon' } }, /number/],
    ['no iss', { claims: { iss: undefined } }, /iss/],
    ['of another issuer', { claims: { iss: 'other' } }, /iss/],
    ['no aud', { claims: { aud: undefined } }, /aud/],
    ['for the address of the endpoint', { claims: { aud: 'ISSUER/request' } }, /aud/],
    ['for another server', { claims: { aud: ['https://other.example'] } }, /aud/],
    ['no client_id', { claims: { client_id: undefined } }, /client_id/],
    ['of another client', { claims: { client_id: 'other' } }, /client_id/],
    ['the client as its subject', { claims: { sub: 'CLIENT' } }, /sub/],
    ['an empty jti', { claims: { jti: '' } }, /jti/],
    ['another object within', { claims: { request: 'x' } }, /request/],
    ['an address within', { claims: { request_uri: 'https://app.example/object' } }, /request_uri/],
    ['null for a parameter', { claims: { nonce: null } }, /nonce/],
    ['a switch for a parameter', { claims: { nonce: true } }, /nonce/],
    ['NUL in a parameter', { claims: { nonce: 'a\0b' } }, /nonce/],
    ['half a character in a parameter', { claims: { nonce: '\ud800' } }, /nonce/],
    ['the type of an access token', { header: { typ: 'at+jwt' } }, /typ/],
    ['a critical extension', { header: { crit: ['exp'] } }, /cannot be verified/],
  ])('refused: %s', async (_, lie, saying) => {
    const { claims } = resolved(lie)
    const mine = Object.entries(claims ?? {}).map(([name, value]) => [name, value === 'CLIENT' ? id : value])
    const request = await objectOf({ ...lie, claims: Object.fromEntries(mine) }).catch(() => 'e30.e30.e30')
    const { status, body } = await push(id, { client_id: id, request })
    const isUnsignable = 'crit' in (lie.header ?? {})
    expect([status, body.error]).toEqual([400, 'invalid_request_object'])
    if (!isUnsignable) expect(body.error_description).toMatch(saying)
  })

  test('refused: unsigned, signed by another, with the algorithm of another key, encrypted, and no JWT', async () => {
    const claims = decodeJwt(await objectOf())
    const whole = await objectOf()
    const [head = '', body = '', tail = ''] = whole.split('.')
    const hmac = new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(JSON.stringify(keys.ES256.jwk)))
    for (const request of [
      new UnsecuredJWT(claims).encode(),
      await objectOf({ key: keys.foreign }),
      await hmac,
      `${head}.${body}.${tail.slice(0, -2)}AA`,
      `${head}.${Buffer.from('{}').toString('base64url')}.${tail}`,
      `${head}.${body}.`,
      `${head}..iv.${body}.${tail}`,
      'not a token',
    ]) {
      const reply = await push(id, { client_id: id, request })
      expect([reply.status, reply.body.error]).toEqual([400, 'invalid_request_object'])
    }
  })

  test('its parameters count, and what stands beside them does not', async () => {
    const outside = { state: 'outside', scope: 'openid email', redirect_uri: CALLBACK, response_mode: 'form_post' }
    const back = await browser.open(await addressOf(id, { request: await objectOf(), ...outside }))
    expect(back.url.searchParams.get('state')).toBe('inside')
    // a parameter that is only outside is none
    const request = await objectOf({ claims: { state: undefined } })
    expect((await browser.open(await addressOf(id, { request, ...outside }))).url.searchParams.has('state')).toBe(false)
    const lost = await objectOf({ claims: { redirect_uri: undefined } })
    expect((await push(id, { client_id: id, request: lost, redirect_uri: CALLBACK })).status).toBe(400)
  })

  test('an error goes to a registered address beside the object, and to a page where there is none', async () => {
    const request = await objectOf({ claims: { exp: nowOf(server) - 60 } })
    const told = await browser.open(await addressOf(id, { request, redirect_uri: CALLBACK }))
    expect(Object.fromEntries(told.url.searchParams)).toMatchObject({
      error: 'invalid_request_object',
      state: 'inside',
    })
    const page = await browser.open(await addressOf(id, { request }))
    expect([page.status, page.text.includes('the request object has expired')]).toEqual([400, true])
    const foreign = await addressOf(id, { request, redirect_uri: 'https://evil.example/' })
    expect((await browser.open(foreign)).status).toBe(400)
  })

  test('only an application with keys can send one, and never beside a request_uri', async () => {
    const request = await objectOf({ clientId: keyless })
    const told = await browser.open(await addressOf(keyless, { request, redirect_uri: CALLBACK }))
    expect(told.url.searchParams.get('error')).toBe('request_not_supported')
    const both = { request: await objectOf(), request_uri: 'https://app.example/object', redirect_uri: CALLBACK }
    expect((await browser.open(await addressOf(id, both))).url.searchParams.get('error')).toBe('invalid_request')
  })

  test('the same object may come again, as a page is loaded again; each gives its own code', async () => {
    const url = await addressOf(id, { request: await objectOf({ claims: { jti: 'same' } }) })
    const codes = [await browser.open(url), await browser.open(url)].map((page) => page.url.searchParams.get('code'))
    expect(new Set(codes).size).toBe(2)
    expect(codes).not.toContain(null)
  })

  test('an application can be held to signed and pushed requests, and to one algorithm', async () => {
    const strict = await withKeys({
      requireSignedRequestObject: true,
      requirePushedAuthorizationRequests: true,
      requestObjectSigningAlg: 'PS256',
    })
    const object = (key: KeyPair) => objectOf({ clientId: strict, key })
    const refusal = async (parameters: Record<string, string>) =>
      (await browser.open(await addressOf(strict, { redirect_uri: CALLBACK, ...parameters }))).url.searchParams
    expect((await refusal({ request: await object(keys.PS256) })).get('error_description')).toMatch(/push/)
    expect((await push(strict, wanted(strict))).body.error_description).toMatch(/signed request objects/)
    const wrong = await push(strict, { client_id: strict, request: await object(keys.ES256) })
    expect(wrong.body.error_description).toMatch(/PS256/)
    const { status, body } = await push(strict, { client_id: strict, request: await object(keys.PS256) })
    expect(status).toBe(201)
    const back = await browser.open(await addressOf(strict, { request_uri: body.request_uri }))
    expect(back.url.searchParams.has('code')).toBe(true)
    // without keys nothing could be signed
    const keyed = { customClientMetadata: { requireSignedRequestObject: true } }
    const refused = await server.api('PATCH', `/applications/${keyless}`, keyed)
    expect([refused.status, refused.body.code]).toEqual([400, 'guard.invalid_input'])
  })

  test('R-37 nothing that is sent as an object is a server error, and only a signed one is accepted', async () => {
    const text = (value: unknown) => Buffer.from(JSON.stringify(value) ?? 'null').toString('base64url')
    const header = { alg: fc.constantFrom('ES256', 'none', 'HS256', 1), kid: fc.anything(), crit: fc.anything() }
    const unsigned = fc
      .tuple(fc.record(header, { requiredKeys: [] }), fc.json(), fc.base64String())
      .map(([head, body, tail]) => `${text(head)}.${Buffer.from(body).toString('base64url')}.${tail}`)
    await fc.assert(
      fc.asyncProperty(fc.oneof(unsigned, fc.string()), async (request) => {
        expect([400, 413]).toContain((await push(id, { client_id: id, redirect_uri: CALLBACK, request })).status)
      }),
      { numRuns: 25 },
    )
    const claims = fc.dictionary(
      fc.constantFrom(
        'scope',
        'state',
        'nonce',
        'max_age',
        'claims',
        'resource',
        'prompt',
        'redirect_uri',
        'aud',
        'exp',
        '__proto__',
      ),
      fc.jsonValue(),
    )
    await fc.assert(
      fc.asyncProperty(claims, async (some) => {
        const request = await objectOf({ claims: some })
        expect([201, 400, 413]).toContain((await push(id, { client_id: id, request })).status)
      }),
      { numRuns: 25 },
    )
  })
})

describe('authorization responses as JWTs (JARM)', () => {
  /** What the answer says, after its signature, issuer, audience and expiry were verified. */
  const verified = async (response: string, audience: string) => {
    const options = { issuer: server.issuer, audience, currentDate: server.clock.now(), requiredClaims: ['exp'] }
    const { payload, protectedHeader } = await jwtVerify(response, await jwks(), options)
    expect((payload.exp ?? 0) - nowOf(server)).toBeLessThanOrEqual(600)
    return { payload, algorithm: protectedHeader.alg }
  }
  const responseOf = ({ url, text }: Page): string =>
    url.searchParams.get('response') ?? /name="response" value="([^"]+)"/.exec(text)?.[1] ?? ''
  const asking = (clientId: string, more: Record<string, string>) =>
    addressOf(clientId, { ...wanted(clientId), ...more })

  test.each(['jwt', 'query.jwt', 'form_post.jwt'])('response_mode=%s: code, state and errors', async (mode) => {
    const answered = await browser.open(await asking(id, { response_mode: mode }))
    expect(answered.text.includes('name="iss"') || answered.url.searchParams.has('iss')).toBe(false)
    const { payload, algorithm } = await verified(responseOf(answered), id)
    expect(payload).toEqual({
      ...{ iss: server.issuer, aud: id, exp: payload.exp },
      ...{ code: expect.stringMatching(/^cs_ac_/), state: 'inside' },
    })
    expect(algorithm).toBe('ES256')
    const refused = await browser.open(await asking(id, { response_mode: mode, scope: 'openid "' }))
    expect((await verified(responseOf(refused), id)).payload).toMatchObject({ error: 'invalid_scope', state: 'inside' })
  })

  test('with the algorithm that the application asks for, which has a key from then on', async () => {
    const asks = await withKeys({ authorizationSignedResponseAlg: 'PS256' })
    const answered = await browser.open(await asking(asks, { response_mode: 'jwt' }))
    expect((await verified(responseOf(answered), asks)).algorithm).toBe('PS256')
  })

  test('there is no fragment: what is not in discovery is refused', async () => {
    const metadata = (await (await fetch(`${server.issuer}/.well-known/openid-configuration`)).json()) as Metadata
    expect(metadata.response_modes_supported).toEqual(['jwt', 'query', 'form_post', 'query.jwt', 'form_post.jwt'])
    for (const mode of ['fragment.jwt', 'fragment', 'web_message']) {
      const { searchParams } = (await browser.open(await asking(id, { response_mode: mode }))).url
      expect(searchParams.get('error')).toBe('unsupported_response_mode')
    }
  })
})

describe('introspection responses as JWTs (RFC 9701)', () => {
  test('for a caller that asks for one, with its algorithm; oauth4webapi accepts it', async () => {
    const asks = await withKeys({ introspectionSignedResponseAlg: 'EdDSA', dangerouslyIntrospectAllTokens: true })
    const issuer = new URL(server.issuer)
    const insecure = { [oauth.allowInsecureRequests]: true }
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure))
    expect(as.introspection_signing_alg_values_supported).toContain('EdDSA')
    const behind = nowOf(server) - Math.floor(Date.now() / 1000)
    const caller = { client_id: asks, introspection_signed_response_alg: 'EdDSA', [oauth.clockSkew]: behind }
    const proof = oauth.PrivateKeyJwt({ key: keys.ES256.privateKey as oauth.CryptoKey, kid: 'es' })
    const ask = async (token: string, isJwt: boolean) => {
      const options = { ...insecure, requestJwtResponse: isJwt }
      return oauth.introspectionRequest(as, caller, proof, token, options)
    }
    const machine = await registerKeyClient(server, [keys.ES256])
    const { body } = await askWith(server, machine, await assertionOf(server, machine, keys.ES256))
    const token: string = body.access_token
    const response = await ask(token, true)
    expect(response.headers.get('content-type')).toBe('application/token-introspection+jwt')
    const jwt = await response.clone().text()
    expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'EdDSA', typ: 'token-introspection+jwt' })
    expect(decodeJwt(jwt)).toEqual({
      ...{ iss: server.issuer, aud: asks, iat: nowOf(server) },
      token_introspection: expect.objectContaining({ active: true, client_id: machine.id, scope: 'read:orders' }),
    })
    expect(await oauth.processIntrospectionResponse(as, caller, response)).toEqual(
      (await (await ask(token, false)).json()) as object,
    )
    const { payload } = await jwtVerify(jwt, await jwks(), { currentDate: server.clock.now() })
    expect(payload.aud).toBe(asks)
  })
})
