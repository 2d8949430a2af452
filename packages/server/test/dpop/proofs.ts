/** DPoP proofs for the tests, with any of their parts replaced. */
import { createHash, randomUUID } from 'node:crypto'
import type { TestServer } from '@countersign/harness/server.ts'
import { calculateJwkThumbprint, type JWTPayload, SignJWT } from 'jose'
import { type Arranged, askToken } from '../protocol/arrange.ts'
import { type KeyPair, makeKey, nowOf } from '../protocol/assertions.ts'

export interface ProofPair extends KeyPair {
  readonly jkt: string
}

export const makePair = async (algorithm = 'ES256'): Promise<ProofPair> => {
  const pair = await makeKey(algorithm)
  return { ...pair, jkt: await calculateJwkThumbprint(pair.jwk) }
}

export interface Parts {
  readonly method?: string
  readonly url?: string
  /** The access token that comes with it. */
  readonly token?: string
  readonly claims?: JWTPayload
  readonly header?: Record<string, unknown>
}

/** A valid proof for the token endpoint, except for what the parts replace; undefined removes a claim. */
export const proofOf = (
  server: TestServer,
  { privateKey, jwk, algorithm }: KeyPair,
  { method = 'POST', url = `${server.issuer}/token`, token, claims = {}, header = {} }: Parts = {},
): Promise<string> => {
  const ath = token === undefined ? undefined : createHash('sha256').update(token).digest('base64url')
  const whole = { jti: randomUUID(), htm: method, htu: url, iat: nowOf(server), ...(ath && { ath }), ...claims }
  return new SignJWT(whole).setProtectedHeader({ alg: algorithm, typ: 'dpop+jwt', jwk, ...header }).sign(privateKey)
}

/** The headers of a request to an API with a bound token. */
export const boundHeaders = async (server: TestServer, pair: KeyPair, token: string, parts: Parts) => ({
  authorization: `DPoP ${token}`,
  dpop: await proofOf(server, pair, { ...parts, token }),
})

/** A client_credentials request with this proof. */
export const askWithProof = (
  where: Parameters<typeof askToken>[0],
  { client, resource }: Pick<Arranged, 'client' | 'resource'>,
  proof: string,
) => askToken(where, client, { resource: resource.indicator, scope: 'read:orders' }, { dpop: proof })
