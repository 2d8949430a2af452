/** What the server's own APIs answer to a token that came with a proof: challenges of its scheme, and the next nonce. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openAccountCenter } from '../account/arrange.ts'
import { authorization, post, send } from '../protocol/arrange.ts'
import { CALLBACK } from '../sign-in/arrange.ts'
import { authorize, type SignedIn, signedInUser } from '../sign-in/user-tokens.ts'
import { boundHeaders, makePair, type ProofPair, proofOf } from './proofs.ts'

let server: TestServer
let pair: ProofPair
let known: SignedIn
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  pair = await makePair()
  known = await signedInUser(server)
  await openAccountCenter(server)
})
afterAll(() => server.close())

type Claims = NonNullable<Parameters<typeof proofOf>[2]>['claims']

const userToken = async (scope: string): Promise<string> => {
  const { begun, code } = await authorize(known, scope, [])
  const parameters = {
    ...{ grant_type: 'authorization_code', client_id: known.app.id, code, redirect_uri: CALLBACK },
    code_verifier: begun.verifier,
  }
  const { body } = await post(server, '/token', parameters, { dpop: await proofOf(server, pair) })
  return body.access_token
}
const machineToken = async (scope: string, claims: Claims = {}): Promise<string> => {
  const { clientId, clientSecret, resource } = server.credentials
  const parameters = { grant_type: 'client_credentials', resource, scope }
  const headers = { ...authorization({ clientId, clientSecret }), dpop: await proofOf(server, pair, { claims }) }
  return (await post(server, '/token', parameters, headers)).body.access_token
}

const bound = async (path: string, token: string, claims: Claims = {}) =>
  send(server.baseUrl + path, {
    method: 'GET',
    headers: await boundHeaders(server, pair, token, { method: 'GET', url: server.baseUrl + path, claims }),
  })
const challengeOf = ({ status, headers }: Awaited<ReturnType<typeof send>>) => {
  const challenge = String(headers['www-authenticate'])
  return [status, challenge.split(' ')[0], /error="(\w+)"/.exec(challenge)?.[1], challenge.includes('algs="ES256 ')]
}

const APIS = [
  ['/oidc/me', userToken, 'profile'],
  ['/api/my-account', userToken, 'profile'],
  ['/api/roles', machineToken, 'read:users'],
] as const

test.each(APIS)('%s refuses in the scheme that the token came in', async (path, tokenOf, lacking) => {
  const token = await tokenOf('openid all')
  const poor = await tokenOf(lacking)
  expect(challengeOf(await bound(path, poor))).toEqual([403, 'DPoP', 'insufficient_scope', true])
  const unbound = await send(server.baseUrl + path, { method: 'GET', headers: { authorization: 'Bearer unknown' } })
  expect(challengeOf(unbound)).toEqual([401, 'Bearer', 'invalid_token', false])
  expect(challengeOf(await bound(path, 'unknown'))).toEqual([401, 'DPoP', 'invalid_token', true])
  const lowered = { authorization: 'dpop unknown' }
  expect(challengeOf(await send(server.baseUrl + path, { method: 'GET', headers: lowered }))[1]).toBe('DPoP')
  server.clock.advance(7200)
  expect(challengeOf(await bound(path, token))).toEqual([401, 'DPoP', 'invalid_token', true])
})

test('a revoked token is refused in the scheme that it came in', async () => {
  const token = await userToken('openid')
  await post(server, '/token/revocation', { token, client_id: known.app.id })
  for (const path of ['/oidc/me', '/api/my-account'])
    expect(challengeOf(await bound(path, token))).toEqual([401, 'DPoP', 'invalid_token', true])
})

test.each(APIS)('%s gives the next nonce before the old one is too old, and only then', async (path, tokenOf) => {
  const token = await tokenOf('openid all')
  const challenged = await bound(path, token, { nonce: 'unknown' })
  expect(challengeOf(challenged).slice(0, 3)).toEqual([401, 'DPoP', 'use_dpop_nonce'])
  const first = String(challenged.headers['dpop-nonce'])
  const nonceAfter = async (claims: Claims) => {
    const { status, headers } = await bound(path, token, claims)
    expect(status).toBe(200)
    return headers['dpop-nonce']
  }
  expect(await nonceAfter({})).toBeUndefined()
  expect(await nonceAfter({ nonce: first })).toBeUndefined()
  server.clock.advance(60)
  const second = await nonceAfter({ nonce: first })
  expect(second).toMatch(/^[\w-]{22}$/)
  expect(second).not.toBe(first)
  expect(await nonceAfter({ nonce: String(second) })).toBeUndefined()
  server.clock.advance(60)
  expect((await bound(path, token, { nonce: first })).status).toBe(401)
})
