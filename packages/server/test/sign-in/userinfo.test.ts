/** Userinfo (DECISIONS G6): what it says of a token that is not for it, and its moments. */
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { FORM, form, send } from '../protocol/arrange.ts'
import { begin, createApp, redeem } from './arrange.ts'
import { authorize, redeemCode, type SignedIn, signedInUser } from './user-tokens.ts'

let server: TestServer
let known: SignedIn
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  known = await signedInUser(server)
})
afterAll(() => server.close())

const tokensFor = async (scope: string) => (await redeemCode(server, known, await authorize(known, scope, []))).body
const ask = async (token: string) => {
  const answer = await fetch(`${server.issuer}/me`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, challenge: answer.headers.get('www-authenticate'), body: await answer.json() }
}

test('without openid the body says insufficient_scope as the header does', async () => {
  const { access_token } = await tokensFor('profile')
  const { status, challenge, body } = await ask(access_token)
  expect([status, body.error]).toEqual([403, 'insufficient_scope'])
  expect(challenge).toContain('Bearer error="insufficient_scope"')
})

test('an invalid token is invalid_token with 401, in the body and in the header', async () => {
  const { status, challenge, body } = await ask('cs_at_nothing')
  expect([status, body.error]).toEqual([401, 'invalid_token'])
  expect(challenge).toContain('Bearer error="invalid_token"')
})

test('a token comes in one way, in the header or in the form (RFC 6750 section 2)', async () => {
  const { access_token } = await tokensFor('openid')
  const body = form({ access_token })
  const authorization = `Bearer ${access_token}`
  const ask = async (headers: Readonly<Record<string, string | readonly string[]>>, sent?: string) => {
    const reply = await send(`${server.issuer}/me`, { headers: { 'content-type': FORM, ...headers }, body: sent })
    return [reply.status, reply.body.error, reply.headers['www-authenticate']]
  }
  expect((await ask({}, body))[0]).toBe(200)
  expect(await ask({ authorization }, body)).toEqual([400, 'invalid_request', undefined])
  expect(await ask({ authorization: [authorization, authorization] })).toEqual([400, 'invalid_request', undefined])
  // without credentials of this kind the challenge names no error (section 3.1)
  expect(await ask({})).toEqual([401, 'invalid_token', expect.stringMatching(/^Bearer resource_metadata="[^"]+"$/)])
  expect(await ask({ authorization: 'Basic eDp4' })).toEqual([
    401,
    'invalid_token',
    expect.stringMatching(/^Bearer resource_metadata="[^"]+"$/),
  ])
})

test('updated_at is in seconds, created_at in milliseconds, at userinfo and in the ID token (WIRE W5)', async () => {
  const { body: stored } = await server.api('GET', `/users/${known.user.id}`)
  const tokens = await tokensFor('openid profile')
  const times = { updated_at: expect.any(Number), created_at: stored.createdAt }
  const { body } = await ask(tokens.access_token)
  expect(body).toMatchObject(times)
  expect(decodeJwt(tokens.id_token)).toMatchObject(times)
  expect(body.updated_at).toBeLessThan(stored.createdAt / 100)
})

test('an application that asks for a signature gets a JWT, which is no ID token', async () => {
  const customClientMetadata = { userinfoSignedResponseAlg: 'RS256' as const }
  const signed = await createApp(server, 'SPA', { customClientMetadata })
  const configuration = new client.Configuration(
    signed.configuration.serverMetadata(),
    signed.id,
    { userinfo_signed_response_alg: 'RS256' },
    client.None(),
  )
  client.allowInsecureRequests(configuration)
  client.enableNonRepudiationChecks(configuration)
  const begun = await begin(configuration, { prompt: 'none' })
  const { access_token } = await redeem(configuration, await known.browser.open(begun.url), begun)
  const wanted = { sub: known.user.id, username: known.user.username }
  expect(await client.fetchUserInfo(configuration, access_token, known.user.id)).toMatchObject(wanted)
  const answer = await fetch(`${server.issuer}/me`, { headers: { authorization: `Bearer ${access_token}` } })
  expect(answer.headers.get('content-type')).toBe('application/jwt')
  const jwt = await answer.text()
  const expected = { issuer: server.issuer, audience: signed.id, typ: 'userinfo+jwt', algorithms: ['RS256'] }
  expect((await jwtVerify(jwt, createRemoteJWKSet(new URL(`${server.issuer}/jwks`)), expected)).payload).toMatchObject(
    wanted,
  )
  const hinted = await known.browser.open((await begin(configuration, { prompt: 'none', id_token_hint: jwt })).url)
  expect(hinted.url.searchParams.get('error')).toBe('invalid_request')
})
