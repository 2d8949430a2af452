import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  accessTokenVerifier,
  type DPoPOptions,
  memoryReplayStore,
  rotatingNonces,
  toResponse,
  verifyAccessToken,
} from '../src/index.ts'
import { bearerRequest, startIssuer } from './issuer.ts'
import { baseUrl, boundRequest, proofClient } from './proofs.ts'
import { refusedWith } from './refused-with.ts'

const setUp = async (options: Partial<DPoPOptions> = {}, alg?: string) => {
  const issuer = await startIssuer()
  const client = await proofClient(issuer, alg)
  const verify = accessTokenVerifier({ ...issuer.expected, dpop: { baseUrl, ...options } })
  const token = await client.token()
  const send = async (claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) =>
    verify(boundRequest(token, [await client.proof(token, claims, header)]))
  return { issuer, client, verify, token, send, time: issuer.expected.now().getTime() / 1000 }
}

describe('a bound token (RFC 9449 §7)', () => {
  test.each(['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256'])('passes with a proof by %s', async (alg) => {
    const { send } = await setUp({}, alg)
    expect((await send()).subject).toBe('user-1')
  })

  test('is refused as a bearer token, without its proof, by an API that takes no proofs, and without its request', async () => {
    const { issuer, verify, token, client } = await setUp()
    await refusedWith('token_bound', verify(boundRequest(token, [await client.proof(token)], 'Bearer')))
    await refusedWith('proof_invalid', verify(boundRequest(token, [])))
    await refusedWith('token_bound', verify(token))
    const unaware = accessTokenVerifier(issuer.expected)
    await refusedWith('token_bound', unaware(bearerRequest(`Bearer ${token}`)))
    await refusedWith('credentials_missing', unaware(boundRequest(token, [await client.proof(token)])))
    const { headers } = boundRequest(token, [])
    await refusedWith('configuration_invalid', verify({ headers }))
    await refusedWith('request_invalid', verify(boundRequest('a b', [])))
  })

  test('is refused with the proof of another key, and if it is bound in another way', async () => {
    const { issuer, verify, token } = await setUp()
    const other = await proofClient(issuer)
    await refusedWith('token_bound', verify(boundRequest(token, [await other.proof(token)])))
    const strange = await issuer.sign({ cnf: { 'x5t#S256': 'x' } })
    await refusedWith('token_bound', verify(boundRequest(strange, [await other.proof(strange)])))
    await refusedWith('token_bound', verify(bearerRequest(`Bearer ${strange}`)))
    await refusedWith('token_claim_invalid', verify(bearerRequest(`Bearer ${await issuer.sign({ cnf: 'x' })}`)))
  })

  test('an unbound token passes as a bearer token only, and not where tokens must be bound', async () => {
    const { issuer, verify, client } = await setUp()
    const bearer = await issuer.sign()
    expect((await verify(bearerRequest(`Bearer ${bearer}`))).subject).toBe('user-1')
    await refusedWith('token_not_bound', verify(boundRequest(bearer, [await client.proof(bearer)])))
    const strict = accessTokenVerifier({ ...issuer.expected, dpop: { baseUrl, required: true } })
    await refusedWith('token_not_bound', strict(bearerRequest(`Bearer ${bearer}`)))
  })
})

describe('a proof (RFC 9449 §4.3)', () => {
  test('names the address without its query, in any spelling', async () => {
    const { send } = await setUp()
    for (const htu of [`${baseUrl}/orders?x#y`, 'HTTPS://API.example.com:443/x/../orders', `${baseUrl}/%6frders`])
      await send({ htu })
  })

  test('names the address that the API has for its clients, with the part of the path that a proxy removes', async () => {
    const { send } = await setUp({ baseUrl: `${baseUrl}/v1/` })
    expect((await send({ htu: `${baseUrl}/v1/orders` })).subject).toBe('user-1')
    await refusedWith('proof_invalid', send())
  })

  const lies: readonly (readonly [string, Record<string, unknown>, Record<string, unknown>?])[] = [
    ['another typ', {}, { typ: 'at+jwt' }],
    ['a critical header', {}, { crit: ['b64'], b64: true }],
    ['no key', {}, { jwk: undefined }],
    ['a symmetric key', {}, { jwk: { kty: 'oct', k: 'AAAA' } }],
    ['no jti', { jti: undefined }],
    ['a long jti', { jti: 'x'.repeat(257) }],
    ['another method', { htm: 'POST' }],
    ['another path', { htu: `${baseUrl}/order` }],
    ['another host', { htu: 'https://evil.example/orders' }],
    ['a user in the address', { htu: 'https://user@api.example.com/orders' }],
    ['no address', { htu: undefined }],
    ['no iat', { iat: undefined }],
    ['an iat that is no number', { iat: '1' }],
    ['an old iat', { iat: 1 }],
    ['an iat in the future', { iat: 4_000_000_000 }],
    ['an exp in the past', { exp: 1 }],
    ['no ath', { ath: undefined }],
    ['the ath of another token', { ath: 'x' }],
    ['too much in it', { more: 'x'.repeat(4096) }],
  ]
  test.each(lies.map(([what, claims, header = {}]) => [what, claims, header] as const))(
    'is refused with %s',
    async (_what, claims, header) => {
      const { send } = await setUp()
      await refusedWith('proof_invalid', send(claims, header))
    },
  )

  test('is refused when there are two, and when it is anything else', async () => {
    const { client, verify, token } = await setUp()
    const [one, two] = [await client.proof(token), await client.proof(token)]
    await refusedWith('proof_invalid', verify(boundRequest(token, [one, two])))
    const mutation = fc.tuple(fc.nat(one.length - 1), fc.constantFrom('A', '.', '~', 'é'))
    await fc.assert(
      fc.asyncProperty(mutation, async ([at, by]) => {
        const changed = one.slice(0, at) + by + one.slice(at + 1)
        fc.pre(changed !== one)
        await refusedWith('proof_invalid', verify(boundRequest(token, [changed])))
      }),
      { numRuns: 100 },
    )
  })

  test('is accepted once, at the same time too, and by verifiers that share a store', async () => {
    const { issuer, client, token, verify } = await setUp()
    const proof = await client.proof(token)
    const all = await Promise.allSettled(Array.from({ length: 10 }, () => verify(boundRequest(token, [proof]))))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await refusedWith('proof_used', verify(boundRequest(token, [proof])))
    const dpop = { baseUrl, replayStore: memoryReplayStore(10, issuer.expected.now) }
    const another = await client.proof(token)
    expect((await verifyAccessToken(boundRequest(token, [another]), { ...issuer.expected, dpop })).subject).toBe(
      'user-1',
    )
    await refusedWith('proof_used', verifyAccessToken(boundRequest(token, [another]), { ...issuer.expected, dpop }))
    await refusedWith('configuration_invalid', verifyAccessToken(token, { ...issuer.expected, dpop: { baseUrl } }))
  })

  test('is refused when the store is full or fails, and forgotten when it can no longer be accepted', async () => {
    let time = new Date('2030-01-01T00:00:00Z')
    const store = memoryReplayStore(1, () => time)
    const until = new Date('2030-01-01T00:01:00Z')
    expect([store.use('a', until), store.use('a', until)]).toEqual([true, false])
    await refusedWith('replay_store_unavailable', () => store.use('b', until))
    time = until
    expect(store.use('b', new Date('2030-01-01T00:02:00Z'))).toBe(true)
    const { send } = await setUp({ replayStore: { use: () => Promise.reject(new Error('down')) } })
    const error = await refusedWith('replay_store_unavailable', send())
    expect(toResponse(error).status).toBe(503)
  })
})

describe('nonces of the API (RFC 9449 §9)', () => {
  test('are asked for, shared by processes with the same secret, and replaced every minute', async () => {
    let time = new Date('2030-01-01T00:00:00Z')
    const secret = new Uint8Array(32).fill(7)
    const [nonces, elsewhere] = [rotatingNonces(secret, () => time), rotatingNonces(secret, () => time)]
    const { send } = await setUp({ nonces })
    const error = await refusedWith('proof_nonce_required', send())
    const response = toResponse(error)
    expect(response.headers.get('www-authenticate')).toMatch(/^DPoP algs="ES256 .*", error="use_dpop_nonce"/)
    const nonce = response.headers.get('dpop-nonce')
    expect(nonce).toBe(await elsewhere.current())
    expect((await send({ nonce })).subject).toBe('user-1')
    await refusedWith('proof_nonce_required', send({ nonce: 'guessed' }))
    time = new Date('2030-01-01T00:01:59Z')
    expect(await nonces.accepts(String(nonce))).toBe(true)
    time = new Date('2030-01-01T00:02:00Z')
    expect(await nonces.accepts(String(nonce))).toBe(false)
    expect(await rotatingNonces(new Uint8Array(32), () => time).current()).not.toBe(await nonces.current())
    await refusedWith('configuration_invalid', () => rotatingNonces(new Uint8Array(31)))
  })
})

test.each<[string, Partial<DPoPOptions>]>([
  ['an address that is none', { baseUrl: 'api.example.com' }],
  ['a query', { baseUrl: 'https://api.example.com/?x' }],
  ['an age of nothing', { maxAgeSeconds: 0 }],
  ['an age of ten minutes', { maxAgeSeconds: 600 }],
])('options with %s are refused', async (_what, options) => {
  await refusedWith('configuration_invalid', () =>
    accessTokenVerifier({ issuer: 'https://id.example/oidc', audience: 'x', dpop: { baseUrl, ...options } }),
  )
})

test('a request without credentials is told which are taken', async () => {
  const { verify } = await setUp()
  const error = await refusedWith('credentials_missing', verify(bearerRequest()))
  const challengeFor = (dpop: { required?: boolean }) => toResponse(error, { dpop }).headers.get('www-authenticate')
  expect(challengeFor({})).toBe('Bearer, DPoP algs="ES256 ES384 EdDSA Ed25519 RS256 PS256"')
  expect(challengeFor({ required: true })).toBe('DPoP algs="ES256 ES384 EdDSA Ed25519 RS256 PS256"')
})
