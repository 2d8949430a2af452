/**
 * Tells receivers of Shared Signals: turns what happened into the events of streams, and pushes those of streams with an address (RFC 8935). The retries are
 * those of ordered webhooks (DECISIONS K4): an event that fails delays those after it, and none is left out.
 */
import { findClient } from '../domain/applications/clients.ts'
import { pauseFailingStream } from '../domain/signals/backlog.ts'
import { tellAllReceivers, tellReceivers } from '../domain/signals/distribution.ts'
import { recordErrors, type WaitingEvent } from '../domain/signals/feed.ts'
import {
  nextToPush,
  oldestToPush,
  type PushTarget,
  postponePush,
  releaseStream,
  settlePushed,
  type TakenStream,
  takenRow,
  takeStreams,
} from '../domain/signals/push.ts'
import { type Receiver, receiverOf } from '../domain/signals/rows.ts'
import { tenantDirectory } from '../domain/tenants/tenants.ts'
import { isGivenUp, nextAttempt } from '../domain/webhooks/schedule.ts'
import { systemCaller } from '../kernel/caller.ts'
import { secondsAfter, secondsBetween } from '../kernel/clock.ts'
import { newBytes } from '../kernel/ids.ts'
import { type Outbound, publicReason } from '../kernel/outbound.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { mintSecurityEventTokens } from '../tokens/security-event-token.ts'
import { createPoller, LOOK_EVERY_MS, startPoller, type Worker } from './poller.ts'

/** How many streams at once: most of the time is spent waiting for others. */
const AT_ONCE = 64
/** Longer than a node pushes one stream, and one more request. */
const LEASE_SECONDS = 60
const LONGEST_PUSH_MS = 20_000
/** When the application of a stream is no receiver, its setting is looked at again after so many seconds. */
const NO_RECEIVER_SECONDS = 60

/** What a receiver says is wrong with one event, and not with the transmitter or its key (RFC 8935 section 2.4): sent again it would be no better. */
const OF_THE_EVENT: ReadonlySet<string> = new Set(['invalid_request', 'invalid_issuer', 'invalid_audience'])

/** What became of an event. */
type Pushed =
  | { readonly result: 'accepted' }
  | { readonly result: 'refused'; readonly err: string; readonly description: string }
  | { readonly result: 'failed'; readonly error: string; readonly retryAfter?: string }

/** The error in a response with status 400 (section 2.4); undefined for anything else. */
const errorIn = (body: Buffer): { readonly err: string; readonly description: string } | undefined => {
  try {
    const { err, description }: Record<string, unknown> = Object(JSON.parse(body.toString()))
    if (typeof err !== 'string') return undefined
    const text = typeof description === 'string' ? description : ''
    return { err: err.slice(0, 256), description: text.slice(0, 1024) }
  } catch {
    return undefined
  }
}

const push = async (outbound: Outbound, { endpointUrl, authorization }: PushTarget, set: string): Promise<Pushed> => {
  try {
    const { status, headers, body } = await outbound.send({
      url: endpointUrl,
      method: 'POST',
      headers: {
        'content-type': 'application/secevent+jwt',
        accept: 'application/json',
        ...(authorization === undefined ? {} : { authorization }),
      },
      body: set,
    })
    if (status >= 200 && status < 300) return { result: 'accepted' }
    const said = status === 400 ? errorIn(body) : undefined
    if (said && OF_THE_EVENT.has(said.err)) return { result: 'refused', ...said }
    const retryAfter = headers['retry-after']
    const error = said ? `${said.err}: ${said.description}` : `the receiver answered ${status}`
    return { result: 'failed', error, ...(typeof retryAfter === 'string' ? { retryAfter } : {}) }
  } catch (error) {
    return { result: 'failed', error: publicReason(error) }
  }
}

/**
 * Starts the sender of this node. Any number of nodes may run one on the same database.
 * @param onSignal calls back when there is something of a tenant, or of any, to tell; returns a function that stops it
 */
export const startSignalPush = (
  store: Store,
  outbound: Outbound,
  onSignal: (heard: (tenantId?: string) => void) => () => void,
): Worker => {
  const { log, clock, metrics } = store
  const heardOf = new Set<string>()
  let isAllToBeTold = true
  let isToBeTaken = true

  const wakeAt = (moment: Date) => {
    const wait = moment.getTime() - clock.now().getTime()
    if (wait < LOOK_EVERY_MS * 2) setTimeout(take, Math.max(wait, 0) + 1).unref()
  }

  const postpone = async (tenant: Tenant, taken: TakenStream, error: string, retryAfter?: string): Promise<void> => {
    const now = clock.now()
    const [attempts, chance] = [taken.attempts + 1, (newBytes(1)[0] ?? 0) / 255]
    const { retryAt } = nextAttempt({ attempts, isOrdered: true, retryAfter, chance }, now)
    const dueAt = retryAt ?? secondsAfter(now, LEASE_SECONDS)
    log.warn({ tenantId: tenant.id, streamId: taken.id, attempts, error }, 'a security event could not be pushed')
    const failingSince = await postponePush(store, taken, dueAt, error)
    const row = isGivenUp(failingSince, now) ? await takenRow(store, taken) : undefined
    if (row) await pauseFailingStream(store, tenant, row, error)
    wakeAt(dueAt)
  }

  /** Sends one event. Returns whether the next may follow. */
  const pushOne = async (
    tenant: Tenant,
    taken: TakenStream,
    { client }: Receiver,
    event: WaitingEvent,
    target: PushTarget,
  ): Promise<boolean> => {
    const [set = ''] = await mintSecurityEventTokens(store, tenant, client, [event])
    const pushed = await push(outbound, target, set)
    if (pushed.result === 'failed') {
      await postpone(tenant, taken, pushed.error, pushed.retryAfter)
      return false
    }
    if (pushed.result === 'refused') {
      const row = await takenRow(store, taken)
      const { err, description } = pushed
      const work = { store, tenant, caller: systemCaller('pushSecurityEvent') }
      if (row) await perform(work, recordErrors, row, [{ jti: event.jti, err, description }])
    }
    await settlePushed(store, taken, event.jti)
    return true
  }

  /** Sends what waits in a stream, in order, until one event fails or others have waited long enough. */
  const pushAll = async (taken: TakenStream): Promise<void> => {
    const tenant = (await tenantDirectory(store)).byId.get(taken.tenantId)
    const receiver = tenant && receiverOf(await findClient(store, tenant, taken.applicationId))
    if (!tenant || !receiver) return releaseStream(store, taken, secondsAfter(clock.now(), NO_RECEIVER_SECONDS))
    const end = performance.now() + LONGEST_PUSH_MS
    let current = taken
    while (performance.now() < end && !poller.isClosed) {
      const next = await nextToPush(store, taken)
      if (!next) break
      if (!(await pushOne(tenant, current, receiver, next.event, next.target))) return
      current = { ...taken, attempts: 0, failingSince: null }
    }
    await releaseStream(store, taken, clock.now())
    take()
  }

  const begin = (taken: TakenStream) => {
    // it is not lost: its lease will end
    const pushing = pushAll(taken).catch((error: unknown) =>
      log.warn(
        { err: error, tenantId: taken.tenantId, streamId: taken.id },
        'a stream of security events was not pushed',
      ),
    )
    poller.track(pushing, () => {
      if (poller.underway === AT_ONCE - 1) take()
    })
  }

  const tell = async (): Promise<void> => {
    if (isAllToBeTold) {
      isAllToBeTold = false
      await tellAllReceivers(store)
    }
    const { byId } = await tenantDirectory(store)
    for (const tenantId of heardOf) {
      heardOf.delete(tenantId)
      const tenant = byId.get(tenantId)
      if (tenant) await tellReceivers(store, tenant)
    }
  }

  const work = async (): Promise<void> => {
    while ((isToBeTaken || isAllToBeTold || heardOf.size > 0) && !poller.isClosed) {
      isToBeTaken = false
      await tell()
      const most = AT_ONCE - poller.underway
      if (most === 0) return
      for (const taken of await takeStreams(store, most, LEASE_SECONDS)) begin(taken)
    }
  }
  const poller = createPoller({
    round: work,
    failed(error) {
      isAllToBeTold = true
      log.warn({ err: error }, 'receivers of Shared Signals could not be told')
    },
  })
  const take = (): void => {
    isToBeTaken = true
    poller.look()
  }
  const heard = (tenantId?: string): void => {
    if (tenantId === undefined) isAllToBeTold = true
    else heardOf.add(tenantId)
    poller.look()
  }
  metrics.gauge(
    'countersign_signal_oldest_pending_seconds',
    'Age of the oldest event that was to be pushed to a receiver of Shared Signals; 0 when there is none',
    async () => secondsBetween(await oldestToPush(store), clock.now()),
  )
  return startPoller(poller, heard, () => onSignal(heard))
}
