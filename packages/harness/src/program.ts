/** The program as a user runs it: a separate process, configured by its environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The program of this clone. */
const CLONE = fileURLToPath(new URL('../../server/bin/countersign.js', import.meta.url))

export interface Program {
  readonly process: ChildProcess
  /** Everything it has printed so far, on both streams. */
  readonly output: () => string
  /** Resolves when it has printed the text; rejects with its output if it ends first. */
  printed(text: string): Promise<void>
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>
}

/**
 * Starts `countersign` with arguments.
 * @param env the whole environment except PATH
 * @param errors the descriptor of a file that receives its standard error
 * @param program another than that of this clone, as a package installs it
 */
export const runProgram = (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { errors = 'pipe', program = CLONE }: { errors?: number | 'pipe'; program?: string } = {},
): Program => {
  const child = spawn(program, [...args], {
    // the same Node for the program, which finds it by its shebang line
    env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...env },
    stdio: ['ignore', 'pipe', errors],
  })
  let output = ''
  const waiting = new Set<() => void>()
  const gather = (text: string) => {
    output += text
    for (const look of waiting) look()
  }
  child.stdout?.setEncoding('utf8').on('data', gather)
  child.stderr?.setEncoding('utf8').on('data', gather)
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals | null)
  // a failure to start is reported to callers that wait for its end
  ended.catch(() => undefined)
  return {
    process: child,
    output: () => output,
    ended,
    printed: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!output.includes(text)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
        ended.then(() => reject(new Error(`it ended without "${text}":\n${output}`)), reject)
      }),
  }
}

/** Runs a command to its end. */
export const runToEnd = async (
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ status: number | NodeJS.Signals | null; output: string }> => {
  const program = runProgram(args, env)
  const status = await program.ended
  return { status, output: program.output() }
}
