import { type Credentials, credentialsOf, type RequestWithHeaders } from '../bearer/credentials.ts'
import { GuardError } from '../errors/guard-error.ts'
import { remoteKeys } from '../keys/remote-keys.ts'
import { checkAudience } from '../token/audience.ts'
import { checkClaims } from '../token/claims.ts'
import { checkClient } from '../token/client.ts'
import { requireScopes } from '../token/scopes.ts'
import { checkBinding } from './check-binding.ts'
import { type AccessTokenOptions, checkOptions, givenKeys } from './options.ts'
import { signedClaims } from './signed-claims.ts'
import { type VerifiedAccessToken, verifiedAccessToken } from './verified-access-token.ts'

/** Verifies the token of a request, or a token. Throws a `GuardError` and nothing else. */
export type AccessTokenVerifier = (requestOrToken: RequestWithHeaders | string) => Promise<VerifiedAccessToken>

/** {@link accessTokenVerifier} for credentials that have been taken from a request. */
export function credentialsVerifier(options: AccessTokenOptions): (found: Credentials) => Promise<VerifiedAccessToken> {
  const expected = checkOptions(options)
  const keys = givenKeys(options) ?? remoteKeys(options.issuer, options)
  const verified = async (credentials: Credentials): Promise<VerifiedAccessToken> => {
    const { token, scheme } = credentials
    const claims = await signedClaims(token, keys, expected)
    checkClaims(claims)
    checkAudience(claims, expected.audience)
    checkClient(claims, expected.clientIds)
    if (expected.revocations) await expected.revocations.check(claims)
    await checkBinding(claims, credentials, expected)
    const accessToken = verifiedAccessToken(token, claims, scheme)
    requireScopes(accessToken, ...expected.requiredScopes)
    return accessToken
  }
  return async (credentials) => {
    try {
      return await verified(credentials)
    } catch (error) {
      if (error instanceof GuardError) error.scheme = credentials.scheme
      throw error
    }
  }
}

/**
 * Creates the function that verifies access tokens for an API, as RFC 9068 §4 says: signature, `iss`, `aud`,
 * `exp`, `scope` and, optionally, `client_id`; and, with the option `dpop`, as RFC 9449 §7 says: that the caller has the key
 * that the token is bound to; with `mtls`, as RFC 8705 §3 says: that it has the certificate. With `revocations`, tokens that were revoked are refused. The function holds the cache of the issuer's keys: create it once.
 *
 * A valid token says what was true when it was issued. Not checked: without `revocations`, whether it was revoked since (or use the
 * introspection endpoint) and whether the user is still active; whether the user still holds the permissions; and, of a token that is bound to
 * nothing, who sends it and whether it was used before.
 *
 * Throws `configuration_invalid` for invalid options.
 */
export function accessTokenVerifier(options: AccessTokenOptions): AccessTokenVerifier {
  const verify = credentialsVerifier(options)
  return async (requestOrToken) =>
    verify(
      typeof requestOrToken === 'string'
        ? { scheme: 'Bearer', token: requestOrToken }
        : credentialsOf(requestOrToken, options.dpop !== undefined),
    )
}
