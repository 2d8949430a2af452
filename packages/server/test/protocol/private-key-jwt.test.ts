import { generateKeyPairSync } from 'node:crypto'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { post } from './arrange.ts'
import { ASSERTION_TYPE, askWith, assertionOf, makeKey, nowOf, registerKeyClient } from './assertions.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
})
afterAll(() => server.close())

describe('private_key_jwt (RFC 7523)', () => {
  test.each([
    ['ES256', {}],
    ['ES384', {}],
    ['EdDSA', {}],
    ['Ed25519', {}],
    ['RS256', {}],
    ['PS256', { alg: 'PS256' }],
    ['ES256', { alg: 'ES256', use: 'sig', kid: 'a', key_ops: ['verify'] }],
  ])('an assertion signed by %s is accepted, with a registered key that says %j', async (algorithm, fields) => {
    const key = await makeKey(algorithm, fields)
    const client = await registerKeyClient(server, [key])
    const { status, body } = await askWith(server, client, await assertionOf(server, client, key))
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: 'read:orders' })
  })

  test('the key may be any registered key, with or without kid', async () => {
    const keys = [
      await makeKey('ES256', { kid: 'one' }),
      await makeKey('ES256', { kid: 'two' }),
      await makeKey('RS256'),
    ]
    const client = await registerKeyClient(server, keys)
    for (const key of keys) {
      expect((await askWith(server, client, await assertionOf(server, client, key))).status).toBe(200)
      const header = { kid: key.jwk.kid ?? 'unheard of' }
      expect((await askWith(server, client, await assertionOf(server, client, key, { header }))).status).toBe(200)
    }
  })

  test('a kid that names another key of the client is refused', async () => {
    const [one, two] = [await makeKey('ES256', { kid: 'one' }), await makeKey('ES256', { kid: 'two' })]
    const client = await registerKeyClient(server, [one, two])
    const crossed = await assertionOf(server, client, one, { header: { kid: 'two' } })
    expect((await askWith(server, client, crossed)).status).toBe(401)
  })

  test('new keys of the client apply from the next request on, and the old ones no longer', async () => {
    const [before, after] = [await makeKey('ES256'), await makeKey('EdDSA')]
    const client = await registerKeyClient(server, [before])
    expect((await askWith(server, client, await assertionOf(server, client, before))).status).toBe(200)
    await server.api('PATCH', `/applications/${client.id}`, {
      customClientMetadata: { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [after.jwk] } },
    })
    expect((await askWith(server, client, await assertionOf(server, client, before))).status).toBe(401)
    expect((await askWith(server, client, await assertionOf(server, client, after))).status).toBe(200)
  })

  test.each(['issuer', 'token endpoint'])('the audience may be the %s', async (audience) => {
    const key = await makeKey('ES256')
    const client = await registerKeyClient(server, [key])
    const aud = audience === 'issuer' ? server.issuer : `${server.issuer}/token`
    for (const value of [aud, [aud]]) {
      const assertion = await assertionOf(server, client, key, { claims: { aud: value } })
      expect((await askWith(server, client, assertion)).status).toBe(200)
    }
  })

  test('it authenticates at introspection and revocation too', async () => {
    const key = await makeKey('ES256')
    const client = await registerKeyClient(server, [key])
    const { body } = await askWith(server, client, await assertionOf(server, client, key))
    const at = async (path: string) => {
      const client_assertion = await assertionOf(server, client, key)
      return post(server, path, { token: body.access_token, client_assertion_type: ASSERTION_TYPE, client_assertion })
    }
    expect((await at('/token/introspection')).body.active).toBe(true)
    expect((await at('/token/revocation')).status).toBe(200)
    expect((await at('/token/introspection')).body).toEqual({ active: false })
  })

  test('its iat may be missing, and clocks may differ by at most 15 seconds', async () => {
    const key = await makeKey('ES256')
    const client = await registerKeyClient(server, [key])
    const now = nowOf(server)
    const status = async (claims: Record<string, unknown>) =>
      (await askWith(server, client, await assertionOf(server, client, key, { claims }))).status
    expect(await status({ iat: undefined })).toBe(200)
    expect(await status({ exp: now - 14 })).toBe(200)
    expect(await status({ exp: now - 16 })).toBe(401)
    expect(await status({ nbf: now + 14 })).toBe(200)
    expect(await status({ nbf: now + 17 })).toBe(401)
    expect(await status({ exp: now + 3600 })).toBe(200)
    expect(await status({ exp: now + 3601 })).toBe(401)
  })

  test.each([
    ['a private key', { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', d: 'AA' }],
    ['a secret', { kty: 'oct', k: 'AAAA' }],
    ['a key of another curve', { kty: 'EC', crv: 'secp256k1', x: 'AA', y: 'AA' }],
    ['a point that is not on the curve', { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' }],
    ['nothing', {}],
  ])('%s is not registered as a key', async (_what, jwk) => {
    const { status, body } = await server.api('POST', '/applications', {
      name: 'Worker',
      type: 'MachineToMachine',
      customClientMetadata: { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } },
    })
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'guard.invalid_input' })
  })

  test('an RSA key of 1024 bits is not registered', async () => {
    const jwk = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
    const { status } = await server.api('POST', '/applications', {
      name: 'Worker',
      type: 'MachineToMachine',
      customClientMetadata: { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } },
    })
    expect(status).toBe(400)
  })
})
