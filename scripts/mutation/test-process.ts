/** The process that runs the tests, from the parent's side: started when needed, ended when it hangs or has grown. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answer, Order } from './worker.ts'

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url))
const LOADER = new URL('./loader.ts', import.meta.url).href
/** Every run loads the server again, and nothing unloads it. */
const MOST_MEMORY_MB = 1200

/** Why there is no response. */
type NoAnswer = 'timed out' | 'ended'

export interface TestProcess {
  /** Runs a test file. @param limit milliseconds, after which the process is ended */
  run(order: Order, limit: number): Promise<Answer | NoAnswer>
  close(): Promise<void>
}

const nextMessage = (child: ChildProcess, limit: number): Promise<unknown> => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const timer = setTimeout(resolve, limit, 'timed out' satisfies NoAnswer)
  const onExit = () => resolve('ended' satisfies NoAnswer)
  child.once('message', resolve)
  child.once('exit', onExit)
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('message', resolve)
    child.off('exit', onExit)
  })
}

/** Only worker.ts answers, with an Answer. */
const isAnswer = (message: unknown): message is Answer => typeof message === 'object'

/** @param onStart called whenever a process was started: leftovers of the previous one can be removed */
export const createTestProcess = (onStart: () => Promise<void>): TestProcess => {
  let child: ChildProcess | undefined
  let directory: string | undefined

  const start = async (): Promise<ChildProcess> => {
    await onStart()
    directory = await mkdtemp(join(tmpdir(), 'countersign-mutation-'))
    const started = fork(WORKER, {
      execArgv: ['--import', LOADER, '--no-warnings'],
      env: { ...process.env, TMPDIR: directory, NODE_ENV: 'test', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', process.env.MUTATION_DEBUG ? 'inherit' : 'ignore', 'ipc'],
    })
    await once(started, 'message')
    child = started
    return started
  }
  const end = async (): Promise<void> => {
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    child = undefined
    if (directory) await rm(directory, { recursive: true, force: true })
  }
  return {
    async run(order, limit) {
      const running = child ?? (await start())
      const answered = nextMessage(running, limit)
      running.send(order)
      const message = await answered
      if (!isAnswer(message)) {
        await end()
        return message === 'timed out' ? 'timed out' : 'ended'
      }
      // a hook that failed may have left a server running
      if (message.failure?.isHook || message.memory > MOST_MEMORY_MB) await end()
      return message
    },
    close: end,
  }
}
