/** The lockout of identifiers, as an administrator ends it (DECISIONS L2). The path and the words are those of the reference. */
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
      'Clears the failures of these identifiers and of the accounts that have them, under all their identifiers, so that users can sign in at once. Identifiers that no account has or that are not locked are ignored, and the response does not tell them apart. Applications are never locked: `App` has no effect. The limits per address stay.',
    body: Type.Object({
      targetType: OneOf(['User', 'App']),
      targets: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 1000,
        description: 'As users enter them; each is matched against usernames, email addresses and phone numbers',
      }),
    }),
    status: 204,
  },
})
