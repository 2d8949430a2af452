import { GuardError } from '../errors/guard-error.ts'
import type { AccessTokenClaims } from './claims.ts'

/**
 * `aud` must equal the API's resource indicator, byte for byte (RFC 9068 §4, RFC 8707 §2). A list of that one value
 * is equivalent (RFC 7519 §4.1.3). A list with other values is refused, although RFC 9068 allows it: such a
 * token can be passed on to the other APIs by its recipient, and Countersign issues tokens for one API only.
 */
export function checkAudience({ aud }: AccessTokenClaims, expected: string): void {
  if (aud === expected || (Array.isArray(aud) && aud.length === 1 && aud[0] === expected)) return
  throw new GuardError('token_audience_mismatch', { cause: { claim: 'aud', expected, received: aud } })
}
