import type { CryptoKey, FlattenedJWSInput, JWTHeaderParameters } from 'jose'

/**
 * Finds the key for a token's header: {@link remoteKeys}, {@link localKeys}, or anything that `jose` makes. It must
 * select by `kid` and `alg` among the issuer's keys and must not take a key out of the header. A `JWKSNoMatchingKey`
 * of `jose` means that the token is at fault; every other error, that the keys cannot be had.
 */
export type KeySource = (header: JWTHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>
