/** The members of an organization, users and machine-to-machine applications, and the roles that they hold in it. */
import Type from 'typebox'
import { Application } from './applications.ts'
import { OrganizationRole, OrganizationRoleSummary, OrganizationScope } from './organization-entities.ts'
import { routes } from './route.ts'
import { Id, IdList, IdListOrNone } from './schema.ts'
import { User } from './user.ts'

const ById = Type.Object({ id: Id })
const organizationRoles = Type.Array(OrganizationRoleSummary)
const OrganizationUser = Type.Object({ ...User.properties, organizationRoles })
const OrganizationApplication = Type.Object({ ...Application.properties, organizationRoles })

const NamesOrNone = Type.Array(Type.String({ minLength: 1, maxLength: 128 }), { maxItems: 10_000 })
/** Roles by their ids, by their names, or both; either may be none. */
const Roles = Type.Union([
  Type.Object({ organizationRoleIds: IdListOrNone, organizationRoleNames: Type.Optional(NamesOrNone) }),
  Type.Object({ organizationRoleIds: Type.Optional(IdListOrNone), organizationRoleNames: NamesOrNone }),
])

const UserMember = Type.Object({ id: Id, userId: Id })
const ApplicationMember = Type.Object({ id: Id, applicationId: Id })
const read = 'read:organizations'
const write = 'write:organizations'
const memberErrors = ['entity.not_exists_with_id', 'entity.relation_foreign_key_not_found'] as const
const machineErrors = [...memberErrors, 'application.invalid_type'] as const
const ofMember = ['entity.not_exists_with_id', 'organization.require_membership'] as const
const userRoleErrors = [...ofMember, 'entity.relation_foreign_key_not_found', 'user.invalid_role_type'] as const
const machineRoleErrors = [
  ...ofMember,
  'entity.relation_foreign_key_not_found',
  'application.invalid_role_type',
] as const

export const organizationUserRoutes = routes({
  listOrganizationUsers: {
    method: 'GET',
    path: '/organizations/:id/users',
    permission: read,
    alsoPermission: 'read:users',
    list: true,
    summary: 'List the users of an organization with their roles in it',
    description: 'Most recent member first. A search covers the members of this organization.',
    params: ById,
    query: Type.Object({
      q: Type.Optional(
        Type.String({ maxLength: 256, description: 'A part of id, username, primaryEmail, primaryPhone or name' }),
      ),
      organizationRoleId: Type.Optional(Type.String({ minLength: 1, maxLength: 21 })),
    }),
    status: 200,
    response: Type.Array(OrganizationUser),
    errors: ['entity.not_exists_with_id'],
  },
  addOrganizationUsers: {
    method: 'POST',
    path: '/organizations/:id/users',
    permission: write,
    summary: 'Add users to an organization',
    description: 'Existing members stay as they are.',
    params: ById,
    body: Type.Object({ userIds: IdList }),
    status: 201,
    response: Type.Object({ userIds: Type.Array(Type.String()) }),
    errors: memberErrors,
  },
  replaceOrganizationUsers: {
    method: 'PUT',
    path: '/organizations/:id/users',
    permission: write,
    summary: 'Replace the users of an organization',
    params: ById,
    body: Type.Object({ userIds: IdListOrNone }),
    status: 204,
    errors: memberErrors,
  },
  removeOrganizationUser: {
    method: 'DELETE',
    path: '/organizations/:id/users/:userId',
    permission: write,
    summary: 'Remove a user from an organization',
    params: UserMember,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  assignOrganizationUserRoles: {
    method: 'POST',
    path: '/organizations/:id/users/roles',
    permission: write,
    summary: 'Give organization roles to users of an organization',
    description: 'At most 100,000 pairs at once. Roles that they already hold stay.',
    params: ById,
    body: Type.Object({ userIds: IdList, organizationRoleIds: IdList }),
    status: 201,
    errors: userRoleErrors,
  },
  listOrganizationUserRoles: {
    method: 'GET',
    path: '/organizations/:id/users/:userId/roles',
    permission: read,
    alsoPermission: 'read:organization-template',
    list: 'whole',
    summary: 'List the roles of a user in an organization',
    params: UserMember,
    status: 200,
    response: Type.Array(OrganizationRole),
    errors: ofMember,
  },
  addOrganizationUserRoles: {
    method: 'POST',
    path: '/organizations/:id/users/:userId/roles',
    permission: write,
    summary: 'Give a user roles in an organization',
    params: UserMember,
    body: Roles,
    status: 201,
    response: Type.Object({ organizationRoleIds: Type.Array(Type.String()) }),
    errors: [...userRoleErrors, 'organization.role_names_not_found'],
  },
  replaceOrganizationUserRoles: {
    method: 'PUT',
    path: '/organizations/:id/users/:userId/roles',
    permission: write,
    summary: 'Replace the roles of a user in an organization',
    params: UserMember,
    body: Roles,
    status: 204,
    errors: [...userRoleErrors, 'organization.role_names_not_found'],
  },
  removeOrganizationUserRole: {
    method: 'DELETE',
    path: '/organizations/:id/users/:userId/roles/:organizationRoleId',
    permission: write,
    summary: 'Take a role in an organization from a user',
    params: Type.Object({ id: Id, userId: Id, organizationRoleId: Id }),
    status: 204,
    errors: ofMember,
  },
  listOrganizationUserScopes: {
    method: 'GET',
    path: '/organizations/:id/users/:userId/scopes',
    permission: read,
    alsoPermission: 'read:organization-template',
    summary: 'List the organization permissions that a user holds in an organization',
    params: UserMember,
    status: 200,
    response: Type.Array(OrganizationScope),
    errors: ofMember,
  },
})

export const organizationApplicationRoutes = routes({
  listOrganizationApplications: {
    method: 'GET',
    path: '/organizations/:id/applications',
    permission: read,
    alsoPermission: 'read:applications',
    list: 'whole',
    summary: 'List the applications of an organization with their roles in it',
    description: 'Most recent member first.',
    params: ById,
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: 256, description: 'A part of the name, or the whole id' })),
    }),
    status: 200,
    response: Type.Array(OrganizationApplication),
    errors: ['entity.not_exists_with_id'],
  },
  addOrganizationApplications: {
    method: 'POST',
    path: '/organizations/:id/applications',
    permission: write,
    summary: 'Add machine-to-machine applications to an organization',
    description: 'Existing members stay as they are.',
    params: ById,
    body: Type.Object({ applicationIds: IdList }),
    status: 201,
    errors: machineErrors,
  },
  replaceOrganizationApplications: {
    method: 'PUT',
    path: '/organizations/:id/applications',
    permission: write,
    summary: 'Replace the applications of an organization',
    params: ById,
    body: Type.Object({ applicationIds: IdListOrNone }),
    status: 204,
    errors: machineErrors,
  },
  removeOrganizationApplication: {
    method: 'DELETE',
    path: '/organizations/:id/applications/:applicationId',
    permission: write,
    summary: 'Remove an application from an organization',
    params: ApplicationMember,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  assignOrganizationApplicationRoles: {
    method: 'POST',
    path: '/organizations/:id/applications/roles',
    permission: write,
    summary: 'Give organization roles to applications of an organization',
    description: 'At most 100,000 pairs at once. Roles that they already hold stay.',
    params: ById,
    body: Type.Object({ applicationIds: IdList, organizationRoleIds: IdList }),
    status: 201,
    errors: machineRoleErrors,
  },
  listOrganizationApplicationRoles: {
    method: 'GET',
    path: '/organizations/:id/applications/:applicationId/roles',
    permission: read,
    alsoPermission: 'read:organization-template',
    list: 'whole',
    summary: 'List the roles of an application in an organization',
    params: ApplicationMember,
    status: 200,
    response: Type.Array(OrganizationRole),
    errors: ofMember,
  },
  addOrganizationApplicationRoles: {
    method: 'POST',
    path: '/organizations/:id/applications/:applicationId/roles',
    permission: write,
    summary: 'Give an application roles in an organization',
    params: ApplicationMember,
    body: Type.Object({ organizationRoleIds: IdListOrNone }),
    status: 201,
    errors: machineRoleErrors,
  },
  replaceOrganizationApplicationRoles: {
    method: 'PUT',
    path: '/organizations/:id/applications/:applicationId/roles',
    permission: write,
    summary: 'Replace the roles of an application in an organization',
    params: ApplicationMember,
    body: Type.Object({ organizationRoleIds: IdListOrNone }),
    status: 204,
    errors: machineRoleErrors,
  },
  removeOrganizationApplicationRole: {
    method: 'DELETE',
    path: '/organizations/:id/applications/:applicationId/roles/:organizationRoleId',
    permission: write,
    summary: 'Take a role in an organization from an application',
    params: Type.Object({ id: Id, applicationId: Id, organizationRoleId: Id }),
    status: 204,
    errors: ofMember,
  },
})
