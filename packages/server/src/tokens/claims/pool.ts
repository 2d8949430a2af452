/**
 * The workers that run custom claims scripts: started when needed, stopped when idle, and replaced when one does
 * not answer. A worker runs one script at a time, so that a hanging script delays no other. Tenants take turns, and
 * each has at most half of the workers.
 */
import { availableParallelism } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createFairQueue, QueueFull } from './fair-queue.ts'
import { failed, type ScriptOutcome, type ScriptRun, type WorkerMessage } from './script.ts'

const MOST_WORKERS = Math.min(4, Math.max(2, availableParallelism()))
/** How many runs of one tenant may wait. One more is refused at once, because it would wait for seconds. */
const MOST_WAITING = 64
const IDLE_MS = 30_000
const START_MS = 10_000
const WORKER_HEAP_MB = 48

/**
 * Some work of the engine cannot be interrupted; this wall-clock limit ends it; it is generous because a busy machine
 * is slow.
 */
const deadlineOf = ({ cpuLimit }: ScriptRun): number => 1000 + 10 * cpuLimit
/** How long, beyond the deadline, a worker is waited for while it has used less CPU than its run and the engine may. */
const LONGEST_MS = 20_000
const ENGINE_CPU_MS = 200
/** A worker that does not report its CPU time within this time counts as hanging. */
const ASK_MS = 5000

interface PooledWorker {
  readonly worker: Worker
  tenantId: string
  /** Milliseconds of CPU that it had used at its last message. */
  cpuTime: number
  /** Whatever is waiting for the next message. */
  listener?: { readonly resolve: (message: WorkerMessage) => void; readonly reject: (error: Error) => void }
  started?: Promise<unknown>
  idle?: NodeJS.Timeout
}

export interface ScriptPool {
  /** Runs a script; always resolves, with its outcome. @param isUrgent before others of the same tenant */
  run(run: ScriptRun, isUrgent?: boolean): Promise<ScriptOutcome>
  /** How many workers there are. */
  readonly size: number
}

/**
 * The next message of a worker. Throws if the worker stops instead, or WorkerTimeout if it sends none in time and may
 * not continue.
 */
const nextMessage = async (
  pooled: PooledWorker,
  withinMs: number,
  mayContinue = async () => false,
): Promise<WorkerMessage> => {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerMessage>()
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const onTimeout = async (): Promise<void> => {
    if (!(await mayContinue())) reject(new WorkerTimeout('the worker does not answer'))
    else if (!isOver) timer = setTimeout(onTimeout, withinMs)
  }
  timer = setTimeout(onTimeout, withinMs)
  pooled.listener = { resolve, reject }
  try {
    const message = await promise
    pooled.cpuTime = message.cpuTime
    return message
  } finally {
    isOver = true
    clearTimeout(timer)
    delete pooled.listener
  }
}

/** Milliseconds of CPU that a worker has used; NaN if Node cannot tell or the worker has stopped. */
const cpuOf = async ({ worker }: PooledWorker): Promise<number> => {
  // both came with Node 24: what the worker reports itself, and what it can be asked for
  if (typeof worker.cpuUsage !== 'function' || typeof process.threadCpuUsage !== 'function') return Number.NaN
  return worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => Number.NaN,
  )
}

/** Whether a run beyond its deadline has used less CPU than it may: then the machine is slow. */
const starvation = (pooled: PooledWorker, { cpuLimit }: ScriptRun): (() => Promise<boolean>) => {
  const until = performance.now() + LONGEST_MS
  return async () => {
    const silent = delay(ASK_MS, Number.NaN, { ref: false })
    const had = (await Promise.race([cpuOf(pooled), silent])) - pooled.cpuTime
    return performance.now() < until && had < cpuLimit + ENGINE_CPU_MS
  }
}

/** A worker sent no message in time. */
class WorkerTimeout extends Error {}

/** @param idleMs how long a worker with nothing to do is kept */
export const createScriptPool = (idleMs = IDLE_MS): ScriptPool => {
  const queue = createFairQueue({
    places: MOST_WORKERS,
    placesPerTenant: Math.floor(MOST_WORKERS / 2),
    waitingPerTenant: MOST_WAITING,
  })
  const idle: PooledWorker[] = []
  let size = 0

  const terminate = (pooled: PooledWorker) => {
    clearTimeout(pooled.idle)
    const at = idle.indexOf(pooled)
    if (at >= 0) idle.splice(at, 1)
    size -= 1
    void pooled.worker.terminate()
  }

  const spawn = (tenantId: string): PooledWorker => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      // no environment, and no access to the server's output
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB },
    })
    worker.unref()
    size += 1
    const pooled: PooledWorker = { worker, tenantId, cpuTime: 0 }
    worker.on('message', (message) => pooled.listener?.resolve(message))
    worker.on('error', (error: Error) => pooled.listener?.reject(error))
    worker.once('exit', () => {
      pooled.listener?.reject(new Error('the worker stopped'))
      if (idle.includes(pooled)) terminate(pooled)
    })
    pooled.started = nextMessage(pooled, START_MS)
    return pooled
  }

  /** An idle worker, preferably the one that served this tenant last, or a new one. */
  const acquire = (tenantId: string): PooledWorker => {
    const at = idle.findLastIndex((pooled) => pooled.tenantId === tenantId)
    const [pooled] = idle.splice(at >= 0 ? at : idle.length - 1, 1)
    if (!pooled) return spawn(tenantId)
    clearTimeout(pooled.idle)
    pooled.tenantId = tenantId
    return pooled
  }

  const release = (pooled: PooledWorker) => {
    idle.push(pooled)
    // a run has made the process wait for its worker again
    pooled.worker.unref()
    pooled.idle = setTimeout(terminate, idleMs, pooled).unref()
  }

  const runIn = async (pooled: PooledWorker, run: ScriptRun): Promise<ScriptOutcome> => {
    try {
      await pooled.started
    } catch (error) {
      terminate(pooled)
      return failed('unavailable', `no worker could be started: ${error instanceof Error ? error.message : error}`)
    }
    try {
      const answered = nextMessage(pooled, deadlineOf(run), starvation(pooled, run))
      // if the run does not reach the worker, this promise is never awaited
      answered.catch(() => undefined)
      pooled.worker.postMessage(run)
      const { outcome = failed('unavailable', 'the worker sent no outcome') } = await answered
      // also after a run that ran out of memory: the engine has dropped its memory, and a script can fake this at no
      // cost
      release(pooled)
      return outcome
    } catch (error) {
      terminate(pooled)
      return error instanceof WorkerTimeout
        ? failed('time', 'it took too long')
        : failed('memory', 'its worker stopped')
    }
  }

  return {
    async run(run, isUrgent) {
      try {
        const leave = await queue.enter(run.tenantId, isUrgent)
        try {
          return await runIn(acquire(run.tenantId), run)
        } finally {
          leave()
        }
      } catch (error) {
        if (error instanceof QueueFull) return failed('unavailable', error.message)
        throw error
      }
    },
    get size() {
      return size
    },
  }
}

/** One for the process: there are as many workers as the machine has cores, and all servers in the process share them. */
export const scriptPool = createScriptPool()
