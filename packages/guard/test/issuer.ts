// A real authorization server as far as this package can see: discovery and a key set over HTTP, and a function that
// signs.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

export const audience = 'https://api.example.com/orders'
const now = new Date('2030-01-01T00:00:00Z')
const clock = () => now
const seconds = now.getTime() / 1000

export interface SigningKey {
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly jwk: JWK & { kid: string }
}

export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Responses of the server by path; a test may replace them. `undefined` never responds. */
type Answers = Record<string, { status?: number; body: unknown; headers?: Record<string, string> } | undefined>

let issuers = 0

export async function startIssuer(...keys: SigningKey[]) {
  // the guard caches the keys of an issuer, and ports are reused: no two issuers of a process share a name
  issuers += 1
  const folder = `/issuer-${issuers}`
  const [first = await signingKey('first')] = keys
  const requests: string[] = []
  const published = { keys: (keys.length > 0 ? keys : [first]).map((key) => key.jwk as unknown) }
  const answers: Answers = {}

  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(folder, '')
    requests.push(path)
    if (path in answers && answers[path] === undefined) return
    const { status = 200, body, headers } = answers[path] ?? { status: 404, body: {} }
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)

  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}${folder}`
  const issuer = `${origin}/oidc`
  const discovery = '/oidc/.well-known/openid-configuration'
  answers[discovery] = { body: { issuer, jwks_uri: `${issuer}/jwks` } }
  answers['/oidc/jwks'] = { body: published }

  const claims = {
    iss: issuer,
    sub: 'user-1',
    aud: audience,
    exp: seconds + 3600,
    iat: seconds,
    jti: 'token-1',
    client_id: 'client-1',
    scope: 'read:orders write:orders',
  }

  /** A valid token of this issuer, except for the given values; `undefined` omits a claim or header parameter. */
  const sign = (
    changes: Record<string, unknown> = {},
    header: Partial<JWTHeaderParameters> & Record<string, unknown> = {},
    key: SigningKey = first,
  ) =>
    new SignJWT(JSON.parse(JSON.stringify({ ...claims, ...changes })))
      .setProtectedHeader(JSON.parse(JSON.stringify({ alg: key.alg, typ: 'at+jwt', kid: key.jwk.kid, ...header })))
      .sign(key.privateKey)

  const expected = { issuer, audience, now: clock }
  return { origin, issuer, discovery, claims, expected, key: first, published, answers, requests, sign, stop }
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>

export const bearerRequest = (authorization?: string): Request =>
  new Request('https://api.example.com/orders', { headers: authorization === undefined ? {} : { authorization } })
