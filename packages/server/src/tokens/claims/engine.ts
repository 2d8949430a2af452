/**
 * Runs one script in QuickJS, which is WebAssembly: it sees its own heap and the functions that it is given here. Runs in
 * a worker (worker.ts). A call gets a fresh runtime. Calls of one tenant share an instance of the engine's memory; another
 * tenant gets another, and so does whoever comes after a call that ended badly (docs/decisions/0021).
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
import {
  type Conclusion,
  type ConsoleLine,
  LARGEST_RESULT,
  type ScriptFailure,
  type ScriptRun,
  type WorkerMessage,
} from './script.ts'

/** The types of the package are those of its CommonJS form, where this would be one level deeper. */
const VARIANT = variant as unknown as QuickJSSyncVariant

/** DECISIONS J2. */
const MEMORY_BYTES = 32 * 1024 * 1024
/** The engine's own 16 MiB and those of the script, in WebAssembly pages: where its accounts do not say stop, this does. */
const PAGES = { initial: 256, maximum: 768 }
const STACK_BYTES = 256 * 1024
const MOST_LINES = 100
const MOST_CONSOLE_CHARACTERS = 16 * 1024

/** Milliseconds of CPU of this thread. */
export const cpuTime = (): number => {
  // Node 22 cannot tell; there the time on the wall must do, which is never less
  if (typeof process.threadCpuUsage !== 'function') return performance.now()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** What the script let us hear before it ended. */
interface Heard {
  readonly console: ConsoleLine[]
  characters: number
  denied?: string
}

const CONSOLE_LEVELS: readonly string[] = ['info', 'warn', 'error'] satisfies ConsoleLine['level'][]

const hear = (heard: Heard, level: string, text: string): void => {
  if (!CONSOLE_LEVELS.includes(level) || heard.console.length >= MOST_LINES) return
  if (heard.characters + text.length > MOST_CONSOLE_CHARACTERS) return
  heard.characters += text.length
  heard.console.push({ level: level as ConsoleLine['level'], text })
}

/** Thrown to end a run; a denial that was heard before still counts. */
class Ended extends Error {
  readonly failure: ScriptFailure
  constructor(failure: ScriptFailure, detail: string) {
    super(detail)
    this.failure = failure
  }
}

/** How the engine says that there is no memory left. A script can say it too, and only fools its author. */
const isMemory = (text: string): boolean => text.includes('out of memory')

interface Running {
  readonly runtime: QuickJSRuntime
  readonly context: QuickJSContext
  readonly isLate: () => boolean
  /** Remembers a value of the engine until the end of the run. */
  keep<T extends QuickJSHandle>(handle: T): T
}

const endedBy = ({ context, isLate }: Running, error: QuickJSHandle, otherwise: ScriptFailure): Ended => {
  const text = error.consume((handle) => context.getString(handle)).slice(0, 2048)
  if (isLate()) return new Ended('time', 'it took too long')
  return new Ended(isMemory(text) ? 'memory' : otherwise, text)
}

const evaluate = (running: Running, code: string, name: string, otherwise: ScriptFailure): QuickJSHandle => {
  const result = running.context.evalCode(code, name)
  if (result.error) throw endedBy(running, result.error, otherwise)
  return running.keep(result.value)
}

const NAME = 'getCustomJwtClaims'

/** Calls a function of the script or of the language. */
const called = (running: Running, code: QuickJSHandle, ...given: QuickJSHandle[]): QuickJSHandle => {
  const { context } = running
  const result = context.callFunction(code, context.undefined, ...given)
  if (result.error) throw endedBy(running, result.error, 'threw')
  return running.keep(result.value)
}

const giveConsole = (running: Running, heard: Heard): void => {
  const { context, keep } = running
  const tell = context.newFunction('tell', (level, text) => {
    hear(heard, context.getString(level), context.getString(text))
  })
  keep(tell)
  const maker = evaluate(running, CONSOLE, 'console.js', 'unavailable')
  const made = called(running, maker, tell)
  context.setProp(context.global, 'console', made)
}

/** The argument of the function: what it is given, and the api. */
const argumentOf = (running: Running, parse: QuickJSHandle, input: string, heard: Heard): QuickJSHandle => {
  const { context, keep } = running
  const argument = called(running, parse, keep(context.newString(input)))
  const api = keep(context.newObject())
  const denyAccess = context.newFunction('denyAccess', (message) => {
    heard.denied ??= message && context.typeof(message) !== 'undefined' ? context.getString(message).slice(0, 2048) : ''
    return { error: context.newError('access denied') }
  })
  context.setProp(api, 'denyAccess', keep(denyAccess))
  context.setProp(argument, 'api', api)
  return argument
}

/** What the promise of the function came to; what is no promise is its own result. */
const settled = (running: Running, promise: QuickJSHandle): QuickJSHandle => {
  const { runtime, context, isLate } = running
  const jobs = runtime.executePendingJobs()
  if (jobs.error) throw endedBy(running, jobs.error, 'threw')
  jobs.dispose()
  const state = context.getPromiseState(promise)
  if (state.type === 'rejected') throw endedBy(running, state.error, 'threw')
  if (isLate()) throw new Ended('time', 'it took too long')
  if (state.type === 'pending') throw new Ended('pending', 'it waits for a promise that nothing will settle')
  return running.keep(state.value)
}

/** The result as JSON, not longer than is allowed. */
const asJson = (running: Running, stringify: QuickJSHandle, result: QuickJSHandle): string => {
  const { context } = running
  const type = context.typeof(result)
  if (type !== 'object') throw new Ended('result', `it is ${type}`)
  const text = called(running, stringify, result)
  if (context.typeof(text) !== 'string') throw new Ended('result', 'it has no JSON')
  const length = context.getProp(text, 'length').consume((handle) => context.getNumber(handle))
  if (length > LARGEST_RESULT) throw new Ended('size', `it has more than ${LARGEST_RESULT} characters`)
  const json = context.getString(text)
  if (!json.startsWith('{')) throw new Ended('result', json.startsWith('[') ? 'it is an array' : `it is ${json}`)
  return json
}

const conclude = (running: Running, { script, input }: ScriptRun, heard: Heard): Conclusion => {
  const { context, isLate, keep } = running
  // before the script can replace them
  const [parse, stringify] = context
    .getProp(context.global, 'JSON')
    .consume((json) => [keep(context.getProp(json, 'parse')), keep(context.getProp(json, 'stringify'))] as const)
  if (script.includes('console')) giveConsole(running, heard)
  evaluate(running, script, 'script.js', 'syntax')
  const claimsOf = evaluate(running, `typeof ${NAME} === 'function' ? ${NAME} : undefined`, 'script.js', 'function')
  if (context.typeof(claimsOf) !== 'function') throw new Ended('function', `the script has no function ${NAME}`)
  if (input === undefined) return { kind: 'claims', json: '{}' }
  const promise = called(running, claimsOf, argumentOf(running, parse, input, heard))
  const json = asJson(running, stringify, settled(running, promise))
  if (isLate()) throw new Ended('time', 'it took too long')
  return { kind: 'claims', json }
}

/** What it comes to when it was ended. */
const endOf = (end: unknown): Conclusion & { kind: 'failed' } =>
  end instanceof Ended
    ? { kind: 'failed', failure: end.failure, detail: end.message }
    : // the engine itself broke off: its stack is the host's, and deep recursion in its own code ends there
      { kind: 'failed', failure: 'memory', detail: 'it needs too much memory' }

/** Ends after which the engine is not taken apart and used again, but goes as a whole. */
const BREAKING: ReadonlySet<ScriptFailure> = new Set(['time', 'memory', 'unavailable'])

const attempt = (running: Running, run: ScriptRun, heard: Heard): Conclusion => {
  try {
    return conclude(running, run, heard)
  } catch (error) {
    return endOf(error)
  }
}

/** Whether nothing of the run is left. */
const takenApart = (held: readonly QuickJSHandle[], context: QuickJSContext, runtime: QuickJSRuntime): boolean => {
  try {
    for (const handle of held) if (handle.alive) handle.dispose()
    context.dispose()
    runtime.dispose()
    return true
  } catch {
    return false
  }
}

/** Whether a run has had more CPU than it may. The clock on the wall is asked first: it costs far less, and tells never less. */
const limitOf = ({ cpuLimit }: ScriptRun, startedAt: number): (() => boolean) => {
  const begunAt = performance.now()
  return () => performance.now() - begunAt > cpuLimit && cpuTime() - startedAt > cpuLimit
}

/** What came of a run, when its thread's CPU had come to what, and whether the engine can go on. */
interface Done extends Required<WorkerMessage> {
  readonly sound: boolean
}

const runIn = (quickjs: QuickJSWASMModule, run: ScriptRun): Done => {
  const startedAt = cpuTime()
  const isLate = limitOf(run, startedAt)
  const heard: Heard = { console: [], characters: 0 }
  const held: QuickJSHandle[] = []
  const keep = <T extends QuickJSHandle>(handle: T): T => {
    held.push(handle)
    return handle
  }
  const runtime = quickjs.newRuntime({
    memoryLimitBytes: MEMORY_BYTES,
    maxStackSizeBytes: STACK_BYTES,
    interruptHandler: isLate,
  })
  const context = runtime.newContext()
  const ended = attempt({ runtime, context, isLate, keep }, run, heard)
  const sound = (ended.kind !== 'failed' || !BREAKING.has(ended.failure)) && takenApart(held, context, runtime)
  // whoever said no meant it, whatever became of the rest
  const conclusion: Conclusion = heard.denied === undefined ? ended : { kind: 'denied', message: heard.denied }
  const endedAt = cpuTime()
  return { outcome: { conclusion, console: heard.console, cpuTime: endedAt - startedAt }, cpuTime: endedAt, sound }
}

export interface Engine {
  /** What the worker says of a run. */
  run(run: ScriptRun): Promise<WorkerMessage>
}

/** Compiles the engine, once for each worker. */
export const createEngine = (): Engine => {
  const bytes = readFileSync(fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm')))
  const wasmModule = new WebAssembly.Module(bytes)
  const fresh = () =>
    newQuickJSWASMModuleFromVariant(newVariant(VARIANT, { wasmModule, wasmMemory: new WebAssembly.Memory(PAGES) }))
  let kept: { readonly tenantId: string; readonly quickjs: QuickJSWASMModule } | undefined
  return {
    async run(run) {
      if (kept?.tenantId !== run.tenantId) kept = undefined
      const quickjs = kept?.quickjs ?? (await fresh())
      const { sound, ...message } = runIn(quickjs, run)
      kept = sound ? { tenantId: run.tenantId, quickjs } : undefined
      return message
    },
  }
}
