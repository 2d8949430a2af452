/** Which token a user's code or refresh token is exchanged for: SPEC 2.3 word for word, DECISIONS D4 and D5. */

import { ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import { type AuthorizationDetail, apiOfDetails } from '../domain/access/authorization-details.ts'
import { hasReservedScope, namesNoResource } from '../domain/permissions/reserved-names.ts'
import { findDefaultResource, findResource, type TargetResource } from '../domain/permissions/resources.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { withLifetime } from './grants/administrator-permissions.ts'
import type { GrantRequest } from './grants/grant.ts'
import { missingOrganizationsScope, requestedApi } from './organization-token.ts'
import { requestedResource, targetResource } from './resource-indicator.ts'

export interface UserTokenTarget {
  /** Undefined: an opaque token for userinfo, or a token for the organization itself. */
  readonly resource: TargetResource | undefined
  /** The organization of the token (DECISIONS E2). */
  readonly organizationId?: string
  readonly why: string
}

type TargetRequest = Pick<GrantRequest, 'store' | 'tenant' | 'parameters' | 'client'>

/**
 * The only API that a token of this request could be for, so that what its user holds there can be read before the
 * code or the refresh token shows what was authorized. userTokenTarget decides whether it is.
 */
export const possibleResource = async ({
  store,
  tenant,
  parameters,
}: TargetRequest): Promise<TargetResource | undefined> => {
  const indicator = requestedResource(parameters)
  if (indicator === undefined) return findDefaultResource(store, tenant)
  return indicator.length <= 2048 ? findResource(store, tenant, indicator) : undefined
}

/** An API that the authorization request named. Throws invalid_target. */
const authorizedResource = async (
  { store, tenant }: Pick<GrantRequest, 'store' | 'tenant'>,
  authorized: readonly string[],
  indicator: string,
): Promise<TargetResource> => {
  const resource = await targetResource(store, tenant, indicator)
  if (!authorized.includes(resource.indicator)) {
    throw new OAuthError('invalid_target', 'resource is not one of those named in the authorization request')
  }
  return resource
}

const targetWithoutOrganization = async (
  { store, tenant, parameters, client }: TargetRequest,
  authorized: readonly string[],
  scopes: readonly string[],
  details: readonly AuthorizationDetail[],
): Promise<UserTokenTarget> => {
  const indicator = requestedResource(parameters)
  if (indicator !== undefined) {
    const resource = await authorizedResource({ store, tenant }, authorized, indicator)
    return { resource, why: TOKEN_REASONS.jwt_resource }
  }
  const ofDetails = await apiOfDetails(store, tenant, client, details)
  if (ofDetails !== undefined) {
    const resource = await authorizedResource({ store, tenant }, authorized, ofDetails)
    return { resource, why: TOKEN_REASONS.jwt_details }
  }
  if (scopes.includes('openid')) {
    return {
      resource: undefined,
      why: TOKEN_REASONS.opaque_openid,
    }
  }
  const byDefault = await findDefaultResource(store, tenant)
  if (byDefault && (namesNoResource(authorized) || authorized.includes(byDefault.indicator))) {
    return {
      resource: byDefault,
      why: TOKEN_REASONS.jwt_default_without_openid,
    }
  }
  return { resource: undefined, why: TOKEN_REASONS.opaque_nothing }
}

/** The same if an organization was requested: without a resource, the token is for the organization. */
const organizationTokenTarget = async (
  request: TargetRequest,
  authorized: readonly string[],
  organizationId: string,
): Promise<UserTokenTarget> => {
  const indicator = requestedApi(request.parameters)
  if (indicator === undefined) {
    const why = TOKEN_REASONS.jwt_organization
    return { resource: undefined, organizationId, why }
  }
  const resource = await authorizedResource(request, authorized, indicator)
  const why = TOKEN_REASONS.jwt_organization_resource
  return { resource, organizationId, why }
}

/** What was authorized, and which part of it is requested. */
interface AuthorizedTarget {
  /** The resources of the authorization request. */
  readonly resources: readonly string[]
  /** The scopes of the authorization request. */
  readonly scopes: readonly string[]
  /** The scopes of the token request. */
  readonly asked: readonly string[]
  /** `organization_id` of the token request. */
  readonly organizationId: string | undefined
  /** The authorization details that the token request asks for: without a resource they say which API is meant. */
  readonly details: readonly AuthorizationDetail[]
}

/**
 * Throws invalid_target, and insufficient_scope for an organization if the authorization did not include organizations
 * (DECISIONS E2).
 */
export const userTokenTarget = async (
  request: TargetRequest,
  { resources, scopes, asked, organizationId, details }: AuthorizedTarget,
): Promise<UserTokenTarget> => {
  if (organizationId === undefined) {
    const target = await targetWithoutOrganization(request, resources, asked, details)
    return { ...target, resource: withLifetime(request.client, target.resource) }
  }
  if (!hasReservedScope(scopes, ORGANIZATIONS_SCOPE)) throw missingOrganizationsScope()
  return organizationTokenTarget(request, resources, organizationId)
}
