/** Organizations (DECISIONS E2), and those that a user or an application is a member of. */
import Type from 'typebox'
import {
  Organization,
  OrganizationBranding,
  OrganizationColor,
  OrganizationDescription,
  OrganizationName,
  OrganizationWithRoles,
} from './organization-entities.ts'
import { routes, WHOLE } from './route.ts'
import { Id, JsonObject, Nullable } from './schema.ts'

const fields = {
  description: Type.Optional(OrganizationDescription),
  customData: Type.Optional(JsonObject),
  isMfaRequired: Type.Optional(
    Type.Boolean({
      description:
        'Whether users get tokens of the organization only when they signed in with a second factor; with `isTrustedDeviceAllowed`, when they have one. Asked of no one in a tenant without factors (`mfa.factors`). Token exchange is not concerned',
    }),
  ),
  isTrustedDeviceAllowed: Type.Optional(Type.Boolean()),
  color: Type.Optional(OrganizationColor),
  branding: Type.Optional(OrganizationBranding),
  customCss: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 65_536,
        description:
          'A style sheet for the pages where a request names the organization, behind those of the tenant and the application. It loads nothing from other addresses, and must not contain `</`. The empty string is null',
      }),
    ),
  ),
}
export const OrganizationCreate = Type.Object({ name: OrganizationName, ...fields })
export const OrganizationUpdate = Type.Object({ name: Type.Optional(OrganizationName), ...fields })

const FeaturedUser = Type.Object({
  id: Id,
  avatar: Nullable(Type.String()),
  name: Nullable(Type.String()),
})
const OrganizationOverview = Type.Object({
  ...Organization.properties,
  usersCount: Type.Optional(Type.Integer({ description: 'At most 10,000, where counting stops' })),
  featuredUsers: Type.Optional(Type.Array(FeaturedUser)),
})

const ById = Type.Object({ id: Id })

export const organizationRoutes = routes({
  listOrganizations: {
    method: 'GET',
    path: '/organizations',
    permission: 'read:organizations',
    list: true,
    summary: 'List organizations',
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: 256, description: 'A part of the name, or the whole id' })),
      showFeatured: Type.Optional(
        Type.String({ description: 'true or 1: adds the number of users, and the three most recent ones' }),
      ),
    }),
    status: 200,
    response: Type.Array(OrganizationOverview),
  },
  createOrganization: {
    method: 'POST',
    path: '/organizations',
    permission: 'write:organizations',
    summary: 'Create an organization',
    body: OrganizationCreate,
    status: 201,
    response: Organization,
  },
  getOrganization: {
    method: 'GET',
    path: '/organizations/:id',
    permission: 'read:organizations',
    version: WHOLE,
    summary: 'Get an organization',
    params: ById,
    status: 200,
    response: Organization,
    errors: ['entity.not_exists_with_id'],
  },
  updateOrganization: {
    method: 'PATCH',
    path: '/organizations/:id',
    permission: 'write:organizations',
    version: WHOLE,
    summary: 'Change an organization',
    description: 'customData, color and branding are replaced.',
    params: ById,
    body: OrganizationUpdate,
    status: 200,
    response: Organization,
    errors: ['entity.not_exists_with_id'],
  },
  deleteOrganization: {
    method: 'DELETE',
    path: '/organizations/:id',
    permission: 'write:organizations',
    version: WHOLE,
    summary: 'Delete an organization with its memberships and invitations',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listUserOrganizations: {
    method: 'GET',
    path: '/users/:userId/organizations',
    permission: 'read:organizations',
    alsoPermission: 'read:users',
    list: 'whole',
    summary: 'List the organizations of a user',
    description: 'Most recent membership first.',
    params: Type.Object({ userId: Id }),
    status: 200,
    response: Type.Array(OrganizationWithRoles),
    errors: ['entity.not_exists_with_id'],
  },
  listApplicationOrganizations: {
    method: 'GET',
    path: '/applications/:id/organizations',
    permission: 'read:organizations',
    alsoPermission: 'read:applications',
    list: 'whole',
    summary: 'List the organizations of a machine-to-machine application',
    description: 'Most recent membership first.',
    params: ById,
    status: 200,
    response: Type.Array(OrganizationWithRoles),
    errors: ['entity.not_exists_with_id'],
  },
})
