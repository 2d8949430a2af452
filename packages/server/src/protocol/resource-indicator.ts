/** Which resource a token is for: RFC 8707, SPEC 2.3, DECISIONS D4 and D5. */
import { TOKEN_REASONS } from '@countersign/contract/token-reasons.ts'
import { findDefaultResource, findResource, type TargetResource } from '../domain/permissions/resources.ts'
import type { Parameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'

/** The one `resource` of a token request. Several are refused: one token, one audience (DECISIONS D4). */
export const requestedResource = (parameters: Parameters): string | undefined => {
  const values = (parameters.get('resource') ?? []).filter((value) => value !== '')
  if (values.length > 1) throw new OAuthError('invalid_target', 'a token is for one resource; resource names several')
  return values[0]
}

/** The registered resource of an indicator, byte for byte. Throws invalid_target (RFC 8707 section 2). */
export const targetResource = async (store: Store, tenant: Tenant, indicator: string): Promise<TargetResource> => {
  const resource = indicator.length <= 2048 ? await findResource(store, tenant, indicator) : undefined
  if (!resource) throw new OAuthError('invalid_target', 'resource is not the indicator of a registered API')
  return resource
}

/** The resource of a request without a user: the requested one, otherwise the default API. Throws invalid_target. */
export const resourceOrDefault = async (
  store: Store,
  tenant: Tenant,
  parameters: Parameters,
): Promise<{ resource: TargetResource; why: string }> => {
  const indicator = requestedResource(parameters)
  if (indicator !== undefined) {
    return { resource: await targetResource(store, tenant, indicator), why: TOKEN_REASONS.jwt_resource }
  }
  const resource = await findDefaultResource(store, tenant)
  if (!resource) throw new OAuthError('invalid_target', 'resource is missing and there is no default API')
  return { resource, why: TOKEN_REASONS.jwt_default }
}
