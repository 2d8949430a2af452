/**
 * Runs one script in QuickJS, which is WebAssembly: it sees only its own heap and the functions that it is given here.
 * Runs in a worker (worker.ts). A call finds the engine's memory as it was before any other had run. Calls of one
 * tenant share an instance; another tenant gets another one, and so does any call after one that ended badly
 * (docs/decisions/0021).
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { CONSOLE } from './console.ts'
import { type Layout, layoutOf, takeImage } from './memory-image.ts'
import {
  type Conclusion,
  type ConsoleLine,
  LARGEST_RESULT,
  type ScriptFailure,
  type ScriptRun,
  type WorkerMessage,
} from './script.ts'

/** The package's types describe its CommonJS form, where this would be one level deeper. */
const VARIANT = variant as unknown as QuickJSSyncVariant

/** DECISIONS J2. */
const MEMORY_BYTES = 32 * 1024 * 1024
/**
 * The engine's own 16 MiB and those of the script, in WebAssembly pages: a hard limit for what the engine's own
 * accounting misses.
 */
const PAGES = { initial: 256, maximum: 768 }
const STACK_BYTES = 256 * 1024
const MOST_LINES = 100
const MOST_CONSOLE_CHARACTERS = 16 * 1024

/** Milliseconds of CPU of this thread. */
export const cpuTime = (): number => {
  // Node 22 cannot measure it; there wall-clock time has to do, which is never less
  if (typeof process.threadCpuUsage !== 'function') return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What the script wrote to the console before it ended. */
interface Recorded {
  readonly console: ConsoleLine[]
  characters: number
  denied?: string
}

const CONSOLE_LEVELS: readonly string[] = ['info', 'warn', 'error'] satisfies ConsoleLine['level'][]

const recordConsole = (recorded: Recorded, level: string, text: string): void => {
  if (!CONSOLE_LEVELS.includes(level) || recorded.console.length >= MOST_LINES) return
  if (recorded.characters + text.length > MOST_CONSOLE_CHARACTERS) return
  recorded.characters += text.length
  recorded.console.push({ level: level as ConsoleLine['level'], text })
}

/** Thrown to end a run; a denial recorded before still counts. */
class RunFailure extends Error {
  readonly failure: ScriptFailure
  constructor(failure: ScriptFailure, detail: string) {
    super(detail)
    this.failure = failure
  }
}

/**
 * How the engine reports that no memory is left. A script can fake it, which misleads only its author and costs a new
 * instance.
 */
const isMemory = (text: string): boolean => text.includes('out of memory')

/** A call: its limits, and what was recorded about it. */
interface Call {
  readonly isLate: () => boolean
  readonly recorded: Recorded
}

/** An instance of the engine in which nothing has run yet, with the globals that every script sees. */
interface Prepared {
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
  /** The language's built-ins, which a script may replace for itself. */
  readonly parse: QuickJSHandle
  readonly stringify: QuickJSHandle
  readonly keys: QuickJSHandle
  readonly api: QuickJSHandle
  /** The call in progress. */
  readonly under: { call: Call }
  /** Undoes everything that a call did. False if that is not possible. */
  readonly restore: () => boolean
}

const failureOf = ({ context, under }: Prepared, error: QuickJSHandle, otherwise: ScriptFailure): RunFailure => {
  const text = context.getString(error).slice(0, 2048)
  if (under.call.isLate()) return new RunFailure('time', 'it took too long')
  return new RunFailure(isMemory(text) ? 'memory' : otherwise, text)
}

const evaluate = (engine: Prepared, code: string, otherwise: ScriptFailure): QuickJSHandle => {
  const result = engine.context.evalCode(code, 'script.js')
  if (result.error) throw failureOf(engine, result.error, otherwise)
  return result.value
}

const NAME = 'getCustomJwtClaims'

/** Calls a function of the script or of the language. */
const called = (engine: Prepared, code: QuickJSHandle, given: QuickJSHandle): QuickJSHandle => {
  const { context } = engine
  const result = context.callFunction(code, context.undefined, given)
  if (result.error) throw failureOf(engine, result.error, 'threw')
  return result.value
}

/** The argument of the function: its input and the api. */
const argumentOf = (engine: Prepared, input: string): QuickJSHandle => {
  const { context, parse, api } = engine
  const argument = called(engine, parse, context.newString(input))
  context.setProp(argument, 'api', api)
  return argument
}

/** The settled value of the function's promise; any other value is itself the result. */
const settled = (engine: Prepared, promise: QuickJSHandle): QuickJSHandle => {
  const { runtime, context } = engine
  const jobs = runtime.executePendingJobs()
  if (jobs.error) throw failureOf(engine, jobs.error, 'threw')
  const state = context.getPromiseState(promise)
  if (state.type === 'rejected') throw failureOf(engine, state.error, 'threw')
  if (state.type === 'pending') {
    // an interrupt in the middle of a rejection leaves the promise pending
    if (engine.under.call.isLate()) throw new RunFailure('time', 'it took too long')
    throw new RunFailure('pending', 'it waits for a promise that nothing will settle')
  }
  return state.value
}

/** The result as JSON, not longer than allowed. @param opening how it has to begin */
const asJson = (engine: Prepared, result: QuickJSHandle, opening = '{'): string => {
  const { context, stringify } = engine
  const type = context.typeof(result)
  if (type !== 'object') throw new RunFailure('result', `it is ${type}`)
  const text = called(engine, stringify, result)
  if (context.typeof(text) !== 'string') throw new RunFailure('result', 'it has no JSON')
  if (context.getNumber(context.getProp(text, 'length')) > LARGEST_RESULT)
    throw new RunFailure('size', `it has more than ${LARGEST_RESULT} characters`)
  const json = context.getString(text)
  if (!json.startsWith(opening))
    throw new RunFailure('result', json.startsWith('[') ? 'it is an array' : `it is ${json}`)
  return json
}

/** Ends in the middle of the engine's own work, after which the whole instance is discarded. */
const BREAKING: ReadonlySet<ScriptFailure> = new Set(['time', 'memory'])

/** The names of its members, also of those that have no JSON; none if that cannot be said. */
const namesOf = (engine: Prepared, result: QuickJSHandle): readonly string[] => {
  try {
    const names: unknown = JSON.parse(asJson(engine, called(engine, engine.keys, result), '['))
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
  } catch (error) {
    if (error instanceof RunFailure && BREAKING.has(error.failure)) throw error
    return []
  }
}

const conclude = (engine: Prepared, { script, input, isExplained }: ScriptRun): Conclusion => {
  const { context, under } = engine
  evaluate(engine, script, 'syntax')
  const claimsOf = evaluate(engine, `typeof ${NAME} === 'function' ? ${NAME} : undefined`, 'function')
  if (context.typeof(claimsOf) !== 'function') throw new RunFailure('function', `the script has no function ${NAME}`)
  if (input === undefined) return { kind: 'claims', json: '{}' }
  const result = settled(engine, called(engine, claimsOf, argumentOf(engine, input)))
  const json = asJson(engine, result)
  if (under.call.isLate()) throw new RunFailure('time', 'it took too long')
  return { kind: 'claims', json, ...(isExplained && { names: namesOf(engine, result) }) }
}

/** The outcome when it was ended. */
const endOf = (end: unknown): Conclusion & { kind: 'failed' } =>
  end instanceof RunFailure
    ? { kind: 'failed', failure: end.failure, detail: end.message }
    : // the engine itself aborted: its stack is the host's, and deep recursion in its own code ends there
      { kind: 'failed', failure: 'memory', detail: 'it needs too much memory' }

const attempt = (engine: Prepared, run: ScriptRun): Conclusion => {
  try {
    return conclude(engine, run)
  } catch (error) {
    return endOf(error)
  }
}

/**
 * Whether a run has used more CPU than it may. The wall clock is checked first: it is far cheaper and never shows less.
 */
const limitOf = ({ cpuLimit }: ScriptRun, startedAt: number): (() => boolean) => {
  const begunAt = performance.now()
  return () => performance.now() - begunAt > cpuLimit && cpuTime() - startedAt > cpuLimit
}

/** The outcome of a run, the thread's CPU time at its end, and whether the engine can continue. */
interface RunResult extends Required<WorkerMessage> {
  readonly sound: boolean
}

/** Bytes that the engine has in use. */
const memoryOf = ({ runtime, context }: Prepared): number =>
  context.getNumber(context.getProp(runtime.computeMemoryUsage(), 'memory_used_size'))

const runIn = (engine: Prepared, run: ScriptRun): RunResult => {
  const startedAt = cpuTime()
  const recorded: Recorded = { console: [], characters: 0 }
  engine.under.call = { isLate: limitOf(run, startedAt), recorded }
  const ended = attempt(engine, run)
  const isWhole = ended.kind !== 'failed' || !BREAKING.has(ended.failure)
  const memory = isWhole && run.isExplained ? memoryOf(engine) : undefined
  const sound = isWhole && engine.restore()
  // a denial counts, whatever became of the rest
  const conclusion: Conclusion = recorded.denied === undefined ? ended : { kind: 'denied', message: recorded.denied }
  const endedAt = cpuTime()
  const outcome = { conclusion, console: recorded.console, cpuTime: endedAt - startedAt, ...(memory && { memory }) }
  return { outcome, cpuTime: endedAt, sound }
}

/**
 * What is set up in the engine before the first script: the output functions for the console and for a denial, and
 * random numbers.
 */
const installGlobals = (
  context: QuickJSContext,
  under: { readonly call: Call },
): Pick<Prepared, 'parse' | 'stringify' | 'keys' | 'api'> => {
  const { global } = context
  const json = context.getProp(global, 'JSON')
  const record = context.newFunction('record', (level, text) => {
    recordConsole(under.call.recorded, context.getString(level), context.getString(text))
  })
  const maker = context.unwrapResult(context.evalCode(CONSOLE, 'console.js'))
  context.setProp(global, 'console', context.unwrapResult(context.callFunction(maker, context.undefined, record)))
  // the engine's own would give the same numbers in each call, as each begins with the same memory
  const random = context.newFunction('random', () => context.newNumber(Math.random()))
  context.setProp(context.getProp(global, 'Math'), 'random', random)
  const api = context.newObject()
  const denyAccess = context.newFunction('denyAccess', (message) => {
    const given = message && context.typeof(message) !== 'undefined' ? context.getString(message).slice(0, 2048) : ''
    under.call.recorded.denied ??= given
    return { error: context.newError('access denied') }
  })
  context.setProp(api, 'denyAccess', denyAccess)
  const keys = context.getProp(context.getProp(global, 'Object'), 'keys')
  return { parse: context.getProp(json, 'parse'), stringify: context.getProp(json, 'stringify'), keys, api }
}

const NO_CALL: Call = { isLate: () => false, recorded: { console: [], characters: 0 } }

/** Handles are never released one by one: the memory is restored as a whole, or dropped. */
const prepare = (quickjs: QuickJSWASMModule, imageOf: () => Prepared['restore']): Prepared => {
  const under = { call: NO_CALL }
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: MEMORY_BYTES,
    maxStackSizeBytes: STACK_BYTES,
    interruptHandler: () => under.call.isLate(),
  })
  const context = runtime.newContext()
  // otherwise the question for its memory would make another one, of which restored memory knows nothing
  runtime.context = context
  return { runtime, context, ...installGlobals(context, under), under, restore: imageOf() }
}

export interface Engine {
  /** What the worker reports about a run. */
  run(run: ScriptRun): Promise<WorkerMessage>
}

/** Compiles the engine, once for each worker. */
export const createEngine = (): Engine => {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))
  const wasmModule = new WebAssembly.Module(bytes)
  let layout: Layout | undefined
  const fresh = async (): Promise<Prepared> => {
    const wasmMemory = new WebAssembly.Memory(PAGES)
    const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(VARIANT, { wasmModule, wasmMemory }))
    return prepare(quickjs, () => {
      layout ??= layoutOf(wasmMemory)
      return takeImage(wasmMemory, layout)
    })
  }
  let kept: { readonly tenantId: string; readonly engine: Prepared } | undefined
  return {
    async run(run) {
      if (kept?.tenantId !== run.tenantId) kept = undefined
      const engine = kept?.engine ?? (await fresh())
      const { sound, ...message } = runIn(engine, run)
      kept = sound ? { tenantId: run.tenantId, engine } : undefined
      return message
    },
  }
}
