import { generateKeyPairSync } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { forgetExpired } from '@countersign/server/domain/setup/housekeeping.ts'
import { readProof } from '@countersign/server/tokens/dpop/proof.ts'
import fc from 'fast-check'
import { decodeJwt, exportJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, askToken, authorization, FORM, form, send } from '../protocol/arrange.ts'
import { nowOf } from '../protocol/assertions.ts'
import { askWithProof, makePair, type Parts, type ProofPair, proofOf } from './proofs.ts'

let server: TestServer
let arranged: Arranged
let pair: ProofPair
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
  pair = await makePair()
})
afterAll(() => server.close())

const ask = async (parts: Parts = {}, key: ProofPair = pair) =>
  askWithProof(server, arranged, await proofOf(server, key, parts))
const INVALID = { status: 400, error: 'invalid_dpop_proof' }
const outcome = ({ status, body }: { status: number; body: { error?: string } }) => ({ status, error: body.error })

describe('the examples of RFC 9449', () => {
  const KEY =
    'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19'
  const JKT = '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I'
  const at = (iat: number) => new Date(iat * 1000)

  test('section 5: a proof for the token endpoint', () => {
    const proof = `${KEY}.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TVCIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg`
    const target = { method: 'POST', urls: ['https://server.example.com/token'] }
    expect(readProof(proof, target, at(1562262616))).toMatchObject({ jkt: JKT, jti: '-BwC3ESc6acc2lTc' })
    const changed = proof.replace('2-GxA6', '2-GxA7')
    expect(() => readProof(changed, target, at(1562262616))).toThrow('the signature')
  })

  test('section 7.1: a proof for a protected resource', () => {
    const proof = `${KEY}.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA`
    const target = { method: 'GET', urls: ['https://resource.example.org/protectedresource'] }
    const token = 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU'
    expect(readProof(proof, target, at(1562262618), token)).toMatchObject({ jkt: JKT, jti: 'e1j3V_bKic8-LAEB' })
    expect(() => readProof(proof, target, at(1562262618), `${token}x`)).toThrow('ath')
  })
})

describe('a proof at the token endpoint', () => {
  test.each(['ES256', 'ES384', 'Ed25519', 'EdDSA', 'RS256', 'PS256'])(
    'of a key for %s binds the token',
    async (alg) => {
      const key = await makePair(alg)
      const { status, body } = await ask({}, key)
      expect({ status, type: body.token_type }).toEqual({ status: 200, type: 'DPoP' })
      expect(decodeJwt(body.access_token).cnf).toEqual({ jkt: key.jkt })
    },
  )

  const addressOf = () => new URL(`${server.issuer}/token`)
  const accepted: readonly (readonly [string, () => Parts])[] = [
    ['the address with a query and a fragment', () => ({ url: `${server.issuer}/token?x=1#y` })],
    ['the host in capitals', () => ({ url: `HTTP://${addressOf().host.toUpperCase()}/oidc/token` })],
    ['a path with needless escapes and dots', () => ({ url: `${server.baseUrl}/x/../oidc/%74oken` })],
    ['the oldest iat', () => ({ claims: { iat: nowOf(server) - 60 } })],
    ['the newest iat', () => ({ claims: { iat: nowOf(server) + 30 } })],
    ['an ath without a token', () => ({ claims: { ath: 'x' } })],
    ['the longest jti', () => ({ claims: { jti: 'j'.repeat(256) } })],
  ]
  test.each(accepted)('is accepted with %s', async (_what, parts) => {
    expect((await ask(parts())).status).toBe(200)
  })

  const strangeKeys = async () => {
    const short = await exportJWK(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)
    return { short, x: Buffer.alloc(32, 1).toString('base64url') }
  }
  const lies: readonly (readonly [string, () => Parts | Promise<Parts>])[] = [
    ['another typ', () => ({ header: { typ: 'JWT' } })],
    ['no typ', () => ({ header: { typ: undefined } })],
    ['typ in capitals', () => ({ header: { typ: 'DPOP+JWT' } })],
    ['a critical extension', () => ({ header: { crit: ['b64'], b64: true } })],
    ['no jwk', () => ({ header: { jwk: undefined } })],
    ['a jwk that is a list', () => ({ header: { jwk: [pair.jwk] } })],
    ['a private key', () => ({ header: { jwk: { ...pair.jwk, d: 'x' } } })],
    ['a symmetric key', () => ({ header: { jwk: { kty: 'oct', k: 'x' } } })],
    ['the key of another', async () => ({ header: { jwk: (await makePair()).jwk } })],
    ['a key of another curve', async () => ({ header: { jwk: (await makePair('ES384')).jwk } })],
    ['a short RSA key', async () => ({ header: { jwk: (await strangeKeys()).short } })],
    [
      'a point that is not on the curve',
      async () => ({ header: { jwk: { ...pair.jwk, x: (await strangeKeys()).x } } }),
    ],
    ['a coordinate with padding', () => ({ header: { jwk: { ...pair.jwk, x: `${pair.jwk.x}=` } } })],
    ['a coordinate that is no text', () => ({ header: { jwk: { ...pair.jwk, x: 1 as never } } })],
    ['no jti', () => ({ claims: { jti: undefined as never } })],
    ['an empty jti', () => ({ claims: { jti: '' } })],
    ['a jti that is too long', () => ({ claims: { jti: 'j'.repeat(257) } })],
    ['a jti that is a number', () => ({ claims: { jti: 7 as never } })],
    ['another method', () => ({ method: 'GET' })],
    ['the method in small letters', () => ({ method: 'post' })],
    ['no htm', () => ({ claims: { htm: undefined } })],
    ['another path', () => ({ url: `${server.issuer}/me` })],
    ['a longer path', () => ({ url: `${server.issuer}/token/` })],
    ['an escaped slash', () => ({ url: `${server.baseUrl}/oidc%2Ftoken` })],
    ['another port', () => ({ url: 'http://localhost:1/oidc/token' })],
    ['another scheme', () => ({ url: `${server.issuer}/token`.replace('http:', 'https:') })],
    ['a user in the address', () => ({ url: `${server.issuer}/token`.replace('//', '//user@') })],
    ['no htu', () => ({ claims: { htu: undefined } })],
    ['an htu that is no address', () => ({ url: '/oidc/token' })],
    ['an htu that is a list', () => ({ claims: { htu: [`${server.issuer}/token`] } })],
    ['no iat', () => ({ claims: { iat: undefined as never } })],
    ['an iat that is a text', () => ({ claims: { iat: String(nowOf(server)) as never } })],
    ['an old iat', () => ({ claims: { iat: nowOf(server) - 61 } })],
    ['an iat in the future', () => ({ claims: { iat: nowOf(server) + 31 } })],
    ['an exp in the past', () => ({ claims: { exp: nowOf(server) } })],
    ['an nbf in the future', () => ({ claims: { nbf: nowOf(server) + 31 } })],
    ['more than 4096 characters', () => ({ claims: { more: 'x'.repeat(4096) } })],
  ]
  test.each(lies)('is refused with %s, and no token is issued', async (_what, parts) => {
    const reply = await ask(await parts())
    expect(outcome(reply)).toEqual(INVALID)
    expect(reply.body).not.toHaveProperty('access_token')
  })

  test('is refused with an alg of another key, none, or a MAC', async () => {
    const [head = '', body = '', tail = ''] = (await proofOf(server, pair)).split('.')
    const header = JSON.parse(Buffer.from(head, 'base64url').toString())
    for (const alg of ['none', 'HS256', 'RS256', 'ES384', 'PS256', 'EdDSA', 'ES256K', undefined, 1]) {
      const changed = Buffer.from(JSON.stringify({ ...header, alg })).toString('base64url')
      expect(outcome(await askWithProof(server, arranged, `${changed}.${body}.${tail}`))).toEqual(INVALID)
    }
  })

  test('of a PS256 key is refused as RS256, and the other way round', async () => {
    const key = await makePair('PS256')
    const [head = '', ...rest] = (await proofOf(server, key)).split('.')
    const header = JSON.parse(Buffer.from(head, 'base64url').toString())
    const changed = Buffer.from(JSON.stringify({ ...header, alg: 'RS256' })).toString('base64url')
    expect(outcome(await askWithProof(server, arranged, [changed, ...rest].join('.')))).toEqual(INVALID)
  })

  test('is refused when there are several, also of which one is right', async () => {
    const headers = {
      ...authorization(arranged.client),
      'content-type': FORM,
      dpop: [await proofOf(server, pair), await proofOf(server, pair)],
    }
    const body = form({ grant_type: 'client_credentials', resource: arranged.resource.indicator })
    expect(outcome(await send(`${server.issuer}/token`, { headers, body }))).toEqual(INVALID)
  })

  test('is for the address that is registered, whatever the Host header says', async () => {
    const url = 'http://evil.example/oidc/token'
    const body = form({ grant_type: 'client_credentials', resource: arranged.resource.indicator })
    const headers = { ...authorization(arranged.client), 'content-type': FORM, 'x-forwarded-host': 'evil.example' }
    const dpop = await proofOf(server, pair, { url })
    expect(outcome(await send(`${server.issuer}/token`, { headers: { ...headers, dpop }, body }))).toEqual(INVALID)
  })

  test('R-37 whatever it is made of: no 500, and never a token', async () => {
    const right = (await proofOf(server, pair)).split('.')
    const part = (value: unknown) => Buffer.from(JSON.stringify(value) ?? 'null').toString('base64url')
    const jwk = fc.oneof(
      fc.constant(pair.jwk),
      fc.anything(),
      fc.record(
        {
          kty: fc.constantFrom('EC', 'RSA', 'OKP'),
          n: fc.string(),
          x: fc.anything(),
          y: fc.anything(),
          e: fc.string(),
          crv: fc.constantFrom('P-256', 'Ed25519'),
        },
        { requiredKeys: [] },
      ),
    )
    const header = fc.record(
      {
        typ: fc.constantFrom('dpop+jwt', 'JWT', 1),
        alg: fc.constantFrom('ES256', 'none', 'RS256', 'EdDSA', null),
        jwk,
      },
      { requiredKeys: [] },
    )
    const claims = fc.record(
      {
        jti: fc.oneof(fc.string(), fc.anything()),
        htm: fc.constantFrom('POST', 1),
        htu: fc.oneof(fc.constant(`${server.issuer}/token`), fc.webUrl(), fc.anything()),
        iat: fc.oneof(fc.constant(nowOf(server)), fc.anything()),
      },
      { requiredKeys: [] },
    )
    const made = fc.tuple(header, claims, fc.constantFrom(right[2] ?? '', '', 'AAAA')).map(([head, body, tail]) => {
      try {
        return `${part(head)}.${part(body)}.${tail}`
      } catch {
        return '..'
      }
    })
    const mutated = fc
      .tuple(fc.nat(right.join('.').length - 1), fc.constantFrom('A', '_', '.', '~'))
      .map(([at, by]) => {
        const text = right.join('.')
        return text.slice(0, at) + by + text.slice(at + 1)
      })
    const text = fc.string({ maxLength: 40 }).map((each) => each.replace(/[^\x21-\x7e]/g, '') || 'x')
    await fc.assert(
      fc.asyncProperty(fc.oneof(made, mutated, text), async (proof) => {
        fc.pre(proof !== right.join('.'))
        expect(outcome(await askWithProof(server, arranged, proof))).toEqual(INVALID)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a proof is accepted once', () => {
  test('R-1 50 concurrent uses over two nodes give exactly one token', async () => {
    const node = await server.startNode()
    try {
      const proof = await proofOf(server, pair)
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, i) => askWithProof(i % 2 ? node : server, arranged, proof)),
      )
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, ...Array(49).fill(400)])
      expect(new Set(replies.filter(({ status }) => status === 400).map(({ body }) => body.error_description))).toEqual(
        new Set(['the proof was used before']),
      )
    } finally {
      await node.close()
    }
  })

  test('a jti counts for its key: another key may use the same', async () => {
    const claims = { jti: 'shared' }
    expect((await ask({ claims })).status).toBe(200)
    expect(outcome(await ask({ claims }))).toEqual(INVALID)
    expect((await ask({ claims }, await makePair())).status).toBe(200)
  })

  test('one that is refused otherwise is not used up, and a client that fails to authenticate uses up none', async () => {
    const proof = await proofOf(server, pair)
    const stranger = { clientId: arranged.client.clientId, clientSecret: 'wrong' }
    expect((await askToken(server, stranger, {}, { dpop: proof })).status).toBe(401)
    expect((await askWithProof(server, arranged, proof)).status).toBe(200)
  })

  test('housekeeping forgets it only once it could no longer be accepted', async () => {
    const proof = await proofOf(server, pair, { claims: { iat: nowOf(server) + 30 } })
    expect((await askWithProof(server, arranged, proof)).status).toBe(200)
    server.clock.advance(90)
    await forgetExpired(server.store)
    expect((await askWithProof(server, arranged, proof)).body.error_description).toBe('the proof was used before')
    server.clock.advance(61)
    expect(await forgetExpired(server.store)).toBeGreaterThan(0)
    expect(outcome(await askWithProof(server, arranged, proof))).toEqual(INVALID)
  })
})

describe('nonces of the server', () => {
  test('are required of an application that is set so, agreed between nodes, and replaced every minute', async () => {
    const careful = await arrange(server, { metadata: { dpopNonceRequired: true } })
    const node = await server.startNode()
    const withNonce = async (nonce: string | undefined, where: Parameters<typeof askWithProof>[0] = server) =>
      askWithProof(where, careful, await proofOf(server, pair, { claims: nonce === undefined ? {} : { nonce } }))
    try {
      const challenged = await withNonce(undefined)
      expect(outcome(challenged)).toEqual({ status: 400, error: 'use_dpop_nonce' })
      const first = String(challenged.headers['dpop-nonce'])
      expect(first).toMatch(/^[\w-]{22}$/)
      const answered = await withNonce(first, node)
      expect([answered.status, answered.headers['dpop-nonce']]).toEqual([200, undefined])
      expect(outcome(await withNonce('guessed'))).toEqual({ status: 400, error: 'use_dpop_nonce' })
      server.clock.advance(60)
      const renewed = await withNonce(first)
      expect(renewed.status).toBe(200)
      const second = String(renewed.headers['dpop-nonce'])
      expect(second).not.toBe(first)
      server.clock.advance(60)
      expect(outcome(await withNonce(first))).toEqual({ status: 400, error: 'use_dpop_nonce' })
      expect((await withNonce(second)).status).toBe(200)
      // one that needs none is not accepted with a wrong one
      expect(outcome(await ask({ claims: { nonce: 'guessed' } }))).toEqual({ status: 400, error: 'use_dpop_nonce' })
    } finally {
      await node.close()
    }
  })
})
