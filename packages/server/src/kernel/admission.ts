/**
 * Admission control for costly work: a limit of concurrent jobs, a limit of waiting ones, and an immediate refusal for
 * the rest.
 */
import { ApiError } from './api-error.ts'

export type Admission = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Work starts in the order in which it arrived. Throws ApiError 503 `request.unavailable` when the queue is full:
 * waiting longer than that would not help.
 * @param atOnce how many run at the same time
 * @param inLine how many wait
 * @param reason the explanation for the caller
 */
export const createAdmission = (atOnce: number, inLine: number, reason: string): Admission => {
  const line: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running += 1
    else if (line.length < inLine) await new Promise<void>((begin) => line.push(begin))
    else throw new ApiError('request.unavailable', { reason })
    try {
      return await work()
    } finally {
      // the slot is passed on, so that no newcomer gets in before the queue
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}
