/** Committed events to pull, in the order of their commits (DECISIONS K6): the same that webhooks will push. */
import Type from 'typebox'
import { EventMessage } from './events.ts'
import { routes } from './route.ts'

export const eventFeedRoutes = routes({
  readEvents: {
    method: 'GET',
    path: '/events',
    permission: 'read:events',
    summary: 'Read events after a cursor, oldest first',
    description:
      'Without `after` the feed begins with the oldest event that is kept, or with `last` near its end. Pass `nextCursor` of one answer as `after` of the next; an empty `events` means that there is nothing newer.',
    query: Type.Object({
      after: Type.Optional(Type.String({ maxLength: 64, description: 'The cursor from an earlier response' })),
      last: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 100, description: 'Without `after`: only so many of the newest events' }),
      ),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      event: Type.Optional(Type.String({ maxLength: 128, description: 'Only events of this type' })),
    }),
    status: 200,
    response: Type.Object({ events: Type.Array(EventMessage), nextCursor: Type.String() }),
    errors: ['guard.invalid_pagination'],
  },
})
