/** A stream as its receiver sees it and writes it (Shared Signals Framework 1.0 section 8.1.1). */
import { isDeepStrictEqual } from 'node:util'
import { SIGNAL_EVENTS } from '@countersign/contract/shared-signals.ts'
import Type, { type Static } from 'typebox'
import { INACTIVITY_SECONDS } from '../../domain/signals/backlog.ts'
import { deliveredEvents, type Receiver, type StreamRow, supportedEvents } from '../../domain/signals/rows.ts'
import { KEPT, VERIFICATION_SECONDS, type WantedStream } from '../../domain/signals/streams.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { POLL, PUSH, pollAddress } from './configuration.ts'

const EventType = Type.String({ minLength: 1, maxLength: 512 })
/** What a receiver may say; further members are those that the server says, or unknown ones, which are ignored. */
const Wanted = {
  events_requested: Type.Optional(Type.Array(EventType, { maxItems: 100, uniqueItems: true })),
  description: Type.Optional(Type.String({ maxLength: 1024 })),
  delivery: Type.Optional(
    Type.Object({
      method: Type.String({ maxLength: 64 }),
      endpoint_url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
      authorization_header: Type.Optional(Type.String({ maxLength: 4096, pattern: '^[\\x21-\\x7e][\\x20-\\x7e]*$' })),
    }),
  ),
}
/** The body of a creation. */
export const Creation = Type.Object(Wanted)
/** The body of a change or a replacement. */
export const Change = Type.Object({ stream_id: Type.String({ minLength: 1, maxLength: 64 }), ...Wanted })
type Said = Static<typeof Creation>
type SaidOfStream = Static<typeof Change>

/** The stream, complete. */
export const streamConfiguration = (tenant: Tenant, receiver: Receiver, row: StreamRow) => ({
  stream_id: row.id,
  iss: tenant.issuer,
  aud: receiver.client.id,
  events_supported: supportedEvents(receiver),
  events_requested: row.events_requested,
  events_delivered: deliveredEvents(receiver, row).map((name) => SIGNAL_EVENTS[name]),
  delivery:
    row.endpoint_url === null
      ? { method: POLL, endpoint_url: pollAddress(tenant, row.id) }
      : { method: PUSH, endpoint_url: row.endpoint_url },
  min_verification_interval: VERIFICATION_SECONDS,
  ...(row.endpoint_url === null ? { inactivity_timeout: INACTIVITY_SECONDS } : {}),
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

const refuse = (description: string): OAuthError => new OAuthError('invalid_request', description)

/** Throws 400 for an address to which nothing can be pushed. Whether it may be reached is checked when it is. */
const assertAddress = (outbound: Store['outbound'], address: string | undefined): string => {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined
  const isHttp = url?.protocol === 'https:' || url?.protocol === 'http:'
  if (address === undefined || !isHttp || url.username || url.password || url.hash)
    throw refuse('delivery.endpoint_url must be an https address without user information and fragment')
  if (!outbound.isSecureEnough(address)) throw refuse('delivery.endpoint_url must be an https address')
  return address
}

/** What the receiver says of the delivery: undefined means polling. Throws OAuthError 400. */
const pushIn = (outbound: Store['outbound'], { delivery }: Said): WantedStream['push'] => {
  if (!delivery || delivery.method === POLL) return undefined
  if (delivery.method !== PUSH) throw refuse(`delivery.method must be ${PUSH} or ${POLL}`)
  return { endpointUrl: assertAddress(outbound, delivery.endpoint_url), authorization: delivery.authorization_header }
}

/** What the body of a creation asks for. Throws OAuthError. */
export const wantedAtFirst = ({ outbound }: Store, said: Said): WantedStream => ({
  eventsRequested: said.events_requested ?? [],
  description: said.description ?? null,
  push: pushIn(outbound, said),
})

/** Throws 400 for what only the server says, if it says something else (sections 8.1.1.3, 8.1.1.4). */
export const assertUnchanged = (tenant: Tenant, receiver: Receiver, said: SaidOfStream, row: StreamRow): void => {
  const known: Readonly<Record<string, unknown>> = streamConfiguration(tenant, receiver, row)
  const sent: Readonly<Record<string, unknown>> = { ...said }
  const changed = OF_SERVER.find((name) => sent[name] !== undefined && !isDeepStrictEqual(sent[name], known[name]))
  if (changed !== undefined) throw new OAuthError('invalid_request', `${changed} is not for the receiver to change`)
}

/** The delivery after a change in part: an Authorization header that is not sent stays, unless the address is another. */
const pushAfter = (outbound: Store['outbound'], said: Said, { endpoint_url }: StreamRow): WantedStream['push'] => {
  const kept = endpoint_url === null ? undefined : ({ endpointUrl: endpoint_url, authorization: KEPT } as const)
  if (!said.delivery) return kept
  const push = pushIn(outbound, said)
  return push && push.authorization === undefined && push.endpointUrl === endpoint_url ? kept : push
}

/** What a change makes of a stream: of a replacement, what it leaves out is removed. Throws OAuthError. */
export const wantedAfter =
  (store: Store, said: SaidOfStream, isReplacement: boolean) =>
  (before: StreamRow): WantedStream => {
    const first = wantedAtFirst(store, said)
    if (isReplacement) return first
    return {
      eventsRequested: said.events_requested ?? before.events_requested,
      description: said.description ?? before.description,
      push: pushAfter(store.outbound, said, before),
    }
  }
