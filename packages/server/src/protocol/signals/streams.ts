/** The stream management API (Shared Signals Framework 1.0 section 8.1): configuration, status, subjects and verification. */
import Type from 'typebox'
import { summaryOf } from '../../domain/applications/clients.ts'
import { type Receiver, type StreamRow, streamOf } from '../../domain/signals/rows.ts'
import {
  createStream,
  deleteStream,
  noStream,
  setStreamStatus,
  updateStream,
  verifyStream,
} from '../../domain/signals/streams.ts'
import { setSubject } from '../../domain/signals/subjects.ts'
import { callerOf } from '../../http/caller-of.ts'
import { type Answer, type Exchange, jsonAnswer } from '../../http/exchange.ts'
import type { Store } from '../../storage/store.ts'
import { perform, type Work } from '../../storage/unit-of-work.ts'
import { NO_STORE } from '../endpoint.ts'
import { bodyOf, requiredStreamId, streamIdOf } from './body.ts'
import { admittedReceiver, type SignalScope } from './receiver.ts'
import {
  assertUnchanged,
  Change,
  Creation,
  streamConfiguration,
  wantedAfter,
  wantedAtFirst,
} from './stream-configuration.ts'
import { Subject, subjectIn } from './subject.ts'

type Handle = (exchange: Exchange) => Promise<Answer>

const StreamId = Type.String({ minLength: 1, maxLength: 64 })
const Status = Type.Object({
  stream_id: StreamId,
  status: Type.Enum(['enabled', 'paused', 'disabled']),
  reason: Type.Optional(Type.String({ maxLength: 1024 })),
})
const SubjectChange = Type.Object({ stream_id: StreamId, subject: Subject, verified: Type.Optional(Type.Boolean()) })
const Verification = Type.Object({ stream_id: StreamId, state: Type.Optional(Type.String({ maxLength: 1024 })) })

/** What a request may do, once it is known whose it is. */
interface Asked {
  readonly exchange: Exchange
  readonly receiver: Receiver
  /** @param action the end of the key of the audit entry */
  readonly work: (action: string) => Work
}

/** An endpoint for receivers with a scope. */
const forReceivers =
  (store: Store, scope: SignalScope, answer: (asked: Asked) => Promise<Answer>): Handle =>
  async (exchange) => {
    const { receiver, headers } = await admittedReceiver(store, exchange, scope)
    const { client } = receiver
    const by = { actor: { type: 'application', id: client.id }, application: summaryOf(client) } as const
    const work = (action: string): Work => ({
      store,
      tenant: exchange.tenant,
      caller: callerOf(exchange, `SharedSignals.${action}`, by),
    })
    const answered = await answer({ exchange, receiver, work })
    return { ...answered, headers: { ...answered.headers, ...NO_STORE, ...headers } }
  }

const NO_CONTENT: Answer = { status: 204 }

/** The stream of the receiver with this id. Throws 404. */
const ownStream = async (store: Store, { exchange, receiver }: Asked, id: string): Promise<StreamRow> => {
  const row = await streamOf(store.database.kysely, exchange.tenant, receiver.client.id)
  if (row?.id !== id) throw noStream()
  return row
}

/** One stream, or, without `stream_id`, those of the receiver: at most one. */
export const readStreams = (store: Store): Handle =>
  forReceivers(store, 'ssf.read', async (asked) => {
    const { exchange, receiver } = asked
    const id = streamIdOf(exchange)
    if (id !== undefined)
      return jsonAnswer(200, streamConfiguration(exchange.tenant, receiver, await ownStream(store, asked, id)))
    const row = await streamOf(store.database.kysely, exchange.tenant, receiver.client.id)
    return jsonAnswer(200, row ? [streamConfiguration(exchange.tenant, receiver, row)] : [])
  })

export const createOwnStream = (store: Store): Handle =>
  forReceivers(store, 'ssf.manage', async ({ exchange, receiver, work }) => {
    const said = bodyOf(exchange, Creation)
    const row = await perform(work('createStream'), createStream, receiver, wantedAtFirst(store, said))
    return jsonAnswer(201, streamConfiguration(exchange.tenant, receiver, row))
  })

/** @param isReplacement PUT: what is left out is removed */
export const changeOwnStream = (store: Store, isReplacement: boolean): Handle =>
  forReceivers(store, 'ssf.manage', async ({ exchange, receiver, work }) => {
    const { tenant } = exchange
    const said = bodyOf(exchange, Change)
    const change = wantedAfter(store, said, isReplacement)
    const row = await perform(work('updateStream'), updateStream, receiver, said.stream_id, (before) => {
      assertUnchanged(tenant, receiver, said, before)
      return change(before)
    })
    return jsonAnswer(200, streamConfiguration(tenant, receiver, row))
  })

export const deleteOwnStream = (store: Store): Handle =>
  forReceivers(store, 'ssf.manage', async ({ exchange, receiver, work }) => {
    await perform(work('deleteStream'), deleteStream, receiver, requiredStreamId(exchange))
    return NO_CONTENT
  })

const statusOf = ({ id, status, status_reason }: StreamRow) => ({
  stream_id: id,
  status,
  ...(status_reason === null ? {} : { reason: status_reason }),
})

export const readStatus = (store: Store): Handle =>
  forReceivers(store, 'ssf.read', async (asked) =>
    jsonAnswer(200, statusOf(await ownStream(store, asked, requiredStreamId(asked.exchange)))),
  )

export const changeStatus = (store: Store): Handle =>
  forReceivers(store, 'ssf.manage', async ({ exchange, receiver, work }) => {
    const { stream_id, status, reason = null } = bodyOf(exchange, Status)
    const caused = work('setStreamStatus')
    return jsonAnswer(200, statusOf(await perform(caused, setStreamStatus, receiver, stream_id, status, reason)))
  })

/** @param isIncluded whether it adds, or removes */
export const changeSubject = (store: Store, isIncluded: boolean): Handle =>
  forReceivers(store, 'ssf.manage', async ({ exchange, receiver, work }) => {
    const said = bodyOf(exchange, SubjectChange)
    const action = isIncluded ? 'addSubject' : 'removeSubject'
    await perform(work(action), setSubject, receiver, said.stream_id, subjectIn(said.subject), isIncluded)
    return isIncluded ? jsonAnswer(200, {}) : NO_CONTENT
  })

export const requestVerification = (store: Store): Handle =>
  forReceivers(store, 'ssf.manage', async ({ exchange, receiver, work }) => {
    const { stream_id, state } = bodyOf(exchange, Verification)
    await perform(work('verifyStream'), verifyStream, receiver, stream_id, state)
    return NO_CONTENT
  })
