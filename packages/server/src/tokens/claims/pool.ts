/**
 * The workers that run scripts of custom claims: started when they are needed, stopped when they are not, and replaced when
 * one does not come back. A worker runs one script at a time, so that whoever hangs takes nobody along. Tenants take turns,
 * and one has at most half of the workers.
 */
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createFairLine, LineFull } from './fair-line.ts'
import { failed, type ScriptOutcome, type ScriptRun, type WorkerMessage } from './script.ts'

const MOST_WORKERS = Math.min(4, Math.max(2, availableParallelism()))
/** Of one tenant. Whoever comes then is refused at once: they would wait for seconds. */
const IN_LINE = 64
const IDLE_MS = 30_000
const START_MS = 10_000
const WORKER_HEAP_MB = 48

/** Some work of the engine cannot be interrupted; this ends it, on the wall, as a machine with much to do is slow. */
const deadlineOf = ({ cpuLimit }: ScriptRun): number => 1000 + 10 * cpuLimit
/** Beyond the deadline a worker is waited for while it has had less CPU than its run may take and the engine needs, so long. */
const LONGEST_MS = 20_000
const ENGINE_CPU_MS = 200
/** A worker that does not even say how much it had hangs. */
const ASK_MS = 5000

interface Hand {
  readonly worker: Worker
  tenantId: string
  /** Milliseconds of CPU that it had had when it was heard last. */
  cpuTime: number
  /** Whoever waits for the next message. */
  listener?: { readonly resolve: (message: WorkerMessage) => void; readonly reject: (error: Error) => void }
  started?: Promise<unknown>
  idle?: NodeJS.Timeout
}

export interface ScriptPool {
  /** Runs a script; always comes back, with what became of it. @param isUrgent before others of the same tenant */
  run(run: ScriptRun, isUrgent?: boolean): Promise<ScriptOutcome>
  /** How many workers there are. */
  readonly size: number
}

/** The next message of a worker. Throws when it stops instead, or says nothing in time and may not go on. */
const heardFrom = async (hand: Hand, withinMs: number, mayGoOn = async () => false): Promise<WorkerMessage> => {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerMessage>()
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const late = async (): Promise<void> => {
    if (!(await mayGoOn())) reject(new Late('the worker does not answer'))
    else if (!isOver) timer = setTimeout(late, withinMs)
  }
  timer = setTimeout(late, withinMs)
  hand.listener = { resolve, reject }
  try {
    const message = await promise
    hand.cpuTime = message.cpuTime
    return message
  } finally {
    isOver = true
    clearTimeout(timer)
    delete hand.listener
  }
}

/** Milliseconds of CPU that a worker has had; NaN where Node cannot tell, and when the worker has stopped. */
const cpuOf = async ({ worker }: Hand): Promise<number> => {
  // both came with Node 24: what the worker says of itself, and what is asked of it
  if (typeof worker.cpuUsage !== 'function' || typeof process.threadCpuUsage !== 'function') return Number.NaN
  return worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => Number.NaN,
  )
}

/** Whether a run that is late has had less of the processor than it may: then it is the machine that is slow. */
const starvation = (hand: Hand, { cpuLimit }: ScriptRun): (() => Promise<boolean>) => {
  const until = performance.now() + LONGEST_MS
  return async () => {
    const silent = delay(ASK_MS, Number.NaN, { ref: false })
    const had = (await Promise.race([cpuOf(hand), silent])) - hand.cpuTime
    return performance.now() < until && had < cpuLimit + ENGINE_CPU_MS
  }
}

class Late extends Error {}

/** @param idleMs how long a worker with nothing to do is kept */
export const createScriptPool = (idleMs = IDLE_MS): ScriptPool => {
  const line = createFairLine({ places: MOST_WORKERS, each: Math.floor(MOST_WORKERS / 2), inLine: IN_LINE })
  const idle: Hand[] = []
  let size = 0

  const dismiss = (hand: Hand) => {
    clearTimeout(hand.idle)
    const at = idle.indexOf(hand)
    if (at >= 0) idle.splice(at, 1)
    size -= 1
    void hand.worker.terminate()
  }

  const hire = (tenantId: string): Hand => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      // nothing of the environment, and nothing on the output of the server
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
    })
    worker.unref()
    size += 1
    const hand: Hand = { worker, tenantId, cpuTime: 0 }
    worker.on('message', (message) => hand.listener?.resolve(message))
    worker.on('error', (error: Error) => hand.listener?.reject(error))
    worker.once('exit', () => {
      hand.listener?.reject(new Error('the worker stopped'))
      if (idle.includes(hand)) dismiss(hand)
    })
    hand.started = heardFrom(hand, START_MS)
    return hand
  }

  /** One that is idle, best the one that worked for this tenant last, or a new one. */
  const handFor = (tenantId: string): Hand => {
    const at = idle.findLastIndex((hand) => hand.tenantId === tenantId)
    const [hand] = idle.splice(at >= 0 ? at : idle.length - 1, 1)
    if (!hand) return hire(tenantId)
    clearTimeout(hand.idle)
    hand.tenantId = tenantId
    return hand
  }

  const rest = (hand: Hand) => {
    idle.push(hand)
    hand.idle = setTimeout(dismiss, idleMs, hand).unref()
  }

  const runIn = async (hand: Hand, run: ScriptRun): Promise<ScriptOutcome> => {
    try {
      await hand.started
    } catch (error) {
      dismiss(hand)
      return failed('unavailable', `no worker could be started: ${error instanceof Error ? error.message : error}`)
    }
    try {
      const answered = heardFrom(hand, deadlineOf(run), starvation(hand, run))
      // were the run not to reach the worker, nobody would wait for what is heard of it
      answered.catch(() => undefined)
      hand.worker.postMessage(run)
      const { outcome = failed('unavailable', 'the worker said nothing') } = await answered
      // also after a run that had no memory left: the engine has dropped its own, and a script can say so for nothing
      rest(hand)
      return outcome
    } catch (error) {
      dismiss(hand)
      return error instanceof Late ? failed('time', 'it took too long') : failed('memory', 'its worker stopped')
    }
  }

  return {
    async run(run, isUrgent) {
      try {
        const leave = await line.enter(run.tenantId, isUrgent)
        try {
          return await runIn(handFor(run.tenantId), run)
        } finally {
          leave()
        }
      } catch (error) {
        if (error instanceof LineFull) return failed('unavailable', error.message)
        throw error
      }
    },
    get size() {
      return size
    },
  }
}

/** Of the process: what there are as many of as the machine has cores is shared by all servers in it. */
export const scriptPool = createScriptPool()
