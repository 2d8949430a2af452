/** Tokens that speak of an organization (DECISIONS E2): asked for by `organization_id`, for the organization or for an API. */
import {
  isOrganizationId,
  type Membership,
  type OrganizationConsentScopes,
  permissionsOfMachine,
} from '../domain/organizations/access.ts'
import { isOrganizationsResource, organizationAudience } from '../domain/permissions/reserved-names.ts'
import type { TargetResource } from '../domain/permissions/resources.ts'
import type { Parameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Audience } from '../tokens/authorization.ts'
import { single } from './endpoint.ts'
import type { GrantRequest } from './grants/grant.ts'
import { requestedResource, targetResource } from './resource-indicator.ts'

/** Of a token for the organization itself; a token for an API lives as long as the API says. */
const LIFETIME_SECONDS = 3600

/** The organization that a token request names. A name that no organization can have is as good as none that exists. */
export const requestedOrganization = (parameters: Parameters): string | undefined => {
  const id = single(parameters, 'organization_id')
  if (id !== undefined && !isOrganizationId(id)) throw refuseMember('no organization can have this id')
  return id
}

/** The API that a token of an organization is asked for; undefined: it is for the organization itself. */
export const requestedApi = (parameters: Parameters): string | undefined => {
  const indicator = requestedResource(parameters)
  return indicator !== undefined && isOrganizationsResource(indicator) ? undefined : indicator
}

/** What a token without an API is for. */
export const audienceOf = (organizationId: string): Audience => ({
  indicator: organizationAudience(organizationId),
  accessTokenTtl: LIFETIME_SECONDS,
})

/** One answer, whether there is no such organization or the subject is not in it. @param reason for the log */
const refuseMember = (reason: string): OAuthError =>
  new OAuthError('access_denied', 'no token can be issued for this organization', { status: 403, reason })

export const missingOrganizationsScope = (): OAuthError =>
  new OAuthError('insufficient_scope', 'the scope urn:logto:scope:organizations was not authorized')

/**
 * Throws access_denied unless the user may have tokens of the organization through this application. Does not ask for a second
 * factor where the organization wants one (`isMfaRequired`): there is none yet that anyone could have (DECISIONS E18).
 */
export const assertMember = (membership: Membership | undefined, isThirdParty: boolean): Membership => {
  if (!membership) throw refuseMember('the user is not a member of the organization')
  if (isThirdParty && !membership.hasConsented)
    throw refuseMember('the user has not agreed that the application acts in this organization')
  return membership
}

/** What a member holds there for the target, within what a third-party application may have. */
export const heldBy = (
  { permissions, resourcePermissions }: Membership,
  resource: TargetResource | undefined,
  limits: OrganizationConsentScopes | undefined,
): ReadonlySet<string> => {
  if (!resource) return new Set(permissions.filter((name) => !limits || limits.permissions.has(name)))
  const allowed = limits?.byResource.get(resource.id)
  return new Set(resourcePermissions.filter((name) => !limits || allowed?.has(name)))
}

interface MachineTarget {
  readonly resource: TargetResource | undefined
  /** What the application holds there for the resource, or of the organization itself. */
  readonly held: ReadonlySet<string>
}

/** The target of a machine that asks for a token of an organization. Throws access_denied, invalid_target. */
export const machineTarget = async (
  { store, tenant, client, parameters }: GrantRequest,
  organizationId: string,
): Promise<MachineTarget> => {
  const indicator = requestedApi(parameters)
  const resource = indicator === undefined ? undefined : await targetResource(store, tenant, indicator)
  const about = { organizationId, applicationId: client.id }
  const held = await permissionsOfMachine(store, tenant, resource ? { ...about, resourceId: resource.id } : about)
  if (!held) throw refuseMember('the application is not in the organization')
  return { resource, held }
}
