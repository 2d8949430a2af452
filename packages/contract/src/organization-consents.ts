/** The organizations for which a user lets a third-party application act. */
import Type from 'typebox'
import { Organization } from './organization-entities.ts'
import { routes } from './route.ts'
import { Id, IdList, IdListOrNone } from './schema.ts'

const OfUser = Type.Object({ id: Id, userId: Id })
const errors = [
  'entity.not_exists_with_id',
  'entity.relation_foreign_key_not_found',
  'organization.require_membership',
  'application.third_party_application_only',
] as const

export const organizationConsentRoutes = routes({
  listConsentOrganizations: {
    method: 'GET',
    path: '/applications/:id/users/:userId/consent-organizations',
    permission: 'read:applications',
    alsoPermission: 'read:organizations',
    list: 'whole',
    listIn: 'organizations',
    summary: 'List the organizations in which a user lets a third-party application act',
    description: 'Most recent consent first.',
    params: OfUser,
    status: 200,
    response: Type.Object({ organizations: Type.Array(Organization) }),
    errors: ['entity.not_exists_with_id', 'application.third_party_application_only'],
  },
  addConsentOrganizations: {
    method: 'POST',
    path: '/applications/:id/users/:userId/consent-organizations',
    permission: 'write:applications',
    summary: 'Let a third-party application act for a user in more organizations',
    description: 'The user must be a member of each. Existing ones stay.',
    params: OfUser,
    body: Type.Object({ organizationIds: IdList }),
    status: 201,
    errors,
  },
  replaceConsentOrganizations: {
    method: 'PUT',
    path: '/applications/:id/users/:userId/consent-organizations',
    permission: 'write:applications',
    summary: 'Replace the organizations in which a user lets a third-party application act',
    params: OfUser,
    body: Type.Object({ organizationIds: IdListOrNone }),
    status: 204,
    errors,
  },
  removeConsentOrganization: {
    method: 'DELETE',
    path: '/applications/:id/users/:userId/consent-organizations/:organizationId',
    permission: 'write:applications',
    summary: 'No longer let a third-party application act for a user in an organization',
    params: Type.Object({ id: Id, userId: Id, organizationId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id', 'application.third_party_application_only'],
  },
})
