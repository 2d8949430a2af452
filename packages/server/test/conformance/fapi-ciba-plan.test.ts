/**
 * The modules of the OpenID Foundation's plan `fapi-ciba-id1-test-plan` (client_auth_type private_key_jwt, ciba_mode poll, plain_fapi),
 * without those for the profiles of Brazil and ConnectID. The test of a module begins with its name, without `fapi-ciba-id1-`. Pings:
 * test/backchannel/ping.test.ts.
 */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createReachable, linkIn, open } from '../backchannel/arrange.ts'
import { queueEmpty } from '../events/receiver.ts'
import { connectMailServer, type MailServer } from '../management/mail.ts'
import { certify, type Identity } from '../mtls/certificates.ts'
import { securePost, startTlsServer, type TlsServer } from '../mtls/tls.ts'
import { post, type Reply, send } from '../protocol/arrange.ts'
import { ASSERTION_TYPE, assertionOf, type KeyPair, makeKey, nowOf } from '../protocol/assertions.ts'
import { newBrowser, REDIRECT_URI } from './relying-party.ts'

type Fields = Readonly<Record<string, unknown>>
type Form = Readonly<Record<string, string>>
/** A client of the plan, which has two. */
interface Party {
  readonly id: string
  readonly own: Identity
}

let server: TlsServer
let mail: MailServer
let key: KeyPair
let first: Party
let second: Party
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

const register = async (signer = rsa): Promise<Party> => {
  const signing = { ...(await exportJWK(signer.publicKey)), alg: 'PS256', kid: 'rsa' }
  const { status, body } = await server.api('POST', '/applications', {
    name: 'A bank',
    type: 'Traditional',
    oidcClientMetadata: { redirectUris: [REDIRECT_URI], postLogoutRedirectUris: [] },
    customClientMetadata: {
      securityProfile: 'fapi2',
      tokenEndpointAuthMethod: 'private_key_jwt',
      tlsClientCertificateBoundAccessTokens: true,
      jwks: { keys: [key.jwk, signing] },
      backchannelTokenDeliveryMode: 'poll',
      backchannelAuthenticationRequestSigningAlg: 'PS256',
    },
  })
  expect([status, body.message]).toEqual([200, undefined])
  return { id: body.id, own: certify() }
}

beforeAll(async () => {
  server = await startTlsServer(inject('cluster'))
  mail = await connectMailServer(server)
  key = await makeKey('ES256', { kid: 'es' })
  first = await register()
  second = await register(otherRsa)
})
afterAll(async () => {
  await queueEmpty(server.store)
  await mail.close()
  await server.close()
})

/** The claims of a request object that is right; undefined takes one away. Its hint names nobody, who is not asked. */
const claimsOf = (more: Fields = {}, { id } = first): Fields => {
  const now = nowOf(server)
  const own = { iss: id, aud: server.issuer, iat: now, nbf: now, exp: now + 300, jti: randomUUID() }
  return { ...own, scope: 'openid', login_hint: 'nobody', binding_message: '1234', ...more }
}
const objectOf = (more: Fields = {}, { alg = 'PS256', signer = rsa, who = first } = {}): Promise<string> =>
  new SignJWT(claimsOf(more, who)).setProtectedHeader({ alg, kid: 'rsa' }).sign(signer.privateKey)

type Assertion = Parameters<typeof assertionOf>[3]
const authentication = async (who: Party, parts: Assertion = {}): Promise<Form> => ({
  client_assertion_type: ASSERTION_TYPE,
  client_assertion: await assertionOf(server, who, key, parts),
})
const outcome = ({ status, body }: Reply) => [status, body.error]
const INVALID = [400, 'invalid_request']

/** What comes of a request with this object. */
const ask = async (request: string, who = first): Promise<Reply> =>
  post(server, '/bc-authorize', { ...(await authentication(who)), request })
const askFor = async (more: Fields) => outcome(await ask(await objectOf(more)))
const redeem = async (requestId: string, who = first, own: Identity | undefined = who.own, parts: Assertion = {}) =>
  securePost(server, '/token', own && { own }, {
    ...(await authentication(who, parts)),
    ...{ grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: requestId },
  })

/** A request that its user has answered. */
const answered = async (word: 'allow' | 'deny', more: Fields = {}): Promise<string> => {
  const { username } = await createReachable(server)
  const before = mail.mails.length
  const { status, body } = await ask(await objectOf({ login_hint: username, ...more }))
  expect([status, body.error_description]).toEqual([200, undefined])
  const browser = newBrowser()
  await browser.submit(await open(browser, await linkIn(mail, before + 1), username), { answer: word })
  return body.auth_req_id
}

test('discovery-end-point-verification: what the plan needs is there', async () => {
  const { body } = await send(`${server.issuer}/.well-known/openid-configuration`, { method: 'GET' })
  expect(body).toMatchObject({
    backchannel_authentication_endpoint: expect.stringMatching(/^https?:/),
    backchannel_token_delivery_modes_supported: expect.arrayContaining(['poll', 'ping']),
    backchannel_authentication_request_signing_alg_values_supported: expect.arrayContaining(['PS256', 'ES256']),
    grant_types_supported: expect.arrayContaining(['urn:openid:params:grant-type:ciba']),
    tls_client_certificate_bound_access_tokens: true,
  })
})

test('fapi-ciba-id1, ensure-authorization-request-with-binding-message-succeeds, ensure-other-scope-order-succeeds: tokens that are bound to the certificate', async () => {
  const tokens = await redeem(await answered('allow', { scope: 'profile openid' }))
  expect([tokens.status, tokens.body.token_type]).toEqual([200, 'Bearer'])
  expect(tokens.body).toHaveProperty('id_token')
})

test('ensure-mtls-holder-of-key-required: without a certificate there is no token, and the request is not used up', async () => {
  const requestId = await answered('allow')
  const { status, body } = await post(server, '/token', {
    ...(await authentication(first)),
    ...{ grant_type: 'urn:openid:params:grant-type:ciba', auth_req_id: requestId },
  })
  expect([400, 401]).toContain(status)
  expect(body).not.toHaveProperty('access_token')
  expect((await redeem(requestId)).status).toBe(200)
})

test('user-rejects-authentication, auth-req-id-expired, multiple-call-to-token-endpoint, ensure-wrong-auth-req-id-in-token-endpoint-request', async () => {
  expect(outcome(await redeem(await answered('deny')))).toEqual([400, 'access_denied'])
  const { body } = await ask(await objectOf({ requested_expiry: 30 }))
  expect(body.expires_in).toBe(30)
  const calls = [await redeem(body.auth_req_id), await redeem(body.auth_req_id)]
  expect(calls.map(outcome)).toEqual([
    [400, 'authorization_pending'],
    [400, 'slow_down'],
  ])
  expect(outcome(await redeem(body.auth_req_id, second))).toEqual([400, 'invalid_grant'])
  server.clock.advance(31_000)
  expect(outcome(await redeem(body.auth_req_id))).toEqual([400, 'expired_token'])
})

test('ensure-request-object-missing-aud-fails, -missing-exp-, -missing-iat-, -missing-iss-, -missing-jti-, -missing-nbf-fails', async () => {
  for (const name of ['aud', 'exp', 'iat', 'iss', 'jti', 'nbf'])
    expect(await askFor({ [name]: undefined }), name).toEqual(INVALID)
})

test('ensure-request-object-bad-aud-fails, -bad-iss-, -expired-exp-, -exp-is-70-minutes-in-future-, -nbf-is-10-minutes-in-future-, -nbf-is-70-minutes-in-past-fails', async () => {
  const now = nowOf(server)
  const wrong: Fields[] = [
    { aud: 'https://elsewhere.example' },
    { iss: second.id },
    { exp: now - 300 },
    { exp: now + 4200 },
    { nbf: now + 600, exp: now + 900 },
    { nbf: now - 4200 },
  ]
  for (const claims of wrong) expect(await askFor(claims), JSON.stringify(claims)).toEqual(INVALID)
})

test('ensure-request-object-signature-algorithm-is-none-fails, -is-RS256-fails, -is-bad-fails, ensure-request-object-signed-by-other-client-fails', async () => {
  const objects = [
    new UnsecuredJWT(claimsOf()).encode(),
    await objectOf({}, { alg: 'RS256' }),
    `${(await objectOf()).slice(0, -8)}AAAAAAAA`,
    await objectOf({}, { signer: otherRsa }),
  ]
  for (const request of objects) expect(outcome(await ask(request))).toEqual(INVALID)
  expect(outcome(await ask(await objectOf({}, { signer: otherRsa, who: second }), second))).toEqual([200, undefined])
})

test('ensure-backchannel-authorization-request-without-request-fails, ensure-authorization-request-with-multiple-hints-fails, -with-potentially-bad-binding-message, ensure-requested-expiry-as-string-succeeds', async () => {
  const plain = await post(server, '/bc-authorize', {
    ...(await authentication(first)),
    scope: 'openid',
    login_hint: 'a',
  })
  expect(outcome(plain)).toEqual(INVALID)
  expect(await askFor({ id_token_hint: 'x.y.z' })).toEqual(INVALID)
  expect(await askFor({ binding_message: '1234 \u{1F44D}\u{1F3FF} \n' })).toEqual([400, 'invalid_binding_message'])
  expect((await ask(await objectOf({ requested_expiry: '30' }))).body.expires_in).toBe(30)
})

test('ensure-without-client-assertion-in-backchannel-authorization-request-fails, -in-token-endpoint-fails, ensure-invalid-client-assertions-…-fail, ensure-different-client-id-and-issuer-…, ensure-wrong-client-id-…', async () => {
  const request = await objectOf()
  const refused = [
    await post(server, '/bc-authorize', { client_id: first.id, request }),
    await post(server, '/bc-authorize', { client_id: second.id, request }),
    await post(server, '/bc-authorize', { ...(await authentication(first)), client_id: second.id, request }),
    ...(await Promise.all(
      [{ aud: 'https://elsewhere.example' }, { exp: 1 }, { sub: second.id }, { iss: second.id }].map(async (claims) =>
        post(server, '/bc-authorize', { ...(await authentication(first, { claims })), request }),
      ),
    )),
    await redeem('x', first, first.own, { claims: { aud: 'https://elsewhere.example' } }),
  ]
  for (const { status } of refused) expect([400, 401]).toContain(status)
  // the object is as good as before
  expect((await ask(request)).status).toBe(200)
})
