import type { JWTHeaderParameters } from 'jose'
import { GuardError } from '../errors/guard-error.ts'

/**
 * The algorithms that are accepted, whatever the token's header or the issuer's metadata say (RFC 8725 §3.1): all
 * asymmetric, so that a public key cannot be used as a secret, and never `none`.
 */
export const algorithms = ['ES256', 'ES384', 'EdDSA', 'RS256', 'PS256']

// `crit` requires extensions that are not supported here (RFC 7515 §4.1.11); the others contain the key to verify with.
const refused = ['crit', 'jwk', 'jku', 'x5c', 'x5u']

/** Refuses header parameters that an access token of the issuer does not need, but an attacker does. */
export function checkHeader(header: JWTHeaderParameters): void {
  const found = refused.find((name) => Object.hasOwn(header, name))
  if (found) throw new GuardError('token_header_refused', { cause: { parameter: found } })
}
