/** `/applications/:applicationId/user-consent-scopes`: what a third-party application may ask users for. */
import { type USER_SCOPES, userConsentScopeRoutes } from '@countersign/contract/user-consent-scopes.ts'
import { addConsentScopes, listConsentScopes, removeConsentScope } from '../domain/access/consent-scopes.ts'
import { bind } from '../http/api.ts'

const KINDS = {
  'user-scopes': 'user',
  'resource-scopes': 'resource',
  'organization-scopes': 'organization',
  'organization-resource-scopes': 'organizationResource',
} as const

/** Those of one resource together; they come in this order. */
const byResource = (scopes: Awaited<ReturnType<typeof listConsentScopes>>['resource']) => {
  const grouped = Map.groupBy(scopes, ({ resource }) => resource.id)
  return [...grouped.values()].flatMap((own) => {
    const [first] = own
    return first ? [{ resource: first.resource, scopes: own.map(({ resource: _, ...scope }) => scope) }] : []
  })
}

export const userConsentScopeHandlers = bind(userConsentScopeRoutes, {
  async getUserConsentScopes({ params }, { store, tenant }) {
    const { user, resource, organization, organizationResource } = await listConsentScopes(
      store,
      tenant,
      params.applicationId,
    )
    return {
      organizationScopes: organization,
      resourceScopes: byResource(resource),
      organizationResourceScopes: byResource(organizationResource),
      userScopes: user as (typeof USER_SCOPES)[number][],
    }
  },
  async addUserConsentScopes({ params, body }, { perform }) {
    await perform(addConsentScopes, params.applicationId, body)
  },
  async removeUserConsentScope({ params }, { perform }) {
    await perform(removeConsentScope, params.applicationId, KINDS[params.scopeType], params.scopeId)
  },
})
