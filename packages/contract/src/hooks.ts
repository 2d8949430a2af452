/** Webhooks: where events are sent, and what became of each (DECISIONS K2 to K8). */
import Type, { type TObject } from 'typebox'
import { EVENT_TYPES, type EventType, eventSchema } from './events.ts'
import { MOST_COUNTED } from './health.ts'
import { AuditLog } from './logs.ts'
import { routes } from './route.ts'
import { EpochMilliseconds, Id, Moment, Nullable, OneOf, SECRET } from './schema.ts'

const Event = OneOf(EVENT_TYPES)
const Events = Type.Array(Event, { maxItems: EVENT_TYPES.length, uniqueItems: true })

export const HeaderName = Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$" })
export const HeaderValue = Type.String({ maxLength: 4096, pattern: '^[\\t\\x20-\\x7e]*$' })
export const MOST_HEADERS = 50

export const HookConfig = Type.Object({
  url: Type.String({ minLength: 1, maxLength: 2048, examples: ['https://receiver.example/webhooks'] }),
  headers: Type.Optional(
    Type.Record(HeaderName, HeaderValue, {
      ...SECRET,
      maxProperties: MOST_HEADERS,
      additionalProperties: false,
      description: 'Sent with every request',
    }),
  ),
  retries: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 100, description: 'Stored but not used: the server has its own schedule' }),
  ),
})

export const HookName = Type.String({ minLength: 1, maxLength: 256 })
const Ordered = Type.Boolean({
  description: 'Send one event after another, in the order of their numbers: one that fails holds the later ones back',
})

export const Hook = Type.Object({
  tenantId: Type.String(),
  id: Id,
  name: Type.String(),
  event: Nullable(Type.String({ description: 'The single event of older clients' })),
  events: Type.Array(Type.String()),
  config: HookConfig,
  signingKey: Type.String({
    ...SECRET,
    maxLength: 64,
    description: 'Signs every request: as a Standard Webhooks key, and as a string in `logto-signature-sha-256`',
    examples: ['whsec_kiUBV35DC4tytXbVCeMOeqOPDxUxLwKmTAQXPrJUu+w='],
  }),
  previousSigningKeyExpiresAt: Nullable(EpochMilliseconds),
  enabled: Type.Boolean(),
  ordered: Type.Boolean(),
  createdAt: EpochMilliseconds,
  disabledAt: Nullable(EpochMilliseconds),
  disabledReason: Nullable(
    OneOf(['Gone', 'Failing', 'Requested'], {
      description:
        'Gone: the receiver answered 410. Failing: nothing but failures for five days. Requested: by this API',
    }),
  ),
  failingSince: Nullable(EpochMilliseconds),
  pausedUntil: Nullable(EpochMilliseconds),
  executionStats: Type.Optional(
    Type.Object(
      {
        successCount: Type.Integer({ description: 'Of the last 24 hours' }),
        requestCount: Type.Integer({ description: 'Of the last 24 hours' }),
        waitingCount: Type.Integer({ description: `Deliveries not sent yet; at most ${MOST_COUNTED}` }),
        oldestWaitingAt: Nullable(EpochMilliseconds),
      },
      { description: 'How it does' },
    ),
  ),
})

export const HookCreate = Type.Object({
  name: Type.Optional(HookName),
  event: Type.Optional(Event),
  events: Type.Optional(Events),
  config: HookConfig,
  enabled: Type.Optional(Type.Boolean()),
  ordered: Type.Optional(Ordered),
})

export const HookUpdate = Type.Object({
  name: Type.Optional(HookName),
  event: Type.Optional(Nullable(Event)),
  events: Type.Optional(Events),
  config: Type.Optional(HookConfig),
  enabled: Type.Optional(Type.Boolean()),
  ordered: Type.Optional(Ordered),
})

const DeliveryState = OneOf(['Waiting', 'Held', 'Sending', 'Delivered', 'Failed'], {
  description: 'Held: an earlier event of an ordered hook has not been delivered yet',
})

export const HookDelivery = Type.Object({
  id: Type.String({ description: 'The id of the event, and the webhook-id of every attempt' }),
  hookId: Id,
  sequence: Type.Integer(),
  event: Type.String(),
  state: DeliveryState,
  attempts: Type.Integer({ description: 'Attempts since it was last queued' }),
  nextAttemptAt: Nullable(EpochMilliseconds),
  createdAt: EpochMilliseconds,
  finishedAt: Nullable(EpochMilliseconds),
  lastAttempt: Nullable(
    Type.Object({
      createdAt: EpochMilliseconds,
      durationMs: Type.Integer(),
      status: Nullable(Type.Integer()),
      headers: Nullable(Type.Record(Type.String(), Type.Unknown())),
      body: Nullable(Type.String({ description: 'The first 4 KiB of the response' })),
      error: Nullable(Type.String()),
    }),
  ),
})

const byId = { params: Type.Object({ id: Id }) }
const WithStats = Type.Object({ includeExecutionStats: Type.Optional(Type.String({ maxLength: 8 })) })

export const hookRoutes = routes({
  listHooks: {
    method: 'GET',
    path: '/hooks',
    permission: 'write:hooks',
    list: 'whole',
    summary: 'List hooks with their signing keys, newest first',
    query: WithStats,
    status: 200,
    response: Type.Array(Hook),
  },
  createHook: {
    method: 'POST',
    path: '/hooks',
    permission: 'write:hooks',
    summary: 'Send events to an address',
    description: 'It gets events committed from now on; replay sends earlier ones.',
    body: HookCreate,
    status: 201,
    response: Hook,
    errors: ['hook.missing_events', 'hook.invalid_url', 'hook.insecure_url', 'hook.reserved_header'],
  },
  getHook: {
    method: 'GET',
    path: '/hooks/:id',
    permission: 'write:hooks',
    version: { ignores: ['executionStats'] },
    summary: 'Get a hook with its signing key',
    ...byId,
    query: WithStats,
    status: 200,
    response: Hook,
    errors: ['entity.not_exists_with_id'],
  },
  updateHook: {
    method: 'PATCH',
    path: '/hooks/:id',
    permission: 'write:hooks',
    version: { ignores: ['executionStats'] },
    summary: 'Change a hook; events and config are replaced as a whole',
    description: 'Enabling a disabled hook closes its circuit; waiting events are sent to its current address.',
    ...byId,
    body: HookUpdate,
    status: 200,
    response: Hook,
    errors: [
      'entity.not_exists_with_id',
      'hook.missing_events',
      'hook.invalid_url',
      'hook.insecure_url',
      'hook.reserved_header',
    ],
  },
  deleteHook: {
    method: 'DELETE',
    path: '/hooks/:id',
    permission: 'write:hooks',
    version: { ignores: ['executionStats'] },
    summary: 'Delete a hook; waiting events are no longer sent',
    ...byId,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
  rotateHookSigningKey: {
    method: 'PATCH',
    path: '/hooks/:id/signing-key',
    permission: 'write:hooks',
    summary: 'Create a new signing key',
    description:
      'For 24 hours `webhook-signature` also holds a signature by the previous key; `logto-signature-sha-256` does not.',
    ...byId,
    status: 200,
    response: Hook,
    errors: ['entity.not_exists_with_id'],
  },
  testHook: {
    method: 'POST',
    path: '/hooks/:id/test',
    permission: 'write:hooks',
    summary: 'Send a sample of each event immediately, to an address that need not be saved',
    ...byId,
    body: Type.Object({ events: Type.Array(Event, { minItems: 1, maxItems: EVENT_TYPES.length }), config: HookConfig }),
    status: 204,
    errors: [
      'entity.not_exists_with_id',
      'hook.invalid_url',
      'hook.reserved_header',
      'hook.endpoint_responded_with_error',
      'hook.send_test_payload_failed',
    ],
  },
  listHookLogs: {
    method: 'GET',
    path: '/hooks/:id/recent-logs',
    permission: 'read:hooks',
    list: true,
    summary: 'List the delivery attempts of a hook, newest first; those of the last 24 hours by default',
    ...byId,
    query: Type.Object({
      logKey: Type.Optional(Type.String({ maxLength: 128, examples: ['TriggerHook.User.Created'] })),
      start_time: Type.Optional(Moment),
      end_time: Type.Optional(Moment),
    }),
    status: 200,
    response: Type.Array(AuditLog),
    errors: ['entity.not_exists_with_id', 'log.invalid_time_window'],
  },
  listHookDeliveries: {
    method: 'GET',
    path: '/hooks/:id/deliveries',
    permission: 'read:hooks',
    list: true,
    summary: 'List the deliveries of a hook with their last attempt, newest first',
    description: 'The times are those of the events, as for a replay.',
    ...byId,
    query: Type.Object({
      state: Type.Optional(
        OneOf(['Waiting', 'Sending', 'Delivered', 'Failed'], { description: 'Waiting includes held deliveries' }),
      ),
      event: Type.Optional(Type.String({ maxLength: 128 })),
      start_time: Type.Optional(Moment),
      end_time: Type.Optional(Moment),
    }),
    status: 200,
    response: Type.Array(HookDelivery),
    errors: ['entity.not_exists_with_id', 'log.invalid_time_window'],
  },
  retryHookDelivery: {
    method: 'POST',
    path: '/hooks/:id/deliveries/:deliveryId/retry',
    permission: 'write:hooks',
    summary: 'Send a delivery again, now',
    description: 'A delivery that is being sent is left alone. The count of attempts starts over.',
    params: Type.Object({ id: Id, deliveryId: Id }),
    status: 200,
    response: HookDelivery,
    errors: ['entity.not_exists_with_id', 'hook.disabled'],
  },
  replayHook: {
    method: 'POST',
    path: '/hooks/:id/replay',
    permission: 'write:hooks',
    summary: 'Send the events of a period again, whether or not they were sent before',
    description: 'Their webhook-id is the same as before. Without `events`, those that the hook subscribes to.',
    ...byId,
    body: Type.Object({
      since: Moment,
      until: Type.Optional(Moment),
      events: Type.Optional(Type.Array(Event, { minItems: 1, maxItems: EVENT_TYPES.length })),
    }),
    status: 200,
    response: Type.Object({ count: Type.Integer({ description: 'How many were queued' }) }),
    errors: ['entity.not_exists_with_id', 'hook.disabled', 'hook.too_many_events', 'log.invalid_time_window'],
  },
})

/** The complete schema of what a webhook posts for an event type. */
export const webhookSchema = (type: EventType): TObject =>
  Type.Object({ ...eventSchema(type).properties, hookId: Type.String() })

/** All of them as one JSON Schema document. */
export const webhookSchemas = () => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Payload of a webhook',
  oneOf: EVENT_TYPES.map((type) => ({ $ref: `#/$defs/${type}` })),
  $defs: Object.fromEntries(EVENT_TYPES.map((type) => [type, webhookSchema(type)])),
})
