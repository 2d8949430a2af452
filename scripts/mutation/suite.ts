/** Collects the tests of a file and runs them one after another; stops at the first failure, but always cleans up. */

type Hook = () => unknown

interface Test {
  readonly name: string
  readonly run: () => unknown
}

/** A file, or a `describe` in it. */
export class Suite {
  readonly parent: Suite | undefined
  readonly beforeAll: Hook[] = []
  readonly afterAll: Hook[] = []
  readonly beforeEach: Hook[] = []
  readonly afterEach: Hook[] = []
  readonly children: (Suite | Test)[] = []
  constructor(parent?: Suite) {
    this.parent = parent
  }
}

/** The result of a run of a file. */
export interface Outcome {
  /** How many tests passed. */
  passed: number
  failure?: { readonly test: string; readonly message: string; readonly isHook: boolean }
}

let finishing: Hook[] = []
/** Registers a function that runs when the current test has ended. */
export const onTestFinished = (hook: Hook): void => {
  finishing.push(hook)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300)

/** Runs hooks that may return their clean-up. */
const prepare = async (hooks: readonly Hook[]): Promise<Hook[]> => {
  const undo: Hook[] = []
  for (const hook of hooks) {
    const given = await hook()
    if (typeof given === 'function') undo.push(() => given())
  }
  return undo
}

/** Runs every hook, even after one that throws; returns the first error. */
const cleanUp = async (hooks: readonly Hook[]): Promise<unknown> => {
  let first: unknown
  for (const hook of hooks.toReversed()) {
    try {
      await hook()
    } catch (error) {
      first ??= error
    }
  }
  return first
}

const inherited = (suite: Suite, kind: 'beforeEach' | 'afterEach'): Hook[] =>
  suite.parent ? [...inherited(suite.parent, kind), ...suite[kind]] : suite[kind]

const runTest = async (suite: Suite, { name, run }: Test, outcome: Outcome): Promise<void> => {
  finishing = []
  let undo: Hook[] = []
  let error: unknown
  try {
    undo = await prepare(inherited(suite, 'beforeEach'))
    await run()
  } catch (thrown) {
    error = thrown ?? new Error('threw nothing')
  }
  const left = await cleanUp([...inherited(suite, 'afterEach'), ...undo, ...finishing])
  error ??= left
  if (error) outcome.failure ??= { test: name, message: messageOf(error), isHook: false }
  else outcome.passed += 1
}

/** Runs a suite and everything in it. */
export const runSuite = async (suite: Suite, outcome: Outcome): Promise<void> => {
  let undo: Hook[] = []
  try {
    undo = await prepare(suite.beforeAll)
    for (const child of suite.children) {
      if (outcome.failure) break
      if (child instanceof Suite) await runSuite(child, outcome)
      else await runTest(suite, child, outcome)
    }
  } catch (error) {
    outcome.failure ??= { test: 'beforeAll', message: messageOf(error), isHook: true }
  }
  const error = await cleanUp([...suite.afterAll, ...undo])
  if (error) outcome.failure ??= { test: 'afterAll', message: messageOf(error), isHook: true }
}
