/**
 * What test files import as `vitest` while mutants are run: its `expect` and `vi`, and tests that are collected by
 * suite.ts, because Vitest itself takes seconds to begin a run. Polling times out sooner, so that a condition that
 * never holds is noticed.
 */
import { Suite } from './suite.ts'

interface Polling {
  readonly timeout?: number
  readonly interval?: number
}

/** What `inject` returns, and what `expect` looks for in a worker of Vitest. */
const state = { config: {}, providedContext: {} as Record<string, unknown>, filepath: '' }
Object.defineProperty(globalThis, '__vitest_worker__', { value: state, configurable: true })
const vitest = await import('vitest')

const LONGEST_POLL = 6000

let current = new Suite()
/** Begins to collect the tests of a file. @param provided what `inject` returns */
export const collect = (provided: Readonly<Record<string, unknown>>): Suite => {
  state.providedContext = { ...provided }
  current = new Suite()
  return current
}

export const inject = (key: string): unknown => state.providedContext[key]

type Body = (...given: unknown[]) => unknown
type Declared = (name: string, ...rest: (Body | object | number)[]) => void

const bodyOf = (rest: readonly unknown[]): Body | undefined =>
  rest.find((each): each is Body => typeof each === 'function')

const declareTest = (name: string, body: Body | undefined, given: readonly unknown[]): void => {
  if (body) current.children.push({ name, run: () => body(...given) })
}

const declareSuite = (_: string, body: Body | undefined, given: readonly unknown[]): void => {
  const suite = new Suite(current)
  current.children.push(suite)
  current = suite
  body?.(...given)
  current = suite.parent ?? current
}

const declaring = (declare: (name: string, body: Body | undefined, given: readonly unknown[]) => void) => {
  const plain: Declared = (name, ...rest) => declare(name, bodyOf(rest), [{}])
  const each = (rows: readonly unknown[]): Declared => {
    // as Vitest does: rows are spread if all of them are arrays
    const isTable = rows.every(Array.isArray)
    return (name, ...rest) => {
      for (const row of rows)
        declare(`${name} ${JSON.stringify(row)}`.slice(0, 120), bodyOf(rest), isTable ? [row].flat() : [row])
    }
  }
  const when = (holds: unknown): Declared => (holds ? plain : () => undefined)
  return Object.assign(plain, { each, runIf: when, skipIf: (holds: unknown) => when(!holds), skip: when(false) })
}

export const test = declaring(declareTest)
export const describe = declaring(declareSuite)

export const beforeAll = (hook: () => unknown): unknown => current.beforeAll.push(hook)
export const afterAll = (hook: () => unknown): unknown => current.afterAll.push(hook)
export const beforeEach = (hook: () => unknown): unknown => current.beforeEach.push(hook)
export const afterEach = (hook: () => unknown): unknown => current.afterEach.push(hook)
export { onTestFinished } from './suite.ts'

const until = async (check: () => unknown, { timeout = LONGEST_POLL, interval = 20 }: Polling = {}) =>
  vitest.vi.waitFor(check, { timeout: Math.min(timeout, LONGEST_POLL), interval })

/** An assertion whose matchers are retried until they hold. */
const polled = (read: () => unknown, options: Polling | undefined, isNegated: boolean): unknown =>
  new Proxy(
    {},
    {
      get: (_, key) =>
        key === 'not'
          ? polled(read, options, !isNegated)
          : (...args: unknown[]) =>
              until(async () => {
                const assertion = vitest.expect(await read())
                const matcher: unknown = Reflect.get(isNegated ? assertion.not : assertion, key)
                if (typeof matcher === 'function') matcher.apply(isNegated ? assertion.not : assertion, args)
              }, options),
    },
  )

export const vi = Object.assign(Object.create(vitest.vi), { waitFor: until })
export const expect = Object.assign(
  (value: unknown, message?: string) => vitest.expect(value, message),
  vitest.expect,
  {
    poll: (read: () => unknown, options?: Polling) => polled(read, options, false),
  },
)
