/** Personal access tokens of users (DECISIONS I1): exchanged for access tokens, never sent to an API themselves. */
import Type from 'typebox'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, Moment, Nullable, SECRET } from './schema.ts'

/** Unique among the tokens of a user. */
export const PersonalAccessTokenName = Type.String({ minLength: 1, maxLength: 256 })
const Name = PersonalAccessTokenName
const OfUser = Type.Object({ userId: Id })
const Named = Type.Object({ userId: Id, name: Name })

/** What is asked for. */
export const PersonalAccessTokenCreate = Type.Object({ name: Name, expiresAt: Type.Optional(Nullable(Moment)) })

const PersonalAccessToken = Type.Object({
  tenantId: Type.String(),
  userId: Id,
  name: Name,
  createdAt: EpochMilliseconds,
  expiresAt: Nullable(EpochMilliseconds),
  lastUsedAt: Nullable(EpochMilliseconds),
})

const renameErrors = ['entity.not_exists_with_id', 'user.personal_access_token_name_exists'] as const

export const personalAccessTokenRoutes = routes({
  listPersonalAccessTokens: {
    method: 'GET',
    path: '/users/:userId/personal-access-tokens',
    permission: 'read:users',
    summary: 'List the personal access tokens of a user',
    description: 'Without their values, which are shown only when they are created and are stored as hashes.',
    params: OfUser,
    status: 200,
    response: Type.Array(PersonalAccessToken),
    errors: ['entity.not_exists_with_id'],
  },
  createPersonalAccessToken: {
    method: 'POST',
    path: '/users/:userId/personal-access-tokens',
    permission: 'write:users',
    summary: 'Create a personal access token',
    params: OfUser,
    body: PersonalAccessTokenCreate,
    status: 201,
    response: Type.Object({
      ...PersonalAccessToken.properties,
      value: Type.String({ ...SECRET, description: 'Shown only once' }),
    }),
    errors: ['entity.not_exists_with_id', 'user.personal_access_token_name_exists', 'request.invalid_input'],
  },
  renamePersonalAccessToken: {
    method: 'PATCH',
    path: '/users/:userId/personal-access-tokens/:name',
    permission: 'write:users',
    summary: 'Rename a personal access token',
    params: Named,
    body: Type.Object({ name: Name }),
    status: 200,
    response: PersonalAccessToken,
    errors: renameErrors,
  },
  renamePersonalAccessTokenByBody: {
    method: 'PATCH',
    path: '/users/:userId/personal-access-tokens',
    permission: 'write:users',
    summary: 'Rename a personal access token whose name does not fit in a URL',
    params: OfUser,
    body: Type.Object({ currentName: Name, name: Name }),
    status: 200,
    response: PersonalAccessToken,
    errors: renameErrors,
  },
  deletePersonalAccessToken: {
    method: 'DELETE',
    path: '/users/:userId/personal-access-tokens/:name',
    permission: 'write:users',
    summary: 'Delete a personal access token',
    params: Named,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  deletePersonalAccessTokenByBody: {
    method: 'POST',
    path: '/users/:userId/personal-access-tokens/delete',
    permission: 'write:users',
    summary: 'Delete a personal access token whose name does not fit in a URL',
    params: OfUser,
    body: Type.Object({ name: Name }),
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
