/** Repeatable random choice: the same seed gives the same sample. */

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
const randomNumbers = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/**
 * This many of them in random order, each at most once: a larger sample begins with the smaller one of the same seed.
 */
export const sampled = <T>(all: readonly T[], size: number, seed: number): T[] => {
  const random = randomNumbers(seed)
  const left = [...all]
  return Array.from({ length: Math.min(size, all.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat()
}
