/** A custom claims script and the outcome of running it: the messages between the server and its workers. */

/** The script to run. */
export interface ScriptRun {
  /** The owner: tenants never share an instance of the engine. */
  readonly tenantId: string
  readonly script: string
  /** The argument of the function as JSON; undefined: only check whether the script has the function. */
  readonly input: string | undefined
  /** Milliseconds of CPU. */
  readonly cpuLimit: number
  /** Whether its author is told more: the outcome then has `names` and `memory`. */
  readonly isExplained?: boolean
}

export interface ConsoleLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly text: string
}

/**
 * `syntax`: cannot be parsed · `function`: has no getCustomJwtClaims · `threw` · `time` · `memory` · `pending`: its
 * promise can never settle · `result`: no object · `size`: too large · `unavailable`: it was not run, through no fault
 * of its own
 */
export type ScriptFailure =
  | 'syntax'
  | 'function'
  | 'threw'
  | 'time'
  | 'memory'
  | 'pending'
  | 'result'
  | 'size'
  | 'unavailable'

export type Conclusion =
  /** The returned object, as JSON, and its members, some of which may have none. Made by the script: trust nothing in it. */
  | { readonly kind: 'claims'; readonly json: string; readonly names?: readonly string[] }
  | { readonly kind: 'denied'; readonly message: string }
  /** @property detail the script's own message, for its author and the audit log */
  | { readonly kind: 'failed'; readonly failure: ScriptFailure; readonly detail: string }

export interface ScriptOutcome {
  readonly conclusion: Conclusion
  readonly console: readonly ConsoleLine[]
  /** Milliseconds of CPU. */
  readonly cpuTime: number
  /** Bytes of the engine's heap in use at the end, with its built-ins; undefined: not asked for, or it was discarded. */
  readonly memory?: number
}

/** What a worker sends when it is ready, and after each run. */
export interface WorkerMessage {
  /** Milliseconds of CPU that its thread has used so far. */
  readonly cpuTime: number
  /** Of the run; undefined: it is ready for its first. */
  readonly outcome?: ScriptOutcome
}

/** DECISIONS J2: milliseconds. */
export const DEFAULT_CPU_LIMIT = 100

/** DECISIONS J3: bytes of JSON. */
export const LARGEST_RESULT = 16 * 1024

export const failed = (failure: ScriptFailure, detail: string): ScriptOutcome => ({
  conclusion: { kind: 'failed', failure, detail },
  console: [],
  cpuTime: 0,
})
