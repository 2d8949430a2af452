/** Keeps PostgreSQL running while Countersign does: starts it again when it ends by itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { stopOrphan } from './orphan.ts'
import { clusterDirectory, endPostmaster, type Launch, type Log, launch, type Postmaster } from './postmaster.ts'
import { readPostmasterPid } from './postmaster-pid.ts'
import { removeStaleSocket } from './socket-directory.ts'

export interface Supervisor {
  /** Stops the server and ends the supervision. Resolves when the process is gone. */
  stop(): Promise<void>
}

type SupervisorOptions = Omit<Launch, 'stalePid'> & { readonly log: Log }

/** Why a start failed that may succeed a moment later: processes of a killed server are still on their way out. */
const passing = /pre-existing shared memory block|lock file "[^"]*" already exists|Address already in use/
/** How long the first start waits for them, and how long a server must have run for its end to count as the first, in ms. */
const patience = 30_000
const stable = 10_000

/**
 * Starts the server, waits until it accepts connections, and from then on starts it again, ever more slowly, whenever it
 * ends without stop() having been called. Throws EmbeddedDatabaseError when the first start fails. The caller must hold
 * the data directory's lock until stop() has resolved.
 */
export async function supervise(options: SupervisorOptions): Promise<Supervisor> {
  const { log } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let current: Postmaster | undefined
  // The last resort of a process that exits without stop(), by an uncaught error say: no orphan is left behind.
  const onProcessExit = (): void => void current?.child.kill('SIGINT')
  process.once('exit', onProcessExit)

  /** One attempt; gives why it failed, or null when the server accepts connections. */
  async function attempt(): Promise<string | null> {
    const stalePid = await stopOrphan(clusterDirectory(options.dataDir), log)
    await removeStaleSocket(options.connection.host)
    current = await launch({ ...options, stalePid })
    const end = await untilReady(current, clusterDirectory(options.dataDir), signal)
    return end && causeIn(await current.readLog(), end)
  }

  async function restart(wait: number): Promise<void> {
    for (let pause = wait; !signal.aborted; pause = Math.min(Math.max(pause * 2, 20), 5_000)) {
      await sleep(pause, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const failure = await attempt().catch((error: unknown) => String(error))
      if (!failure) return log('PostgreSQL runs again', { pid: current?.child.pid })
      if (!signal.aborted) log('PostgreSQL did not start', { cause: failure })
    }
  }

  async function keepRunning(): Promise<void> {
    for (let crashes = 0; !signal.aborted; crashes++) {
      const since = performance.now()
      const how = await current?.ended
      if (signal.aborted) return
      if (performance.now() - since > stable) crashes = 0
      log('PostgreSQL ended unexpectedly and is started again', { how })
      await restart(crashes === 0 ? 0 : Math.min(100 * 2 ** crashes, 5_000))
    }
  }

  try {
    await startFirst(attempt, options.dataDir)
  } catch (error) {
    if (current) await endPostmaster(current)
    process.removeListener('exit', onProcessExit)
    throw error
  }
  const supervision = keepRunning()
  return {
    stop: async () => {
      stopping.abort()
      if (current) await endPostmaster(current)
      await supervision
      // A restart may have been between two processes.
      if (current) await endPostmaster(current)
      process.removeListener('exit', onProcessExit)
    },
  }
}

async function startFirst(attempt: () => Promise<string | null>, dataDir: string): Promise<void> {
  const deadline = performance.now() + patience
  for (;;) {
    const failure = await attempt()
    if (!failure) return
    if (!passing.test(failure) || performance.now() > deadline) {
      throw new EmbeddedDatabaseError(`PostgreSQL did not start on ${clusterDirectory(dataDir)}: ${failure}.`)
    }
    await sleep(20)
  }
}

/** Waits until the server says that it is ready (null), or has ended (gives how), or the signal comes. */
async function untilReady(postmaster: Postmaster, cluster: string, signal: AbortSignal): Promise<string | null> {
  const ended = postmaster.ended
  while (!signal.aborted) {
    const how = await Promise.race([ended, sleep(5, null)])
    if (how !== null) return how
    const status = await readPostmasterPid(cluster)
    // The file may still be that of the server before this one.
    if (status?.ready && status.pid === postmaster.child.pid) return null
  }
  return 'stopped'
}

function causeIn(log: string, otherwise: string): string {
  const lines = log.trim().split('\n')
  const fatal = lines.findLast((line) => /(?:FATAL|PANIC): {2}/.test(line))?.replace(/^.*?(?:FATAL|PANIC): {2}/, '')
  const last = lines.at(-1)
  return fatal ?? (last ? `${otherwise}: ${last}` : otherwise)
}
