import type { RequestWithHeaders } from '../bearer/credentials.ts'
import { misconfigured } from '../errors/misconfigured.ts'
import { sharedKeys } from '../keys/shared-keys.ts'
import { accessTokenVerifier } from './access-token-verifier.ts'
import { type AccessTokenOptions, givenKeys } from './options.ts'
import type { VerifiedAccessToken } from './verified-access-token.ts'

/**
 * Verifies the bearer token of a request, or a token, in one call: `verifyAccessToken(request, { issuer, audience,
 * requiredScopes })`. The checks, and what is not checked, are those of {@link accessTokenVerifier}.
 *
 * Fetched keys are cached by the module for each issuer and settings. With a `fetch` of your own, pass the same
 * function each time; with `jwks`, prefer {@link accessTokenVerifier}, which imports them once. `dpop` needs a `replayStore`
 * here: nothing in one call could remember what another has seen.
 */
export async function verifyAccessToken(
  requestOrToken: RequestWithHeaders | string,
  options: AccessTokenOptions,
): Promise<VerifiedAccessToken> {
  if (options.dpop && !options.dpop.replayStore) throw misconfigured('dpop.replayStore is required in one call')
  const keys = givenKeys(options) ?? sharedKeys(options.issuer, options)
  return accessTokenVerifier({ ...options, keys, jwks: undefined, jwksUri: undefined })(requestOrToken)
}
