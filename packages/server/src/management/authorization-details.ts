/** `/resources/:resourceId/authorization-details-types`: types of authorization details. */
import { authorizationDetailsRoutes } from '@countersign/contract/authorization-details.ts'
import {
  createDetailsType,
  type DetailsTypeRow,
  deleteDetailsType,
  getDetailsType,
  listDetailsTypes,
  updateDetailsType,
} from '../domain/permissions/authorization-details-types.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'

const toType = (row: DetailsTypeRow) => ({
  id: row.id,
  resourceId: row.resource_id,
  type: row.type,
  description: row.description,
  schema: row.schema,
  templates: row.templates,
  createdAt: row.created_at.getTime(),
})

export const authorizationDetailsHandlers = bind(authorizationDetailsRoutes, {
  async listAuthorizationDetailsTypes({ params }, { store, tenant, page }) {
    return mapPage(await listDetailsTypes(store, tenant, params.resourceId, page), toType)
  },
  async createAuthorizationDetailsType({ params, body }, { perform }) {
    return toType(await perform(createDetailsType, params.resourceId, body))
  },
  async getAuthorizationDetailsType({ params }, { store, tenant }) {
    return toType(await getDetailsType(store, tenant, params.resourceId, params.typeId))
  },
  async updateAuthorizationDetailsType({ params, body }, { perform }) {
    return toType(await perform(updateDetailsType, params.resourceId, params.typeId, body))
  },
  async deleteAuthorizationDetailsType({ params }, { perform }) {
    await perform(deleteDetailsType, params.resourceId, params.typeId)
  },
})
