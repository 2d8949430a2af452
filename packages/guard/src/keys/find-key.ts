import { type CryptoKey, errors, type FlattenedJWSInput, type JWTHeaderParameters } from 'jose'
import { GuardError } from '../errors/guard-error.ts'
import type { KeySource } from './key-source.ts'

/**
 * Asks a key source and distinguishes two kinds of failure: the token names no key of the issuer (401), or the keys
 * are unavailable (503), whatever the token. A token without `kid` is refused if several keys match.
 */
export async function findKey(
  source: KeySource,
  header: JWTHeaderParameters,
  token: FlattenedJWSInput,
): Promise<CryptoKey> {
  try {
    return await source(header, token)
  } catch (cause) {
    const unknown = cause instanceof errors.JWKSNoMatchingKey || cause instanceof errors.JWKSMultipleMatchingKeys
    throw new GuardError(unknown ? 'token_key_unknown' : 'keys_unavailable', { cause })
  }
}
