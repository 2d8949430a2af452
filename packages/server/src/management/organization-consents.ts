/** `/applications/:id/users/:userId/consent-organizations`. */
import { organizationConsentRoutes } from '@countersign/contract/organization-consents.ts'
import {
  addConsentOrganizations,
  listConsentOrganizations,
  removeConsentOrganization,
  replaceConsentOrganizations,
} from '../domain/organizations/consents.ts'
import { bind } from '../http/api.ts'
import { mapPage } from '../storage/page.ts'
import { toOrganization } from './organizations.ts'

export const organizationConsentHandlers = bind(organizationConsentRoutes, {
  async listConsentOrganizations({ params }, { store, tenant, page }) {
    return mapPage(await listConsentOrganizations(store, tenant, params.id, params.userId, page), toOrganization)
  },
  async addConsentOrganizations({ params, body }, { perform }) {
    await perform(addConsentOrganizations, params.id, params.userId, body.organizationIds)
  },
  async replaceConsentOrganizations({ params, body }, { perform }) {
    await perform(replaceConsentOrganizations, params.id, params.userId, body.organizationIds)
  },
  async removeConsentOrganization({ params }, { perform }) {
    await perform(removeConsentOrganization, params.id, params.userId, params.organizationId)
  },
})
