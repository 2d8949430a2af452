/** The PostgreSQL process: how it is started, with which settings, and how it is ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunAs } from './run-as.ts'

export type Log = (message: string, fields?: Record<string, unknown>) => void

export interface EmbeddedConnection {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  /** said explicitly, because `pg` would otherwise obey a PGSSLMODE in the operator's environment */
  readonly ssl: false
}

/** Where the cluster (PGDATA) lies in a data directory. */
export const clusterDirectory = (dataDir: string): string => join(dataDir, 'postgres')

/** The whole environment of PostgreSQL's programs: no secrets, no PG… variable, no locale of the operator. */
export const programEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env.PATH ?? '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

/**
 * Settings given on the command line, so that a new version of Countersign brings its own to every cluster. The one
 * tenant of the server is our pool: no helper processes that short statements never use, and no SQL or row in the log
 * (errors of statements go to the client, which is us; `terse` leaves out the values of the row).
 */
export const serverSettings: Readonly<Record<string, string>> = {
  max_connections: '120',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  io_method: 'sync',
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

export interface Launch {
  readonly binary: string
  readonly dataDir: string
  readonly as: RunAs
  readonly connection: EmbeddedConnection
  readonly settings: Readonly<Record<string, string>>
  /** a process id in `postmaster.pid` known to be no PostgreSQL of ours */
  readonly stalePid: number | null
}

export interface Postmaster {
  readonly child: ChildProcess
  /** resolves, never rejects, when the process has ended, with a few words on how */
  readonly ended: Promise<string>
  /** what it wrote to the log since it was started */
  readLog(): Promise<string>
}

const logFile = (dataDir: string): string => join(dataDir, 'postgres.log')
const largestLog = 10 * 1024 * 1024

/**
 * Starts a PostgreSQL server and returns at once, without waiting for it. It gets a process group of its own, so that
 * Ctrl-C reaches only us and we stop it in order, and writes to a file, not a pipe, so that it survives our death.
 * Throws when the log file cannot be opened; a program that cannot be started shows in `ended`.
 */
export async function launch(options: Launch): Promise<Postmaster> {
  const file = logFile(options.dataDir)
  if (((await stat(file).catch(() => null))?.size ?? 0) > largestLog) await rename(file, `${file}.1`)
  const output = await open(file, 'a', 0o600)
  const before = (await output.stat()).size
  const { connection } = options
  const required = {
    listen_addresses: '',
    unix_socket_directories: `"${connection.host.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(connection.port),
  }
  const settings = Object.entries({ ...options.settings, ...required }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const command = options.as.command(options.binary, ['-D', clusterDirectory(options.dataDir), ...settings])
  const child = spawn(command.file, command.args, {
    ...command.options,
    cwd: '/',
    // PostgreSQL refuses to start while the process named in a leftover postmaster.pid exists, but excepts its own
    // ancestors, of which this variable (meant for pg_ctl) names one. It still checks the shared memory of that server.
    env: { ...programEnvironment, ...(options.stalePid && { PG_GRANDPARENT_PID: String(options.stalePid) }) },
    detached: true,
    stdio: ['ignore', output.fd, output.fd],
  })
  const ended = new Promise<string>((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `ended by ${signal}` : `ended with exit code ${code}`))
  })
  await output.close()
  return { child, ended, readLog: () => readFrom(file, before) }
}

/**
 * Ends a server: fast shutdown (open transactions are rolled back); after 10 seconds immediate shutdown (it will recover
 * from the WAL); after 5 more it is killed. Resolves when the process has ended, at once if it already has.
 */
export async function endPostmaster({ child, ended }: Postmaster): Promise<void> {
  const gone = new AbortController()
  void ended.then(() => gone.abort())
  for (const [signal, wait] of [
    ['SIGINT', 10_000],
    ['SIGQUIT', 5_000],
    ['SIGKILL', 5_000],
  ] as const) {
    child.kill(signal)
    await sleep(wait, undefined, { signal: gone.signal }).catch(() => {})
    if (gone.signal.aborted) return
  }
}

async function readFrom(file: string, position: number): Promise<string> {
  const handle = await open(file, 'r')
  try {
    const buffer = Buffer.alloc(64 * 1024)
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
