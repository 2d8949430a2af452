/** Streams of security events: their rows, and what their receivers may have (DECISIONS K11). */
import { SIGNAL_EVENT_NAMES, SIGNAL_EVENTS, type SignalEvent } from '@countersign/contract/shared-signals.ts'
import type { Selectable } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Client } from '../applications/clients.ts'
import type { ClientMetadata } from '../applications/rows.ts'

export type StreamRow = Selectable<Tables['signal_streams']>
export type StreamStatus = StreamRow['status']

/** An application that is a receiver. */
export interface Receiver {
  readonly client: Client
  readonly setting: NonNullable<ClientMetadata['sharedSignals']>
}

/** Undefined for an application that is none. */
export const receiverOf = (client: Client | undefined): Receiver | undefined =>
  client?.metadata.sharedSignals && client.isConfidential
    ? { client, setting: client.metadata.sharedSignals }
    : undefined

const BY_URI: ReadonlyMap<string, SignalEvent> = new Map(SIGNAL_EVENT_NAMES.map((name) => [SIGNAL_EVENTS[name], name]))

/** `events_supported`: what the operator lets the receiver have. */
export const supportedEvents = ({ setting }: Receiver): string[] => setting.events.map((name) => SIGNAL_EVENTS[name])

/** `events_delivered`, by name: what it may have of what it asked for. */
export const deliveredEvents = (
  { setting }: Receiver,
  { events_requested }: Pick<StreamRow, 'events_requested'>,
): SignalEvent[] =>
  events_requested
    .map((uri) => BY_URI.get(uri))
    .filter((name) => name !== undefined && setting.events.includes(name)) as SignalEvent[]

/** The stream of a receiver; undefined: it has none, or none with this id. @param isForUpdate locks it */
export const streamOf = (
  db: Db,
  { id: tenantId }: Tenant,
  applicationId: string,
  isForUpdate = false,
): Promise<StreamRow | undefined> => {
  const query = db
    .selectFrom('signal_streams')
    .selectAll()
    .where(inTenant(tenantId))
    .where('application_id', '=', applicationId)
  return (isForUpdate ? query.forNoKeyUpdate() : query).executeTakeFirst()
}
