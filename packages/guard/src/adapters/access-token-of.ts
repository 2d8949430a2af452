import { misconfigured } from '../errors/misconfigured.ts'
import type { VerifiedAccessToken } from '../verify/verified-access-token.ts'

/**
 * The verified token that a guard left on a request. Throws `configuration_invalid` when no guard ran, which is a
 * mistake in the routes: better an error than a handler that goes on without a user.
 */
export function accessTokenOf(request: { readonly accessToken?: VerifiedAccessToken }): VerifiedAccessToken {
  if (!request.accessToken) throw misconfigured('The route has no guard, so that its request has no access token')
  return request.accessToken
}
