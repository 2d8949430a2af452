/** Shared set-up of the tests of the embedded PostgreSQL: directories, owner processes, and their clean-up. */

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { withClient } from '@countersign/server/storage/client.ts'
import type { QueryResultRow } from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/storage/embedded/embedded.ts'
import type { EmbeddedConnection } from '../../src/storage/embedded/postmaster.ts'

const directories: string[] = []
const owners: Owner[] = []
const servers: EmbeddedPostgres[] = []

/** A new directory (mode 0700, as mkdtemp makes it, unless told otherwise) that is removed after the test. */
export async function temporaryDirectory(mode = 0o700): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'cs-embedded-')))
  directories.push(directory)
  await chmod(directory, mode)
  return directory
}

/**
 * Starts an embedded PostgreSQL in this process, without fsync, and stops it after the test. `logged` receives its
 * messages.
 */
export async function start(dataDir: string, logged: string[] = []): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { fsync: 'off' },
    log: (message, fields) => logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
  })
  servers.push(postgres)
  return postgres
}

export interface Owner {
  readonly process: ChildProcess
  /** every line it printed so far */
  readonly said: { connection?: EmbeddedConnection; error?: string; log?: string }[]
  /** the connection, or the refusal */
  readonly result: Promise<{ connection?: EmbeddedConnection; error?: string }>
  readonly exited: Promise<void>
}

/** Starts embedded-owner.ts, optionally as another user, and kills it after the test. */
export function startOwner(dataDir: string, account: { uid?: number; gid?: number } = {}): Owner {
  const script = fileURLToPath(new URL('embedded-owner.ts', import.meta.url))
  const child = spawn(process.execPath, [script, dataDir], { ...account, stdio: ['pipe', 'pipe', 'inherit'] })
  // it may be killed before it has read everything
  child.stdin.on('error', () => {})
  const said: Owner['said'] = []
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const result = new Promise<Owner['said'][number]>((resolve, reject) => {
    child.on('error', reject)
    const lines = createInterface(child.stdout)
    lines.on('line', (line) => {
      const message = messageOf(line)
      said.push(message)
      if (message.connection || message.error) resolve(message)
    })
    // not when the process has ended: its last output may arrive after that
    lines.on('close', () => reject(new Error('the owner process ended without a result')))
  })
  result.catch(() => {})
  const owner = { process: child, said, result, exited }
  owners.push(owner)
  return owner
}

/** The content of a line; undefined for a line that was cut by a kill. */
function messageOf(line: string): Owner['said'][number] {
  try {
    return JSON.parse(line)
  } catch {
    return { log: line }
  }
}

/** Starts an owner that must succeed. */
export async function startedOwner(dataDir: string): Promise<Owner & { readonly connection: EmbeddedConnection }> {
  const owner = startOwner(dataDir)
  const { connection, error } = await owner.result
  if (!connection) throw new Error(error)
  return { ...owner, connection }
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends QueryResultRow>(connection: EmbeddedConnection, sql: string): Promise<Row[]> {
  return withClient({ ...connection }, async (client) => (await client.query<Row>(sql)).rows)
}

/**
 * Waits until the condition returns a truthy value, and returns it; fails after a minute, because the machine may be
 * busy.
 */
export async function until<T>(what: string, condition: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const value = await condition()
    if (value) return value
    if (performance.now() > deadline) throw new Error(`still waiting: ${what}`)
    await sleep(10)
  }
}

/** The process id of the PostgreSQL on a data directory, or null when none is alive. */
export async function postmasterOf(dataDir: string): Promise<number | null> {
  const pid = Number(
    (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0],
  )
  return pid && isAlive(pid) ? pid : null
}

/** Whether the process exists and is not a zombie, which a container may lack an init process to reap. */
export function isAlive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()
  return state !== '' && !state.startsWith('Z')
}

/** Ends every server and process that the test started, whatever their state, and removes their directories. */
export async function endWorld(): Promise<void> {
  const stopped = await Promise.allSettled(servers.splice(0).map((server) => server.stop()))
  for (const owner of owners.splice(0)) {
    owner.process.kill('SIGKILL')
    await owner.exited
  }
  for (const directory of directories.splice(0)) {
    for (const file of await postmasterPids(directory)) {
      const pid = Number((await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
      const commandLine = pid ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '') : ''
      if (commandLine.includes(directory)) end(pid)
    }
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  for (const each of stopped) if (each.status === 'rejected') throw each.reason
}

/** The files of that name in a directory and below it; the tested process may remove some meanwhile. */
async function postmasterPids(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  const found = entries.map(async (entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return postmasterPids(path)
    return entry.name === 'postmaster.pid' ? [path] : []
  })
  return (await Promise.all(found)).flat()
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGQUIT')
  } catch {
    // it has ended by itself
  }
}
