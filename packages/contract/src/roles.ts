/** Roles: named groups of permissions, held by users or by machine-to-machine applications (DECISIONS E1). */
import Type from 'typebox'
import { Application } from './applications.ts'
import { Scope, ScopeWithResource } from './resources.ts'
import { routes, WHOLE } from './route.ts'
import { Id, IdList, NameSearch, Nullable, OneOf } from './schema.ts'
import { User } from './user.ts'
import { UserSearch } from './user-search.ts'

export const RoleType = OneOf(['User', 'MachineToMachine'])
const RoleName = Type.String({ minLength: 1, maxLength: 128 })
const RoleDescription = Type.String({ maxLength: 128 })

export const Role = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: RoleName,
  description: RoleDescription,
  type: RoleType,
  isDefault: Type.Boolean({ description: 'Given to every new user' }),
})
const FeaturedUser = Type.Object({ id: Id, avatar: Nullable(Type.String()), name: Nullable(Type.String()) })
const FeaturedApplication = Type.Object({ id: Id, name: Type.String(), type: Type.String() })
const RoleOverview = Type.Object({
  ...Role.properties,
  usersCount: Type.Integer({ description: 'At most 10,000, where counting stops' }),
  featuredUsers: Type.Array(FeaturedUser),
  applicationsCount: Type.Integer(),
  featuredApplications: Type.Array(FeaturedApplication),
})

export const RoleCreate = Type.Object({
  name: RoleName,
  description: Type.Optional(RoleDescription),
  type: Type.Optional(RoleType),
  isDefault: Type.Optional(Type.Boolean()),
  scopeIds: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 21 }), { maxItems: 10_000 })),
})
export const RoleUpdate = Type.Object({
  name: Type.Optional(RoleName),
  description: Type.Optional(RoleDescription),
  isDefault: Type.Optional(Type.Boolean()),
})

const ById = Type.Object({ id: Id })

export const roleRoutes = routes({
  listRoles: {
    method: 'GET',
    path: '/roles',
    permission: 'read:roles',
    list: true,
    summary: 'List roles',
    query: Type.Object({
      type: Type.Optional(RoleType),
      search: NameSearch,
      excludeUserId: Type.Optional(Type.String({ description: 'Leaves out the roles that this user holds' })),
      excludeApplicationId: Type.Optional(
        Type.String({ description: 'Leaves out the roles that this application holds' }),
      ),
    }),
    status: 200,
    response: Type.Array(RoleOverview),
  },
  createRole: {
    method: 'POST',
    path: '/roles',
    permission: 'write:roles',
    summary: 'Create a role',
    body: RoleCreate,
    status: 200,
    response: Role,
    errors: [
      'role.name_in_use',
      'role.default_role_type',
      'role.management_api_scopes_not_assignable_to_user_role',
      'entity.relation_foreign_key_not_found',
    ],
  },
  getRole: {
    method: 'GET',
    path: '/roles/:id',
    permission: 'read:roles',
    version: WHOLE,
    summary: 'Get a role',
    params: ById,
    status: 200,
    response: Role,
    errors: ['entity.not_exists_with_id'],
  },
  updateRole: {
    method: 'PATCH',
    path: '/roles/:id',
    permission: 'write:roles',
    version: WHOLE,
    summary: 'Change a role',
    params: ById,
    body: RoleUpdate,
    status: 200,
    response: Role,
    errors: ['entity.not_exists_with_id', 'role.name_in_use', 'role.default_role_type'],
  },
  deleteRole: {
    method: 'DELETE',
    path: '/roles/:id',
    permission: 'write:roles',
    version: WHOLE,
    summary: 'Delete a role',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listRoleScopes: {
    method: 'GET',
    path: '/roles/:id/scopes',
    permission: 'read:roles',
    alsoPermission: 'read:resources',
    list: 'whole',
    summary: 'List the permissions of a role',
    params: ById,
    query: Type.Object({ search: NameSearch }),
    status: 200,
    response: Type.Array(ScopeWithResource),
    errors: ['entity.not_exists_with_id'],
  },
  addRoleScopes: {
    method: 'POST',
    path: '/roles/:id/scopes',
    permission: 'write:roles',
    summary: 'Add permissions to a role',
    params: ById,
    body: Type.Object({ scopeIds: IdList }),
    status: 201,
    response: Type.Array(Scope),
    errors: [
      'entity.not_exists_with_id',
      'role.scope_exists',
      'role.management_api_scopes_not_assignable_to_user_role',
      'entity.relation_foreign_key_not_found',
    ],
  },
  removeRoleScope: {
    method: 'DELETE',
    path: '/roles/:id/scopes/:scopeId',
    permission: 'write:roles',
    summary: 'Remove a permission from a role',
    params: Type.Object({ id: Id, scopeId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listRoleUsers: {
    method: 'GET',
    path: '/roles/:id/users',
    permission: 'read:roles',
    alsoPermission: 'read:users',
    list: true,
    summary: 'List the users who hold a role',
    description: 'Most recent assignment first.',
    params: ById,
    query: UserSearch,
    status: 200,
    response: Type.Array(User),
    errors: ['entity.not_exists_with_id'],
  },
  addRoleUsers: {
    method: 'POST',
    path: '/roles/:id/users',
    permission: 'write:roles',
    summary: 'Give a role to users',
    params: ById,
    body: Type.Object({ userIds: IdList }),
    status: 201,
    errors: [
      'entity.not_exists_with_id',
      'role.user_exists',
      'user.invalid_role_type',
      'entity.relation_foreign_key_not_found',
    ],
  },
  removeRoleUser: {
    method: 'DELETE',
    path: '/roles/:id/users/:userId',
    permission: 'write:roles',
    summary: 'Take a role from a user',
    params: Type.Object({ id: Id, userId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  listRoleApplications: {
    method: 'GET',
    path: '/roles/:id/applications',
    permission: 'read:roles',
    alsoPermission: 'read:applications',
    list: true,
    summary: 'List the applications that hold a role',
    params: ById,
    query: Type.Object({ search: NameSearch }),
    status: 200,
    response: Type.Array(Application),
    errors: ['entity.not_exists_with_id'],
  },
  addRoleApplications: {
    method: 'POST',
    path: '/roles/:id/applications',
    permission: 'write:roles',
    summary: 'Give a role to applications',
    params: ById,
    body: Type.Object({ applicationIds: IdList }),
    status: 201,
    errors: [
      'entity.not_exists_with_id',
      'role.application_exists',
      'application.invalid_type',
      'application.invalid_role_type',
      'entity.relation_foreign_key_not_found',
    ],
  },
  removeRoleApplication: {
    method: 'DELETE',
    path: '/roles/:id/applications/:applicationId',
    permission: 'write:roles',
    summary: 'Take a role from an application',
    params: Type.Object({ id: Id, applicationId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
