/**
 * The modules of `fapi2-security-profile-final-test-plan` in its variants with mutual TLS (client_auth_type mtls, sender_constrain mtls,
 * openid_connect, plain_fapi), as far as they differ from fapi2-plan.test.ts. The test of a module begins with its name, without
 * `fapi2-security-profile-final-`.
 */
import { calculatePKCECodeChallenge } from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { boundHeaders, makePair, proofOf } from '../dpop/proofs.ts'
import { authority, certify, type Identity, jwkOf } from '../mtls/certificates.ts'
import { securePost, secureSend, startTlsServer, type TlsServer } from '../mtls/tls.ts'
import { post, type Reply } from '../protocol/arrange.ts'
import { ASSERTION_TYPE, assertionOf, type KeyPair, makeKey } from '../protocol/assertions.ts'
import { createUser, PASSWORD } from '../sign-in/arrange.ts'
import type { Browser } from '../sign-in/browser.ts'
import { newBrowser, REDIRECT_URI } from './relying-party.ts'

type Form = Readonly<Record<string, string>>
interface Party {
  readonly id: string
  readonly own: Identity
}

const VERIFIER = 'a'.repeat(43)
const BOUND = { tlsClientCertificateBoundAccessTokens: true }

let server: TlsServer
let root: Identity
let key: KeyPair
let certified: Party
let selfSigned: Party
/** Authenticates with an assertion, and has its tokens bound to a certificate. */
let asserting: Party
let browser: Browser

const register = async (own: Identity, metadata: Readonly<Record<string, unknown>>): Promise<Party> => {
  const { status, body } = await server.api('POST', '/applications', {
    name: 'A bank',
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [] },
    customClientMetadata: { securityProfile: 'fapi2', ...metadata },
  })
  expect([status, body.message]).toEqual([200, undefined])
  return { id: body.id, own }
}

beforeAll(async () => {
  server = await startTlsServer(inject('cluster'))
  root = certify({ subject: [['CN', 'Root']], extensions: authority() })
  key = await makeKey('ES256')
  const own = certify({ issuer: root })
  const named = { tlsClientAuthSubjectDn: 'CN=Worker', tlsClientAuthCertificates: [root.pem] }
  certified = await register(own, { tokenEndpointAuthMethod: 'tls_client_auth', ...named, ...BOUND })
  const self = certify()
  const jwks = { keys: [jwkOf(self)] }
  selfSigned = await register(self, { tokenEndpointAuthMethod: 'self_signed_tls_client_auth', jwks, ...BOUND })
  const signed = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key.jwk] } }
  asserting = await register(certify(), { ...signed, ...BOUND })
  const user = await createUser(server)
  browser = newBrowser()
  const page = await browser.open(await addressOf(certified))
  await browser.submit(page, { identifier: user.username, password: PASSWORD })
})
afterAll(() => server.close())

const credentials = async (who: Party): Promise<Form> =>
  who === asserting
    ? { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertionOf(server, who, key) }
    : { client_id: who.id }
const push = async (who: Party, own: Identity | undefined = who.own): Promise<Reply> =>
  securePost(server, '/request', own && { own }, {
    ...(await credentials(who)),
    ...{ client_id: who.id, response_type: 'code', redirect_uri: REDIRECT_URI, scope: 'openid', nonce: 'a nonce' },
    ...{ code_challenge: await calculatePKCECodeChallenge(VERIFIER), code_challenge_method: 'S256' },
  })
const addressOf = async (who: Party): Promise<URL> => {
  const url = new URL(`${server.issuer}/auth`)
  url.search = new URLSearchParams({ client_id: who.id, request_uri: (await push(who)).body.request_uri }).toString()
  return url
}
const codeOf = async (who: Party): Promise<string> => {
  const { url } = await browser.open(await addressOf(who))
  return url.searchParams.get('code') ?? ''
}
const redemption = async (who: Party, code: string): Promise<Form> => ({
  ...(await credentials(who)),
  ...{ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER },
})
const redeem = async (who: Party, code: string, own: Identity | undefined = who.own): Promise<Reply> =>
  securePost(server, '/token', own && { own }, await redemption(who, code))
const outcome = ({ status, body }: Reply) => [status, body.error]
const userinfo = async (token: string, own?: Identity): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  return (await secureSend(`${server.secureUrl}/oidc/me`, own && { own }, { method: 'GET', headers })).status
}

describe.each([
  ['tls_client_auth', () => certified],
  ['self_signed_tls_client_auth', () => selfSigned],
  ['private_key_jwt with a certificate', () => asserting],
] as const)('%s, sender_constrain mtls', (_name, who) => {
  test('happy-flow: a pushed request, a code, tokens that are bound to the certificate', async () => {
    const tokens = await redeem(who(), await codeOf(who()))
    expect([tokens.status, tokens.body.token_type]).toEqual([200, 'Bearer'])
    expect(await userinfo(tokens.body.access_token, who().own)).toBe(200)
  })

  test('ensure-holder-of-key-required: neither endpoint nor resource does without, or takes another certificate', async () => {
    const code = await codeOf(who())
    for (const own of [undefined, certify()]) {
      const [status] = outcome(await securePost(server, '/token', own && { own }, await redemption(who(), code)))
      expect([400, 401]).toContain(status)
    }
    const tokens = await redeem(who(), await codeOf(who()))
    for (const own of [undefined, certify()]) expect(await userinfo(tokens.body.access_token, own)).toBe(401)
    const plain = await post(server, '/token', await redemption(who(), await codeOf(who())))
    expect([400, 401]).toContain(plain.status)
  })

  test('client-certificate-swap: a request that was pushed with one certificate is not redeemed with another', async () => {
    const renewed = who() === certified ? certify({ issuer: root }) : certify({ keys: who().own.key })
    expect(outcome(await redeem(who(), await codeOf(who()), renewed))).toEqual([400, 'invalid_grant'])
  })
})

test('ensure-client-id-in-token-endpoint, ensure-mtls-client-authentication: without an id, or of another client', async () => {
  const form = await redemption(certified, await codeOf(certified))
  const { client_id: _, ...anonymous } = form
  expect(outcome(await securePost(server, '/token', certified, anonymous))).toEqual([401, 'invalid_client'])
  expect(outcome(await securePost(server, '/token', certified, { ...form, client_id: selfSigned.id }))).toEqual([
    401,
    'invalid_client',
  ])
  expect(outcome(await securePost(server, '/request', undefined, { client_id: certified.id }))).toEqual([
    401,
    'invalid_client',
  ])
})

test('mutual TLS for authentication and DPoP for the tokens: sender_constrain dpop', async () => {
  const own = certify({ issuer: root, subject: [['CN', 'Both']] })
  const both = await register(own, {
    tokenEndpointAuthMethod: 'tls_client_auth',
    ...{ tlsClientAuthSubjectDn: 'CN=Both', tlsClientAuthCertificates: [root.pem] },
  })
  const pair = await makePair()
  const form = await redemption(both, await codeOf(both))
  expect(outcome(await securePost(server, '/token', { own }, form))).toEqual([400, 'invalid_request'])
  const url = `${server.secureUrl}/oidc/token`
  const tokens = await securePost(server, '/token', { own }, form, { dpop: await proofOf(server, pair, { url }) })
  expect([tokens.status, tokens.body.token_type]).toEqual([200, 'DPoP'])
  const me = `${server.secureUrl}/oidc/me`
  const headers = await boundHeaders(server, pair, tokens.body.access_token, { method: 'GET', url: me })
  expect((await secureSend(me, undefined, { method: 'GET', headers })).status).toBe(200)
})

test('the profile says what it changes of an application with a certificate', async () => {
  await server.store.audit.flush()
  const { body: entries } = await server.api('GET', '/logs?logKey=ManagementApi.createApplication&page_size=100')
  const entry = entries.find(({ payload }: { payload: object }) => JSON.stringify(payload).includes(certified.id))
  expect(entry.payload.securityProfileSets).toEqual({
    ...{ requirePushedAuthorizationRequests: true, requirePkce: true, rotateRefreshToken: false },
  })
})
