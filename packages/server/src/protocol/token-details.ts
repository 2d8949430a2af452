/** Authorization details at the token endpoint (RFC 9396 sections 6 and 7): which ones its token has. */
import { type AuthorizationDetail, detailsOfApi } from '../domain/access/authorization-details.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { single } from './endpoint.ts'
import type { GrantRequest } from './grants/grant.ts'

/** For details that were named and cannot be in this token. */
export const refuseOtherApi = (): OAuthError =>
  new OAuthError(
    'invalid_authorization_details',
    'authorization_details has objects that are not for the API of the token',
  )

/**
 * Those for the API of the token; with what else it may have, as part of what a grant concludes. Throws OAuthError
 * `invalid_authorization_details` if the request names one that is not for it.
 * @param details that the token may have, for whatever API
 */
export const detailsOfToken = async (
  { store, tenant, client, parameters }: GrantRequest,
  details: readonly AuthorizationDetail[],
  resourceId: string | undefined,
): Promise<{ readonly details?: readonly AuthorizationDetail[] }> => {
  if (details.length === 0) return {}
  const own = await detailsOfApi(store, tenant, client, details, resourceId)
  const isNamed = single(parameters, 'authorization_details') !== undefined
  if (isNamed && own.length < details.length) throw refuseOtherApi()
  return own.length > 0 ? { details: own } : {}
}
