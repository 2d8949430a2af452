import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange, askToken, issue } from './arrange.ts'

let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server, { resource: { accessTokenTtl: 120 } })
})
afterAll(() => server.close())

describe('a JWT access token (RFC 9068, SPEC 2.5, DECISIONS G2)', () => {
  test('has exactly the claims of the profile', async () => {
    const { claims, token } = await issue(server, arranged)
    const now = Math.floor(server.clock.now().getTime() / 1000)
    expect(claims).toEqual({
      iss: server.issuer,
      sub: arranged.client.clientId,
      aud: arranged.resource.indicator,
      exp: now + 120,
      iat: now,
      jti: expect.stringMatching(/^[0-9a-z]{21}$/),
      client_id: arranged.client.clientId,
      scope: 'read:orders',
    })
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
  })

  test('has no scope claim when nothing is granted, and its response has an empty scope (RFC 6749 section 5.1)', async () => {
    const { claims, body } = await issue(server, arranged, 'write:orders')
    expect(claims).not.toHaveProperty('scope')
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 120, scope: '' })
  })

  test('verifies with the published keys until its last second, and not afterwards', async () => {
    const { token } = await issue(server, arranged)
    const keys = createRemoteJWKSet(new URL(`${server.issuer}/jwks`))
    const at = (seconds: number) =>
      jwtVerify(token, keys, {
        issuer: server.issuer,
        audience: arranged.resource.indicator,
        typ: 'at+jwt',
        currentDate: new Date(server.clock.now().getTime() + seconds * 1000),
      })
    await expect(at(118)).resolves.toBeDefined()
    await expect(at(121)).rejects.toThrow('"exp" claim timestamp check failed')
  })

  test('has a unique jti', async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, () => issue(server, arranged)))
    expect(new Set(tokens.map(({ claims }) => claims.jti)).size).toBe(50)
  })

  test('keeps the order of the request in scope, and names each value once', async () => {
    const { client, resource } = await arrange(server, { held: ['b', 'a', 'c'] })
    const { body } = await askToken(server, client, { resource: resource.indicator, scope: 'c x a c b' })
    expect(body.scope).toBe('c a b')
  })

  test('the response is not cacheable (RFC 6749 section 5.1)', async () => {
    const { headers } = await askToken(server, arranged.client, { resource: arranged.resource.indicator })
    expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
  })
})

describe('R-16 registered claims', () => {
  const claims = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'client_id', 'scope', 'act', 'may_act', 'cnf', 'sid']

  test('cannot be set by parameters of the request', async () => {
    const hostile = Object.fromEntries(claims.filter((name) => name !== 'client_id').map((name) => [name, 'evil']))
    const parameters = { ...hostile, resource: arranged.resource.indicator, scope: 'read:orders' }
    const { body } = await askToken(server, arranged.client, parameters)
    const { claims: issued } = await issue(server, arranged)
    const { payload } = await jwtVerify(body.access_token, createRemoteJWKSet(new URL(`${server.issuer}/jwks`)), {
      currentDate: server.clock.now(),
    })
    expect({ ...payload, jti: '' }).toEqual({ ...issued, jti: '' })
  })

  test('cannot be set by custom data of the application', async () => {
    const before = await issue(server, arranged)
    const customData = { ...Object.fromEntries(claims.map((name) => [name, 'evil'])), extra: true }
    await server.api('PATCH', `/applications/${arranged.client.clientId}`, { customData })
    const after = await issue(server, arranged)
    expect({ ...after.claims, jti: '' }).toEqual({ ...before.claims, jti: '' })
  })
})

describe('R-19 a machine is not mistaken for a user', () => {
  test('its sub is its client_id of 21 characters, and never has the shape of a user id (12)', async () => {
    const { body } = await server.api('GET', '/applications?page_size=100')
    for (const { id } of body) expect(id).toMatch(/^[0-9a-z]{21}$/)
    const { claims } = await issue(server, arranged)
    expect(claims.sub).toBe(claims.client_id)
    expect(claims.sub).toMatch(/^[0-9a-z]{21}$/)
    expect(claims.sub).not.toMatch(/^[0-9a-z]{12}$/)
  })

  test('the id of an application cannot be chosen', async () => {
    const { body } = await server.api('POST', '/applications', {
      name: 'Chooser',
      type: 'MachineToMachine',
      id: 'abcdefghijkl',
    })
    expect(body.id).toMatch(/^[0-9a-z]{21}$/)
  })
})
