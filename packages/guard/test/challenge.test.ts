import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { challenge, GuardError, type GuardErrorCode, toResponse, verifyAccessToken } from '../src/index.ts'
import { bearerRequest, startIssuer } from './issuer.ts'
import { parseChallenge } from './parse-challenge.ts'
import { refusedWith } from './refused-with.ts'

const challengeOf = (response: Response) => response.headers.get('www-authenticate')

describe('answers (RFC 6750 §3)', () => {
  test('without credentials: 401, and no error code', async () => {
    const issuer = await startIssuer()
    const error = await refusedWith('credentials_missing', verifyAccessToken(bearerRequest(), issuer.expected))
    const response = toResponse(error)
    expect(response.status).toBe(401)
    expect(challengeOf(response)).toBe('Bearer')
  })

  test('a malformed request: 400 invalid_request', async () => {
    const issuer = await startIssuer()
    const error = await refusedWith('request_invalid', verifyAccessToken(bearerRequest('Bearer a b'), issuer.expected))
    const response = toResponse(error)
    expect(response.status).toBe(400)
    expect(challengeOf(response)).toBe(
      'Bearer error="invalid_request", error_description="The Authorization header is malformed"',
    )
  })

  test('a bad token: 401 invalid_token, with the code in the body', async () => {
    const issuer = await startIssuer()
    const token = await issuer.sign({ exp: 1 })
    const response = toResponse(await refusedWith('token_expired', verifyAccessToken(token, issuer.expected)))
    expect(response.status).toBe(401)
    expect(challengeOf(response)).toBe('Bearer error="invalid_token", error_description="The access token expired"')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.json()).toEqual({ code: 'token_expired', message: 'The access token expired' })
  })

  test('a missing scope: 403 insufficient_scope, naming the required scopes', async () => {
    const issuer = await startIssuer()
    const options = { ...issuer.expected, requiredScopes: ['read:orders', 'delete:orders'] }
    const response = toResponse(await refusedWith('scope_missing', verifyAccessToken(await issuer.sign(), options)))
    expect(response.status).toBe(403)
    expect(challengeOf(response)).toBe(
      'Bearer error="insufficient_scope", error_description="The access token lacks a required scope", scope="read:orders delete:orders"',
    )
  })

  test('a client that may not call: 403, and no error code', async () => {
    const issuer = await startIssuer()
    const options = { ...issuer.expected, clientIds: ['client-2'] }
    const response = toResponse(
      await refusedWith('client_not_allowed', verifyAccessToken(await issuer.sign(), options)),
    )
    expect(response.status).toBe(403)
    expect(challengeOf(response)).toBe('Bearer')
  })

  test.each<[GuardErrorCode, number]>([
    ['keys_unavailable', 503],
    ['configuration_invalid', 500],
  ])('%s: %i, and no challenge', async (code, status) => {
    const response = toResponse(new GuardError(code, { detail: 'secret', cause: new Error('secret') }))
    expect(response.status).toBe(status)
    expect(challengeOf(response)).toBeNull()
    expect(await response.text()).not.toContain('secret')
  })

  test('realm and resource metadata are included (RFC 9110 §11.5, RFC 9728 §5.1)', () => {
    const resourceMetadata = 'https://api.example.com/.well-known/oauth-protected-resource'
    expect(challenge(new GuardError('credentials_missing'), { realm: 'orders', resourceMetadata })).toBe(
      `Bearer realm="orders", resource_metadata="${resourceMetadata}"`,
    )
  })

  test('errors of other packages are not answered', () => {
    const bug = new TypeError('x is undefined')
    expect(() => toResponse(bug)).toThrow(bug)
  })
})

describe('no value can inject into the header', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '\\', '\\"', 'a", error="none', 'x\r\nSet-Cookie: a=b', '\0', '\u2028', 'é'),
  )

  test('for any realm, scopes and texts the result is one challenge with those attributes', () => {
    fc.assert(
      fc.property(hostile, hostile, fc.array(hostile), (realm, resourceMetadata, requiredScopes) => {
        const error = new GuardError('scope_missing', { requiredScopes, detail: realm, cause: realm })
        const response = toResponse(error, { realm, resourceMetadata })
        const { scheme, attributes } = parseChallenge(challengeOf(response) ?? '')
        const plain = (text: string) => text.replace(/[^ -~]/g, '?')
        const expected = {
          realm: plain(realm),
          error: 'insufficient_scope',
          error_description: 'The access token lacks a required scope',
          scope: plain(requiredScopes.join(' ')),
          resource_metadata: plain(resourceMetadata),
        }
        expect(scheme).toBe('Bearer')
        expect(attributes).toEqual(Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== '')))
      }),
    )
  })

  test('the response contains nothing from the token', async () => {
    const issuer = await startIssuer()
    const mark = 'evil"\r\nSet-Cookie: a=b'
    const codes: string[] = []
    for (const changes of [{ iss: mark }, { aud: mark }, { scope: mark }, { act: mark }, { sub: '', jti: mark }]) {
      const attempt = verifyAccessToken(await issuer.sign(changes), { ...issuer.expected, requiredScopes: ['x'] })
      const error: unknown = await attempt.catch((reason: unknown) => reason)
      const response = toResponse(error)
      codes.push((await response.clone().json()).code)
      expect(JSON.stringify([...response.headers, await response.text()])).not.toMatch(/evil|cookie/i)
    }
    expect(codes).toEqual([
      'token_issuer_mismatch',
      'token_audience_mismatch',
      'scope_missing',
      'token_claim_invalid',
      'token_claim_invalid',
    ])
  })
})
