/** Turns: work on the same thing is done one after another, in the order in which it came, in this process. */

export interface Turns {
  /**
   * Does the work when all that was asked for under this key before has ended, well or badly; at once when there is none.
   * @param key names the thing; of a request it may hold anything, because it is only compared
   */
  take<T>(key: string, work: () => Promise<T>): Promise<T>
  /** How many wait for their turn. */
  readonly waiting: () => number
}

export const createTurns = (): Turns => {
  /** The end of the last work under each key that has not ended. */
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
