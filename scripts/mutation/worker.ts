/** The process that runs test files, one after another, as the parent requests. The parent ends it. */
import { pathToFileURL } from 'node:url'
import { type Loading, load } from './loader.ts'
import { takeReached } from './probes.ts'
import { type Outcome, runSuite } from './suite.ts'

/** Run a test file. */
export interface Order {
  /** Absolute. */
  readonly file: string
  readonly loading: Loading
  /** What `inject` returns to the tests. */
  readonly provided: Readonly<Record<string, unknown>>
}

export interface Answer extends Outcome {
  /** All ids, and those reached before the first test began, while modules were loaded. */
  readonly reached: readonly number[]
  readonly reachedByLoading: readonly number[]
  readonly milliseconds: number
  /** Resident memory of the process, in MB. */
  readonly memory: number
}

// loaded after the hooks, through which it finds vitest
const { collect } = await import('./test-api.ts')

let runs = 0
let outcome: Outcome = { passed: 0 }
const onStray = (error: unknown) => {
  outcome.failure ??= { test: 'outside of a test', message: String(error).slice(0, 300), isHook: true }
}
// when the parent has ended, nothing receives the response
process.on('disconnect', () => process.exit())
process.on('unhandledRejection', onStray)
process.on('uncaughtException', onStray)

const run = async ({ file, loading, provided }: Order): Promise<Answer> => {
  const begun = performance.now()
  outcome = { passed: 0 }
  runs += 1
  load(loading)
  takeReached()
  const suite = collect(provided)
  let reachedByLoading: number[] = []
  try {
    await import(`${pathToFileURL(file).href}?run=${runs}`)
    reachedByLoading = takeReached()
    await runSuite(suite, outcome)
  } catch (error) {
    outcome.failure ??= { test: 'loading', message: String(error).slice(0, 300), isHook: true }
  }
  const reached = [...reachedByLoading, ...takeReached()]
  const milliseconds = performance.now() - begun
  return { ...outcome, reached, reachedByLoading, milliseconds, memory: process.memoryUsage.rss() / 2 ** 20 }
}

process.on('message', async (order: Order) => {
  process.send?.(await run(order))
})
process.send?.('ready')
