/** A script of custom claims and what came of running it: what the server and its workers say to each other. */

/** What to run. */
export interface ScriptRun {
  /** Whose it is: tenants never share an instance of the engine. */
  readonly tenantId: string
  readonly script: string
  /** The argument of the function as JSON; undefined: only ask whether the script has the function. */
  readonly input: string | undefined
  /** Milliseconds of CPU. */
  readonly cpuLimit: number
}

export interface ConsoleLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly text: string
}

/**
 * `syntax`: cannot be read · `function`: has no getCustomJwtClaims · `threw` · `time` · `memory` · `pending`: its promise can
 * never settle · `result`: no object · `size`: too large · `unavailable`: it was not run, which is not its fault
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
  /** The object that was returned, as JSON. Made by the script: trust nothing in it. */
  | { readonly kind: 'claims'; readonly json: string }
  | { readonly kind: 'denied'; readonly message: string }
  /** @property detail the script's own words, for its author and the audit log */
  | { readonly kind: 'failed'; readonly failure: ScriptFailure; readonly detail?: string }

export interface ScriptOutcome {
  readonly conclusion: Conclusion
  readonly console: readonly ConsoleLine[]
  /** Milliseconds of CPU. */
  readonly cpuTime: number
}

/** What a worker says when it is ready, and whenever it has run something. */
export interface WorkerMessage {
  /** Milliseconds of CPU that its thread has had so far. */
  readonly cpuTime: number
  /** Of the run; undefined: it is ready for its first. */
  readonly outcome?: ScriptOutcome
}

/** DECISIONS J2: milliseconds. */
export const DEFAULT_CPU_LIMIT = 100

/** DECISIONS J3: bytes of JSON. */
export const LARGEST_RESULT = 16 * 1024

export const failed = (failure: ScriptFailure, detail?: string): ScriptOutcome => ({
  conclusion: { kind: 'failed', failure, ...(detail === undefined ? {} : { detail }) },
  console: [],
  cpuTime: 0,
})
