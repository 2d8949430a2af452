/** `/events`: committed events to pull. */
import { eventFeedRoutes } from '@countersign/contract/event-feed.ts'
import { latestEvents, readEvents } from '../domain/webhooks/event-feed.ts'
import { bind } from '../http/api.ts'

const DEFAULT_LIMIT = 100

export const eventFeedHandlers = bind(eventFeedRoutes, {
  readEvents: ({ query: { after, last, limit = DEFAULT_LIMIT, event: type } }, { store, tenant }) =>
    last === undefined || after
      ? readEvents(store, tenant, { after, limit, type })
      : latestEvents(store, tenant, { last, type }),
})
