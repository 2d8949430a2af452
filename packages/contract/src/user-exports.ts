/** Users exported through the Management API: the lines of a file, batch after batch. */
import Type from 'typebox'
import { routes } from './route.ts'
import { Nullable } from './schema.ts'
import { userFilters } from './user-filters.ts'
import { UserSearch } from './user-search.ts'

export const userExportRoutes = routes({
  exportUsers: {
    method: 'POST',
    path: '/user-exports',
    permission: 'read:users',
    alsoPermission: 'read:roles',
    summary: 'Export users, a batch of lines at a time',
    description:
      'For files, as `countersign users export` writes them and `POST /user-imports` takes them: a line is the JSON of a user. The first request has no `cursor` and says which users: all of them, or those that a search and filters find, as in `GET /users`. Each further one has the `cursor` of the answer before it and nothing else, and comes from the same caller. A user who changes in the meantime is exported before or after the change. The first request is in the audit log.',
    body: Type.Object({
      ...UserSearch.properties,
      ...userFilters,
      withPasswordHashes: Type.Optional(
        Type.Boolean({
          description:
            'Includes the hashes, from which passwords can be guessed: for callers with the permission `all`',
        }),
      ),
      cursor: Type.Optional(Type.String({ maxLength: 65_536, description: 'Of the answer before' })),
    }),
    status: 200,
    response: Type.Object({
      lines: Type.Array(Type.String()),
      cursor: Nullable(Type.String({ description: 'For the next batch; null: there is none' })),
    }),
    errors: ['request.invalid_input'],
  },
})
