/** Administrators: users who hold permissions of the Management API in the console, and the roles through which they do. */
import Type from 'typebox'
import { type ALL_PERMISSION, MANAGEMENT_PERMISSIONS, type Permission } from './permissions.ts'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Id, Nullable, OneOf } from './schema.ts'

const Held = OneOf(
  MANAGEMENT_PERMISSIONS.map(({ name }) => name as typeof ALL_PERMISSION | Permission),
  { description: 'A permission of the Management API' },
)
const Permissions = Type.Array(Held, { maxItems: 100 })
const Name = Type.String({ minLength: 1, maxLength: 128, pattern: '\\S' })
const Description = Type.String({ maxLength: 256 })

const AdministratorRole = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Name,
  description: Description,
  permissions: Permissions,
  isBuiltIn: Type.Boolean({ description: 'Every tenant has it, and it cannot be changed' }),
  createdAt: EpochMilliseconds,
})

const Administrator = Type.Object({
  userId: Id,
  username: Nullable(Type.String()),
  primaryEmail: Nullable(Type.String()),
  name: Nullable(Type.String()),
  avatar: Nullable(Type.String()),
  isSuspended: Type.Boolean(),
  lastSignInAt: Nullable(EpochMilliseconds),
  roleIds: Type.Array(Id),
  createdAt: EpochMilliseconds,
})

export const AdministratorRoleCreate = Type.Object({
  name: Name,
  description: Type.Optional(Description),
  permissions: Permissions,
})
export const AdministratorRoleUpdate = Type.Partial(AdministratorRoleCreate)

const ById = Type.Object({ id: Id })
const ByUser = Type.Object({ userId: Id })

export const administratorRoutes = routes({
  listAdministrators: {
    method: 'GET',
    path: '/administrators',
    permission: 'read:administrators',
    alsoPermission: 'read:users',
    list: true,
    summary: 'List administrators',
    status: 200,
    response: Type.Array(Administrator),
  },
  getAdministrator: {
    method: 'GET',
    path: '/administrators/:userId',
    permission: 'read:administrators',
    alsoPermission: 'read:users',
    summary: 'Get an administrator',
    params: ByUser,
    status: 200,
    response: Administrator,
    errors: ['entity.not_exists_with_id'],
  },
  putAdministrator: {
    method: 'PUT',
    path: '/administrators/:userId',
    permission: 'write:administrators',
    alsoPermission: 'read:users',
    summary: 'Make a user an administrator, or change their roles',
    description:
      'Replaces the roles. The caller needs every permission that the user holds before or after. A tenant keeps an owner who is not suspended.',
    params: ByUser,
    body: Type.Object({
      roleIds: Type.Array(Type.String({ minLength: 1, maxLength: 21 }), { minItems: 1, maxItems: 100 }),
    }),
    status: 200,
    response: Administrator,
    errors: ['entity.not_exists_with_id', 'entity.relation_foreign_key_not_found', 'administrator.last_owner'],
  },
  deleteAdministrator: {
    method: 'DELETE',
    path: '/administrators/:userId',
    permission: 'write:administrators',
    summary: 'Remove an administrator',
    description: 'The user stays. Their tokens for the Management API are refused at once.',
    params: ByUser,
    status: 204,
    errors: ['entity.not_exists_with_id', 'administrator.last_owner'],
  },
})

export const administratorRoleRoutes = routes({
  listAdministratorRoles: {
    method: 'GET',
    path: '/administrator-roles',
    permission: 'read:administrators',
    list: true,
    summary: 'List the roles of administrators',
    status: 200,
    response: Type.Array(AdministratorRole),
  },
  getAdministratorRole: {
    method: 'GET',
    path: '/administrator-roles/:id',
    permission: 'read:administrators',
    version: WHOLE,
    summary: 'Get a role of administrators',
    params: ById,
    status: 200,
    response: AdministratorRole,
    errors: ['entity.not_exists_with_id'],
  },
  createAdministratorRole: {
    method: 'POST',
    path: '/administrator-roles',
    permission: 'write:administrators',
    summary: 'Create a role of administrators',
    body: AdministratorRoleCreate,
    status: 201,
    response: AdministratorRole,
    errors: ['administrator_role.name_in_use'],
  },
  updateAdministratorRole: {
    method: 'PATCH',
    path: '/administrator-roles/:id',
    permission: 'write:administrators',
    version: WHOLE,
    summary: 'Change a role of administrators',
    params: ById,
    body: AdministratorRoleUpdate,
    status: 200,
    response: AdministratorRole,
    errors: ['entity.not_exists_with_id', 'administrator_role.name_in_use', 'administrator_role.built_in'],
  },
  deleteAdministratorRole: {
    method: 'DELETE',
    path: '/administrator-roles/:id',
    permission: 'write:administrators',
    version: WHOLE,
    summary: 'Delete a role of administrators',
    params: ById,
    status: 204,
    errors: ['entity.not_exists_with_id', 'administrator_role.built_in', 'administrator_role.in_use'],
  },
})
