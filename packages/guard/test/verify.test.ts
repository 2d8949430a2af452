import { allowInsecureRequests, discoveryRequest, processDiscoveryResponse, validateJwtAccessToken } from 'oauth4webapi'
import { describe, expect, test } from 'vitest'
import { accessTokenVerifier, verifyAccessToken } from '../src/index.ts'
import { audience, bearerRequest, signingKey, startIssuer } from './issuer.ts'
import { refusedWith } from './refused-with.ts'

describe('a valid token', () => {
  test('is verified in a request and by itself, and its claims are returned by name', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign({ organization_id: 'org-1', plan: 'gold' })
    const options = { ...issuer.expected, requiredScopes: ['read:orders', 'write:orders'] }

    const verified = await verifyAccessToken(bearerRequest(`Bearer ${token}`), options)

    expect(verified).toEqual({
      token,
      claims: { ...issuer.claims, organization_id: 'org-1', plan: 'gold' },
      subject: 'user-1',
      clientId: 'client-1',
      scopes: new Set(['read:orders', 'write:orders']),
      actor: undefined,
      scheme: 'Bearer',
      authorizationDetails: [],
      organizationId: 'org-1',
    })
    expect(await verifyAccessToken(token, options)).toEqual(verified)
  })

  test.each(['ES256', 'ES384', 'EdDSA', 'RS256', 'PS256'])('is verified when signed with %s', async (alg) => {
    const key = await signingKey('key', alg)
    const issuer = await startIssuer(key)
    const { subject } = await verifyAccessToken(await issuer.sign(), issuer.expected)
    expect(subject).toBe('user-1')
  })

  test.each(['at+jwt', 'application/at+jwt', 'AT+JWT'])(
    'may have the typ %s (RFC 9068 §4, RFC 7515 §4.1.9)',
    async (typ) => {
      const issuer = await startIssuer()
      const verified = await verifyAccessToken(await issuer.sign({}, { typ }), issuer.expected)
      expect(verified.clientId).toBe('client-1')
    },
  )

  test('has no scopes when it has no scope claim, or an empty one', async () => {
    const issuer = await startIssuer()
    const without = await verifyAccessToken(await issuer.sign({ scope: undefined }), issuer.expected)
    const empty = await verifyAccessToken(await issuer.sign({ scope: '' }), issuer.expected)
    expect([without.scopes.size, empty.scopes.size]).toEqual([0, 0])
  })

  test('names its actor, and the whole chain of actors (RFC 8693 §4.1)', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign({ act: { sub: 'support-1', act: { sub: 'service-2' } } })
    const { actor } = await verifyAccessToken(token, issuer.expected)
    expect(actor).toEqual({ subject: 'support-1', actor: { subject: 'service-2', actor: undefined } })
  })

  test('is accepted by an independent implementation', async () => {
    const issuer = await startIssuer()
    // Its clock cannot be set, and it requires iat in the past.
    const claims = { iat: 1_700_000_000, exp: 4_102_444_800 }
    const insecure = { [allowInsecureRequests]: true } as const
    const identifier = new URL(issuer.issuer)
    const metadata = await processDiscoveryResponse(identifier, await discoveryRequest(identifier, insecure))
    const theirs = await validateJwtAccessToken(
      metadata,
      bearerRequest(`Bearer ${await issuer.sign(claims)}`),
      audience,
      insecure,
    )
    const ours = await verifyAccessToken(await issuer.sign(claims), { issuer: issuer.issuer, audience })
    expect(ours.claims).toEqual(theirs)
  })
})

describe('time', () => {
  const at = (seconds: number) => () => new Date(seconds * 1000)

  test('a token is valid until the second before exp, and refused at exp (RFC 7519 §4.1.4)', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign({ exp: 2_000_000_000 })
    const verified = await verifyAccessToken(token, { ...issuer.expected, now: at(1_999_999_999) })
    expect(verified.claims.exp).toBe(2_000_000_000)
    await refusedWith('token_expired', verifyAccessToken(token, { ...issuer.expected, now: at(2_000_000_000) }))
  })

  test('a token is refused before nbf', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign({ nbf: 1_900_000_000, exp: 2_000_000_000 })
    const verified = await verifyAccessToken(token, { ...issuer.expected, now: at(1_900_000_000) })
    expect(verified.subject).toBe('user-1')
    await refusedWith('token_not_yet_valid', verifyAccessToken(token, { ...issuer.expected, now: at(1_899_999_999) }))
  })

  test('the tolerance extends both by exactly its seconds', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign({ nbf: 1_900_000_000, exp: 2_000_000_000 })
    const expected = { ...issuer.expected, clockToleranceSeconds: 60 }
    for (const second of [1_899_999_940, 2_000_000_059]) {
      const verified = await verifyAccessToken(token, { ...expected, now: at(second) })
      expect(verified.subject).toBe('user-1')
    }
    await refusedWith('token_not_yet_valid', verifyAccessToken(token, { ...expected, now: at(1_899_999_939) }))
    await refusedWith('token_expired', verifyAccessToken(token, { ...expected, now: at(2_000_000_060) }))
  })

  test('without a configured clock the machine time is used', async () => {
    const issuer = await startIssuer()
    const { issuer: name } = issuer
    const verify = accessTokenVerifier({ issuer: name, audience })
    const current = Math.floor(Date.now() / 1000)
    expect((await verify(await issuer.sign({ exp: current + 60 }))).subject).toBe('user-1')
    await refusedWith('token_expired', verify(await issuer.sign({ exp: current - 1 })))
  })
})

describe('clients', () => {
  test('only listed clients may call, if any are listed (SPEC 5.4.6)', async () => {
    const issuer = await startIssuer()
    const verify = accessTokenVerifier({ ...issuer.expected, clientIds: ['client-1', 'client-2'] })
    expect((await verify(await issuer.sign({ client_id: 'client-2' }))).clientId).toBe('client-2')
    await refusedWith('client_not_allowed', verify(await issuer.sign({ client_id: 'client-3' })))
    await refusedWith('client_not_allowed', verify(await issuer.sign({ client_id: 'client' })))
  })
})

test('changing options after the verifier was created has no effect', async () => {
  const issuer = await startIssuer()
  const requiredScopes = ['delete:orders']
  const clientIds = ['client-2']
  const options = { ...issuer.expected, requiredScopes, clientIds }
  const verify = accessTokenVerifier(options)
  requiredScopes.pop()
  clientIds.push('client-1')
  options.issuer = 'https://attacker.example'
  await refusedWith('client_not_allowed', verify(await issuer.sign()))
  await refusedWith('scope_missing', verify(await issuer.sign({ client_id: 'client-2' })))
})
