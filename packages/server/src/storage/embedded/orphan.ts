/** A PostgreSQL whose Countersign is gone: recognised, and stopped. */
import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import type { Log } from './postmaster.ts'
import { readPostmasterPid } from './postmaster-pid.ts'

const run = promisify(execFile)

/**
 * Stops a PostgreSQL that still runs on the cluster although its Countersign is gone, and waits until it has ended. The
 * caller must hold the data directory's lock: that is what makes it an orphan. Gives the process id in a leftover
 * `postmaster.pid`, which PostgreSQL must be told to disregard (postmaster.ts), or null. Throws EmbeddedDatabaseError when
 * a PostgreSQL answers there which is not a process we see, as in another container on the same volume.
 */
export async function stopOrphan(cluster: string, log: Log): Promise<number | null> {
  const left = await readPostmasterPid(cluster)
  if (left === null) return null
  if (left === undefined) {
    // Cut short by a crash of the machine. PostgreSQL would not start on it, and asks that it be removed.
    await rm(join(cluster, 'postmaster.pid'))
    return null
  }
  if (await isPostmaster(left.pid, cluster)) {
    log('stopping the PostgreSQL of a Countersign that is gone', { pid: left.pid })
    await stopProcess(left.pid, cluster)
    return (await readPostmasterPid(cluster))?.pid ?? null
  }
  if (left.socketDirectory && (await answers(join(left.socketDirectory, `.s.PGSQL.${left.port}`)))) {
    throw new EmbeddedDatabaseError(
      `A PostgreSQL that cannot be seen from here (process ${left.pid}, perhaps in another container) is using ${cluster}. ` +
        'Stop it first.',
    )
  }
  return left.pid
}

async function stopProcess(pid: number, cluster: string): Promise<void> {
  for (const [signal, wait] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    try {
      process.kill(pid, signal)
    } catch {
      // ended in this instant, or not ours to stop: the loop tells
    }
    const deadline = performance.now() + wait
    while (performance.now() < deadline) {
      if (!(await isPostmaster(pid, cluster))) return
      await sleep(10)
    }
  }
  throw new EmbeddedDatabaseError(
    `A PostgreSQL left behind on ${cluster} (process ${pid}) could not be stopped: stop it first.`,
  )
}

/**
 * Whether the process is a PostgreSQL server on this cluster: its command line says so. A process id alone proves nothing,
 * since ids are used again, and in a container start from 1. A zombie has no command line and does not count.
 */
async function isPostmaster(pid: number, cluster: string): Promise<boolean> {
  const commandLine =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').then(
          (line) => line.replaceAll('\0', ' '),
          () => '',
        )
      : await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).then(
          (result) => result.stdout,
          () => '',
        )
  return commandLine.includes(`postgres -D ${cluster} `)
}

function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
