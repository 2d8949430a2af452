/**
 * Events: what leaves the server after a commit. The worker takes dispatches from their queue and passes them to the
 * handler of their kind; everything sent by HTTP goes through the guarded client. Depends on domain, tokens, storage
 * and kernel; the domain decides what is sent.
 *
 * At least once: a dispatch is deleted after it was sent, and if the node dies before that, it is held only until its
 * lease ends.
 */
import {
  type Dispatch,
  finishDispatch,
  oldestDispatch,
  payloadOf,
  postponeDispatch,
  takeDispatches,
} from '../domain/delivery/dispatches.ts'
import { tenantDirectory } from '../domain/tenants/tenants.ts'
import { systemCaller } from '../kernel/caller.ts'
import { secondsAfter, secondsBetween } from '../kernel/clock.ts'
import { newBytes } from '../kernel/ids.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { operation, perform } from '../storage/unit-of-work.ts'
import { type DispatchHandler, Undeliverable } from './dispatch-handler.ts'
import { createPoller, startPoller, type Worker } from './poller.ts'

/** How many at once: most of the time is spent waiting for others. */
const AT_ONCE = 32
/** Shorter than the grace of a shutdown, and than the lease. */
const LONGEST_DELIVERY_MS = 25_000
const LEASE_SECONDS = 60
const LONGEST_ERROR = 500

/** Jitter for dispatches that failed together: from 0.8 to 1.2 times. */
const jittered = (seconds: number): number => seconds * (0.8 + ((newBytes(1)[0] ?? 0) / 255) * 0.4)

const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_ERROR)

const finished = operation([], async (unit, dispatch: Dispatch, facts: Readonly<Record<string, unknown>>) => {
  finishDispatch(unit, dispatch)
  unit.note({ ...facts, dispatchId: dispatch.id, attempts: dispatch.attempts })
})

/** Gives up at the signal, for a handler that ignores it. */
const unlessAborted = (work: Promise<void>, signal: AbortSignal): Promise<void> => {
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it took too long')))
  })
  return Promise.race([work, late])
}

/**
 * Starts the worker of this node. Any number of nodes may run one on the same database.
 * @param handlers by kind; unknown kinds are left to nodes that know them @param onDispatch calls
 * back when there may be something to send; returns a function that stops it
 */
export const startWorker = (
  store: Store,
  handlers: Readonly<Record<string, DispatchHandler>>,
  onDispatch: (heard: () => void) => () => void,
): Worker => {
  const { log, clock, metrics } = store
  const kinds = Object.keys(handlers)
  let isToBeTaken = false

  const end = (tenant: Tenant, { action }: DispatchHandler, dispatch: Dispatch, facts: Record<string, unknown>) =>
    perform({ store, tenant, caller: systemCaller(action) }, finished, dispatch, facts)

  const deliver = async (dispatch: Dispatch): Promise<void> => {
    const handler = handlers[dispatch.kind]
    const tenant = (await tenantDirectory(store)).byId.get(dispatch.tenantId)
    // a deleted tenant's queue is deleted with it
    if (!handler || !tenant) return
    let facts: Record<string, unknown> = {}
    try {
      const payload = payloadOf(store.vault, dispatch)
      facts = { ...handler.facts(payload) }
      const now = clock.now()
      if (now >= dispatch.expiresAt) throw new Undeliverable('it expired before it could be sent')
      const signal = AbortSignal.timeout(LONGEST_DELIVERY_MS)
      await unlessAborted(handler.deliver({ tenant, id: dispatch.id, payload, now, signal }), signal)
    } catch (error) {
      const text = textOf(error)
      const { kind, id, attempts, expiresAt } = dispatch
      log.warn({ kind, id, attempts, tenantId: tenant.id, error: text, ...facts }, 'a dispatch could not be sent')
      metrics.dispatchAttempts.inc({ kind, result: error instanceof Undeliverable ? 'failed' : 'postponed' })
      if (error instanceof Undeliverable)
        return end(tenant, handler, dispatch, { ...facts, result: 'Error', error: text })
      const { retrySeconds } = handler
      const wait = retrySeconds[Math.min(attempts, retrySeconds.length) - 1] ?? LEASE_SECONDS
      const dueAt = secondsAfter(clock.now(), jittered(wait))
      return postponeDispatch(store, dispatch, new Date(Math.min(dueAt.getTime(), expiresAt.getTime())), text)
    }
    metrics.dispatchAttempts.inc({ kind: dispatch.kind, result: 'sent' })
    return end(tenant, handler, dispatch, facts)
  }

  const begin = (dispatch: Dispatch) => {
    const delivery = deliver(dispatch)
      // it is not lost: its lease will end
      .catch((error: unknown) => log.warn({ err: error, id: dispatch.id }, 'the outcome of a dispatch was not stored'))
    // one that frees a slot when there was none looks again
    poller.track(delivery, () => {
      if (poller.underway === AT_ONCE - 1) look()
    })
  }

  const takeAll = async (): Promise<void> => {
    while (isToBeTaken && !poller.isClosed && poller.underway < AT_ONCE) {
      isToBeTaken = false
      for (const dispatch of await takeDispatches(store, kinds, AT_ONCE - poller.underway, LEASE_SECONDS))
        begin(dispatch)
    }
  }
  const poller = createPoller({
    round: takeAll,
    failed: (error) => log.warn({ err: error }, 'the queue of dispatches could not be read'),
  })
  const look = (): void => {
    isToBeTaken = true
    poller.look()
  }

  metrics.gauge(
    'countersign_dispatch_oldest_pending_seconds',
    'Age of the oldest queued mail or logout token; 0 when there is none',
    async () => secondsBetween(await oldestDispatch(store), clock.now()),
  )
  return startPoller(poller, look, () => onDispatch(look))
}
