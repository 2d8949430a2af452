// What every adapter must do, tested through its own framework and real HTTP.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import type { GuardOptions } from '../src/adapters/guarded.ts'
import { type GuardError, rotatingNonces } from '../src/index.ts'
import { type Issuer, startIssuer } from './issuer.ts'
import { baseUrl, proofClient } from './proofs.ts'

/** How the user has to have signed in for a transfer. */
export const transfers = { acrValues: ['mfa', 'phr'], maxAgeSeconds: 300 }

/** Starts the framework with these routes and returns its origin:
 * GET /me behind `guard()`, POST /orders behind `guard('write:orders')`, each returning {subject, scopes}; POST /transfers behind
 * `guard('write:orders', transfers)`; GET /open without a guard; and GET /other/:id, whose handler returns {id}, behind `guard()`. */
export type StartApi = (options: GuardOptions) => Promise<string>

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Node's own client, because `fetch` cannot send a header twice. */
export const call = (url: string, headers: readonly string[] = [], method = 'GET'): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { host } = new URL(url)
    const outgoing = httpRequest(
      url,
      { method, headers: ['host', host, 'content-length', '0', ...headers] },
      (response) => {
        const { statusCode: status, headers } = response
        response
          .toArray()
          .then((chunks) => resolve({ status, headers, body: Buffer.concat(chunks).toString() }), reject)
      },
    )
    outgoing.on('error', reject).end()
  })

export function behavesAsAGuard(start: StartApi): void {
  const setUp = async (extra: (issuer: Issuer) => Partial<GuardOptions> = () => ({})) => {
    const issuer = await startIssuer()
    const refusals: GuardError[] = []
    const onRefusal = (error: GuardError) => {
      refusals.push(error)
    }
    const origin = await start({ ...issuer.expected, onRefusal, ...extra(issuer) })
    const bearer = (token: string) => ['authorization', `Bearer ${token}`]
    return { issuer, origin, refusals, bearer }
  }

  test('passes the verified token to the handler', async () => {
    const { issuer, origin, refusals, bearer } = await setUp()
    const { status, body } = await call(`${origin}/me`, bearer(await issuer.sign({ scope: 'read:orders' })))
    expect([status, JSON.parse(body)]).toEqual([200, { subject: 'user-1', scopes: ['read:orders'] }])
    const other = await call(`${origin}/other/7`, bearer(await issuer.sign()))
    expect([other.status, JSON.parse(other.body)]).toEqual([200, { id: '7' }])
    expect(refusals).toEqual([])
  })

  test('does not affect other routes', async () => {
    const { origin, refusals } = await setUp()
    expect((await call(`${origin}/open`)).status).toBe(200)
    expect(refusals).toEqual([])
  })

  test('challenges a request without a token, with the attributes of the API', async () => {
    const resourceMetadata = 'https://api.example.com/.well-known/oauth-protected-resource'
    const { origin, refusals } = await setUp(() => ({ realm: 'orders', resourceMetadata }))
    const { status, headers } = await call(`${origin}/me?access_token=abc`)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe(`Bearer realm="orders", resource_metadata="${resourceMetadata}"`)
    expect(refusals.map((error) => error.code)).toEqual(['credentials_missing'])
  })

  test('serves what the API says of itself, and names its address and the scopes of the route (RFC 9728)', async () => {
    const description = {
      scopes: ['read:orders', 'write:orders'],
      name: 'Orders',
      documentation: 'https://docs.example',
    }
    const { issuer, origin, bearer } = await setUp(() => ({ protectedResource: description }))
    const path = '/.well-known/oauth-protected-resource/orders'
    const document = await call(`${origin}${path}?x=1`)
    expect(JSON.parse(document.body)).toEqual({
      resource: 'https://api.example.com/orders',
      authorization_servers: [issuer.issuer],
      bearer_methods_supported: ['header'],
      scopes_supported: ['read:orders', 'write:orders'],
      resource_name: 'Orders',
      resource_documentation: 'https://docs.example',
    })
    expect(document.headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(document.headers['content-type']).toMatch(/^application\/json/)
    expect(await call(`${origin}${path}`, [], 'HEAD')).toMatchObject({ status: 200, body: '' })
    const preflight = await call(
      `${origin}${path}`,
      ['access-control-request-headers', 'mcp-protocol-version'],
      'OPTIONS',
    )
    expect(preflight).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
    })
    expect([404, 405]).toContain((await call(`${origin}${path}`, [], 'POST')).status)
    const address = `resource_metadata="https://api.example.com${path}"`
    expect((await call(`${origin}/me`)).headers['www-authenticate']).toBe(`Bearer ${address}`)
    const unknown = await call(`${origin}/orders`, [], 'POST')
    expect(unknown.headers['www-authenticate']).toBe(`Bearer scope="write:orders", ${address}`)
    const reader = await call(`${origin}/orders`, bearer(await issuer.sign({ scope: 'read:orders' })), 'POST')
    expect(reader.headers['www-authenticate']).toMatch(/^Bearer error="insufficient_scope".* scope="write:orders", res/)
    expect((await call(`${origin}${path}/more`)).status).toBe(404)
  })

  test('refuses a bad token before the handler, and reports the reason to the API', async () => {
    const { issuer, origin, refusals, bearer } = await setUp()
    const token = await issuer.sign({ aud: 'https://other.example' })
    const { status, headers, body } = await call(`${origin}/me`, bearer(token))
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toBe(
      'Bearer error="invalid_token", error_description="The access token is for another audience"',
    )
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(JSON.parse(body)).toEqual({
      code: 'token_audience_mismatch',
      message: 'The access token is for another audience',
    })
    expect(refusals.map((error) => error.cause)).toMatchObject([{ received: 'https://other.example' }])
  })

  test('requires the scopes of each route', async () => {
    const { issuer, origin, bearer } = await setUp()
    const reader = bearer(await issuer.sign({ scope: 'read:orders write' }))
    expect((await call(`${origin}/me`, reader)).status).toBe(200)
    const { status, headers } = await call(`${origin}/orders`, reader, 'POST')
    expect(status).toBe(403)
    expect(headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", error_description="The access token lacks a required scope", scope="write:orders"',
    )
    expect((await call(`${origin}/orders`, bearer(await issuer.sign()), 'POST')).status).toBe(200)
  })

  test('requires the sign-in of each route, and says what to ask the user for (RFC 9470)', async () => {
    const { issuer, origin, refusals, bearer } = await setUp(() => ({ dpop: { baseUrl } }))
    const signedIn = { acr: 'mfa', auth_time: issuer.claims.iat - 300 }
    const transfer = async (claims: Record<string, unknown>) =>
      call(`${origin}/transfers`, bearer(await issuer.sign(claims)), 'POST')
    expect((await transfer(signedIn)).status).toBe(200)
    expect((await transfer({ ...signedIn, acr: 'phr' })).status).toBe(200)
    const asked =
      'error="insufficient_user_authentication", error_description="The user has to sign in again, more recently or more strongly", acr_values="mfa phr", max_age="300", scope="write:orders"'
    for (const claims of [
      { ...signedIn, acr: 'pwd' },
      { ...signedIn, auth_time: signedIn.auth_time - 1 },
      { ...signedIn, scope: 'read:orders', acr: 'pwd' },
      {},
    ]) {
      const { status, headers, body } = await transfer(claims)
      expect([status, headers['www-authenticate'], JSON.parse(body).code]).toEqual([
        401,
        `Bearer ${asked}`,
        'authentication_insufficient',
      ])
    }
    expect(refusals.at(-1)?.requiredAuthentication).toEqual(transfers)
    const missing = await transfer({ ...signedIn, scope: 'read:orders' })
    expect(missing.status).toBe(403)
    // no other route and no other refusal asks for it
    expect((await call(`${origin}/orders`, bearer(await issuer.sign()), 'POST')).status).toBe(200)
    expect((await call(`${origin}/transfers`, [], 'POST')).headers['www-authenticate']).not.toContain('acr_values')
    const client = await proofClient(issuer)
    const bound = await client.token()
    const proof = await client.proof(bound, { htm: 'POST', htu: `${baseUrl}/transfers` })
    const refused = await call(`${origin}/transfers`, ['authorization', `DPoP ${bound}`, 'dpop', proof], 'POST')
    expect(refused.headers['www-authenticate']).toMatch(new RegExp(`^DPoP algs="[^"]+", ${asked}$`))
  })

  test('refuses several Authorization headers, even if one of them is valid', async () => {
    const { issuer, origin, bearer } = await setUp()
    const good = bearer(await issuer.sign())
    for (const headers of [
      [...good, ...good],
      [...good, ...bearer('x')],
      [...good, 'AUTHORIZATION', 'Basic eDp4'],
    ]) {
      const answer = await call(`${origin}/me`, headers)
      expect(answer.status).toBe(400)
      expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_request"/)
    }
  })

  test('takes a bound token with the proof of its key, once, for the address that the API has for its clients', async () => {
    const { issuer, origin } = await setUp(() => ({ dpop: { baseUrl } }))
    const client = await proofClient(issuer)
    const token = await client.token()
    const made = async (claims: Record<string, unknown> = {}) => {
      const proof = await client.proof(token, { htu: `${baseUrl}/other/7`, ...claims })
      return ['authorization', `DPoP ${token}`, 'dpop', proof]
    }
    const headers = await made()
    expect((await call(`${origin}/other/7?x=1`, headers)).status).toBe(200)
    const refused = async (sent: readonly string[]) => {
      const answer = await call(`${origin}/other/7`, sent)
      expect(answer.status).toBe(401)
      return /^DPoP algs="[^"]+", error="(\w+)"/.exec(answer.headers['www-authenticate'] ?? '')?.[1]
    }
    expect(await refused(headers)).toBe('invalid_dpop_proof')
    expect(await refused([...(await made()), ...(await made()).slice(2)])).toBe('invalid_dpop_proof')
    expect(await refused(await made({ htu: `${origin}/other/7` }))).toBe('invalid_dpop_proof')
    expect(await refused(['authorization', `Bearer ${token}`])).toBe('invalid_token')
    expect((await call(`${origin}/me`)).headers['www-authenticate']).toMatch(/^Bearer, DPoP algs="/)
    const reader = await client.token({ scope: 'read:orders' })
    const foreign = await client.token({ aud: 'https://other.example' })
    for (const [method, path, scheme, presented, expected] of [
      ['GET', '/me', 'DPoP', foreign, [401, 'DPoP', 'invalid_token']],
      ['GET', '/me', 'Bearer', foreign, [401, 'Bearer', 'invalid_token']],
      ['GET', '/me', 'DPoP', 'x y', [400, 'DPoP', 'invalid_request']],
      ['POST', '/orders', 'DPoP', reader, [403, 'DPoP', 'insufficient_scope']],
    ] as const) {
      const dpop = await client.proof(presented, { htm: method, htu: baseUrl + path })
      const answer = await call(`${origin}${path}`, ['authorization', `${scheme} ${presented}`, 'dpop', dpop], method)
      const challenge = answer.headers['www-authenticate'] ?? ''
      expect([answer.status, challenge.split(' ')[0], /error="(\w+)"/.exec(challenge)?.[1]]).toEqual(expected)
    }
  })

  test('gives the nonce of the next proof with the answer to every proof (RFC 9449 §8.2), and to nothing else', async () => {
    let now = new Date()
    const nonces = rotatingNonces(new Uint8Array(32).fill(7), () => now)
    const { issuer, origin, bearer } = await setUp(() => ({ dpop: { baseUrl, nonces } }))
    const client = await proofClient(issuer)
    const token = await client.token()
    const ask = async (nonce: unknown) => {
      const proof = await client.proof(token, { htu: `${baseUrl}/me`, nonce })
      const { status, headers } = await call(`${origin}/me`, ['authorization', `DPoP ${token}`, 'dpop', proof])
      return { status, next: headers['dpop-nonce'] }
    }
    const first = await nonces.current()
    expect(await ask(undefined)).toEqual({ status: 401, next: first })
    expect(await ask(first)).toEqual({ status: 200, next: first })
    now = new Date(now.getTime() + 60_000)
    const second = await nonces.current()
    expect(second).not.toBe(first)
    expect(await ask(first)).toEqual({ status: 200, next: second })
    // a client that took it over is not refused when the first one ends
    now = new Date(now.getTime() + 60_000)
    expect(await ask(second)).toMatchObject({ status: 200 })
    expect(await ask(first)).toMatchObject({ status: 401 })
    expect((await call(`${origin}/me`, bearer(await issuer.sign()))).headers).not.toHaveProperty('dpop-nonce')
    expect((await call(`${origin}/open`)).headers).not.toHaveProperty('dpop-nonce')
  })

  test('answers 503 without a challenge when keys are unavailable', async () => {
    const { issuer, origin, refusals, bearer } = await setUp()
    await issuer.stop()
    const { status, headers } = await call(`${origin}/me`, bearer(await issuer.sign()))
    expect([status, headers['www-authenticate']]).toEqual([503, undefined])
    expect(refusals.map((error) => error.code)).toEqual(['keys_unavailable'])
  })

  test('leaves errors of the API itself to the framework', async () => {
    const failing = () => {
      throw new Error('the log is full')
    }
    const { origin } = await setUp(() => ({ onRefusal: failing }))
    const { status, headers } = await call(`${origin}/me`)
    expect([status, headers['www-authenticate']]).toEqual([500, undefined])
    expect((await call(`${origin}/open`)).status).toBe(200)
  })
}
