/** `/events`: committed events to pull. */
import { eventFeedRoutes } from '@countersign/contract/event-feed.ts'
import { readEvents } from '../domain/webhooks/event-feed.ts'
import { bind } from '../http/api.ts'

const DEFAULT_LIMIT = 100

export const eventFeedHandlers = bind(eventFeedRoutes, {
  readEvents: ({ query }, { store, tenant }) =>
    readEvents(store, tenant, { after: query.after, limit: query.limit ?? DEFAULT_LIMIT, type: query.event }),
})
