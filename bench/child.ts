/** A program under measurement as a child process: started until it reports that it is ready, and always stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Child {
  readonly pid: number
  /** The line with which it reported that it was ready. */
  readonly readyLine: string
  /** Milliseconds from the start of the process to that line. */
  readonly startTime: number
  stop(): Promise<void>
}

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url))
const PATIENCE_MS = 30_000

/** Every child that was started, in order. */
const started: ChildProcess[] = []
let ended = false

const stop = async (process: ChildProcess): Promise<void> => {
  if (process.exitCode !== null || process.signalCode !== null) return
  const exit = once(process, 'exit')
  process.kill('SIGTERM')
  const timer = setTimeout(() => process.kill('SIGKILL'), PATIENCE_MS)
  await exit
  clearTimeout(timer)
}

/** Stops every child, the last one first, and prevents further starts. */
export const stopChildren = async (): Promise<void> => {
  ended = true
  for (const child of started.toReversed()) await stop(child)
}

const lineFrom = async (process: ChildProcess, isReady: (line: string) => boolean, log: string): Promise<string> => {
  const timer = setTimeout(() => process.kill('SIGKILL'), PATIENCE_MS)
  try {
    if (process.stdout)
      for await (const line of createInterface({ input: process.stdout })) if (isReady(line)) return line
  } finally {
    clearTimeout(timer)
    // the reader may stop reading; without this, a program that prints more would block on a full pipe
    process.stdout?.resume()
  }
  throw new Error(`A program ended before it was ready: ${readFileSync(log, 'utf8').slice(-2000)}`)
}

/**
 * Starts a program of this repository.
 * @param program the file, or `node` for this Node
 * @param args its arguments
 * @param env in addition to that of this process @param log the file that receives its standard error
 */
export const startChild = async (
  program: string,
  args: readonly string[],
  { env = {}, log, isReady }: { env?: NodeJS.ProcessEnv; log: string; isReady: (line: string) => boolean },
): Promise<Child> => {
  if (ended) throw new Error('The bench has ended')
  const stderr = openSync(log, 'a')
  const startedAt = performance.now()
  const child = spawn(program === 'node' ? process.execPath : program, [...args], {
    cwd: REPOSITORY,
    // the same Node for a program that finds it by its shebang line
    env: { ...process.env, ...env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['pipe', 'pipe', stderr],
  })
  started.push(child)
  closeSync(stderr)
  const readyLine = await lineFrom(child, isReady, log)
  const startTime = performance.now() - startedAt
  return { pid: child.pid ?? 0, readyLine, startTime, stop: () => stop(child) }
}
