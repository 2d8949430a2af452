import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, authorization, FORM, issue, post, send } from './arrange.ts'
import { type KeyClient, makeKey, registerKeyClient } from './assertions.ts'

let server: TestServer
let arranged: Arranged
let token: string
let keyClient: KeyClient
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
  token = (await issue(server, arranged)).token
  keyClient = await registerKeyClient(server, [await makeKey('ES256', { kid: 'ours' })])
})
afterAll(() => server.close())

const NAMES = [
  'grant_type',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'resource',
  'scope',
  'token',
  'token_type_hint',
  '__proto__',
  'constructor',
]
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

const segment = (value: unknown) => Buffer.from(JSON.stringify(value) ?? 'null').toString('base64url')
/** A JWS with any header and claims, some of them nearly right. */
const jws = () =>
  fc
    .tuple(
      fc.record(
        {
          alg: fc.constantFrom('ES256', 'none', 'HS256', 1, null),
          kid: fc.anything(),
          typ: fc.constantFrom('at+jwt', 1),
        },
        { requiredKeys: [] },
      ),
      fc.record(
        { sub: fc.constantFrom(keyClient.id, keyClient.id, 'x', '', 1), iss: fc.anything(), exp: fc.anything() },
        { requiredKeys: [] },
      ),
      fc.string(),
    )
    .map(([header, claims, signature]) => {
      try {
        return `${segment(header)}.${segment(claims)}.${Buffer.from(signature).toString('base64url')}`
      } catch {
        return '..'
      }
    })

const value = () =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    jws(),
    fc.constantFrom('client_credentials', arranged.client.clientId, arranged.client.clientSecret),
    fc.constantFrom(token, arranged.resource.indicator, 'read:orders', ASSERTION_TYPE, '', '\0', '\ud800'),
  )
const encoded = () =>
  fc
    .array(fc.tuple(fc.oneof(fc.constantFrom(...NAMES), fc.string()), value()), { maxLength: 8 })
    .map((pairs) => new URLSearchParams(pairs).toString())
/** A request with a nearly right assertion: later checks are reached only if the rest is valid. */
const asserting = () =>
  jws().map((assertion) =>
    new URLSearchParams({
      grant_type: 'client_credentials',
      token,
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
    }).toString(),
  )
const body = () =>
  fc.oneof(
    { weight: 2, arbitrary: asserting() },
    { weight: 5, arbitrary: encoded() },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: fc.string().map((text) => `grant_type=client_credentials&${text}`) },
    { weight: 1, arbitrary: fc.json() },
  )
/** What Node accepts as a header value. */
const headerText = () => fc.string().map((text) => text.replace(/[^\x20-\x7e]/g, '').trim())
const headers = () =>
  fc.record(
    {
      'content-type': fc.oneof(
        { weight: 6, arbitrary: fc.constant(FORM) },
        { weight: 1, arbitrary: fc.oneof(headerText(), fc.constant('application/json')) },
      ),
      authorization: fc.oneof(
        fc.constant(authorization(arranged.client).authorization),
        headerText().map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
        headerText(),
        fc.constant(`Bearer ${token}`),
        fc.tuple(headerText(), headerText()).map((two) => two as string[]),
      ),
      'user-agent': headerText(),
      'x-forwarded-for': headerText(),
      accept: headerText(),
    },
    { requiredKeys: [] },
  )

describe('R-37 no input is answered 500', () => {
  test.each(['/token', '/token/introspection', '/token/revocation'])('R-37 POST /oidc%s', async (path) => {
    await fc.assert(
      fc.asyncProperty(body(), headers(), async (content, sent) => {
        const reply = await send(`${server.issuer}${path}`, { headers: sent, body: content })
        expect(reply.status).toBeLessThan(500)
        if (reply.status === 200) return
        expect(reply.body).toEqual({
          error: expect.stringMatching(/^[a-z_]+$/),
          // RFC 6749 section 5.2: the characters that error_description may contain
          error_description: expect.stringMatching(/^[\x20\x21\x23-\x5b\x5d-\x7e]{10,200}$/),
          code: `oidc.${reply.body.error}`,
          message: reply.body.error_description,
          request_id: expect.any(String),
        })
      }),
      { numRuns: 300 },
    )
  })

  test('R-37 any path below /oidc', async () => {
    const path = fc.array(fc.oneof(fc.webSegment(), fc.constantFrom('..', '%00', '%ff', '%', '__proto__')), {
      maxLength: 4,
    })
    await fc.assert(
      fc.asyncProperty(path, fc.constantFrom('GET', 'POST', 'HEAD', 'OPTIONS', 'DELETE'), async (segments, method) => {
        const { status } = await send(`${server.issuer}/${segments.join('/')}`, { method })
        expect(status).toBeLessThan(500)
      }),
      { numRuns: 200 },
    )
  })
})

describe('a token with one character changed', () => {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const isActive = async (changed: string) => {
    const reply = await post(server, '/token/introspection', { token: changed }, authorization(arranged.client))
    expect(reply.status).toBe(200)
    return reply.body.active
  }

  test('at any position, to another of its alphabet, is never active', async () => {
    // a token of its own: the properties above may have revoked the other
    const { token } = await issue(server, arranged)
    // each position once; the new character is random
    const places = Array.from(token, (_, place) => place)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(62), { minLength: token.length, maxLength: token.length }), async (draws) => {
        const changed = places.map((place) => {
          const others = [...ALPHABET].filter((character) => character !== token[place])
          return `${token.slice(0, place)}${others[draws[place] ?? 0]}${token.slice(place + 1)}`
        })
        const AT_ONCE = 50
        for (let from = 0; from < changed.length; from += AT_ONCE) {
          const some = changed.slice(from, from + AT_ONCE)
          expect(await Promise.all(some.map(isActive))).toEqual(some.map(() => false))
        }
      }),
      { numRuns: 1 },
    )
    expect(await isActive(token)).toBe(true)
  })

  test('removed, doubled or added, is never active', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom('', ' ', '=', '.', '\n', 'A', '%'),
        fc.boolean(),
        async (place, inserted, instead) => {
          const changed = token.slice(0, place) + inserted + token.slice(instead ? place + 1 : place)
          fc.pre(changed !== token)
          expect(await isActive(changed)).toBe(false)
        },
      ),
      { numRuns: 200 },
    )
  })
})
