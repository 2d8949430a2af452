/** Streams of Shared Signals as an operator sees them: who is told what, and whether it arrives (DECISIONS K15). */
import Type from 'typebox'
import { MOST_COUNTED } from './health.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, Nullable, OneOf } from './schema.ts'
import { SIGNAL_EVENT_NAMES } from './shared-signals.ts'

const Reason = Type.String({ maxLength: 1024 })

export const SignalStream = Type.Object({
  id: Id,
  application: Type.Object({ id: Id, name: Type.String() }),
  description: Nullable(Type.String()),
  delivery: OneOf(['push', 'poll'], { description: 'How events get to the receiver (RFC 8935, RFC 8936)' }),
  endpointUrl: Nullable(Type.String({ description: 'Where they are pushed' })),
  events: Type.Array(OneOf(SIGNAL_EVENT_NAMES), {
    description: 'Those that the receiver asked for and may have; none while the application is no receiver',
  }),
  status: OneOf(['enabled', 'paused', 'disabled'], {
    description: 'paused: events wait. disabled: the receiver wants none, and none are kept',
  }),
  statusReason: Nullable(Reason),
  statusSetBy: OneOf(['receiver', 'operator', 'server'], {
    description: 'server: because events do not arrive. What an operator stopped the receiver cannot start',
  }),
  waitingCount: Type.Integer({ description: `Events that have not arrived; at most ${MOST_COUNTED}` }),
  oldestWaitingAt: Nullable(EpochMilliseconds),
  lastError: Nullable(
    Type.String({ description: 'What the receiver, or the attempt to reach it, last complained of' }),
  ),
  lastErrorAt: Nullable(EpochMilliseconds),
  failingSince: Nullable(EpochMilliseconds),
  activeAt: Type.Integer({ description: 'When the receiver last asked for or accepted something, to the minute' }),
  createdAt: EpochMilliseconds,
})

const byId = { params: Type.Object({ id: Id }) }

export const signalStreamRoutes = routes({
  listSignalStreams: {
    method: 'GET',
    path: '/signal-streams',
    permission: 'read:applications',
    list: true,
    summary: 'List the streams of Shared Signals, newest first',
    description:
      'Receivers create them: applications with `sharedSignals` in `customClientMetadata`. Each has at most one.',
    status: 200,
    response: Type.Array(SignalStream),
  },
  setSignalStreamStatus: {
    method: 'PUT',
    path: '/signal-streams/:id/status',
    permission: 'write:applications',
    summary: 'Pause a stream, or let it continue',
    description:
      'The receiver is told in the stream. While an operator has paused it, the receiver cannot enable it; what happens waits.',
    ...byId,
    body: Type.Object({ status: OneOf(['enabled', 'paused']), reason: Type.Optional(Reason) }),
    status: 200,
    response: SignalStream,
    errors: ['entity.not_exists_with_id'],
  },
  deleteSignalStream: {
    method: 'DELETE',
    path: '/signal-streams/:id',
    permission: 'write:applications',
    summary: 'Delete a stream with what waits in it',
    description: 'The receiver can create another, unless `sharedSignals` is taken from the application.',
    ...byId,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
