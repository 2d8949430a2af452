/** One mutant against the tests: until one fails, or enough have passed. */
import { join } from 'node:path'
import { type Catalogue, type Mutant, ROOT } from './catalogue.ts'
import { mutated } from './instrument.ts'
import type { Order } from './order.ts'
import type { Result } from './store.ts'
import type { TestProcess } from './test-process.ts'

export interface Trials {
  /** Runs a mutant. @param most test files @param before what it has survived: those are not run again */
  run(mutant: Mutant, most: number, before?: Result): Promise<Result>
  /** Whether a test file passes without a mutant. */
  passes(test: string): Promise<boolean>
}

/** Milliseconds: a mutant that makes tests wait is told from a machine that is busy. */
const SHORTEST_LIMIT = 20_000
const TIMES_SLOWER = 5

export const createTrials = (
  { sources }: Catalogue,
  order: Order,
  process: TestProcess,
  provided: Readonly<Record<string, unknown>>,
): Trials => {
  const limitOf = (test: string) => SHORTEST_LIMIT + TIMES_SLOWER * order.durationOf(test)
  return {
    async run(mutant, most, before) {
      const reaching = order.testsFor(mutant)
      if (reaching.length === 0) return { verdict: 'not covered' }
      const text = mutated(sources.get(mutant.path) ?? '', mutant.change)
      const substitute = { path: join(ROOT, mutant.path), text }
      const passed = [...(before?.passed ?? [])]
      for (const test of reaching.filter((each) => !passed.includes(each))) {
        if (passed.length >= most) break
        const answer = await process.run({ file: join(ROOT, test), loading: { substitute }, provided }, limitOf(test))
        const failure = typeof answer === 'string' ? undefined : answer.failure
        const hasKilled = typeof answer === 'string' || failure !== undefined
        order.learn(mutant, test, hasKilled)
        if (answer === 'timed out') return { verdict: 'timed out', by: test }
        if (hasKilled) return { verdict: 'killed', by: `${test}: ${failure?.test ?? 'the process ended'}` }
        passed.push(test)
      }
      return { verdict: 'survived', passed, reaching: reaching.length }
    },
    async passes(test) {
      const answer = await process.run({ file: join(ROOT, test), loading: {}, provided }, limitOf(test))
      return typeof answer !== 'string' && answer.failure === undefined
    },
  }
}
