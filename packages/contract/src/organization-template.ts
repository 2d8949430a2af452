/** The organization template: roles and permissions that every organization of the tenant shares (DECISIONS E2). */
import Type from 'typebox'
import {
  OrganizationDescription,
  OrganizationName,
  OrganizationRole,
  OrganizationRoleType,
  OrganizationScope,
} from './organization-entities.ts'
import { Scope } from './resources.ts'
import { routes, WHOLE } from './route.ts'
import { Id, IdList, IdListOrNone } from './schema.ts'

const ById = Type.Object({ id: Id })
const Query = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 256, description: 'A part of the name, or the whole id' })),
})
const ScopeName = Type.String({
  minLength: 1,
  maxLength: 128,
  description: 'Compared byte for byte with the requested scope',
})
const Description = Type.Optional(OrganizationDescription)

export const OrganizationScopeCreate = Type.Object({ name: ScopeName, description: Description })
export const OrganizationScopeUpdate = Type.Object({ name: Type.Optional(ScopeName), description: Description })

export const organizationScopeRoutes = routes({
  listOrganizationScopes: {
    method: 'GET',
    path: '/organization-scopes',
    permission: 'read:organization-template',
    list: 'whole',
    summary: 'List organization permissions',
    query: Query,
    status: 200,
    response: Type.Array(OrganizationScope),
  },
  createOrganizationScope: {
    method: 'POST',
    path: '/organization-scopes',
    permission: 'write:organization-template',
    summary: 'Create an organization permission',
    body: OrganizationScopeCreate,
    status: 201,
    response: OrganizationScope,
    errors: ['entity.unique_integrity_violation', 'scope.name_with_space'],
  },
  getOrganizationScope: {
    method: 'GET',
    path: '/organization-scopes/:id',
    permission: 'read:organization-template',
    version: WHOLE,
    summary: 'Get an organization permission',
    params: ById,
    status: 200,
    response: OrganizationScope,
    errors: ['entity.not_exists_with_id'],
  },
  updateOrganizationScope: {
    method: 'PATCH',
    path: '/organization-scopes/:id',
    permission: 'write:organization-template',
    version: WHOLE,
    summary: 'Change an organization permission',
    params: ById,
    body: OrganizationScopeUpdate,
    status: 200,
    response: OrganizationScope,
    errors: ['entity.not_exists_with_id', 'entity.unique_integrity_violation', 'scope.name_with_space'],
  },
  deleteOrganizationScope: {
    method: 'DELETE',
    path: '/organization-scopes/:id',
    permission: 'write:organization-template',
    version: WHOLE,
    summary: 'Delete an organization permission and remove it from the roles that hold it',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})

export const OrganizationRoleCreate = Type.Object({
  name: OrganizationName,
  description: Description,
  type: Type.Optional(OrganizationRoleType),
  organizationScopeIds: Type.Optional(IdListOrNone),
  resourceScopeIds: Type.Optional(IdListOrNone),
})
export const OrganizationRoleUpdate = Type.Object({
  name: Type.Optional(OrganizationName),
  description: Description,
  type: Type.Optional(OrganizationRoleType),
})
const Named = Type.Object({ id: Id, name: Type.String() })
const OrganizationRoleOverview = Type.Object({
  ...OrganizationRole.properties,
  scopes: Type.Array(Named),
  resourceScopes: Type.Array(Type.Object({ ...Named.properties, resource: Named })),
})
const MANAGEMENT = 'role.management_api_scopes_not_assignable_to_user_role'

export const organizationRoleRoutes = routes({
  listOrganizationRoles: {
    method: 'GET',
    path: '/organization-roles',
    permission: 'read:organization-template',
    list: true,
    summary: 'List organization roles with their permissions',
    query: Query,
    status: 200,
    response: Type.Array(OrganizationRoleOverview),
  },
  createOrganizationRole: {
    method: 'POST',
    path: '/organization-roles',
    permission: 'write:organization-template',
    summary: 'Create an organization role',
    body: OrganizationRoleCreate,
    status: 201,
    response: OrganizationRole,
    errors: ['entity.unique_integrity_violation', 'entity.relation_foreign_key_not_found', MANAGEMENT],
  },
  getOrganizationRole: {
    method: 'GET',
    path: '/organization-roles/:id',
    permission: 'read:organization-template',
    version: WHOLE,
    summary: 'Get an organization role',
    params: ById,
    status: 200,
    response: OrganizationRole,
    errors: ['entity.not_exists_with_id'],
  },
  updateOrganizationRole: {
    method: 'PATCH',
    path: '/organization-roles/:id',
    permission: 'write:organization-template',
    version: WHOLE,
    summary: 'Change an organization role',
    description:
      'The type can be changed only while no member holds the role and no invitation or provisioning rule names it.',
    params: ById,
    body: OrganizationRoleUpdate,
    status: 200,
    response: OrganizationRole,
    errors: [
      'entity.not_exists_with_id',
      'entity.unique_integrity_violation',
      'entity.db_constraint_violated',
      MANAGEMENT,
    ],
  },
  deleteOrganizationRole: {
    method: 'DELETE',
    path: '/organization-roles/:id',
    permission: 'write:organization-template',
    version: WHOLE,
    summary: 'Delete an organization role and remove it from the members who hold it',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listOrganizationRoleScopes: {
    method: 'GET',
    path: '/organization-roles/:id/scopes',
    permission: 'read:organization-template',
    list: 'whole',
    summary: 'List the organization permissions of an organization role',
    params: ById,
    status: 200,
    response: Type.Array(OrganizationScope),
    errors: ['entity.not_exists_with_id'],
  },
  addOrganizationRoleScopes: {
    method: 'POST',
    path: '/organization-roles/:id/scopes',
    permission: 'write:organization-template',
    summary: 'Add organization permissions to an organization role',
    description: 'Permissions that it already holds stay as they are.',
    params: ById,
    body: Type.Object({ organizationScopeIds: IdList }),
    status: 201,
    errors: ['entity.not_exists_with_id', 'entity.relation_foreign_key_not_found'],
  },
  replaceOrganizationRoleScopes: {
    method: 'PUT',
    path: '/organization-roles/:id/scopes',
    permission: 'write:organization-template',
    summary: 'Replace the organization permissions of an organization role',
    params: ById,
    body: Type.Object({ organizationScopeIds: IdListOrNone }),
    status: 204,
    errors: ['entity.not_exists_with_id', 'entity.relation_foreign_key_not_found'],
  },
  removeOrganizationRoleScope: {
    method: 'DELETE',
    path: '/organization-roles/:id/scopes/:organizationScopeId',
    permission: 'write:organization-template',
    summary: 'Remove an organization permission from an organization role',
    params: Type.Object({ id: Id, organizationScopeId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listOrganizationRoleResourceScopes: {
    method: 'GET',
    path: '/organization-roles/:id/resource-scopes',
    permission: 'read:organization-template',
    alsoPermission: 'read:resources',
    list: 'whole',
    summary: 'List the API permissions of an organization role',
    params: ById,
    status: 200,
    response: Type.Array(Scope),
    errors: ['entity.not_exists_with_id'],
  },
  addOrganizationRoleResourceScopes: {
    method: 'POST',
    path: '/organization-roles/:id/resource-scopes',
    permission: 'write:organization-template',
    summary: 'Add API permissions to an organization role',
    description: 'Permissions that it already holds stay as they are.',
    params: ById,
    body: Type.Object({ scopeIds: IdList }),
    status: 201,
    errors: ['entity.not_exists_with_id', 'entity.relation_foreign_key_not_found', MANAGEMENT],
  },
  replaceOrganizationRoleResourceScopes: {
    method: 'PUT',
    path: '/organization-roles/:id/resource-scopes',
    permission: 'write:organization-template',
    summary: 'Replace the API permissions of an organization role',
    params: ById,
    body: Type.Object({ scopeIds: IdListOrNone }),
    status: 204,
    errors: ['entity.not_exists_with_id', 'entity.relation_foreign_key_not_found', MANAGEMENT],
  },
  removeOrganizationRoleResourceScope: {
    method: 'DELETE',
    path: '/organization-roles/:id/resource-scopes/:scopeId',
    permission: 'write:organization-template',
    summary: 'Remove an API permission from an organization role',
    params: Type.Object({ id: Id, scopeId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
