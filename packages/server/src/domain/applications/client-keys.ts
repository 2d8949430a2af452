/** The public keys with which an application signs its client assertions (RFC 7523) and request objects (RFC 9101). */
import type { JWK } from 'jose'
import { ApiError } from '../../kernel/api-error.ts'

/** The algorithm is determined by the key, never by a header (SECURITY R-15). */
export const clientKeyAlgorithm = ({ kty, crv, alg }: JWK): string | undefined => {
  if (kty === 'EC' && crv === 'P-256') return 'ES256'
  if (kty === 'EC' && crv === 'P-384') return 'ES384'
  if (kty === 'OKP' && crv === 'Ed25519') return 'EdDSA'
  if (kty === 'RSA') return alg === 'PS256' ? 'PS256' : 'RS256'
  return undefined
}

/** Members of a JWK that only its owner may have (RFC 7518 section 6). */
export const PRIVATE_PARTS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

/** Refuses keys that cannot verify assertions, or that hold a private part, naming the first. */
export const assertClientKeys = async (keys: readonly JWK[]): Promise<void> => {
  const { importJWK } = await import('jose')
  for (const [index, key] of keys.entries()) {
    const refuse = (reason: string, cause?: unknown) =>
      new ApiError('guard.invalid_input', { reason: `jwks.keys[${index}] ${reason}` }, { cause })
    if (PRIVATE_PARTS.some((part) => part in key)) throw refuse('contains a private key: send the public key only')
    const algorithm = clientKeyAlgorithm(key)
    if (!algorithm) throw refuse('is not an RSA, P-256, P-384 or Ed25519 key')
    try {
      await importJWK(key, algorithm)
    } catch (error) {
      throw refuse('is not a valid key', error)
    }
    if (key.kty === 'RSA' && Buffer.from(key.n ?? '', 'base64url').length < 256)
      throw refuse('is shorter than 2048 bits')
  }
}
