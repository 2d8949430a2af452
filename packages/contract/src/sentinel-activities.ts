/** The lock-out of identifiers, as an administrator ends it (DECISIONS L2). The path and the words are those of the reference. */
import Type from 'typebox'
import { routes } from './route.ts'
import { OneOf } from './schema.ts'

export const sentinelActivityRoutes = routes({
  deleteSentinelActivities: {
    method: 'POST',
    path: '/sentinel-activities/delete',
    permission: 'write:users',
    summary: 'Unlock usernames, email addresses and phone numbers',
    description:
      'Forgets the failures of these identifiers and of the accounts that have them, under all their identifiers, so that what was locked can be signed in with at once. What no account has, and what is not locked, does no harm and is not told apart. Applications are never locked: with `App` nothing happens. The limits of an address stay.',
    body: Type.Object({
      targetType: OneOf(['User', 'App']),
      targets: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 1000,
        description: 'As they are typed; each is looked for among usernames, addresses and numbers',
      }),
    }),
    status: 204,
  },
})
