import type { CryptoKey, FlattenedJWSInput, JWTHeaderParameters } from 'jose'

/**
 * Finds the key for a token's header: {@link remoteKeys}, {@link localKeys}, or any key set of `jose`. It
 * must select by `kid` and `alg` among the issuer's keys and must not use a key from the header. A
 * `JWKSNoMatchingKey` of `jose` means that the token is at fault; every other error, that the keys are unavailable.
 */
export type KeySource = (header: JWTHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>
