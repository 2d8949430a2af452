import { type CryptoKey, errors, type FlattenedJWSInput, type JWTHeaderParameters } from 'jose'
import { GuardError } from '../errors/guard-error.ts'
import type { KeySource } from './key-source.ts'

/**
 * Asks a key source and tells the two kinds of failure apart: the token names no key of the issuer (401), or the keys
 * cannot be had (503), whatever the token. A token without `kid` is refused when several keys fit it.
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
