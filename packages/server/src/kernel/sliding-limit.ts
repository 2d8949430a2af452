/**
 * Counts events under a key within a sliding window, in bounded memory: for limits that need not be exact across
 * nodes. What is in progress counts too, until it is taken back, so that many at once do not get through.
 */

/** The granularity of the window: a count is dropped at most a tenth of the window late. */
const SLICES = 10

export interface SlidingLimitOptions {
  /** The most within a window; 0: there is no limit. */
  readonly most: number
  readonly windowSeconds: number
  /** The most keys that are remembered; the least recently counted one is dropped first. */
  readonly capacity: number
}

export type Admitted =
  /** `takeBack` uncounts it, if it turns out not to be subject to the limit. May be called once. */
  | { readonly isAdmitted: true; takeBack(): void }
  /** @property retryAfter seconds until the next one is admitted */
  | { readonly isAdmitted: false; readonly retryAfter: number }

export interface SlidingLimit {
  /** Counts one under the key, unless there are already too many. */
  admit(key: string, now: Date): Admitted
  /** How many are counted under the key; 0 where there is no limit, because then none is. */
  count(key: string, now: Date): number
  /** Uncounts the latest one under the key, if the result of `admit` is no longer at hand. */
  takeBackLatest(key: string, now: Date): void
  readonly size: number
}

/** The counts by slice of time, oldest first. */
type Slices = Map<number, number>

const totalOf = (slices: Slices): number => [...slices.values()].reduce((sum, each) => sum + each, 0)

const UNLIMITED: Admitted = { isAdmitted: true, takeBack: () => undefined }

export const createSlidingLimit = ({ most, windowSeconds, capacity }: SlidingLimitOptions): SlidingLimit => {
  const sliceMs = (windowSeconds * 1000) / SLICES
  const keys = new Map<string, Slices>()

  const live = (key: string, slice: number): Slices => {
    const slices = keys.get(key) ?? new Map<number, number>()
    for (const old of slices.keys()) if (old <= slice - SLICES) slices.delete(old)
    return slices
  }
  const keep = (key: string, slices: Slices): void => {
    keys.delete(key)
    keys.set(key, slices)
    const [oldest] = keys.keys()
    if (keys.size > capacity && oldest !== undefined) keys.delete(oldest)
  }

  const takeBack = (key: string, slices: Slices, slice: number): void => {
    const left = (slices.get(slice) ?? 1) - 1
    if (left > 0) slices.set(slice, left)
    else slices.delete(slice)
    if (slices.size === 0 && keys.get(key) === slices) keys.delete(key)
  }
  const sliceAt = (now: Date): number => Math.floor(now.getTime() / sliceMs)

  return {
    admit(key, now) {
      if (most === 0) return UNLIMITED
      const slice = sliceAt(now)
      const slices = live(key, slice)
      if (totalOf(slices) >= most) {
        const [oldest = slice] = slices.keys()
        return { isAdmitted: false, retryAfter: Math.ceil(((oldest + SLICES) * sliceMs - now.getTime()) / 1000) }
      }
      slices.set(slice, (slices.get(slice) ?? 0) + 1)
      keep(key, slices)
      return { isAdmitted: true, takeBack: () => takeBack(key, slices, slice) }
    },
    count: (key, now) => totalOf(live(key, sliceAt(now))),
    takeBackLatest(key, now) {
      const slices = live(key, sliceAt(now))
      const latest = [...slices.keys()].at(-1)
      if (latest !== undefined) takeBack(key, slices, latest)
    },
    get size() {
      return keys.size
    },
  }
}
