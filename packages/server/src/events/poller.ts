/**
 * The loop that the senders share: rounds, one at a time, started by a notice or by the clock; and the deliveries that
 * a round has started, which are awaited at the end.
 */

import { untraced } from '../kernel/tracing.ts'

/** A notice wakes a sender; this finds what no notice announced: a retry that is due, a lease that has ended. */
export const LOOK_EVERY_MS = 5000

export interface Worker {
  /** Takes no more and waits for deliveries in progress, at most as long as one delivery may take. */
  close(): Promise<void>
}

export interface Poller extends Worker {
  /** Whether rounds should stop. */
  readonly isClosed: boolean
  /** How many deliveries are in progress. */
  readonly underway: number
  /** Starts a round, or another one after the one that is running; does nothing once closed. */
  look(): void
  /** Tracks a delivery until it has ended; `ended` is called then. It must not fail. */
  track(delivery: Promise<void>, ended: () => void): void
}

interface Rounds {
  /** One round: takes what is due and starts it. Rounds never overlap. */
  readonly round: () => Promise<void>
  /** Called when a round failed; the next one starts with a notice or a tick. */
  readonly failed: (error: unknown) => void
}

/** Creates a poller that is idle until `look` is called. */
export const createPoller = ({ round, failed }: Rounds): Poller => {
  const underway = new Set<Promise<void>>()
  let closed = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false
      await round().catch(failed)
      // a `look` that came after the round's own last query would otherwise wait for the next tick
    } while (isAskedAgain && !closed)
    looking = undefined
  }

  return {
    get isClosed() {
      return closed
    },
    get underway() {
      return underway.size
    },
    look() {
      isAskedAgain = true
      // a request whose commit wakes the sender is not what it then works for alone
      if (!closed) looking ??= untraced(run)
    },
    track(delivery, ended) {
      const tracked: Promise<void> = delivery.then(() => {
        underway.delete(tracked)
        ended()
      })
      underway.add(tracked)
    },
    async close() {
      closed = true
      await looking
      await Promise.all(underway)
    },
  }
}

/**
 * Starts a poller: looks at once, with each notice and every five seconds, until it is closed.
 * @param tick makes it look for everything @param subscribe calls back with each notice; returns a function that stops
 * it
 */
export const startPoller = (poller: Poller, tick: () => void, subscribe: () => () => void): Worker => {
  const timer = setInterval(tick, LOOK_EVERY_MS)
  timer.unref()
  const unsubscribe = subscribe()
  tick()
  return {
    close() {
      clearInterval(timer)
      unsubscribe()
      return poller.close()
    },
  }
}
