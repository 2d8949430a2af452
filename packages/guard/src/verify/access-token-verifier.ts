import { bearerToken } from '../bearer/bearer-token.ts'
import { remoteKeys } from '../keys/remote-keys.ts'
import { checkAudience } from '../token/audience.ts'
import { checkClaims } from '../token/claims.ts'
import { checkClient } from '../token/client.ts'
import { requireScopes } from '../token/scopes.ts'
import { type AccessTokenOptions, checkOptions, givenKeys } from './options.ts'
import { signedClaims } from './signed-claims.ts'
import { type VerifiedAccessToken, verifiedAccessToken } from './verified-access-token.ts'

/** Verifies the token of a request, or a token. Throws a `GuardError` and nothing else. */
export type AccessTokenVerifier = (requestOrToken: Pick<Request, 'headers'> | string) => Promise<VerifiedAccessToken>

/**
 * Creates the function that verifies access tokens for an API, as RFC 9068 §4 says: signature, `iss`, `aud`,
 * `exp`, `scope` and, optionally, `client_id`. The function holds the cache of the issuer's keys: create it once.
 *
 * A valid token says what was true when it was issued. Not checked: whether it was revoked since (use the
 * introspection endpoint), whether the user is still active and still holds the permissions, whether the client that sends it
 * is the client it was issued to (no DPoP, no mTLS), and whether it was used before.
 *
 * Throws `configuration_invalid` for invalid options.
 */
export function accessTokenVerifier(options: AccessTokenOptions): AccessTokenVerifier {
  const expected = checkOptions(options)
  const keys = givenKeys(options) ?? remoteKeys(options.issuer, options)
  return async (requestOrToken) => {
    const token = typeof requestOrToken === 'string' ? requestOrToken : bearerToken(requestOrToken)
    const claims = await signedClaims(token, keys, expected)
    checkClaims(claims)
    checkAudience(claims, expected.audience)
    checkClient(claims, expected.clientIds)
    const verified = verifiedAccessToken(token, claims)
    requireScopes(verified, ...expected.requiredScopes)
    return verified
  }
}
