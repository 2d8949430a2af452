/** Reading a stream by polling (RFC 8936): what waits, oldest first, and what the receiver says of what it got. */
import { secondsAfter } from '../../kernel/clock.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { createWaiting, type Subscribe } from '../../storage/waiting.ts'
import { tellReceivers } from './distribution.ts'
import type { StreamRow } from './rows.ts'

/** An event as it waits: without what every security event token has. */
export interface WaitingEvent {
  readonly jti: string
  readonly claims: Readonly<Record<string, unknown>>
  readonly createdAt: Date
}

export interface EventPage {
  readonly events: readonly WaitingEvent[]
  /** Whether there are more already. */
  readonly hasMore: boolean
}

export interface SignalFeed {
  /**
   * The events that wait, at once if there are any, otherwise as soon as there are, at the latest after so many seconds. They wait until
   * they are acknowledged. Of a stream that is not enabled: only those about itself. @param signal ends the waiting
   */
  read(tenant: Tenant, stream: StreamRow, most: number, seconds: number, signal: AbortSignal): Promise<EventPage>
  /** Answers all who wait. */
  close(): void
}

const NOTHING: EventPage = { events: [], hasMore: false }
/** How precisely the last request of a receiver is known, in seconds. */
const ACTIVITY_SECONDS = 60

/** What waits now, with everything that was committed before the call. */
export const readWaiting = async (
  store: Store,
  tenant: Tenant,
  { id }: Pick<StreamRow, 'id'>,
  most: number,
): Promise<EventPage> => {
  await tellReceivers(store, tenant)
  const rows = await store.database.kysely
    .selectFrom('signal_events as e')
    .innerJoin('signal_streams as s', (join) =>
      join.onRef('s.tenant_id', '=', 'e.tenant_id').onRef('s.id', '=', 'e.stream_id'),
    )
    .select(['e.jti', 'e.claims', 'e.created_at'])
    .where(inTenant(tenant.id, 'e'))
    .where('e.stream_id', '=', id)
    .where((eb) => eb.or([eb('s.status', '=', 'enabled'), eb('e.is_of_stream', '=', true)]))
    .orderBy('e.sequence')
    .limit(most + 1)
    .execute()
  const events = rows.slice(0, most).map(({ jti, claims, created_at }) => ({ jti, claims, createdAt: created_at }))
  return { events, hasMore: rows.length > most }
}

/** @param subscribe calls back when receivers of a tenant, or of any, may be told something */
export const createSignalFeed = (store: Store, subscribe: Subscribe): SignalFeed => {
  const waiting = createWaiting(subscribe)
  store.metrics.gauge('countersign_signal_waits', 'Polls of Shared Signals that wait for an event', waiting.count)
  return {
    async read(tenant, stream, most, seconds, signal) {
      const page = await waiting.readUntil(tenant, seconds, signal, async (isLast) => {
        const read = await readWaiting(store, tenant, stream, most)
        return isLast || read.events.length > 0 || read.hasMore ? read : undefined
      })
      return page ?? NOTHING
    },
    close: waiting.close,
  }
}

/** Forgets events that the receiver has: those of other streams and unknown ones are none. Notes that it is there. */
export const acknowledge = async (
  { database, clock }: Store,
  { tenant_id, id }: StreamRow,
  jtis: readonly string[],
): Promise<void> => {
  const now = clock.now()
  await database.kysely
    .updateTable('signal_streams')
    .set({ active_at: now })
    .where(inTenant(tenant_id))
    .where('id', '=', id)
    .where('active_at', '<', secondsAfter(now, -ACTIVITY_SECONDS))
    .execute()
  if (jtis.length === 0) return
  await database.kysely
    .deleteFrom('signal_events')
    .where(inTenant(tenant_id))
    .where('stream_id', '=', id)
    .where('jti', 'in', jtis)
    .execute()
}

/** What a receiver says of an event that it cannot use (RFC 8936 section 2.4). */
export interface EventError {
  readonly jti: string
  readonly err: string
  readonly description: string
}

/** The most that is recorded of one request. */
const MOST_RECORDED = 20

/** Records what the receiver could not use, and forgets it: it would say the same again. */
export const recordErrors = operation(
  [],
  async (unit, stream: StreamRow, errors: readonly EventError[]): Promise<void> => {
    const { tx, tenant, now } = unit
    const last = errors.at(-1)
    if (!last) return
    await tx
      .deleteFrom('signal_events')
      .where(inTenant(tenant.id))
      .where('stream_id', '=', stream.id)
      .where(
        'jti',
        'in',
        errors.map(({ jti }) => jti),
      )
      .execute()
    await tx
      .updateTable('signal_streams')
      .set({ last_error: `${last.err}: ${last.description}`, last_error_at: now })
      .where(inTenant(tenant.id))
      .where('id', '=', stream.id)
      .execute()
    unit.note({ eventErrors: errors.slice(0, MOST_RECORDED) })
    unit.concerns('signal-stream', stream.id)
  },
)
