import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Arranged, arrange } from './arrange.ts'
import { makeKey, registerKeyClient } from './assertions.ts'

let server: TestServer
let arranged: Arranged
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  arranged = await arrange(server)
})
afterAll(() => server.close())

const discover = (
  id: string,
  authentication: client.ClientAuth,
  algorithm: 'oidc' | 'oauth2' = 'oidc',
  clockSkew = 0,
) =>
  client.discovery(new URL(server.issuer), id, { [client.clockSkew]: clockSkew }, authentication, {
    algorithm,
    execute: [client.allowInsecureRequests],
  })

const wholeLife = async (config: client.Configuration, { resource }: Pick<Arranged, 'resource'>, id: string) => {
  const tokens = await client.clientCredentialsGrant(config, { resource: resource.indicator, scope: 'read:orders x' })
  expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'read:orders' })
  const { jwks_uri = '' } = config.serverMetadata()
  const { payload } = await jwtVerify(tokens.access_token, createRemoteJWKSet(new URL(jwks_uri)), {
    issuer: config.serverMetadata().issuer,
    audience: resource.indicator,
    typ: 'at+jwt',
    currentDate: server.clock.now(),
  })
  expect(payload.client_id).toBe(id)
  expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true, sub: id })
  await client.tokenRevocation(config, tokens.access_token)
  expect(await client.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false })
}

describe('openid-client, from discovery alone', () => {
  test.each(['oidc', 'oauth2'] as const)(
    'gets, verifies, introspects and revokes a token with Basic, using discovery by %s',
    async (algorithm) => {
      const { clientId, clientSecret } = arranged.client
      await wholeLife(await discover(clientId, client.ClientSecretBasic(clientSecret), algorithm), arranged, clientId)
    },
  )

  test('does so with the secret in the body', async () => {
    const posting = await arrange(server, { metadata: { tokenEndpointAuthMethod: 'client_secret_post' } })
    const { clientId, clientSecret } = posting.client
    await wholeLife(await discover(clientId, client.ClientSecretPost(clientSecret)), posting, clientId)
  })

  test.each(['ES256', 'ES384', 'Ed25519', 'RS256', 'PS256'])(
    'does so with private_key_jwt and %s',
    async (algorithm) => {
      const key = await makeKey(algorithm, { kid: 'key', ...(algorithm === 'PS256' ? { alg: algorithm } : {}) })
      const asserting = await registerKeyClient(server, [key])
      const behind = Math.floor(server.clock.now().getTime() / 1000) - Math.floor(Date.now() / 1000)
      const config = await discover(
        asserting.id,
        client.PrivateKeyJwt({ key: key.privateKey, kid: 'key' }),
        'oidc',
        behind,
      )
      await wholeLife(config, asserting, asserting.id)
    },
  )

  test('reads the error of a refusal', async () => {
    const config = await discover(arranged.client.clientId, client.ClientSecretBasic('wrong'))
    const refusal = client.clientCredentialsGrant(config, { resource: arranged.resource.indicator })
    await expect(refusal).rejects.toMatchObject({ name: 'WWWAuthenticateChallengeError', status: 401 })
    const { clientId, clientSecret } = arranged.client
    const right = await discover(clientId, client.ClientSecretBasic(clientSecret))
    const target = client.clientCredentialsGrant(right, { resource: 'https://nobody.example' })
    await expect(target).rejects.toMatchObject({ error: 'invalid_target', status: 400 })
  })
})
