/** Turns: work under the same key is done one at a time, in order of arrival, within this process. */

export interface Turns {
  /**
   * Does the work when all earlier work under this key has ended, successfully or not; at once when there is none.
   * @param key what the work is about; it may contain anything from a request, because it is only compared
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T>
  /** How many are waiting for their turn. */
  readonly waiting: () => number
}

export const createTurns = (): Turns => {
  /** The end of the last unfinished work under each key. */
  const ends = new Map<string, Promise<void>>()
  let waiting = 0
  return {
    waiting: () => waiting,
    async take(key, work) {
      const before = ends.get(key)
      const { promise: end, resolve: ended } = Promise.withResolvers<void>()
      ends.set(key, end)
      try {
        if (before !== undefined) {
          waiting += 1
          await before
          waiting -= 1
        }
        return await work()
      } finally {
        ended()
        if (ends.get(key) === end) ends.delete(key)
      }
    },
  }
}
