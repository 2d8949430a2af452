/**
 * Tokens in the context of an organization (DECISIONS E2): requested with `organization_id`, for the organization or
 * for an API.
 */
import {
  isOrganizationId,
  type Membership,
  type OrganizationConsentScopes,
  permissionsOfMachine,
} from '../domain/organizations/access.ts'
import { isOrganizationsResource, organizationAudience } from '../domain/permissions/reserved-names.ts'
import type { TargetResource } from '../domain/permissions/resources.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import type { Parameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Audience } from '../tokens/authorization.ts'
import { single } from './endpoint.ts'
import type { GrantRequest } from './grants/grant.ts'
import { requestedResource, targetResource } from './resource-indicator.ts'

/** Of a token for the organization itself; a token for an API lives as long as the API says. */
const LIFETIME_SECONDS = 3600

/** The organization that a token request names. An impossible id is treated like one that does not exist. */
export const requestedOrganization = (parameters: Parameters): string | undefined => {
  const id = single(parameters, 'organization_id')
  if (id !== undefined && !isOrganizationId(id)) throw refuseMember('no organization can have this id')
  return id
}

/** The API for which a token in an organization is requested; undefined: the organization itself. */
export const requestedApi = (parameters: Parameters): string | undefined => {
  const indicator = requestedResource(parameters)
  return indicator !== undefined && isOrganizationsResource(indicator) ? undefined : indicator
}

/** The target of a token without an API. */
export const audienceOf = (organizationId: string): Audience => ({
  indicator: organizationAudience(organizationId),
  accessTokenTtl: LIFETIME_SECONDS,
  senderConstraint: 'none',
  dpopNonceRequired: false,
})

/** One error, whether the organization does not exist or the subject is not in it. @param reason for the log */
const refuseMember = (reason: string): OAuthError =>
  new OAuthError('access_denied', 'no token can be issued for this organization', { status: 403, reason })

export const missingOrganizationsScope = (): OAuthError =>
  new OAuthError('insufficient_scope', 'the scope urn:logto:scope:organizations was not authorized')

/** Throws access_denied unless the user may have tokens of the organization through this application. */
export const assertMember = (membership: Membership | undefined, isThirdParty: boolean): Membership => {
  if (!membership) throw refuseMember('the user is not a member of the organization')
  if (isThirdParty && !membership.hasConsented)
    throw refuseMember('the user has not allowed the application to act in this organization')
  return membership
}

/**
 * Throws access_denied where the organization wants second factors (`isMfaRequired`, DECISIONS E18) and there was none: in the
 * sign-in, or, where a trusted device may stand for it, in the account. In a tenant that has no factors none is asked for.
 * @param amr of the sign-in
 */
export const assertFactor = async (
  { store, tenant }: Pick<GrantRequest, 'store' | 'tenant'>,
  membership: Membership | undefined,
  amr: readonly string[],
): Promise<void> => {
  if (!membership?.isMfaRequired || amr.includes('mfa')) return
  if (membership.hasFactor && membership.isTrustedDeviceAllowed) return
  const { mfa } = await signInExperience(store, tenant)
  if (mfa.factors.length > 0) throw refuseMember('the organization requires a second factor')
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
  /** What the application holds there for the resource, or for the organization itself. */
  readonly held: ReadonlySet<string>
}

/** The target of a machine's request for a token in an organization. Throws access_denied, invalid_target. */
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
