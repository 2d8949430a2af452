/** Reads postmaster.pid, what PostgreSQL leaves on disk about itself. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from './embedded-database-error.ts'

/** What PostgreSQL says of itself in `postmaster.pid`, a file that outlives it when it is killed. */
export interface PostmasterPid {
  readonly pid: number
  readonly port: number
  /** the first directory with a socket; empty while it starts */
  readonly socketDirectory: string
  /** it accepts connections */
  readonly ready: boolean
}

/**
 * Reads `postmaster.pid` of a cluster. Gives null when there is none, and undefined when its first line is not a process
 * id, as a crash of the machine can leave it. Does not check that the process lives.
 */
export async function readPostmasterPid(cluster: string): Promise<PostmasterPid | null | undefined> {
  let text: string
  try {
    text = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null
    throw error
  }
  // pid, data directory, start time, port, socket directory, listen address, shared memory key, status
  const lines = text.split('\n').map((line) => line.trim())
  const pid = Number(lines[0])
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), socketDirectory: lines[4] ?? '', ready: lines[7] === 'ready' }
}
