import { misconfigured } from '../errors/misconfigured.ts'
import type { VerifiedAccessToken } from '../verify/verified-access-token.ts'

/**
 * The verified token that a guard left on a request. Throws `configuration_invalid` when no guard ran, which is a
 * mistake in the routes: an error is better than a handler that continues without a user.
 */
export function accessTokenOf(request: { readonly accessToken?: VerifiedAccessToken }): VerifiedAccessToken {
  if (!request.accessToken) throw misconfigured('The route has no guard, so its request has no access token')
  return request.accessToken
}
