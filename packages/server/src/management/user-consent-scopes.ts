/** `/applications/:applicationId/user-consent-scopes`: what a third-party application may ask users for. */
import { type USER_SCOPES, userConsentScopeRoutes } from '@countersign/contract/user-consent-scopes.ts'
import {
  addConsentScopes,
  type ConfiguredScopes,
  listConsentScopes,
  removeConsentScope,
} from '../domain/access/consent-scopes.ts'
import { bind } from '../http/api.ts'

export const CONSENT_SCOPE_KINDS = {
  'user-scopes': 'user',
  'resource-scopes': 'resource',
  'organization-scopes': 'organization',
  'organization-resource-scopes': 'organizationResource',
} as const

/** Those of one resource together; they come in this order. */
const byResource = (scopes: ConfiguredScopes['resource']) => {
  const grouped = Map.groupBy(scopes, ({ resource }) => resource.id)
  return [...grouped.values()].flatMap((own) => {
    const [first] = own
    return first ? [{ resource: first.resource, scopes: own.map(({ resource: _, ...scope }) => scope) }] : []
  })
}

export const toConsentScopes = ({ user, resource, organization, organizationResource }: ConfiguredScopes) => ({
  organizationScopes: organization,
  resourceScopes: byResource(resource),
  organizationResourceScopes: byResource(organizationResource),
  userScopes: user as (typeof USER_SCOPES)[number][],
})

export const userConsentScopeHandlers = bind(userConsentScopeRoutes, {
  async getUserConsentScopes({ params }, { store, tenant }) {
    return toConsentScopes(await listConsentScopes(store, tenant, params.applicationId))
  },
  async addUserConsentScopes({ params, body }, { perform }) {
    await perform(addConsentScopes, params.applicationId, body)
  },
  async removeUserConsentScope({ params }, { perform }) {
    await perform(removeConsentScope, params.applicationId, CONSENT_SCOPE_KINDS[params.scopeType], params.scopeId)
  },
})
