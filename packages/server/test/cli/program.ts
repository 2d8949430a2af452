/** `countersign` on a database of its own, with a folder for its files: shared set-up of the tests of commands. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ClusterAddress, createDatabase, databaseUrl, withAdmin } from '@countersign/harness/cluster.ts'
import { connectClient } from '@countersign/server/storage/client.ts'
import type pg from 'pg'
import { type Ended, runHere } from './in-process.ts'

const program = fileURLToPath(new URL('../../bin/countersign.js', import.meta.url))

interface Running {
  readonly input: NodeJS.WritableStream
  kill(signal: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

interface RunOptions {
  readonly input?: string | Uint8Array
  readonly env?: NodeJS.ProcessEnv
}

export interface CommandLine {
  readonly folder: string
  /** Starts a command in a process of its own, in the folder. */
  start(args: readonly string[], env?: NodeJS.ProcessEnv): Running
  /** Runs a command in a process of its own to its end. @param input what it reads from standard input */
  spawned(args: readonly string[], options?: RunOptions): Promise<Ended>
  /** Runs a command to its end in this process, one at a time. @param input what it reads from standard input */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  file(name: string, text: string): Promise<string>
  read(name: string): Promise<string>
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  close(): Promise<void>
}

const environment = (url: string, folder: string) => ({
  PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
  DATABASE_URL: url,
  SECRET_KEY: Buffer.alloc(32, 3).toString('base64'),
  DATA_DIR: folder,
  BASE_URL: 'https://auth.example',
})

/** The name of a database that `countersign init` has filled. */
const initialized = async (cluster: ClusterAddress): Promise<string> => {
  const { name, url } = await createDatabase(cluster)
  const folder = await mkdtemp(join(tmpdir(), 'countersign-cli-'))
  const { status, err } = await runHere(['init'], { env: environment(url, folder), folder, input: '' })
  await rm(folder, { recursive: true })
  if (status !== 0) throw new Error(`countersign init has failed: ${err}`)
  return name
}

let template: Promise<string> | undefined
/** A copy of a database that is filled once in this process and deleted with the cluster. */
const initializedCopy = async (cluster: ClusterAddress) => {
  template ??= initialized(cluster)
  const name = `${await template}_${randomBytes(4).toString('hex')}`
  const run = (sql: string) => withAdmin(cluster, async (client) => void (await client.query(sql)))
  await run(`CREATE DATABASE ${name} TEMPLATE ${await template}`)
  return { url: databaseUrl(cluster, name), drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}

/** The program where `countersign init` has run: a database and a folder of its own. */
export const commandLine = async (cluster: ClusterAddress): Promise<CommandLine> => {
  const database = await initializedCopy(cluster)
  const folder = await mkdtemp(join(tmpdir(), 'countersign-cli-'))
  const client = await connectClient(database.url)
  const base = environment(database.url, folder)
  const underway = new Map<ChildProcess, Promise<Ended>>()
  const start: CommandLine['start'] = (args, env = {}) => {
    const child = spawn(program, [...args], { cwd: folder, env: { ...base, ...env }, stdio: 'pipe' })
    // it may end before it has read everything
    child.stdin.on('error', () => undefined)
    const said = { out: '', err: '' }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said.out += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said.err += text
    })
    const ended = once(child, 'close').then(([code, signal]) => {
      underway.delete(child)
      return { status: code ?? signal, ...said }
    })
    // a failure to start is reported to callers that wait for its end
    ended.catch(() => underway.delete(child))
    underway.set(child, ended)
    return { input: child.stdin, kill: (signal) => void child.kill(signal), ended }
  }
  const spawned: CommandLine['spawned'] = (args, { input = '', env } = {}) => {
    const running = start(args, env)
    running.input.end(input)
    return running.ended
  }
  let last: Promise<unknown> = Promise.resolve()
  const run: CommandLine['run'] = (args, { input = '', env = {} } = {}) => {
    const ended = last.then(() => runHere(args, { env: { ...base, ...env }, folder, input }))
    last = ended.catch(() => undefined)
    return ended
  }
  return {
    folder,
    start,
    spawned,
    run,
    async file(name, text) {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    },
    read: (name) => readFile(join(folder, name), 'utf8'),
    query: async (text, values) => (await client.query(text, values)).rows,
    async close() {
      // left behind by a failed test
      for (const child of underway.keys()) child.kill('SIGKILL')
      await Promise.allSettled(underway.values())
      await client.end()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The current state of everything that a declaration can change. */
export const declarable = async (cli: CommandLine): Promise<unknown> => {
  const tables = [
    'resources',
    'scopes',
    'roles',
    'roles_scopes',
    'applications',
    'application_secrets',
    'applications_roles',
  ]
  const more = ['organization_roles', 'organization_scopes', 'connectors', 'sign_in_experiences', 'outbox']
  const found: unknown[] = []
  for (const table of [...tables, ...more])
    found.push(await cli.query(`SELECT t::text AS row FROM ${table} t ORDER BY 1`))
  return found
}
