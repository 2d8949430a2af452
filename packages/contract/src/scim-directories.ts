/**
 * Directories that provision users and groups through SCIM 2.0 (RFC 7643, RFC 7644), their tokens, and the roles of
 * their groups.
 */
import Type from 'typebox'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Id, IdListOrNone, Moment, Nullable, SECRET } from './schema.ts'

const ById = Type.Object({ id: Id })
const read = 'read:scim-directories'
const write = 'write:scim-directories'
const Name = Type.String({ minLength: 1, maxLength: 256 })

const EmailDomains = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
  maxItems: 100,
  description:
    'The domains that belong to the directory: addresses at these domains count as verified when it sends them',
})
const LinksUsers = Type.Boolean({
  description:
    'Whether an existing user with a verified address at one of emailDomains is linked instead of refused with 409',
})
const DeletesUsers = Type.Boolean({
  description:
    'What DELETE of a user does: true deletes the account, false ends the membership and suspends an account that the directory manages',
})
const RestrictsDomains = Type.Boolean({
  description:
    'Whether its users must have an address at one of emailDomains, so that it can create no others and change no address to another domain',
})

const ScimDirectory = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Name,
  organizationId: Nullable(Id),
  isEnabled: Type.Boolean(),
  emailDomains: EmailDomains,
  linksUsers: LinksUsers,
  deletesUsers: DeletesUsers,
  restrictsDomains: RestrictsDomains,
  baseUrl: Type.String({ description: 'The URL that the identity provider calls SCIM base URL or tenant URL' }),
  createdAt: EpochMilliseconds,
})

export const ScimDirectoryChange = Type.Object({
  name: Type.Optional(Name),
  isEnabled: Type.Optional(Type.Boolean()),
  emailDomains: Type.Optional(EmailDomains),
  linksUsers: Type.Optional(LinksUsers),
  deletesUsers: Type.Optional(DeletesUsers),
  restrictsDomains: Type.Optional(RestrictsDomains),
})

export const ScimDirectoryCreate = Type.Object({
  ...ScimDirectoryChange.properties,
  name: Name,
  organizationId: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 21,
        description: 'The organization whose members it provisions; absent or null for a directory of the tenant',
      }),
    ),
  ),
})

const ScimToken = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Name,
  createdAt: EpochMilliseconds,
  expiresAt: Nullable(EpochMilliseconds),
  lastUsedAt: Nullable(EpochMilliseconds),
})

const ScimGroup = Type.Object({
  tenantId: Type.String(),
  id: Id,
  displayName: Type.String(),
  externalId: Nullable(Type.String()),
  memberCount: Type.Integer(),
  roleIds: Type.Array(Id, {
    description: 'The roles that its members hold; organization roles in a directory of an organization',
  }),
  createdAt: EpochMilliseconds,
})

const notFound = ['entity.not_exists_with_id'] as const

export const scimDirectoryRoutes = routes({
  listScimDirectories: {
    method: 'GET',
    path: '/scim-directories',
    permission: read,
    list: true,
    summary: 'List SCIM directories',
    query: Type.Object({
      organizationId: Type.Optional(Type.String({ maxLength: 21, description: 'Only those of this organization' })),
    }),
    status: 200,
    response: Type.Array(ScimDirectory),
  },
  createScimDirectory: {
    method: 'POST',
    path: '/scim-directories',
    permission: write,
    alsoPermission: 'write:users',
    summary: 'Create a SCIM directory',
    description:
      'An identity provider such as Entra ID or Okta then creates, changes and deactivates its users at `baseUrl`. A directory of an organization also needs `write:organizations`.',
    body: ScimDirectoryCreate,
    status: 201,
    response: ScimDirectory,
    errors: ['entity.relation_foreign_key_not_found'],
  },
  getScimDirectory: {
    method: 'GET',
    path: '/scim-directories/:id',
    permission: read,
    version: WHOLE,
    summary: 'Get a SCIM directory',
    params: ById,
    status: 200,
    response: ScimDirectory,
    errors: notFound,
  },
  updateScimDirectory: {
    method: 'PATCH',
    path: '/scim-directories/:id',
    permission: write,
    alsoPermission: 'write:users',
    version: WHOLE,
    summary: 'Change a SCIM directory',
    params: ById,
    body: ScimDirectoryChange,
    status: 200,
    response: ScimDirectory,
    errors: notFound,
  },
  deleteScimDirectory: {
    method: 'DELETE',
    path: '/scim-directories/:id',
    permission: write,
    version: WHOLE,
    summary: 'Delete a SCIM directory',
    description: 'With its tokens and groups. Its users stay unchanged, and keep their roles and memberships.',
    params: ById,
    status: 204,
    errors: notFound,
  },
  listScimTokens: {
    method: 'GET',
    path: '/scim-directories/:id/tokens',
    permission: read,
    summary: 'List the tokens of a SCIM directory',
    description: 'Without their values, which are shown only when they are created and are stored as hashes.',
    params: ById,
    status: 200,
    response: Type.Array(ScimToken),
    errors: notFound,
  },
  createScimToken: {
    method: 'POST',
    path: '/scim-directories/:id/tokens',
    permission: write,
    alsoPermission: 'write:users',
    summary: 'Create a token of a SCIM directory',
    description:
      'At most 10 are kept. To rotate, create the new one, enter it at the identity provider, then delete the old one.',
    params: ById,
    body: Type.Object({ name: Name, expiresAt: Type.Optional(Nullable(Moment)) }),
    status: 201,
    response: Type.Object({
      ...ScimToken.properties,
      value: Type.String({ ...SECRET, description: 'Shown only once' }),
    }),
    errors: ['entity.not_exists_with_id', 'request.invalid_input'],
  },
  deleteScimToken: {
    method: 'DELETE',
    path: '/scim-directories/:id/tokens/:scimTokenId',
    permission: write,
    summary: 'Delete a token of a SCIM directory',
    description: 'It is refused from the next request on.',
    params: Type.Object({ id: Id, scimTokenId: Id }),
    status: 204,
    errors: notFound,
  },
  listScimGroups: {
    method: 'GET',
    path: '/scim-directories/:id/groups',
    permission: read,
    list: true,
    summary: 'List the groups of a SCIM directory',
    description: 'With the roles of each group. The groups themselves are created by the identity provider.',
    params: ById,
    status: 200,
    response: Type.Array(ScimGroup),
    errors: notFound,
  },
  replaceScimGroupRoles: {
    method: 'PUT',
    path: '/scim-directories/:id/groups/:scimGroupId/roles',
    permission: write,
    alsoPermission: 'write:users',
    summary: 'Choose the roles of a group',
    description:
      'Its members get these roles, and lose the previous ones unless another group of the directory gives them. In a directory of an organization they are organization roles, and `write:organizations` is also needed.',
    params: Type.Object({ id: Id, scimGroupId: Id }),
    body: Type.Object({ roleIds: IdListOrNone }),
    status: 200,
    response: ScimGroup,
    errors: ['entity.not_exists_with_id', 'entity.relation_foreign_key_not_found', 'user.invalid_role_type'],
  },
})
