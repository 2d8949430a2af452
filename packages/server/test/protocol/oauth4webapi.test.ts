import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import * as oauth from 'oauth4webapi'
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

const insecure = { [oauth.allowInsecureRequests]: true }

const discover = async (algorithm: 'oidc' | 'oauth2'): Promise<oauth.AuthorizationServer> => {
  const issuer = new URL(server.issuer)
  const response = await oauth.discoveryRequest(issuer, { algorithm, ...insecure })
  return oauth.processDiscoveryResponse(issuer, response)
}

const wholeLife = async (
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  auth: oauth.ClientAuth,
  resource: string,
) => {
  const parameters = new URLSearchParams({ resource, scope: 'read:orders write:orders' })
  const response = await oauth.clientCredentialsGrantRequest(as, client, auth, parameters, insecure)
  const { access_token, scope } = await oauth.processClientCredentialsResponse(as, client, response)
  expect(scope).toBe('read:orders')

  // the strictest independent verifier of RFC 9068 tokens
  const behind = Math.floor(server.clock.now().getTime() / 1000) - Math.floor(Date.now() / 1000)
  const request = new Request('https://api.example/', { headers: { authorization: `Bearer ${access_token}` } })
  const claims = await oauth.validateJwtAccessToken(as, request, resource, { [oauth.clockSkew]: behind, ...insecure })
  expect(claims).toMatchObject({ sub: client.client_id, client_id: client.client_id, aud: resource })

  const introspect = async () =>
    oauth.processIntrospectionResponse(
      as,
      client,
      await oauth.introspectionRequest(as, client, auth, access_token, insecure),
    )
  expect(await introspect()).toMatchObject({ active: true, client_id: client.client_id, token_type: 'Bearer' })
  await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, auth, access_token, insecure))
  expect(await introspect()).toEqual({ active: false })
}

describe('oauth4webapi, from discovery alone', () => {
  test.each(['oidc', 'oauth2'] as const)(
    'gets, validates, introspects and revokes a token with Basic, using discovery by %s',
    async (algorithm) => {
      const { clientId, clientSecret } = arranged.client
      const auth = oauth.ClientSecretBasic(clientSecret)
      await wholeLife(await discover(algorithm), { client_id: clientId }, auth, arranged.resource.indicator)
    },
  )

  test('does so with the secret in the body', async () => {
    const posting = await arrange(server, { metadata: { tokenEndpointAuthMethod: 'client_secret_post' } })
    const auth = oauth.ClientSecretPost(posting.client.clientSecret)
    await wholeLife(await discover('oidc'), { client_id: posting.client.clientId }, auth, posting.resource.indicator)
  })

  test('does so with private_key_jwt, with the audience of its choice', async () => {
    const key = await makeKey('ES256')
    const asserting = await registerKeyClient(server, [key])
    const behind = Math.floor(server.clock.now().getTime() / 1000) - Math.floor(Date.now() / 1000)
    const client = { client_id: asserting.id, [oauth.clockSkew]: behind }
    await wholeLife(await discover('oidc'), client, oauth.PrivateKeyJwt(key.privateKey), asserting.resource.indicator)
  })

  test('validates tokens of every signing algorithm', async () => {
    const { clientId, clientSecret } = arranged.client
    for (const algorithm of ['RS256', 'ES384', 'EdDSA']) {
      await server.api('POST', '/configs/oidc/private-keys/rotate', { algorithm, rotationGracePeriod: 1 })
      server.clock.advance(1)
      const auth = oauth.ClientSecretBasic(clientSecret)
      await wholeLife(await discover('oidc'), { client_id: clientId }, auth, arranged.resource.indicator)
    }
  })
})
