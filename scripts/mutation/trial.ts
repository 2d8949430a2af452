/** One mutant against the tests: until one fails, or enough have passed. */
import { join } from 'node:path'
import { type Catalogue, type Mutant, ROOT } from './catalogue.ts'
import { mutated } from './instrument.ts'
import type { Substitute } from './loader.ts'
import type { Order } from './order.ts'
import type { Result } from './store.ts'
import type { TestProcess } from './test-process.ts'

export interface Trials {
  /** Runs a mutant. @param most test files @param before test files that it has survived, which are not run again */
  run(mutant: Mutant, most: number, before?: Result): Promise<Result>
  /** Milliseconds that a test file takes without a mutant; undefined when it fails. @param limit milliseconds */
  control(test: string, limit?: number): Promise<number | undefined>
}

/** A mutant that makes tests wait takes this many times longer than the same tests without it, plus a constant. */
const TIMES_LONGER = 5
const BEYOND_MS = 15_000
/** The constant for the second run, whose limit is based on what the file has just taken without the mutant. */
const AGAIN_BEYOND_MS = 8000
const LONGEST_MS = 600_000

export const createTrials = (
  { sources }: Catalogue,
  order: Order,
  process: TestProcess,
  provided: Readonly<Record<string, unknown>>,
): Trials => {
  const control = async (test: string, limit = LONGEST_MS): Promise<number | undefined> => {
    const answer = await process.run({ file: join(ROOT, test), loading: {}, provided }, limit)
    return typeof answer === 'string' || answer.failure ? undefined : answer.milliseconds
  }
  /**
   * Whether the test file fails, and at which test. A busy machine must not count as a kill: a timeout counts only if
   * the file without the mutant stays below the limit in the same minute, and the mutant then exceeds it again.
   */
  const attempt = async (test: string, substitute: Substitute, usual: number): Promise<Result | undefined> => {
    const limit = BEYOND_MS + TIMES_LONGER * usual
    const given = { file: join(ROOT, test), loading: { substitute }, provided }
    const judged = (answer: Awaited<ReturnType<typeof process.run>>): Result | undefined => {
      if (answer === 'timed out') return { verdict: 'timed out', by: test }
      if (answer === 'ended') return { verdict: 'killed', by: `${test}: the process ended` }
      return answer.failure && { verdict: 'killed', by: `${test}: ${answer.failure.test}` }
    }
    const first = judged(await process.run(given, limit))
    if (first?.verdict !== 'timed out') return first
    const undisturbed = await control(test, limit)
    if (undisturbed === undefined) return undefined
    return judged(await process.run(given, AGAIN_BEYOND_MS + TIMES_LONGER * undisturbed))
  }
  return {
    control,
    async run(mutant, most, before) {
      const reaching = order.testsFor(mutant)
      if (reaching.length === 0) return { verdict: 'not covered' }
      const text = mutated(sources.get(mutant.path) ?? '', mutant.change)
      const passed = [...(before?.passed ?? [])]
      for (const test of reaching.filter((each) => !passed.includes(each))) {
        if (passed.length >= most) break
        const result = await attempt(test, { path: join(ROOT, mutant.path), text }, order.durationOf(test))
        order.learn(mutant, test, result !== undefined)
        if (result) return result
        passed.push(test)
      }
      return { verdict: 'survived', passed, reaching: reaching.length }
    },
  }
}
