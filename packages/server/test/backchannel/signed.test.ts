/** Signed authentication requests (OpenID CIBA section 7.1.1): what they may say, and that each counts once. */
import { randomUUID } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { SignJWT, UnsecuredJWT } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { queueEmpty } from '../events/receiver.ts'
import { connectMailServer, type MailServer } from '../management/mail.ts'
import { type KeyPair, makeKey, nowOf } from '../protocol/assertions.ts'
import { newBrowser } from '../sign-in/arrange.ts'
import { type Asking, answer, ask, createAsking, createReachable, linkIn } from './arrange.ts'

type Claims = Readonly<Record<string, unknown>>

let server: TestServer
let mail: MailServer
let app: Asking
let keys: Record<'ES256' | 'PS256' | 'foreign', KeyPair>
let username: string
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  mail = await connectMailServer(server)
  const [es256, ps256, foreign] = await Promise.all([
    makeKey('ES256', { kid: 'es' }),
    makeKey('PS256', { kid: 'ps', alg: 'PS256' }),
    makeKey('ES256', { kid: 'es' }),
  ])
  keys = { ES256: es256, PS256: ps256, foreign }
  app = await createAsking(server)
  await sign(app, 'ES256')
  username = (await createReachable(server)).username
})
afterAll(async () => {
  await queueEmpty(server.store)
  await mail.close()
  await server.close()
})

/** The application signs its requests from now on. */
const sign = ({ id }: Asking, backchannelAuthenticationRequestSigningAlg: 'ES256' | 'PS256') =>
  server.client.updateApplication({
    params: { id },
    body: {
      customClientMetadata: {
        backchannelTokenDeliveryMode: 'poll',
        backchannelAuthenticationRequestSigningAlg,
        jwks: { keys: [keys.ES256.jwk, keys.PS256.jwk] as Record<string, unknown>[] },
      },
    },
  })

/** The claims of a request that is right; nobody has the name, so that nobody is asked. */
const claimsOf = (more: Claims = {}): Claims => {
  const now = nowOf(server)
  const own = { iss: app.id, aud: server.issuer, iat: now, nbf: now, exp: now + 300, jti: randomUUID() }
  return { ...own, scope: 'openid', login_hint: 'nobody', ...more }
}

const requestOf = (claims: Claims = {}, header: Claims = {}, key = keys.ES256): Promise<string> =>
  new SignJWT(claimsOf(claims))
    .setProtectedHeader({ alg: key.algorithm, kid: key.jwk.kid ?? '', ...header })
    .sign(key.privateKey)

const descriptionOf = async (parameters: Record<string, string>, by = app) => {
  const { status, body } = await ask(server, by, parameters)
  expect([status, body.error]).toEqual([400, 'invalid_request'])
  return body.error_description
}

test('the user sees what the application signed, and a client of a library gets the tokens', async () => {
  const request = await requestOf({ login_hint: username, binding_message: 'W4SCT', requested_expiry: 120 })
  const asked = await client.initiateBackchannelAuthentication(app.configuration, { request })
  expect(asked.expires_in).toBe(120)
  const link = await linkIn(mail, 1)
  await answer(newBrowser(), link, username, 'allow')
  const tokens = await client.pollBackchannelAuthenticationGrant(app.configuration, { ...asked, interval: 0.001 })
  expect(tokens.claims()).toMatchObject({ iss: server.issuer, aud: app.id })
})

test('what it asks for may be a number or JSON, as text or as it is, and its lifetime ends no later than others', async () => {
  const details = JSON.stringify([{ type: 'no such type' }])
  const lifetimeOf = async (requested_expiry: unknown) =>
    (await ask(server, app, { request: await requestOf({ requested_expiry }) })).body.expires_in
  expect([await lifetimeOf(60), await lifetimeOf('60'), await lifetimeOf(6000)]).toEqual([60, 60, 600])
  for (const authorization_details of [details, JSON.parse(details)]) {
    const { body } = await ask(server, app, { request: await requestOf({ authorization_details }) })
    expect(body.error).toBe('invalid_authorization_details')
  }
})

test('counts once, however often it comes at a time, and not at all while it is refused', async () => {
  const request = await requestOf()
  const replies = await Promise.all(Array.from({ length: 5 }, () => ask(server, app, { request })))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
  expect(await descriptionOf({ request })).toBe('the request object was used before')
  // another request with the same jti, and one of another application
  const jti = randomUUID()
  const refused = await ask(server, app, { request: await requestOf({ jti, scope: 'profile' }) })
  expect(refused.body.error).toBe('invalid_scope')
  expect((await ask(server, app, { request: await requestOf({ jti }) })).status).toBe(200)
  expect(await descriptionOf({ request: await requestOf({ jti }) })).toContain('used before')
  const other = await createAsking(server)
  await sign(other, 'ES256')
  expect((await ask(server, other, { request: await requestOf({ jti, iss: other.id }) })).status).toBe(200)
})

describe('a signed request is refused by name', () => {
  test.each([
    [{ iss: 'x' }, 'iss'],
    [{ iss: undefined }, 'iss'],
    [{ aud: 'https://elsewhere.example' }, 'aud'],
    [{ aud: undefined }, 'aud'],
    [{ exp: undefined }, 'no exp'],
    [{ iat: undefined }, 'no iat'],
    [{ nbf: undefined }, 'no nbf'],
    [{ jti: undefined }, 'no jti'],
    [{ jti: '' }, 'jti'],
    [{ jti: 1 }, 'jti'],
    [{ jti: 'a'.repeat(257) }, 'jti'],
    [{ exp: '9' }, 'exp'],
    [{ exp: 1 }, 'expired'],
    [{ exp: 1e300 }, 'more than an hour'],
    [{ nbf: 1 }, 'an hour ago'],
    [{ iat: 1e11 }, 'future'],
    [{ client_id: 'x' }, 'client_id'],
    [{ request: 'x' }, 'request'],
    [{ request_uri: 'https://app.example' }, 'request_uri'],
    [{ client_secret: 'x' }, 'client_secret'],
    [{ login_hint: ['a'] }, undefined],
    [{ login_hint: '\ud800' }, 'login_hint'],
    [{ login_hint: null }, 'login_hint'],
    [{ id_token_hint: 'x' }, 'exactly one'],
  ] as [Claims, string | undefined][])('with %j', async (claims, names) => {
    const request = await requestOf(claims)
    // a list is text, which names nobody
    if (names === undefined) expect((await ask(server, app, { request })).status).toBe(200)
    else expect(await descriptionOf({ request })).toContain(names)
  })

  test('where its signature, type or form is wrong', async () => {
    const cases: [string, string][] = [
      [await requestOf({}, {}, keys.foreign), 'cannot be verified'],
      [await requestOf({}, {}, keys.PS256), 'ES256'],
      [await requestOf({}, { typ: 'oauth-authz-req+jwt' }), 'typ'],
      [await requestOf({}, { typ: 'at+jwt' }), 'typ'],
      [new UnsecuredJWT(claimsOf()).encode(), 'not signed'],
      ['a.b.c.d.e', 'encrypted'],
      ['x', 'not a JWT'],
    ]
    for (const [request, names] of cases) expect(await descriptionOf({ request })).toContain(names)
  })

  test('beside parameters that nobody signed, repeated, and where it is missing or not registered', async () => {
    const request = await requestOf()
    expect(await descriptionOf({ request, binding_message: 'x' })).toBe(
      'binding_message must not be sent beside request',
    )
    expect(await descriptionOf({ request, 'a b': 'x' })).toContain('another parameter')
    const twice = await ask(
      server,
      app,
      ['request', 'request'].map((name) => [name, request]),
    )
    expect(twice.body.error_description).toContain('repeated')
    expect(await descriptionOf({ scope: 'openid', login_hint: 'nobody' })).toContain('has to sign')
    expect(await descriptionOf({ request: '', scope: 'openid', login_hint: 'nobody' })).toContain('has to sign')
    const unsigned = await createAsking(server)
    expect(await descriptionOf({ request: await requestOf({ iss: unsigned.id }) }, unsigned)).toContain(
      'not registered',
    )
    expect((await ask(server, app, { request })).status).toBe(200)
  })
})

test('the setting needs keys', async () => {
  const customClientMetadata = { backchannelAuthenticationRequestSigningAlg: 'ES256' }
  const { status, body } = await server.api('POST', '/applications', {
    ...{ name: 'Bank', type: 'Traditional', customClientMetadata },
  })
  expect([status, body.message]).toEqual([400, expect.stringContaining('needs the public keys')])
})

test('objects of any content are answered, accepted only whole, and never with 500', async () => {
  const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.double(), fc.jsonValue())
  const names = ['iss', 'aud', 'exp', 'iat', 'nbf', 'jti', 'client_id', 'login_hint', 'requested_expiry', 'resource']
  const lies = fc.dictionary(fc.constantFrom(...names, 'binding_message', 'acr_values'), anything, { minKeys: 1 })
  await fc.assert(
    fc.asyncProperty(lies, async (claims) => {
      const { status } = await ask(server, app, { request: await requestOf(claims) })
      expect([200, 400]).toContain(status)
      // none of these is ever right by chance
      if (['iss', 'aud', 'exp', 'nbf', 'client_id'].some((name) => name in claims)) expect(status).toBe(400)
    }),
    { numRuns: 30 },
  )
  const bytes = fc.tuple(fc.base64String(), fc.base64String(), fc.base64String()).map((parts) => parts.join('.'))
  await fc.assert(
    fc.asyncProperty(fc.oneof(bytes, fc.string({ minLength: 1 })), async (request) => {
      await descriptionOf({ request })
    }),
    { numRuns: 20 },
  )
})
