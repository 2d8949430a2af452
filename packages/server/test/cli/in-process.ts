/**
 * Runs a command of `countersign` in the process of the tests: starting a process takes twenty times as long as most
 * commands. What the command uses of its process is replaced while it runs: environment, folder, streams, and exit.
 */
import { Console } from 'node:console'
import { Readable, Writable } from 'node:stream'
import { runCommand } from '../../src/cli/program.ts'

export interface Ended {
  readonly status: number | NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

/** What `process.exit` throws here. */
class Exit {
  readonly status: number
  constructor(status: number) {
    this.status = status
  }
}

/** Replaces properties of `process`; returns a function that restores them. */
const replaced = (values: Readonly<Record<string, unknown>>): (() => void) => {
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const)
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true })
  return () => {
    for (const [name, descriptor] of before) if (descriptor) Object.defineProperty(process, name, descriptor)
  }
}

const gathering = () => {
  let text = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk
      done()
    },
  })
  return { stream, text: () => text }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** Removes the signal listeners that a command leaves behind because it normally ends its process. */
const listening = () => {
  const before = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const)
  return () => {
    for (const [signal, known] of before)
      for (const listener of process.listeners(signal)) if (!known.includes(listener)) process.off(signal, listener)
  }
}

/** Runs a command to its end. Only one at a time. */
export const runHere = async (
  args: readonly string[],
  { env, folder, input = '' }: { env: NodeJS.ProcessEnv; folder: string; input?: string | Uint8Array },
): Promise<Ended> => {
  const [out, err] = [gathering(), gathering()]
  const { exitCode, env: ownEnv } = process
  const [ownFolder, ownConsole] = [process.cwd(), globalThis.console]
  const exit = (status = 0) => {
    throw new Exit(status)
  }
  const putBack = replaced({
    stdin: Readable.from(input.length > 0 ? [Buffer.from(input)] : []),
    stdout: out.stream,
    stderr: err.stream,
    exit,
  })
  const forget = listening()
  process.chdir(folder)
  process.env = env
  process.exitCode = undefined
  globalThis.console = new Console(out.stream, err.stream)
  try {
    await runCommand(args)
    return { status: Number(process.exitCode ?? 0), out: out.text(), err: err.text() }
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    return { status: error.status, out: out.text(), err: err.text() }
  } finally {
    putBack()
    forget()
    process.chdir(ownFolder)
    process.env = ownEnv
    process.exitCode = exitCode
    globalThis.console = ownConsole
  }
}
