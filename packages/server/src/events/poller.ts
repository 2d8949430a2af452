/**
 * The loop that the senders share: rounds, one at a time, begun by a notice or by the clock; and what a round has begun, which
 * is waited for at the end.
 */

import { untraced } from '../kernel/tracing.ts'

/** A notice wakes a sender; this finds what no notice announced: a time that has come, a lease that has ended. */
export const LOOK_EVERY_MS = 5000

export interface Worker {
  /** Takes no more and waits for what is under way, at most as long as one delivery may take. */
  close(): Promise<void>
}

export interface Poller extends Worker {
  /** Whether rounds should stop. */
  readonly isClosed: boolean
  /** How many deliveries are under way. */
  readonly underway: number
  /** Begins a round, or another one when one is running; nothing once it is closed. */
  look(): void
  /** Keeps a delivery until it has ended; `ended` is called then. It must not fail. */
  track(delivery: Promise<void>, ended: () => void): void
}

interface Rounds {
  /** One round: takes what is due and begins it. Rounds never overlap. */
  readonly round: () => Promise<void>
  /** Called when a round failed; the next one begins with a notice or a tick. */
  readonly failed: (error: unknown) => void
}

/** Makes a poller that is idle until `look` is called. */
export const createPoller = ({ round, failed }: Rounds): Poller => {
  const underway = new Set<Promise<void>>()
  let closed = false
  let looking: Promise<void> | undefined
  let isAskedAgain = false

  const run = async (): Promise<void> => {
    do {
      isAskedAgain = false
      await round().catch(failed)
      // a look that came after the round's own last one would otherwise wait for the next tick
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
 * @param tick what makes it look for everything
 * @param subscribe calls back with each notice; returns how to stop that
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
