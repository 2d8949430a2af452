/** Reading the event feed in tests. */
import type { ApiClient } from '@countersign/harness/management-client.ts'

export interface FeedEvent {
  readonly id: string
  readonly sequence: number
  readonly event: string
  readonly createdAt: string
  readonly [field: string]: unknown
}

/** Every event after a cursor, page by page, and the cursor to go on from. */
export const readAll = async (
  api: ApiClient,
  after = '',
  limit = 100,
): Promise<{ events: FeedEvent[]; cursor: string }> => {
  const events: FeedEvent[] = []
  let cursor = after
  for (;;) {
    const { body } = await api('GET', `/events?limit=${limit}&after=${cursor}`)
    cursor = body.nextCursor
    if (body.events.length === 0) return { events, cursor }
    events.push(...body.events)
  }
}
