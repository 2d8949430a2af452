/** `/resources`: API resources and their permissions. */
import { resourceRoutes } from '@countersign/contract/resources.ts'
import { deleteResource, deleteScope } from '../domain/organizations/deletions.ts'
import { type DetailsTypeRow, typesOfResources } from '../domain/permissions/authorization-details-types.ts'
import {
  createResource,
  getResource,
  listResources,
  type ResourceRow,
  setDefaultResource,
  updateResource,
} from '../domain/permissions/resources.ts'
import { createScope, listScopes, type ScopeRow, scopesOfResources, updateScope } from '../domain/permissions/scopes.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'

export const toResource = (row: ResourceRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.name,
  indicator: row.indicator,
  isDefault: row.is_default,
  accessTokenTtl: row.access_token_ttl,
  senderConstraint: row.sender_constraint,
  dpopNonceRequired: row.requires_nonce,
})

export const toScope = (row: ScopeRow) => ({
  tenantId: row.tenant_id,
  id: row.id,
  resourceId: row.resource_id,
  name: row.name,
  description: row.description,
  createdAt: row.created_at.getTime(),
})

const byResource = <Row extends { readonly resource_id: string }>(rows: readonly Row[]) =>
  Map.groupBy(rows, ({ resource_id }) => resource_id)

const toListedType = ({ id, type, description }: Pick<DetailsTypeRow, 'id' | 'type' | 'description'>) => ({
  id,
  type,
  description,
})

export const resourceHandlers = bind(resourceRoutes, {
  async listResources({ query }, { store, tenant, page }) {
    const resources = await listResources(store, tenant, page)
    const ids = resources.items.map(({ id }) => id)
    const scopes = query.includeScopes === 'true' ? byResource(await scopesOfResources(store, tenant, ids)) : undefined
    const withTypes = query.includeAuthorizationDetailsTypes === 'true'
    const types = withTypes ? byResource(await typesOfResources(store, tenant, ids)) : undefined
    return mapPage(resources, (row) => ({
      ...toResource(row),
      ...(scopes && { scopes: (scopes.get(row.id) ?? []).map(toScope) }),
      ...(types && { authorizationDetailsTypes: (types.get(row.id) ?? []).map(toListedType) }),
    }))
  },
  async createResource({ body }, { perform }) {
    return { ...toResource(await perform(createResource, body)), scopes: [] }
  },
  async getResource({ params }, { store, tenant }) {
    return toResource(await getResource(store, tenant, params.id))
  },
  async updateResource({ params, body }, { perform }) {
    return toResource(await perform(updateResource, params.id, body))
  },
  async deleteResource({ params }, { perform }) {
    await perform(deleteResource, params.id)
  },
  async setDefaultResource({ params, body }, { perform }) {
    return toResource(await perform(setDefaultResource, params.id, body.isDefault))
  },
  async listScopes({ params, query }, { store, tenant, page }) {
    return mapPage(await listScopes(store, tenant, params.resourceId, { ...page, search: query.search }), toScope)
  },
  async createScope({ params, body }, { perform }) {
    return toScope(await perform(createScope, params.resourceId, body))
  },
  async updateScope({ params, body }, { perform }) {
    return toScope(await perform(updateScope, params.resourceId, params.scopeId, body))
  },
  async deleteScope({ params }, { perform }) {
    await perform(deleteScope, params.resourceId, params.scopeId)
  },
})
