/**
 * What a relying party reads before its first flow, with the checks that every module of the suite begins with: the
 * discovery document and the JWKS.
 */
import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { expect } from 'vitest'

interface Metadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly userinfo_endpoint: string
  readonly jwks_uri: string
  readonly end_session_endpoint: string
  readonly [name: string]: unknown
}

export interface Provider {
  readonly metadata: Metadata
  readonly jwks: JSONWebKeySet
  /** The key of a signature, as jose finds it by `kid` and `alg`. */
  readonly keyOf: ReturnType<typeof createLocalJWKSet>
}

/** Members that only private or symmetric keys have (RFC 7518 section 6). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']
/** Members that a public key must have, by `kty` (RFC 7518 section 6, RFC 8037 section 2). */
const PUBLIC_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  EC: ['crv', 'x', 'y'],
  OKP: ['crv', 'x'],
  RSA: ['n', 'e'],
}

/** RFC 7517 section 8.5.2 gives a JWK Set a media type of its own. */
const json = async (address: string): Promise<unknown> => {
  const response = await fetch(address)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^application\/(jwk-set\+)?json(;|$)/)
  return response.json()
}

/** Every key is public, has a unique kid, is usable for signatures, and is in base64url (RFC 7517 section 4). */
const checkKeys = ({ keys }: JSONWebKeySet): void => {
  expect(keys.length).toBeGreaterThan(0)
  const names = keys.map(({ kid }) => kid)
  expect(names.every((kid) => typeof kid === 'string' && kid !== '')).toBe(true)
  expect(new Set(names).size).toBe(names.length)
  for (const key of keys) {
    const needed = PUBLIC_MEMBERS[key.kty ?? ''] ?? []
    expect(needed, `the key type ${key.kty}`).not.toHaveLength(0)
    for (const member of needed) expect(key[member as 'x'], member).toMatch(/^[\w-]+$/)
    for (const member of PRIVATE_MEMBERS) expect(key).not.toHaveProperty(member)
    expect(key.use).toBe('sig')
    expect(key.alg).toMatch(/^[A-Za-z0-9]+$/)
  }
}

/** Reads discovery and the JWKS at `jwks_uri`, and checks what every flow relies on. */
export const readProvider = async (issuer: string): Promise<Provider> => {
  const metadata = (await json(`${issuer}/.well-known/openid-configuration`)) as Metadata
  expect(metadata.issuer).toBe(issuer)
  for (const name of ['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'])
    expect(URL.canParse(String(metadata[name])), name).toBe(true)
  const jwks = (await json(metadata.jwks_uri)) as JSONWebKeySet
  checkKeys(jwks)
  return { metadata, jwks, keyOf: createLocalJWKSet(jwks) }
}
