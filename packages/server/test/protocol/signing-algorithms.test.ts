import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, authorization, issue, post } from './arrange.ts'

let at: TestServer
let arranged: Arranged
beforeAll(async () => {
  at = await startTestServer(inject('cluster'))
  arranged = await arrange(at)
})
afterAll(() => at.close())

describe('rotation of signing keys to another algorithm (DECISIONS G1)', () => {
  test.each([
    ['RS256', 'RSA', 'RSA'],
    ['PS256', 'RSA', 'RSA'],
    ['ES384', 'EC', 'EC'],
    ['EdDSA', 'OKP', 'OKP'],
    ['ES256', 'EC', 'EC'],
  ] as const)('to %s signs with it, and its tokens verify', async (algorithm, family, kty) => {
    const { body } = await at.api('POST', '/configs/oidc/private-keys/rotate', { algorithm, rotationGracePeriod: 10 })
    expect(body[0]).toMatchObject({ algorithm, signingKeyAlgorithm: family, status: 'Next' })
    at.clock.advance(10)
    const { token } = await issue(at, arranged)
    expect(decodeProtectedHeader(token)).toEqual({ alg: algorithm, typ: 'at+jwt', kid: body[0].id })
    const keys = (await (await fetch(`${at.issuer}/jwks`)).json()) as JSONWebKeySet
    expect(keys.keys.find(({ kid }) => kid === body[0].id)).toMatchObject({ kty, alg: algorithm, use: 'sig' })
    const checks = { issuer: at.issuer, audience: arranged.resource.indicator, currentDate: at.clock.now() }
    await expect(jwtVerify(token, createLocalJWKSet(keys), checks)).resolves.toBeDefined()
    const { body: seen } = await post(at, '/token/introspection', { token }, authorization(arranged.client))
    expect(seen.active).toBe(true)
    // the next rotation keeps the algorithm
    const { body: next } = await at.api('POST', '/configs/oidc/private-keys/rotate', {})
    expect(next[0].algorithm).toBe(algorithm)
  })

  test.each([
    [{ signingKeyAlgorithm: 'RSA' }, 'RS256'],
    [{ signingKeyAlgorithm: 'EC' }, 'ES256'],
    [{ signingKeyAlgorithm: 'RSA', algorithm: 'EdDSA' }, 'EdDSA'],
  ])('%j means %s', async (request, algorithm) => {
    const { body } = await at.api('POST', '/configs/oidc/private-keys/rotate', request)
    expect(body[0]).toMatchObject({ algorithm, status: 'Next' })
  })

  test.each([
    { algorithm: 'none' },
    { algorithm: 'HS256' },
    { signingKeyAlgorithm: 'oct' },
    { rotationGracePeriod: -1 },
    { rotationGracePeriod: 0.5 },
    { rotationGracePeriod: 2_592_001 },
    { rotationGracePeriod: '10' },
  ])('%j is refused', async (request) => {
    const { status, body } = await at.api('POST', '/configs/oidc/private-keys/rotate', request)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'guard.invalid_input' })
  })
})
