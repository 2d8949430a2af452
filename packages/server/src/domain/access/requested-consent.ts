/**
 * What a third-party application asks a user to consent to, by id (DECISIONS F4): the APIs that it names and their
 * permissions. Names are not enough, because several APIs may have a permission of the same name.
 */

import { ORGANIZATIONS_SCOPE } from '@countersign/contract/reserved-names.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Client } from '../applications/clients.ts'
import { type OrganizationConsentScopes, organizationConsentScopes } from '../organizations/access.ts'
import { isOidcScope } from '../permissions/oidc-scopes.ts'
import { hasReservedScope, isOrganizationsResource } from '../permissions/reserved-names.ts'
import { findResource } from '../permissions/resources.ts'
import { type ConsentScopes, consentScopes } from './consent-scopes.ts'

/** As an authorization request names it. */
export interface Requested {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
}

/**
 * The ids of the APIs, of their permissions and of the organization permissions that the request can give access to,
 * from the cache; organization permissions only if the request asks for organizations at all. Scopes of OpenID Connect
 * mean the same everywhere and are left to their names. Undefined for a first-party application, which needs no
 * consent.
 */
export const requestedConsent = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  { scopes, resources }: Requested,
): Promise<readonly string[] | undefined> => {
  const own = await consentScopes(store, tenant, client)
  if (!own) return undefined
  const inOrganizations = hasReservedScope(scopes, ORGANIZATIONS_SCOPE)
    ? await organizationConsentScopes(store, tenant, client)
    : undefined
  const names = scopes.filter((scope) => !isOidcScope(scope))
  const apis = await Promise.all(
    resources
      .filter((indicator) => !isOrganizationsResource(indicator))
      .map((indicator) => findResource(store, tenant, indicator)),
  )
  const ids = apis.flatMap((api) => {
    if (!api) return []
    const scopeIds = [own, inOrganizations].map((limits) => limits?.byResource.get(api.id))
    return [api.id, ...scopeIds.flatMap((known) => names.map((name) => known?.get(name)))]
  })
  const ofOrganizations = names.map((name) => inOrganizations?.permissions.get(name))
  return [...new Set([...ids, ...ofOrganizations].filter((id) => id !== undefined))]
}

/** The permissions that a third-party application is configured for and the user agreed to. */
export const consentedOf = (own: ConsentScopes, consentedIds: ReadonlySet<string>): ConsentScopes => ({
  user: own.user,
  byResource: consentedByResource(own.byResource, consentedIds),
})

/** The same within organizations. */
export const consentedInOrganizations = (
  { permissions, byResource }: OrganizationConsentScopes,
  consentedIds: ReadonlySet<string>,
): OrganizationConsentScopes => ({
  permissions: consented(permissions, consentedIds),
  byResource: consentedByResource(byResource, consentedIds),
})

const consented = (ids: ReadonlyMap<string, string>, consentedIds: ReadonlySet<string>): Map<string, string> =>
  new Map([...ids].filter(([, id]) => consentedIds.has(id)))

const consentedByResource = (
  byResource: ConsentScopes['byResource'],
  consentedIds: ReadonlySet<string>,
): ConsentScopes['byResource'] =>
  new Map([...byResource].map(([resourceId, ids]) => [resourceId, consented(ids, consentedIds)]))
