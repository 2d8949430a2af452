/** Users imported through the Management API: the lines of a file, batch after batch, each refused by itself where it has to be. */
import Type from 'typebox'
import { routes } from './route.ts'

/** How many lines fit in a batch. */
const MOST_LINES = 500

const Count = Type.Integer({ minimum: 0 })

const RefusedLine = Type.Object({
  line: Type.Integer({ description: 'Its number in the file, from 1' }),
  code: Type.String({ description: 'Of the error that `POST /users` would answer' }),
  message: Type.String(),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'Of the same error' })),
})

export const userImportRoutes = routes({
  importUsers: {
    method: 'POST',
    path: '/user-imports',
    permission: 'write:users',
    summary: 'Import users, a batch of lines at a time',
    description:
      'For files, as `countersign users import` takes them: a line is the JSON of a user, and may have what another system knew beside it (password hash, second factors, linked accounts, roles). Send the batches of a file one after the other; a batch whose answer was lost can be sent again and is imported once. The answer counts from the first line of the file; `refused` lists the lines of this batch that were not imported. Each caller has one import at a time: one that begins at line 1 ends the one before. The password policy is not applied.',
    body: Type.Object({
      importId: Type.String({
        pattern: '^[A-Za-z0-9_-]{1,64}$',
        description: 'Chosen by the caller, the same for all batches of a file',
      }),
      firstLine: Type.Integer({
        minimum: 1,
        maximum: 1_000_000_000,
        description: 'The number of the first of `lines`',
      }),
      lines: Type.Array(Type.String({ minLength: 1, maxLength: 1_048_576 }), { minItems: 1, maxItems: MOST_LINES }),
      isLast: Type.Optional(Type.Boolean({ description: 'Whether the file ends with this batch' })),
      withEvents: Type.Optional(
        Type.Boolean({ description: 'Whether webhooks get `User.Created` for each user; false by default' }),
      ),
    }),
    status: 200,
    response: Type.Object({
      lines: Count,
      created: Count,
      refusedCount: Count,
      refused: Type.Array(RefusedLine),
    }),
    errors: ['user_import.not_the_next_batch'],
  },
})
