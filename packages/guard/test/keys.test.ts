import { createRemoteJWKSet } from 'jose'
import { describe, expect, test } from 'vitest'
import { accessTokenVerifier, dangerouslyAllowHttp, localKeys, remoteKeys, verifyAccessToken } from '../src/index.ts'
import { audience, signingKey, startIssuer } from './issuer.ts'
import { refusedWith } from './refused-with.ts'

describe('where keys come from', () => {
  test('discovery and key set are fetched once, however many tokens arrive concurrently', async () => {
    const issuer = await startIssuer()
    const verify = accessTokenVerifier(issuer.expected)
    expect(issuer.requests).toEqual([])
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, i) => issuer.sign({ sub: `user-${i}` })))
    const verified = await Promise.all(tokens.map(verify))
    expect(verified.map((token) => token.subject)).toEqual(tokens.map((_, i) => `user-${i}`))
    await verify(await issuer.sign())
    expect(issuer.requests).toEqual([issuer.discovery, '/oidc/jwks'])
  })

  test('verifyAccessToken shares the keys of an issuer between calls', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign()
    for (const requiredScopes of [[], ['read:orders'], ['write:orders']]) {
      await verifyAccessToken(token, { ...issuer.expected, requiredScopes })
    }
    expect(issuer.requests).toEqual([issuer.discovery, '/oidc/jwks'])
    await verifyAccessToken(token, { ...issuer.expected, timeoutMs: 1234 })
    expect(issuer.requests).toHaveLength(4)
  })

  test('jwksUri skips discovery', async () => {
    const issuer = await startIssuer()
    const options = { ...issuer.expected, jwksUri: `${issuer.issuer}/jwks` }
    expect((await verifyAccessToken(await issuer.sign(), options)).subject).toBe('user-1')
    expect((await accessTokenVerifier(options)(await issuer.sign())).subject).toBe('user-1')
    expect(issuer.requests).toEqual(['/oidc/jwks', '/oidc/jwks'])
  })

  test('jwks fetches nothing', async () => {
    const issuer = await startIssuer()
    const options = { ...issuer.expected, jwks: { keys: [issuer.key.jwk] } }
    expect((await verifyAccessToken(await issuer.sign(), options)).subject).toBe('user-1')
    expect((await accessTokenVerifier(options)(await issuer.sign())).subject).toBe('user-1')
    await refusedWith('token_key_unknown', verifyAccessToken(await issuer.sign({}, { kid: 'other' }), options))
    expect(issuer.requests).toEqual([])
  })

  test('one key source serves verifiers of several audiences', async () => {
    const issuer = await startIssuer()
    const keys = remoteKeys(issuer.issuer)
    for (const aud of [audience, 'https://api.example.com/billing']) {
      const verify = accessTokenVerifier({ ...issuer.expected, audience: aud, keys })
      expect((await verify(await issuer.sign({ aud }))).claims.aud).toBe(aud)
    }
    expect(issuer.requests).toEqual([issuer.discovery, '/oidc/jwks'])
  })

  test('a key source may be one of jose', async () => {
    const issuer = await startIssuer()
    const keys = createRemoteJWKSet(new URL(`${issuer.issuer}/jwks`))
    const verify = accessTokenVerifier({ ...issuer.expected, keys })
    expect((await verify(await issuer.sign())).subject).toBe('user-1')
    await refusedWith('token_key_unknown', verify(await issuer.sign({}, { kid: 'other' })))
  })

  test('a custom fetch function is used for both requests', async () => {
    const issuer = await startIssuer()
    const seen: unknown[] = []
    const recording: typeof fetch = (input, init) => {
      seen.push([String(input), init?.redirect])
      return fetch(input, init)
    }
    await verifyAccessToken(await issuer.sign(), { ...issuer.expected, fetch: recording })
    await verifyAccessToken(await issuer.sign(), { ...issuer.expected, fetch: recording })
    expect(seen).toEqual([
      [`${issuer.origin}${issuer.discovery}`, 'manual'],
      [`${issuer.issuer}/jwks`, 'manual'],
    ])
  })
})

describe('rotation', () => {
  test('a key that appears later is found without a restart', async () => {
    const issuer = await startIssuer()
    const verify = accessTokenVerifier({ ...issuer.expected, cooldownMs: 0 })
    await verify(await issuer.sign())
    const next = await signingKey('next')
    await refusedWith('token_key_unknown', verify(await issuer.sign({}, {}, next)))
    issuer.published.keys.push(next.jwk)
    expect((await verify(await issuer.sign({}, {}, next))).subject).toBe('user-1')
    expect((await verify(await issuer.sign())).subject).toBe('user-1')
  })

  test('a withdrawn key is refused after the next fetch', async () => {
    const [old, next] = await Promise.all([signingKey('old'), signingKey('next')])
    const issuer = await startIssuer(old)
    const verify = accessTokenVerifier({ ...issuer.expected, cooldownMs: 0 })
    const token = await issuer.sign()
    await verify(token)
    issuer.published.keys = [next.jwk]
    expect((await verify(token)).subject).toBe('user-1')
    await verify(await issuer.sign({}, {}, next))
    await refusedWith('token_key_unknown', verify(token))
  })

  test('keys that are too old are fetched again', async () => {
    const [old, next] = await Promise.all([signingKey('old'), signingKey('next')])
    const issuer = await startIssuer(old)
    const verify = accessTokenVerifier({ ...issuer.expected, cacheMaxAgeMs: 0 })
    const token = await issuer.sign()
    await verify(token)
    issuer.published.keys = [next.jwk]
    await refusedWith('token_key_unknown', verify(token))
  })

  test('an attacker cannot make the API fetch more than once per cooldown', async () => {
    const issuer = await startIssuer()
    const verify = accessTokenVerifier(issuer.expected)
    const attacker = await signingKey('none')
    for (const kid of ['a', 'b', 'c']) {
      await refusedWith('token_key_unknown', verify(await issuer.sign({}, { kid }, attacker)))
    }
    expect(issuer.requests).toEqual([issuer.discovery, '/oidc/jwks'])
  })

  test('a token refused for its form, algorithm or header causes no fetch', async () => {
    const issuer = await startIssuer()
    const verify = accessTokenVerifier(issuer.expected)
    await refusedWith('token_malformed', verify('cs_at_opaque'))
    await refusedWith('token_algorithm_refused', verify(await issuer.sign({}, {}, await signingKey('rsa', 'RS512'))))
    await refusedWith('token_header_refused', verify(await issuer.sign({}, { jku: 'https://attacker.example' })))
    expect(issuer.requests).toEqual([])
  })
})

describe('unavailable keys are not reported as a bad token', () => {
  test('the issuer is down and comes back', async () => {
    const issuer = await startIssuer()
    const verify = accessTokenVerifier(issuer.expected)
    const { [issuer.discovery]: discovery, '/oidc/jwks': jwks } = issuer.answers
    const broken = { status: 503, body: 'down' }
    issuer.answers[issuer.discovery] = broken
    const error = await refusedWith('keys_unavailable', verify(await issuer.sign()))
    expect(error.cause).toEqual(new Error(`${issuer.origin}${issuer.discovery} answered 503`))
    issuer.answers[issuer.discovery] = discovery
    issuer.answers['/oidc/jwks'] = broken
    await refusedWith('keys_unavailable', verify(await issuer.sign()))
    issuer.answers['/oidc/jwks'] = jwks
    expect((await verify(await issuer.sign())).subject).toBe('user-1')
  })

  test('nothing listens', async () => {
    const issuer = await startIssuer()
    await issuer.stop()
    const error = await refusedWith('keys_unavailable', verifyAccessToken(await issuer.sign(), issuer.expected))
    expect(error.cause).toBeInstanceOf(TypeError)
  })

  test('cached keys remain usable while the issuer is down', async () => {
    const issuer = await startIssuer()
    const verify = accessTokenVerifier({ ...issuer.expected, cooldownMs: 0 })
    await verify(await issuer.sign())
    await issuer.stop()
    expect((await verify(await issuer.sign())).subject).toBe('user-1')
    // It might be a new key of the issuer: that cannot be determined now.
    await refusedWith('keys_unavailable', verify(await issuer.sign({}, { kid: 'next' })))
  })

  test.each(['discovery', 'jwks'])('%s does not answer in time', async (which) => {
    const issuer = await startIssuer()
    issuer.answers[which === 'jwks' ? '/oidc/jwks' : issuer.discovery] = undefined
    const verify = accessTokenVerifier({ ...issuer.expected, timeoutMs: 20 })
    await refusedWith('keys_unavailable', verify(await issuer.sign()))
  })

  test.each<[what: string, metadata: (issuer: string) => unknown]>([
    ['names another issuer', (issuer) => ({ issuer: 'https://attacker.example', jwks_uri: `${issuer}/jwks` })],
    ['names the issuer with a slash', (issuer) => ({ issuer: `${issuer}/`, jwks_uri: `${issuer}/jwks` })],
    ['names no issuer', (issuer) => ({ jwks_uri: `${issuer}/jwks` })],
    ['has no jwks_uri', (issuer) => ({ issuer })],
    ['has a relative jwks_uri', (issuer) => ({ issuer, jwks_uri: '/oidc/jwks' })],
    ['has a jwks_uri without TLS', (issuer) => ({ issuer, jwks_uri: 'http://keys.example.com/jwks' })],
    ['has a jwks_uri of another scheme', (issuer) => ({ issuer, jwks_uri: 'data:application/json,{"keys":[]}' })],
    ['is a list', () => []],
    ['is null', () => null],
    ['is not JSON', () => '<html>'],
  ])('metadata that %s', async (_, metadata) => {
    const issuer = await startIssuer()
    issuer.answers[issuer.discovery] = { body: metadata(issuer.issuer) }
    await refusedWith('keys_unavailable', verifyAccessToken(await issuer.sign(), issuer.expected))
    expect(issuer.requests).toEqual([issuer.discovery])
  })

  test.each<[what: string, body: unknown]>([
    ['is not JSON', '<html>'],
    ['has no keys', {}],
    ['is a list', []],
    ['has an invalid key', { keys: [null] }],
    ['has a broken key', { keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'first' }] }],
  ])('a key set that %s', async (_, body) => {
    const issuer = await startIssuer()
    issuer.answers['/oidc/jwks'] = { body }
    await refusedWith('keys_unavailable', verifyAccessToken(await issuer.sign(), issuer.expected))
  })

  test.each(['discovery', 'jwks'])('a redirect of %s is not followed', async (which) => {
    const [issuer, attacker] = [await startIssuer(), await startIssuer()]
    const location = { location: `${attacker.issuer}/jwks` }
    const path = which === 'jwks' ? '/oidc/jwks' : issuer.discovery
    issuer.answers[path] = { status: 302, body: '', headers: location }
    await refusedWith('keys_unavailable', verifyAccessToken(await issuer.sign(), issuer.expected))
    expect(attacker.requests).toEqual([])
  })

  test('a custom key source fails', async () => {
    const issuer = await startIssuer()
    const keys = () => Promise.reject(new Error('no memory'))
    const error = await refusedWith(
      'keys_unavailable',
      accessTokenVerifier({ ...issuer.expected, keys })(await issuer.sign()),
    )
    expect(error.cause).toEqual(new Error('no memory'))
  })
})

test('an issuer without TLS outside loopback is used only if that is explicitly allowed', async () => {
  const local = await startIssuer()
  const issuer = 'http://countersign:3001/oidc'
  const redirected: typeof fetch = (input, init) =>
    fetch(String(input).replace('http://countersign:3001', local.origin), init)
  local.answers[local.discovery] = { body: { issuer, jwks_uri: `${issuer}/jwks` } }
  const options = { ...local.expected, issuer, fetch: redirected, [dangerouslyAllowHttp]: true }
  expect((await verifyAccessToken(await local.sign({ iss: issuer }), options)).claims.iss).toBe(issuer)
  const fromJson = { ...JSON.parse(JSON.stringify(options)), dangerouslyAllowHttp: true }
  await refusedWith('configuration_invalid', verifyAccessToken(await local.sign({ iss: issuer }), fromJson))
})

test('keys fetched with a weaker setting are not shared with a stricter one', async () => {
  const issuer = await startIssuer()
  const elsewhere = 'http://keys.example.com/oidc/jwks'
  const redirected: typeof fetch = (input, init) =>
    fetch(String(input).replace('http://keys.example.com', issuer.origin), init)
  issuer.answers[issuer.discovery] = { body: { issuer: issuer.issuer, jwks_uri: elsewhere } }
  const options = { ...issuer.expected, fetch: redirected }
  const token = await issuer.sign()
  const verified = await verifyAccessToken(token, { ...options, [dangerouslyAllowHttp]: true })
  expect(verified.subject).toBe('user-1')
  await refusedWith('keys_unavailable', verifyAccessToken(token, options))
})

test('a private key among the local ones is reported as a mistake', async () => {
  const { privateKey, jwk } = await signingKey('first')
  const d = (await crypto.subtle.exportKey('jwk', privateKey)).d ?? ''
  const error = await refusedWith('configuration_invalid', () => localKeys({ keys: [{ ...jwk, d }] }))
  expect(error.message).not.toContain(d)
})
