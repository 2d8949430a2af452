/**
 * The kernel: time, randomness, secrets, configuration, logging and the two kinds of error. Imports nothing else but
 * the contract; everything may import it. This file is the only place that reads the system clock.
 */

/** The source of time. Code takes the time from here, so that tests can fix it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date(Date.now()) }

/** Whole seconds since 1970, the unit of `exp`, `iat` and `nbf` (RFC 7519 section 2, NumericDate). */
export const toNumericDate = (moment: Date): number => Math.floor(moment.getTime() / 1000)

/** The moment this many seconds later. */
export const secondsAfter = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1000)

/** Seconds from one moment to another; 0 when there is no first, or if the clock was set back in between. */
export const secondsBetween = (first: Date | undefined, second: Date): number =>
  first ? Math.max(0, (second.getTime() - first.getTime()) / 1000) : 0
