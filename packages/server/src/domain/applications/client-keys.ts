/**
 * The public keys of an application: those with which it signs client assertions (RFC 7523) and request objects (RFC 9101), and those that
 * something is encrypted for (RFC 7516).
 */

import { createPublicKey } from 'node:crypto'
import type { KEY_ENCRYPTIONS } from '@countersign/contract/encryption.ts'
import type { InputIssue, InputIssueCode } from '@countersign/contract/input-issues.ts'
import type { JWK } from 'jose'
import { ApiError } from '../../kernel/api-error.ts'
import { clientCertificate } from '../../kernel/client-certificate.ts'
import { isFapi2Algorithm } from '../tenants/signing-keys.ts'
import type { ClientMetadata } from './rows.ts'

const algorithmOf = ({ kty, crv, alg, use }: JWK): string | undefined => {
  if (use === 'enc') return undefined
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

type KeyEncryption = (typeof KEY_ENCRYPTIONS)[number]

const CURVES: readonly unknown[] = ['P-256', 'P-384', 'P-521', 'X25519']

/** Whether something can be encrypted for the key with the algorithm. One that says neither `use` nor `alg` is for anything. */
const fits = ({ kty, crv, alg, use }: JWK, algorithm: KeyEncryption): boolean => {
  if (use === 'sig' || (alg !== undefined && alg !== algorithm)) return false
  return algorithm === 'RSA-OAEP-256' ? kty === 'RSA' : (kty === 'EC' || kty === 'OKP') && CURVES.includes(crv)
}

/** The key for an encryption: the first that says it is one, else the first that may be (OpenID Connect Core section 10.2). */
export const encryptionKeyFor = (keys: readonly JWK[], algorithm: KeyEncryption): JWK | undefined => {
  const fitting = keys.filter((key) => fits(key, algorithm))
  return fitting.find(({ use, alg }) => use === 'enc' || alg !== undefined) ?? fitting[0]
}

/** Members of a JWK that only its owner may have (RFC 7518 section 6). */
export const PRIVATE_PARTS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']

const isShortRsa = ({ kty, n }: JWK): boolean =>
  kty === 'RSA' && (typeof n !== 'string' || Buffer.from(n, 'base64url').length < 256)

/** Whether a value is a public key that an application may have: of a published set, others are passed over. */
export const isPublicKey = (value: unknown): value is JWK =>
  typeof value === 'object' &&
  value !== null &&
  'kty' in value &&
  typeof value.kty === 'string' &&
  !PRIVATE_PARTS.some((part) => part in value) &&
  !isShortRsa(value as JWK)

/** What a registered key is for; undefined: for nothing that exists here. */
const useOf = (key: JWK): string | undefined => {
  if (key.use !== 'enc') return algorithmOf(key)
  if (key.kty === 'RSA') return 'RSA-OAEP-256'
  return fits(key, 'ECDH-ES') || fits(key, 'ECDH-ES+A128KW') || fits(key, 'ECDH-ES+A256KW') ? 'ECDH-ES' : undefined
}

/** Throws unless the certificate of `x5c`, if the key has one, is of that key (RFC 7517 section 4.7). */
const assertCertificateOfKey = (key: JWK): void => {
  if (key.x5c === undefined) return
  const [own] = Array.isArray(key.x5c) ? key.x5c : []
  const { certificate } = clientCertificate([Buffer.from(own ?? '', 'base64')])
  if (!certificate.publicKey.equals(createPublicKey({ key: { ...key }, format: 'jwk' })))
    throw new Error('the certificate is of another key')
}

/**
 * Refuses keys that are of no use, or that hold a private part, naming the first.
 * @param at where the set of keys is in the body, as a JSON pointer
 */
export const assertClientKeys = async (keys: readonly JWK[], at = '/customClientMetadata/jwks'): Promise<void> => {
  const { importJWK } = await import('jose')
  for (const [index, key] of keys.entries()) {
    const refuse = (reason: string, cause?: unknown, code: InputIssueCode = 'key_unusable') => {
      const issue: InputIssue = { path: `${at}/keys/${index}`, reason, code, number: index + 1 }
      return new ApiError(
        'guard.invalid_input',
        { reason: `jwks.keys[${index}] ${reason}`, issues: [issue] },
        { cause },
      )
    }
    if (PRIVATE_PARTS.some((part) => part in key))
      throw refuse('contains a private key: send the public key only', undefined, 'key_private')
    const algorithm = useOf(key)
    if (!algorithm) throw refuse('is not an RSA, P-256, P-384 or Ed25519 key, nor one for encryption')
    try {
      await importJWK(key, algorithm)
      assertCertificateOfKey(key)
    } catch (error) {
      throw refuse('is not a valid key, or its x5c is not a certificate of it', error)
    }
    if (isShortRsa(key)) throw refuse('is shorter than 2048 bits')
  }
}
