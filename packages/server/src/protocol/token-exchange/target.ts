/**
 * What an exchanged token is for (SPEC 4.3 and 4.4, DECISIONS H1, H6, N5): one API, an organization, or, if a personal
 * access token names neither, the default API or userinfo.
 */
import { ORGANIZATIONS_RESOURCE } from '@countersign/contract/reserved-names.ts'
import { isOidcScope } from '../../domain/permissions/oidc-scopes.ts'
import { isOrganizationsResource } from '../../domain/permissions/reserved-names.ts'
import { findDefaultResource, type TargetResource } from '../../domain/permissions/resources.ts'
import type { Parameters } from '../../http/parameters.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Audience } from '../../tokens/authorization.ts'
import { single } from '../endpoint.ts'
import type { GrantRequest } from '../grants/grant.ts'
import { audienceOf, requestedOrganization } from '../organization-token.ts'
import { targetResource } from '../resource-indicator.ts'
import { parseScope } from '../scope.ts'
import { isPersonalAccessTokenType } from './token-types.ts'

export interface ExchangeTarget {
  /** What names it, for the rules of the application; undefined: userinfo. */
  readonly indicator: string | undefined
  /** Undefined: an opaque token for userinfo. */
  readonly audience: Audience | undefined
  /** Undefined: the organization itself, or userinfo. */
  readonly resource: TargetResource | undefined
  readonly organizationId: string | undefined
  /** Names of the requested permissions. */
  readonly requested: readonly string[]
  /** The requested OpenID Connect scopes. */
  readonly oidc: readonly string[]
  /** The kind of the token and the reason for it, for the audit log. */
  readonly why: string
}

/** A required parameter. Throws invalid_request naming it. */
export const required = (parameters: Parameters, name: string): string => {
  const value = single(parameters, name)
  if (value === undefined) throw new OAuthError('invalid_request', `the parameter ${name} is missing`)
  return value
}

/**
 * What is requested. With a personal access token, which stands for its user, it may be omitted. Throws
 * invalid_request.
 */
const scopesOf = (parameters: Parameters, isPersonal: boolean): Pick<ExchangeTarget, 'requested' | 'oidc'> => {
  const named = parseScope(isPersonal ? single(parameters, 'scope') : required(parameters, 'scope'))
  if (named.length === 0 && !isPersonal) throw new OAuthError('invalid_request', 'the parameter scope is empty')
  return { requested: named.filter((scope) => !isOidcScope(scope)), oidc: named.filter(isOidcScope) }
}

/** An API; never the Management API. Throws invalid_target. */
const apiOf = async ({ store, tenant }: GrantRequest, indicator: string): Promise<TargetResource> => {
  const resource = await targetResource(store, tenant, indicator)
  if (resource.isManagement)
    throw new OAuthError('invalid_target', 'tokens for the Management API cannot be obtained by exchange')
  return resource
}

/** The target API: the named one or, for a personal access token that requests no identity, the default one. */
const indicatorOf = async (
  { store, tenant }: GrantRequest,
  named: string | undefined,
  isPersonal: boolean,
  oidc: readonly string[],
): Promise<string | undefined> => {
  if (named !== undefined) return named
  if (!isPersonal) throw new OAuthError('invalid_request', 'the parameter resource is missing')
  return oidc.includes('openid') ? undefined : (await findDefaultResource(store, tenant))?.indicator
}

/** Throws invalid_request, invalid_target, access_denied. @param type of the subject token */
const targetOf = async (request: GrantRequest, type: string): Promise<ExchangeTarget> => {
  const { parameters } = request
  const isPersonal = isPersonalAccessTokenType(type)
  const scopes = scopesOf(parameters, isPersonal)
  const named = single(parameters, 'resource')
  const organizationId = requestedOrganization(parameters)
  if (organizationId !== undefined && (named === undefined || isOrganizationsResource(named))) {
    const why = 'a JWT for the organization by token exchange'
    const target = {
      indicator: named ?? ORGANIZATIONS_RESOURCE,
      audience: audienceOf(organizationId),
      resource: undefined,
    }
    return { ...scopes, ...target, organizationId, why }
  }
  const indicator = await indicatorOf(request, named, isPersonal, scopes.oidc)
  if (indicator === undefined) {
    const why = 'an opaque token for userinfo by token exchange, because no resource was asked for'
    return { ...scopes, indicator, audience: undefined, resource: undefined, organizationId, why }
  }
  const resource = await apiOf(request, indicator)
  const why = `a JWT by token exchange${named === undefined ? ' for the default API, because no resource was asked for' : ''}`
  return { ...scopes, indicator, audience: resource, resource, organizationId, why }
}

/**
 * What is requested. Throws invalid_request, invalid_target, access_denied. Does not check whether the application may exchange tokens
 * for it. @param type of the subject token @param hasActor whether there is an actor token
 */
export const exchangeTarget = async (
  request: GrantRequest,
  type: string,
  hasActor: boolean,
): Promise<ExchangeTarget> => {
  const target = await targetOf(request, type)
  if (hasActor && !target.audience)
    throw new OAuthError('invalid_request', 'the parameter resource is missing: only a JWT says who acts')
  return target
}
