/** A door for costly work: so many at once, so many in line, and a refusal for the rest that comes at once. */
import { ApiError } from './api-error.ts'

export type Admission = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Work is begun in the order in which it came.
 * Throws ApiError 503 `request.unavailable` when the line is full: waiting longer than that helps no one.
 * @param atOnce how much runs at the same time
 * @param inLine how much waits
 */
export const createAdmission = (atOnce: number, inLine: number): Admission => {
  const line: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running += 1
    else if (line.length < inLine) await new Promise<void>((begin) => line.push(begin))
    else throw new ApiError('request.unavailable', { reason: 'too many passwords are being checked; try again soon' })
    try {
      return await work()
    } finally {
      // the place is handed on, so that no newcomer gets in before the queue
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}
