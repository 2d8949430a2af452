/** Delivery of security event tokens by polling (RFC 8936). */
import Type from 'typebox'
import { summaryOf } from '../../domain/applications/clients.ts'
import { acknowledge, recordErrors, type SignalFeed } from '../../domain/signals/feed.ts'
import { streamOf } from '../../domain/signals/rows.ts'
import { noStream } from '../../domain/signals/streams.ts'
import { callerOf } from '../../http/caller-of.ts'
import { type Answer, type Exchange, jsonAnswer } from '../../http/exchange.ts'
import type { Store } from '../../storage/store.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { mintSecurityEventTokens } from '../../tokens/security-event-token.ts'
import { NO_STORE } from '../endpoint.ts'
import { bodyOf } from './body.ts'
import { admittedReceiver } from './receiver.ts'

/** The most in an answer, whatever the receiver asks for: some 100 KiB. */
const MOST_EVENTS = 100
/** The most that one request acknowledges, or complains of. */
const MOST_ACKNOWLEDGED = 500
/** Seconds: less than proxies wait. */
const LONGEST_WAIT = 25

const Jti = Type.String({ minLength: 1, maxLength: 64 })
const Problem = Type.Object({
  err: Type.String({ maxLength: 256 }),
  description: Type.Optional(Type.String({ maxLength: 1024 })),
})
const Poll = Type.Object({
  maxEvents: Type.Optional(Type.Integer({ minimum: 0 })),
  returnImmediately: Type.Optional(Type.Boolean()),
  ack: Type.Optional(Type.Array(Jti, { maxItems: MOST_ACKNOWLEDGED })),
  setErrs: Type.Optional(Type.Record(Type.String(), Problem, { maxProperties: MOST_ACKNOWLEDGED })),
})

export const pollEndpoint =
  (store: Store, feed: SignalFeed) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant, params } = exchange
    const { receiver, headers } = await admittedReceiver(store, exchange, 'ssf.read')
    const { client } = receiver
    const stream = await streamOf(store.database.kysely, tenant, client.id)
    if (!stream || stream.id !== params.id || stream.endpoint_url !== null) throw noStream()
    const asked = bodyOf(exchange, Poll)
    const { maxEvents = MOST_EVENTS, returnImmediately = false, ack = [], setErrs = {} } = asked
    await acknowledge(store, stream, ack)
    const errors = Object.entries(setErrs).map(([jti, { err, description = '' }]) => ({ jti, err, description }))
    if (errors.length > 0) {
      const by = { actor: { type: 'application', id: client.id }, application: summaryOf(client) } as const
      const caller = callerOf(exchange, 'SharedSignals.recordErrors', by)
      await perform({ store, tenant, caller }, recordErrors, stream, errors)
    }
    const gone = new AbortController()
    const forget = exchange.onGone(() => gone.abort())
    try {
      const seconds = returnImmediately || maxEvents === 0 ? 0 : LONGEST_WAIT
      const most = Math.min(maxEvents, MOST_EVENTS)
      const { events, hasMore } = await feed.read(tenant, stream, most, seconds, gone.signal)
      const tokens = await mintSecurityEventTokens(store, tenant, client, events)
      const sets = Object.fromEntries(events.map(({ jti }, index) => [jti, tokens[index]]))
      return jsonAnswer(200, { sets, ...(hasMore ? { moreAvailable: true } : {}) }, { ...NO_STORE, ...headers })
    } finally {
      forget()
    }
  }
