/** What an authorization request does with a grant: `grant_management_action` and `grant_id` (Grant Management for OAuth 2.0, section 5). */
import { type AuthorizationDetail, mergedDetails, storedDetails } from '../../domain/access/authorization-details.ts'
import { type Client, managesGrants } from '../../domain/applications/clients.ts'
import { findManagedGrant, GRANT_ACTIONS } from '../../domain/issued/managed-grants.ts'
import type { GrantOfRequest } from '../../domain/sign-in/interactions.ts'
import type { Parameters } from '../../http/parameters.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { AuthorizationError } from './authorization-error.ts'

const invalid = (description: string) => new AuthorizationError('invalid_request', description)

/** An error of the domain about authorization details as one of the authorization endpoint; any other is passed on. */
export const asDetailsError = (error: unknown): unknown =>
  error instanceof OAuthError && error.code === 'invalid_authorization_details'
    ? new AuthorizationError('invalid_authorization_details', error.description)
    : error

const assertMergeable = (before: string | null, added: readonly AuthorizationDetail[]): void => {
  try {
    mergedDetails(storedDetails(before), added)
  } catch (error) {
    throw asDetailsError(error)
  }
}

/**
 * Undefined: nothing, the request is as any other. Throws AuthorizationError `invalid_request`, and `invalid_grant_id` for anything that is
 * not a live grant of this application. Whose grant it is decides who has to sign in. After checkRepetition.
 * @param details that the request asks for
 */
export const checkGrantOfRequest = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  parameters: Parameters,
  details: readonly AuthorizationDetail[],
): Promise<GrantOfRequest | undefined> => {
  const asked = parameters.get('grant_management_action')?.[0] || undefined
  const id = parameters.get('grant_id')?.[0] || undefined
  if (!managesGrants(client)) {
    if (asked !== undefined) throw invalid('the application does not manage grants')
    return undefined
  }
  if (asked === undefined) {
    if (id !== undefined) throw invalid('grant_id was sent without grant_management_action')
    return undefined
  }
  const action = GRANT_ACTIONS.find((each) => each === asked)
  if (action === undefined) throw invalid(`grant_management_action must be one of ${GRANT_ACTIONS.join(', ')}`)
  if (action === 'create') {
    if (id !== undefined) throw invalid('grant_management_action create makes a new grant: it has no grant_id')
    return { action }
  }
  if (id === undefined) throw invalid(`grant_management_action ${action} needs a grant_id`)
  const grant = await findManagedGrant(store, tenant, client.id, id)
  if (!grant) throw new AuthorizationError('invalid_grant_id', 'grant_id is not that of a grant of this application')
  if (action === 'merge') assertMergeable(grant.authorizationDetails, details)
  return { action, id, userId: grant.userId }
}
