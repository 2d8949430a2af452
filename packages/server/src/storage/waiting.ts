/** Requests that wait until there is something for them: a feed is asked, has nothing, and answers when a notice arrives or the time is over. */
import type { Tenant } from '../kernel/tenant.ts'

const MOST_WAITING = 1000
const MOST_OF_TENANT = 100

/** Calls back with each notice: for a tenant, or without a name for any. Returns a function that stops it. */
export type Subscribe = (heard: (tenantId?: string) => void) => () => void

export interface Waiting {
  /** How many requests wait now. */
  readonly count: () => number
  /**
   * Reads until there is something: at once, and after each notice for the tenant, at the latest after so many seconds. When too many
   * wait, it reads once.
   * @param read is called with whether it is the last time; undefined: there is nothing yet
   * @param signal ends the waiting
   */
  readUntil<T>(
    tenant: Tenant,
    seconds: number,
    signal: AbortSignal,
    read: (isLast: boolean) => Promise<T | undefined>,
  ): Promise<T | undefined>
  /** Answers all who wait. */
  close(): void
}

export const createWaiting = (subscribe: Subscribe): Waiting => {
  const waiting = new Map<string, Set<() => void>>()
  let count = 0
  let isClosed = false
  const wake = (tenantId?: string) => {
    const woken = tenantId === undefined ? [...waiting.values()] : [waiting.get(tenantId) ?? []]
    for (const each of woken.flatMap((set) => [...set])) each()
  }
  const stop = subscribe(wake)

  const hasPlace = ({ id }: Tenant): boolean =>
    count < MOST_WAITING && (waiting.get(id)?.size ?? 0) < MOST_OF_TENANT && !isClosed
  /** Begins to wait. `done` resolves when there may be something, or the time is over. */
  const wait = ({ id }: Tenant, ms: number, signal: AbortSignal): { done: Promise<void>; cancel: () => void } => {
    let cancel = () => {}
    const done = new Promise<void>((resolve) => {
      const over = setTimeout(() => cancel(), ms)
      const others = waiting.get(id) ?? new Set()
      waiting.set(id, others)
      cancel = () => {
        clearTimeout(over)
        signal.removeEventListener('abort', cancel)
        if (others.delete(cancel)) count -= 1
        if (others.size === 0 && waiting.get(id) === others) waiting.delete(id)
        resolve()
      }
      others.add(cancel)
      count += 1
      signal.addEventListener('abort', cancel)
    })
    return { done, cancel }
  }

  return {
    count: () => count,
    async readUntil(tenant, seconds, signal, read) {
      const end = performance.now() + seconds * 1000
      for (;;) {
        const left = end - performance.now()
        if (left <= 0 || signal.aborted || !hasPlace(tenant)) return read(true)
        // before reading: what comes in between wakes it
        const { done, cancel } = wait(tenant, left, signal)
        try {
          const found = await read(false)
          if (found !== undefined) return found
          await done
        } finally {
          cancel()
        }
      }
    },
    close() {
      isClosed = true
      stop()
      wake()
    },
  }
}
