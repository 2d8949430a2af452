/**
 * Which key signs ID tokens: the main key, or the key of the algorithm that the application requests (DECISIONS G1).
 */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { managementToken } from '../management/arrange.ts'
import { begin, createApp, createUser, newBrowser, redeem, signIn } from '../sign-in/arrange.ts'
import type { BodyOf } from './arrange.ts'

let server: TestServer
beforeEach(async () => {
  server = await startTestServer(inject('cluster'))
})
afterEach(() => server.close())

interface Key {
  readonly id: string
  readonly chain: string
  readonly status: string
  readonly algorithm: string
}
const keys = async (): Promise<Key[]> => (await server.api('GET', '/configs/oidc/private-keys')).body
const states = async () =>
  (await keys()).map(({ chain, algorithm, status }) => `${chain} ${algorithm} ${status}`).sort()
const rotate = (body: object) => server.api('POST', '/configs/oidc/private-keys/rotate', body)
const jwks = async () => (await (await fetch(`${server.issuer}/jwks`)).json()) as JSONWebKeySet
type Algorithm = NonNullable<
  NonNullable<BodyOf<'createApplication'>['customClientMetadata']>['idTokenSignedResponseAlg']
>
const asking = (idTokenSignedResponseAlg: Algorithm) => ({ customClientMetadata: { idTokenSignedResponseAlg } })

/** Signs a new user in with a client that requires the algorithm, as openid-client does; returns the tokens. */
const tokensOf = async (
  app: Awaited<ReturnType<typeof createApp>>,
  algorithm: string,
  parameters: Record<string, string> = {},
) => {
  const configuration = new client.Configuration(
    app.configuration.serverMetadata(),
    app.id,
    { id_token_signed_response_alg: algorithm },
    client.None(),
  )
  client.allowInsecureRequests(configuration)
  // verifies signatures with the published keys, which openid-client does not do by default for a token received from
  // the server
  client.enableNonRepudiationChecks(configuration)
  configuration[client.customFetch] = (url, options) => fetch(url, options as RequestInit)
  const { username } = await createUser(server)
  const begun = await begin(configuration, { scope: 'openid offline_access', ...parameters })
  const page = await signIn(newBrowser(), begun, username)
  return { configuration, tokens: await redeem(configuration, page, begun) }
}

const verified = async (idToken: string | undefined, at: JSONWebKeySet) =>
  jwtVerify(idToken ?? '', createLocalJWKSet(at), { issuer: server.issuer, currentDate: server.clock.now() })

describe('ID tokens with the algorithm that the application requests', () => {
  test.each(['RS256', 'PS256', 'ES384', 'EdDSA'] as const)(
    '%s: for the application that requests it, and for no other',
    async (algorithm) => {
      const asks = await createApp(server, 'SPA', asking(algorithm))
      const other = await createApp(server, 'SPA')
      expect(await states()).toEqual([`${algorithm} ${algorithm} Current`, 'main ES256 Current'].sort())
      const { configuration, tokens } = await tokensOf(asks, algorithm)
      expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe(algorithm)
      const refreshed = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
      expect(decodeProtectedHeader(refreshed.id_token ?? '').alg).toBe(algorithm)
      const published = await jwks()
      const { payload } = await verified(tokens.id_token, published)
      expect(payload.at_hash).toEqual(expect.any(String))
      const others = await tokensOf(other, 'ES256')
      expect(decodeProtectedHeader(others.tokens.id_token ?? '').alg).toBe('ES256')
      // openid-client accepts no token of another algorithm
      await expect(tokensOf(other, algorithm)).rejects.toThrow()
    },
  )

  test('access tokens are still signed with the main key', async () => {
    await server.api('POST', '/resources', { name: 'Orders', indicator: 'https://api.example' })
    const asks = await createApp(server, 'SPA', asking('RS256'))
    const resource = 'https://api.example'
    const { configuration, tokens } = await tokensOf(asks, 'RS256', { resource })
    const api = await client.refreshTokenGrant(configuration, tokens.refresh_token ?? '', { resource })
    expect(decodeProtectedHeader(api.access_token).alg).toBe('ES256')
    expect(decodeProtectedHeader(api.id_token ?? '').alg).toBe('RS256')
  })

  test('a change of the application takes effect with the next token, and 10 concurrent changes create one key', async () => {
    const apps = await Promise.all(Array.from({ length: 10 }, () => createApp(server, 'SPA')))
    expect(await states()).toEqual(['main ES256 Current'])
    const changes = apps.map(({ id }) => server.api('PATCH', `/applications/${id}`, asking('RS256')))
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await states()).toEqual(['RS256 RS256 Current', 'main ES256 Current'])
    const [app] = apps
    if (app) expect(decodeProtectedHeader((await tokensOf(app, 'RS256')).tokens.id_token ?? '').alg).toBe('RS256')
  })

  test('an application that requests the algorithm of the main key needs no chain', async () => {
    const app = await createApp(server, 'SPA', asking('ES256'))
    expect(await states()).toEqual(['main ES256 Current'])
    expect(decodeProtectedHeader((await tokensOf(app, 'ES256')).tokens.id_token ?? '').alg).toBe('ES256')
  })
})

describe('rotation', () => {
  test('rotates every chain, and refuses no token that was signed before, during or after it', async () => {
    const app = await createApp(server, 'SPA', asking('RS256'))
    const before = (await tokensOf(app, 'RS256')).tokens.id_token
    server.clock.advance(1)
    await rotate({ rotationGracePeriod: 600 })
    const published = ['main ES256 Current', 'main ES256 Next', 'RS256 RS256 Current', 'RS256 RS256 Next']
    expect(await states()).toEqual(published.sort())
    const duringKeys = await jwks()
    const during = (await tokensOf(app, 'RS256')).tokens.id_token
    server.clock.advance(600)
    const after = (await tokensOf(app, 'RS256')).tokens.id_token
    const kids = [before, during, after].map((token) => decodeProtectedHeader(token ?? '').kid)
    expect([kids[0] === kids[1], kids[1] === kids[2]]).toEqual([true, false])
    for (const at of [duringKeys, await jwks()]) {
      for (const token of [before, during, after]) {
        expect((await verified(token, at)).payload.sub).toEqual(expect.any(String))
      }
    }
    expect(await states()).toEqual(
      ['main ES256 Previous', 'main ES256 Current', 'RS256 RS256 Previous', 'RS256 RS256 Current'].sort(),
    )
  })

  test('to another algorithm creates a chain for applications that request the former one', async () => {
    const app = await createApp(server, 'SPA', asking('ES256'))
    server.clock.advance(1)
    await rotate({ algorithm: 'RS256', rotationGracePeriod: 600 })
    expect(await states()).toEqual(['ES256 ES256 Next', 'main ES256 Current', 'main RS256 Next'])
    expect(decodeProtectedHeader((await tokensOf(app, 'ES256')).tokens.id_token ?? '').alg).toBe('ES256')
    server.clock.advance(600)
    expect(await states()).toEqual(['ES256 ES256 Current', 'main ES256 Previous', 'main RS256 Current'])
    expect(decodeProtectedHeader((await tokensOf(app, 'ES256')).tokens.id_token ?? '').alg).toBe('ES256')
    const other = await createApp(server, 'SPA')
    expect(decodeProtectedHeader((await tokensOf(other, 'RS256')).tokens.id_token ?? '').alg).toBe('RS256')
  })

  test('an application that requests the former algorithm during the grace period gets a chain too', async () => {
    server.clock.advance(1)
    await rotate({ algorithm: 'RS256', rotationGracePeriod: 600 })
    const app = await createApp(server, 'SPA', asking('ES256'))
    for (const wait of [0, 600]) {
      server.clock.advance(wait)
      expect(decodeProtectedHeader((await tokensOf(app, 'ES256')).tokens.id_token ?? '').alg).toBe('ES256')
    }
  })

  test('a key of a chain can be deleted only when it is Previous', async () => {
    await createApp(server, 'SPA', asking('RS256'))
    server.clock.advance(1)
    await rotate({ rotationGracePeriod: 0 })
    const token = await managementToken(server, 'all')
    for (const { id, status } of await keys()) {
      const answered = await server.api('DELETE', `/configs/oidc/private-keys/${id}`, undefined, { token })
      expect(answered.status).toBe(status === 'Previous' ? 204 : 422)
    }
  })
})

test('an ID token of any chain is a valid id_token_hint', async () => {
  const app = await createApp(server, 'SPA', asking('RS256'))
  const { configuration, tokens } = await tokensOf(app, 'RS256')
  const { url } = await begin(configuration, { prompt: 'none', id_token_hint: tokens.id_token ?? '' })
  const answered = await newBrowser().open(url)
  expect(answered.url.searchParams.get('error')).toBe('login_required')
  const foreign = await begin(configuration, { prompt: 'none', id_token_hint: `${tokens.id_token}x` })
  expect((await newBrowser().open(foreign.url)).url.searchParams.get('error')).toBe('invalid_request')
})

test('the acr of a sign-in with only a password is that of one factor', async () => {
  const { tokens } = await tokensOf(await createApp(server, 'SPA'), 'ES256')
  expect(tokens.claims()).toMatchObject({ acr: 'urn:countersign:acr:1fa', amr: ['pwd'] })
})
