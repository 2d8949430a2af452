/** Users: the people who sign in (DECISIONS B1, E1, F6). */
import Type from 'typebox'
import { HeldRole } from './applications.ts'
import { routes } from './route.ts'
import { Id, IdListOrNone, JsonObject, NameSearch, Nullable, OneOf } from './schema.ts'
import { User, UserProfile } from './user.ts'
import { userFilters } from './user-filters.ts'
import { UserSearch } from './user-search.ts'
import { SsoIdentity } from './user-sso-identities.ts'

export const PASSWORD_ALGORITHMS = [
  'Argon2i',
  'Argon2id',
  'Argon2d',
  'SHA1',
  'SHA256',
  'MD5',
  'Bcrypt',
  'Legacy',
] as const

/** Whether it is a sound one is for the server to say, with a code of its own for each kind. */
const Written = Type.String({ maxLength: 256 })
const Name = Type.String({ maxLength: 128 })
const Avatar = Type.String({ maxLength: 2048, description: 'An address; http or https' })
const Password = Type.String({ minLength: 1, maxLength: 256 })
const emptied = { description: 'null and the empty string remove it' }

export const UserCreate = Type.Object({
  username: Type.Optional(Written),
  primaryEmail: Type.Optional(Written),
  primaryPhone: Type.Optional(Written),
  password: Type.Optional(Password),
  passwordDigest: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'A password hash made by another system' }),
  ),
  passwordAlgorithm: Type.Optional(
    OneOf(PASSWORD_ALGORITHMS, {
      description:
        'How passwordDigest was made. Legacy: `["algorithm", ["argument", "@"], "hash"]` as a JSON string, where @ stands for the password; algorithms are digests, pbkdf2, scrypt and firebase-scrypt',
    }),
  ),
  name: Type.Optional(Name),
  avatar: Type.Optional(Nullable(Avatar)),
  customData: Type.Optional(JsonObject),
  profile: Type.Optional(UserProfile),
})

export const UserUpdate = Type.Object({
  username: Type.Optional(Type.Union([Written, Type.Null()], emptied)),
  primaryEmail: Type.Optional(Type.Union([Written, Type.Null()], emptied)),
  primaryPhone: Type.Optional(Type.Union([Written, Type.Null()], emptied)),
  name: Type.Optional(Type.Union([Name, Type.Null()], emptied)),
  avatar: Type.Optional(Type.Union([Avatar, Type.Null()], emptied)),
  customData: Type.Optional(JsonObject),
  profile: Type.Optional(UserProfile),
})

const OfUser = Type.Object({ userId: Id })
const HeldRoleIds = Type.Array(Type.String({ minLength: 1, maxLength: 21 }), { maxItems: 10_000 })
const identifierErrors = [
  'user.username_already_in_use',
  'user.email_already_in_use',
  'user.phone_already_in_use',
  'user.username_starts_with_number',
  'user.username_invalid_charset_hard',
  'user.username_too_long',
  'user.invalid_email',
  'user.invalid_phone',
] as const
const roleErrors = [
  'entity.not_exists_with_id',
  'user.invalid_role_type',
  'entity.relation_foreign_key_not_found',
] as const
const passwordErrors = ['entity.not_exists_with_id', 'request.unavailable'] as const

export const userRoutes = routes({
  listUsers: {
    method: 'GET',
    path: '/users',
    permission: 'read:users',
    list: true,
    summary: 'List users',
    description:
      'Newest first. Whole values and prefixes (`ann%`) are looked up in an index; a pattern that begins with a wildcard reads every user of the tenant. Of the filters, those with `After` include the moment and those with `Before` do not; all that are given must be met.',
    query: Type.Object({ ...UserSearch.properties, ...userFilters }),
    status: 200,
    response: Type.Array(User),
  },
  createUser: {
    method: 'POST',
    path: '/users',
    permission: 'write:users',
    summary: 'Create a user',
    description: 'The user gets the default roles. The password policy is not applied.',
    body: UserCreate,
    status: 200,
    response: User,
    errors: [
      ...identifierErrors,
      'user.password_and_digest',
      'user.password_algorithm_required',
      'password.unsupported_encryption_method',
      'password.invalid_legacy_password_format',
      'password.unsupported_legacy_hash_algorithm',
      'request.unavailable',
    ],
  },
  getUser: {
    method: 'GET',
    path: '/users/:userId',
    permission: 'read:users',
    version: { ignores: ['lastSignInAt', 'updatedAt', 'ssoIdentities'] },
    summary: 'Get a user',
    params: OfUser,
    query: Type.Object({
      includeSsoIdentities: Type.Optional(
        Type.String({ description: '`true` adds the accounts at the identity providers of companies' }),
      ),
    }),
    status: 200,
    response: Type.Object({ ...User.properties, ssoIdentities: Type.Optional(Type.Array(SsoIdentity)) }),
    errors: ['entity.not_exists_with_id'],
  },
  updateUser: {
    method: 'PATCH',
    path: '/users/:userId',
    permission: 'write:users',
    version: { ignores: ['lastSignInAt', 'updatedAt', 'ssoIdentities'] },
    summary: 'Change a user',
    description: 'customData and profile are replaced; their own routes merge.',
    params: OfUser,
    body: UserUpdate,
    status: 200,
    response: User,
    errors: ['entity.not_exists_with_id', ...identifierErrors],
  },
  deleteUser: {
    method: 'DELETE',
    path: '/users/:userId',
    permission: 'write:users',
    version: { ignores: ['lastSignInAt', 'updatedAt', 'ssoIdentities'] },
    summary: 'Delete a user',
    params: OfUser,
    status: 204,
    errors: ['entity.not_exists_with_id', 'user.cannot_delete_self', 'administrator.last_owner'],
  },
  getUserCustomData: {
    method: 'GET',
    path: '/users/:userId/custom-data',
    permission: 'read:users',
    summary: 'Get the custom data of a user',
    params: OfUser,
    status: 200,
    response: JsonObject,
    errors: ['entity.not_exists_with_id'],
  },
  updateUserCustomData: {
    method: 'PATCH',
    path: '/users/:userId/custom-data',
    permission: 'write:users',
    summary: 'Merge values into the custom data of a user',
    params: OfUser,
    body: Type.Object({ customData: JsonObject }),
    status: 200,
    response: JsonObject,
    errors: ['entity.not_exists_with_id'],
  },
  updateUserProfile: {
    method: 'PATCH',
    path: '/users/:userId/profile',
    permission: 'write:users',
    summary: 'Merge values into the profile of a user',
    params: OfUser,
    body: Type.Object({ profile: UserProfile }),
    status: 200,
    response: UserProfile,
    errors: ['entity.not_exists_with_id'],
  },
  updateUserPassword: {
    method: 'PATCH',
    path: '/users/:userId/password',
    permission: 'write:users',
    summary: 'Set the password of a user',
    description: 'Ends their sessions, grants and refresh tokens. The password policy is not applied.',
    params: OfUser,
    body: Type.Object({ password: Password }),
    status: 200,
    response: User,
    errors: passwordErrors,
  },
  expireUserPassword: {
    method: 'PATCH',
    path: '/users/:userId/password/expiration',
    permission: 'write:users',
    summary: 'Declare the password of a user expired, or take that back',
    description:
      'Needs `passwordExpiration` of the sign-in settings. The user then cannot sign in with the password and has to choose a new one; their sessions stay. Taking it back does not make a password good that has expired by its age.',
    params: OfUser,
    body: Type.Object({ isExpired: Type.Boolean() }),
    status: 200,
    response: User,
    errors: ['entity.not_exists_with_id', 'sign_in_experiences.password_expiration_not_enabled'],
  },
  verifyUserPassword: {
    method: 'POST',
    path: '/users/:userId/password/verify',
    permission: 'write:users',
    summary: 'Check whether this is the password of a user',
    params: OfUser,
    body: Type.Object({ password: Password }),
    status: 204,
    errors: [...passwordErrors, 'session.invalid_credentials'],
  },
  hasUserPassword: {
    method: 'GET',
    path: '/users/:userId/has-password',
    permission: 'read:users',
    summary: 'Check whether a user has a password',
    params: OfUser,
    status: 200,
    response: Type.Object({ hasPassword: Type.Boolean() }),
    errors: ['entity.not_exists_with_id'],
  },
  suspendUser: {
    method: 'PATCH',
    path: '/users/:userId/is-suspended',
    permission: 'write:users',
    summary: 'Suspend or reactivate a user',
    description: 'Suspension ends their sessions, grants and refresh tokens; reactivation does not bring them back.',
    params: OfUser,
    body: Type.Object({ isSuspended: Type.Boolean() }),
    status: 200,
    response: User,
    errors: ['entity.not_exists_with_id', 'administrator.last_owner'],
  },
  listUserRoles: {
    method: 'GET',
    path: '/users/:userId/roles',
    permission: 'read:users',
    alsoPermission: 'read:roles',
    list: 'whole',
    summary: 'List the roles of a user',
    params: OfUser,
    query: Type.Object({ search: NameSearch }),
    status: 200,
    response: Type.Array(HeldRole),
    errors: ['entity.not_exists_with_id'],
  },
  addUserRoles: {
    method: 'POST',
    path: '/users/:userId/roles',
    permission: 'write:users',
    summary: 'Give roles to a user',
    params: OfUser,
    body: Type.Object({ roleIds: IdListOrNone }),
    status: 201,
    response: Type.Object({ roleIds: Type.Array(Type.String()), addedRoleIds: Type.Array(Type.String()) }),
    errors: roleErrors,
  },
  replaceUserRoles: {
    method: 'PUT',
    path: '/users/:userId/roles',
    permission: 'write:users',
    summary: 'Replace the roles of a user',
    params: OfUser,
    body: Type.Object({ roleIds: HeldRoleIds }),
    status: 200,
    response: Type.Object({ roleIds: Type.Array(Type.String()) }),
    errors: roleErrors,
  },
  removeUserRole: {
    method: 'DELETE',
    path: '/users/:userId/roles/:roleId',
    permission: 'write:users',
    summary: 'Take a role from a user',
    params: Type.Object({ userId: Id, roleId: Id }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
