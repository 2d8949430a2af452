/** Where the roles of a user came from. */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, Nullable, OneOf } from './schema.ts'

/**
 * Who or what gave a role: an administrator or an application by the Management API, the default roles at the user's creation, an import, just-in-time provisioning, an invitation, or a group of a SCIM directory.
 */
export const ROLE_ORIGINS = ['user', 'application', 'default', 'import', 'justInTime', 'invitation', 'group'] as const

const origin = {
  givenAt: EpochMilliseconds,
  origin: Nullable(
    OneOf(ROLE_ORIGINS, {
      description:
        'What gave it first: a `user` or an `application` by the Management API, the `default` roles, an `import`, `justInTime` provisioning, an `invitation`, or a `group` of a directory. Null: it was given before that was recorded',
    }),
  ),
  originId: Nullable(
    Type.String({ description: 'Of the user, the application, the invitation, or the directory of the group' }),
  ),
  groups: Type.Array(Type.Object({ directoryId: Id, groupId: Id, displayName: Type.String() }), {
    description: 'The groups of SCIM directories that give it now, whatever gave it first',
  }),
}

const OfUser = Type.Object({ userId: Id })

export const roleOriginRoutes = routes({
  listUserRoleOrigins: {
    method: 'GET',
    path: '/users/:userId/role-origins',
    permission: 'read:users',
    alsoPermission: 'read:roles',
    summary: 'List where the roles of a user came from',
    description: 'The newest first.',
    params: OfUser,
    status: 200,
    response: Type.Object({ origins: Type.Array(Type.Object({ roleId: Id, ...origin })) }),
    errors: ['entity.not_exists_with_id'],
  },
  listUserOrganizationRoleOrigins: {
    method: 'GET',
    path: '/users/:userId/organization-role-origins',
    permission: 'read:organizations',
    alsoPermission: 'read:users',
    summary: 'List where the organization roles of a user came from',
    description: 'The newest first.',
    params: OfUser,
    status: 200,
    response: Type.Object({
      origins: Type.Array(Type.Object({ organizationId: Id, organizationRoleId: Id, ...origin })),
    }),
    errors: ['entity.not_exists_with_id'],
  },
})
