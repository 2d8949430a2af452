// A client with a key of its own: bound tokens of an issuer, and proofs for requests of an API.

import { createHash, randomUUID } from 'node:crypto'
import { calculateJwkThumbprint, SignJWT } from 'jose'
import { type Issuer, signingKey } from './issuer.ts'

export const baseUrl = 'https://api.example.com'

export async function proofClient(issuer: Issuer, alg = 'ES256') {
  const { privateKey, jwk: whole } = await signingKey('client', alg)
  const { kid: _kid, alg: _alg, use: _use, ...jwk } = whole
  const cnf = { jkt: await calculateJwkThumbprint(jwk) }
  /** A valid proof of `GET /orders`, except for the changes; `undefined` omits a claim or header parameter. */
  const proof = (
    token: string,
    claims: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
  ): Promise<string> => {
    const ath = createHash('sha256').update(token).digest('base64url')
    const iat = issuer.expected.now().getTime() / 1000
    const all = { jti: randomUUID(), htm: 'GET', htu: `${baseUrl}/orders`, iat, ath, ...claims }
    return new SignJWT(JSON.parse(JSON.stringify(all)))
      .setProtectedHeader(JSON.parse(JSON.stringify({ alg, typ: 'dpop+jwt', jwk, ...header })))
      .sign(privateKey)
  }
  return { cnf, jwk, proof, token: (claims: Record<string, unknown> = {}) => issuer.sign({ cnf, ...claims }) }
}

/** A request with a bound token. @param proofs the values of the DPoP header */
export const boundRequest = (token: string, proofs: readonly string[], scheme = 'DPoP'): Request =>
  new Request(`${baseUrl}/orders?page=2`, {
    headers: [['authorization', `${scheme} ${token}`], ...proofs.map((proof): [string, string] => ['dpop', proof])],
  })
