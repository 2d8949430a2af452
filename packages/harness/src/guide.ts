/**
 * Follows the guides of docs/guides as a person does: types the commands as printed into a shell of one installation.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestServer } from './server.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const END = '== end of the block\n'

/** A guide, and the shell of the person who follows it. */
export type Guide = {
  /** The whole page, with the server's address in place of the printed one. */
  readonly text: string
  /** Its blocks of commands, from the first. */
  readonly blocks: readonly string[]
  /** The output of the next block. Rejects with the output, including errors, when one of its commands fails. */
  next(): Promise<string>
  /** The output of each remaining block. */
  all(): Promise<string[]>
  /** The output of other commands in the same shell. */
  type(commands: string): Promise<string>
  /** Ends the shell with everything that it started. */
  close(): Promise<void>
}

/** A server and its repository root, as far as guides use them. */
export type Installation = {
  readonly server: TestServer
  /** The folder of the shells: it has the `data` and the `node_modules` of a repository. */
  readonly directory: string
  /**
   * Opens a guide in a shell of its own.
   * @param name of its file, without `.md`
   * @param replaced further differences from the page, as [printed, typed]: ports that must be free
   */
  open(name: string, replaced?: readonly (readonly [string, string])[]): Promise<Guide>
  /** Files that the repository does not ignore: none, as long as guides write only to `data`. */
  strayFiles(): Promise<string[]>
  close(): Promise<void>
}

/** Creates an installation around a server, which the caller still has to close. */
export const openInstallation = async (server: TestServer): Promise<Installation> => {
  const directory = await mkdtemp(join(tmpdir(), 'countersign-guide-'))
  await mkdir(join(directory, 'data'))
  await writeFile(join(directory, 'data/management.json'), JSON.stringify(server.credentials))
  // what `npm install` puts into the root of the repository
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
  return {
    server,
    directory,
    open: (name, replaced = []) => openGuide(name, server, directory, replaced),
    strayFiles: async () => (await readdir(directory)).filter((file) => file !== 'data' && file !== 'node_modules'),
    close: () => rm(directory, { recursive: true, force: true }),
  }
}

const openGuide = async (
  name: string,
  server: TestServer,
  directory: string,
  replaced: readonly (readonly [string, string])[],
): Promise<Guide> => {
  const page = await readFile(join(root, `docs/guides/${name}.md`), 'utf8')
  const text = [['http://localhost:3001', server.baseUrl] as const, ...replaced].reduce(
    (all, [printed, typed]) => all.replaceAll(printed, typed),
    page,
  )
  const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  const shell = spawn('bash', ['-e'], {
    cwd: directory,
    // the Node that runs the tests; and the database, which the command line would otherwise look for in `data`
    env: { ...process.env, ...server.environment, PATH: `${dirname(process.execPath)}:${process.env.PATH}` },
    stdio: ['pipe', 'pipe', 'pipe'],
    // the shell and everything it starts are a process group, which ends with it
    detached: true,
  })
  let printed = ''
  let complaints = ''
  let settle: { resolve(printed: string): void; reject(error: Error): void } | undefined
  /** Why no more commands are typed. */
  let failure: Error | undefined
  shell.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text
  })
  shell.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
    const end = printed.indexOf(END)
    if (end >= 0) settle?.resolve(printed.slice(0, end))
  })
  // a shell whose command failed reads no further input
  shell.stdin.on('error', () => undefined)
  const killGroup = () => {
    if (shell.pid === undefined) return
    try {
      process.kill(-shell.pid, 'SIGKILL')
    } catch {
      // the process group has already ended
    }
  }
  // programs that it started keep its output open until the last of them ends
  shell.on('exit', killGroup)
  const ended = once(shell, 'close')
    .then(
      () => new Error(`a command of ${name}.md failed; before it: ${printed}\nerrors: ${complaints}`),
      (error: Error) => error,
    )
    .then((error) => {
      failure = error
      settle?.reject(error)
    })
  const type = (commands: string): Promise<string> =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure)
      printed = ''
      settle = { resolve, reject }
      shell.stdin.write(`${commands}\necho '${END.trim()}'\n`)
    })
  const waiting = [...blocks]
  const next = () => type(waiting.shift() ?? '')
  return {
    text,
    blocks,
    type,
    next,
    all: async () => {
      const answers: string[] = []
      while (waiting.length > 0) answers.push(await next())
      return answers
    },
    close: async () => {
      killGroup()
      await ended
    },
  }
}
