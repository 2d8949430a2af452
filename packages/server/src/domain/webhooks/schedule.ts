/** When a delivery is retried, and when a hook is given up (DECISIONS K4). */
import { secondsAfter } from '../../kernel/clock.ts'

const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
/** After each failed attempt. An ordered hook repeats the last: it may not skip an event. */
export const RETRY_SECONDS = [
  5,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const
/** A hook that has only failed for this long is disabled. */
const GIVE_UP_SECONDS = 5 * DAY
/** This many failures in a row open the circuit of a hook. */
export const OPEN_AFTER = 5
/** The most that a receiver may ask for in Retry-After: for this delivery, and for its whole hook. */
const LONGEST_RETRY_AFTER = DAY
const LONGEST_PAUSE = HOUR

/** The seconds that a Retry-After asks for (RFC 9110 section 10.2.3): a number, or a date. */
const retryAfterSeconds = (value: string | undefined, now: Date): number => {
  if (value === undefined) return 0
  const seconds = /^\d{1,9}$/.test(value.trim()) ? Number(value) : (new Date(value).getTime() - now.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), LONGEST_RETRY_AFTER) : 0
}

export interface FailedAttempt {
  /** Its number, from 1. */
  readonly attempts: number
  readonly isOrdered: boolean
  readonly retryAfter: string | undefined
  /** From 0 to 1. */
  readonly chance: number
}

/**
 * When to retry after a failure: by the schedule, 20 % more or less, and not before the time that the receiver asked
 * for; null after the last attempt. And how long to pause the hook, if its receiver asked for it.
 */
export const nextAttempt = (
  { attempts, isOrdered, retryAfter, chance }: FailedAttempt,
  now: Date,
): { readonly retryAt: Date | null; readonly pausedUntil: Date | null } => {
  const asked = retryAfterSeconds(retryAfter, now)
  const scheduled = RETRY_SECONDS[attempts - 1] ?? (isOrdered ? RETRY_SECONDS.at(-1) : undefined)
  return {
    retryAt: scheduled === undefined ? null : secondsAfter(now, Math.max(scheduled * (0.8 + chance * 0.4), asked)),
    pausedUntil: asked > 0 ? secondsAfter(now, Math.min(asked, LONGEST_PAUSE)) : null,
  }
}

/** Whether a hook has failed for so long that it is given up. */
export const isGivenUp = (failingSince: Date | null, now: Date): boolean =>
  failingSince !== null && now >= secondsAfter(failingSince, GIVE_UP_SECONDS)
