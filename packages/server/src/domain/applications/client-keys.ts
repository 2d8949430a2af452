/** The public keys with which an application signs its client assertions (RFC 7523) and request objects (RFC 9101). */
import type { JWK } from 'jose'
import { ApiError } from '../../kernel/api-error.ts'
import { isFapi2Algorithm } from '../tenants/signing-keys.ts'
import type { ClientMetadata } from './rows.ts'

const algorithmOf = ({ kty, crv, alg }: JWK): string | undefined => {
  if (kty === 'EC' && crv === 'P-256') return 'ES256'
  if (kty === 'EC' && crv === 'P-384') return 'ES384'
  if (kty === 'OKP' && crv === 'Ed25519') return 'EdDSA'
  if (kty === 'RSA') return alg === 'PS256' ? 'PS256' : 'RS256'
  return undefined
}

/**
 * The algorithm is determined by the key, never by a header (SECURITY R-15); undefined: the key cannot be used. With the profile
 * fapi2 an RSA key signs with PS256 unless it names another algorithm, and keys for others are not used (section 5.4.1).
 */
export const clientKeyAlgorithm = (key: JWK, profile: ClientMetadata['securityProfile']): string | undefined => {
  if (profile !== 'fapi2') return algorithmOf(key)
  const algorithm = algorithmOf(key.kty === 'RSA' ? { ...key, alg: key.alg ?? 'PS256' } : key)
  return algorithm !== undefined && isFapi2Algorithm(algorithm) ? algorithm : undefined
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
    const algorithm = algorithmOf(key)
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
