/** Client assertions for the tests of private_key_jwt, with any of their parts replaced. */
import { randomUUID } from 'node:crypto'
import type { TestServer } from '@countersign/harness/server.ts'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'
import { type Arranged, arrange, post } from './arrange.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export interface KeyPair {
  readonly privateKey: CryptoKey
  readonly jwk: JWK
  readonly algorithm: string
}

export const makeKey = async (algorithm: string, fields: JWK | Record<string, unknown> = {}): Promise<KeyPair> => {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true })
  return { privateKey, algorithm, jwk: { ...(await exportJWK(publicKey)), ...fields } as JWK }
}

export interface KeyClient extends Arranged {
  readonly id: string
}

/** An application that authenticates with these keys and holds `read:orders` of an API. */
export const registerKeyClient = async (server: TestServer, keys: readonly KeyPair[]): Promise<KeyClient> => {
  const metadata = { tokenEndpointAuthMethod: 'private_key_jwt' as const, jwks: { keys: keys.map(({ jwk }) => jwk) } }
  const arranged = await arrange(server, { metadata })
  return { ...arranged, id: arranged.client.clientId }
}

/** Seconds. */
export const nowOf = ({ clock }: TestServer): number => Math.floor(clock.now().getTime() / 1000)

/** A valid assertion, except for what `claims` and `header` replace; undefined removes a claim. */
export const assertionOf = (
  server: TestServer,
  { id }: { readonly id: string },
  { privateKey, algorithm }: KeyPair,
  { claims = {}, header = {} }: { claims?: JWTPayload; header?: Record<string, unknown> } = {},
): Promise<string> => {
  const now = nowOf(server)
  const whole = { iss: id, sub: id, aud: server.issuer, jti: randomUUID(), iat: now, exp: now + 60, ...claims }
  return new SignJWT(whole).setProtectedHeader({ alg: algorithm, ...header }).sign(privateKey)
}

/** Requests a token with an assertion. */
export const askWith = (
  where: Parameters<typeof post>[0],
  { resource }: Pick<KeyClient, 'resource'>,
  assertion: string,
  more: Record<string, string> = {},
) =>
  post(where, '/token', {
    grant_type: 'client_credentials',
    resource: resource.indicator,
    scope: 'read:orders',
    client_assertion_type: ASSERTION_TYPE,
    client_assertion: assertion,
    ...more,
  })
