/** A stream as its receiver sees it and writes it (Shared Signals Framework 1.0 section 8.1.1). */
import { isDeepStrictEqual } from 'node:util'
import { SIGNAL_EVENTS } from '@countersign/contract/shared-signals.ts'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import { INACTIVITY_SECONDS } from '../../domain/signals/backlog.ts'
import { deliveredEvents, type Receiver, type StreamRow, supportedEvents } from '../../domain/signals/rows.ts'
import { VERIFICATION_SECONDS, type WantedStream } from '../../domain/signals/streams.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { POLL, pollAddress } from './configuration.ts'

const EventType = Type.String({ minLength: 1, maxLength: 512 })
/** What a receiver may say; further members are those that the server says, or unknown ones, which are ignored. */
const Wanted = {
  events_requested: Type.Optional(Type.Array(EventType, { maxItems: 100, uniqueItems: true })),
  description: Type.Optional(Type.String({ maxLength: 1024 })),
  delivery: Type.Optional(Type.Object({ method: Type.String({ maxLength: 64 }) })),
}
const Creation = Type.Object(Wanted)
const Change = Type.Object({ stream_id: Type.String({ minLength: 1, maxLength: 64 }), ...Wanted })
type Said = Static<typeof Creation>
export type SaidOfStream = Static<typeof Change>

export const CREATION = Compile(Creation)
export const CHANGE = Compile(Change)

/** The stream, complete. */
export const streamConfiguration = (tenant: Tenant, receiver: Receiver, row: StreamRow) => ({
  stream_id: row.id,
  iss: tenant.issuer,
  aud: receiver.client.id,
  events_supported: supportedEvents(receiver),
  events_requested: row.events_requested,
  events_delivered: deliveredEvents(receiver, row).map((name) => SIGNAL_EVENTS[name]),
  delivery: { method: POLL, endpoint_url: pollAddress(tenant, row.id) },
  min_verification_interval: VERIFICATION_SECONDS,
  inactivity_timeout: INACTIVITY_SECONDS,
  ...(row.description === null ? {} : { description: row.description }),
})

const OF_SERVER = [
  'iss',
  'aud',
  'events_supported',
  'events_delivered',
  'min_verification_interval',
  'inactivity_timeout',
]

/** Throws 400 for a delivery that the server does not have. */
const assertDelivery = ({ delivery }: Said): void => {
  if (delivery && delivery.method !== POLL) throw new OAuthError('invalid_request', `delivery.method must be ${POLL}`)
}

/** What the body of a creation asks for. Throws OAuthError. */
export const wantedAtFirst = (said: Said): WantedStream => {
  assertDelivery(said)
  return { eventsRequested: said.events_requested ?? [], description: said.description ?? null }
}

/** Throws 400 for what only the server says, if it says something else (sections 8.1.1.3, 8.1.1.4). */
export const assertUnchanged = (tenant: Tenant, receiver: Receiver, said: SaidOfStream, row: StreamRow): void => {
  const known: Readonly<Record<string, unknown>> = streamConfiguration(tenant, receiver, row)
  const sent: Readonly<Record<string, unknown>> = { ...said }
  const changed = OF_SERVER.find((name) => sent[name] !== undefined && !isDeepStrictEqual(sent[name], known[name]))
  if (changed !== undefined) throw new OAuthError('invalid_request', `${changed} is not for the receiver to change`)
}

/** What a change makes of a stream: of a replacement, what it leaves out is removed. Throws OAuthError. */
export const wantedAfter =
  (said: SaidOfStream, isReplacement: boolean) =>
  (before: StreamRow): WantedStream => {
    const first = wantedAtFirst(said)
    if (isReplacement) return first
    return {
      eventsRequested: said.events_requested ?? before.events_requested,
      description: said.description ?? before.description,
    }
  }
