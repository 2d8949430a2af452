/** The functions that instrumented files call, in the process of the tests and in its worker threads. */
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const reached = new Set<number>()
/** Where worker threads, whose memory ends with them, write what they reach. */
let file: string | undefined

const note = (ids: readonly number[]): void => {
  for (const id of ids) {
    if (reached.has(id)) continue
    reached.add(id)
    if (!isMainThread && file) appendFileSync(file, `${id}\n`)
  }
}

/**
 * The functions by the names that instrument.ts uses. `__second` receives the result of `__reached`, and then the
 * value.
 */
const PROBES = {
  __reached: (...ids: number[]) => note(ids),
  __second: (_: void, value: unknown) => value,
  __truthy: (ids: number[], value: unknown) => {
    if (value) note(ids)
    return value
  },
  __falsy: (ids: number[], value: unknown) => {
    if (!value) note(ids)
    return value
  },
  __nullish: (ids: number[], value: unknown) => {
    if (value === null || value === undefined) note(ids)
    return value
  },
}

/** Defines the probes. @param threadFile for what worker threads reach */
export const installProbes = (threadFile: string): void => {
  file = threadFile
  Object.assign(globalThis, PROBES)
}

/** The ids that this thread has reached since the last call. */
export const takeReached = (): number[] => {
  const ids = [...reached]
  reached.clear()
  return ids
}
