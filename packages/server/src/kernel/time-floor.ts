/**
 * The longest time that something has taken recently, by key: anything faster waits until it has taken as long, so that
 * the response time does not reveal which it was. Waiting costs nothing. In memory, per process.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'

/** A time is remembered for one to two of these periods. */
const WINDOW_MS = 12 * 3_600_000
/** A machine that was suspended for a moment must not keep every caller waiting for long afterwards. */
const LONGEST_MS = 3000

interface Timed<T> {
  readonly result: T
  /** Milliseconds. */
  readonly took: number
}

/** Does the work and measures it. */
export const timed = async <T>(work: () => Promise<T>): Promise<Timed<T>> => {
  const begun = performance.now()
  const result = await work()
  return { result, took: performance.now() - begun }
}

export interface TimeFloor {
  /** Records how many milliseconds it took. */
  raise(key: string, took: number, now: Date): void
  /**
   * Resolves when work that took this many milliseconds has taken as long as the longest; at once for a key without
   * any.
   */
  reach(key: string, took: number, now: Date): Promise<void>
}

export const createTimeFloor = (): TimeFloor => {
  /** The longest of each window. */
  const keys = new Map<string, Map<number, number>>()
  const windowOf = (now: Date) => Math.floor(now.getTime() / WINDOW_MS)

  return {
    raise(key, took, now) {
      const window = windowOf(now)
      const longest = keys.get(key) ?? new Map<number, number>()
      keys.set(key, longest)
      for (const old of longest.keys()) if (old < window - 1) longest.delete(old)
      longest.set(window, Math.max(longest.get(window) ?? 0, Math.min(took, LONGEST_MS)))
    },
    async reach(key, took, now) {
      const longest = keys.get(key)
      if (!longest) return
      const window = windowOf(now)
      const floor = Math.max(longest.get(window) ?? 0, longest.get(window - 1) ?? 0)
      if (took < floor) await delay(floor - took)
    },
  }
}
