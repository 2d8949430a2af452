/** Runs initdb, with what we decide about locale, checksums and local connections. */
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { reasonOf } from './embedded-database-error.ts'
import { programEnvironment } from './postmaster.ts'
import type { RunAs } from './run-as.ts'

/*
 * Local connections are trusted, without a password: the only way in is a socket in a directory of mode 0700, so
 * anyone who gets there is the owner of the cluster's files, or root, and could read the data anyway.
 *
 * The builtin provider's C.UTF-8 orders by code point and is the same on every machine and in every version, so an
 * index never depends on the machine's C library; it needs no locale of the system, and lower() still knows Unicode.
 */
const initdbOptions = [
  ...['--username=countersign', '--encoding=UTF8', '--data-checksums'],
  ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--text-search-config=simple'],
  ...['--auth-local=trust', '--auth-host=reject', '--no-instructions'],
]

/**
 * Makes a cluster in an empty directory that belongs to the account of `as`. `sync` false skips the wait for the disk.
 * Throws an Error with the cause alone, without a full stop, when it fails; the directory then holds a part of one.
 */
export async function initdb(program: string, directory: string, sync: boolean, as: RunAs): Promise<void> {
  const { file, args, options } = as.command(program, [
    ...initdbOptions,
    ...(sync ? [] : ['--no-sync']),
    '-D',
    directory,
  ])
  const child = spawn(file, args, {
    ...options,
    cwd: '/',
    env: programEnvironment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${file} could not be run: ${reasonOf(error)}`)))
    child.once('close', resolve)
  })
  const [code, output] = await Promise.all([exited, text(child.stderr)])
  if (code === 0) return
  const unknownUser = /could not look up effective user ID (\d+)/.exec(output)?.[1]
  if (unknownUser)
    throw new Error(`user id ${unknownUser} has no entry in /etc/passwd, which PostgreSQL needs; add one`)
  const cause = /(?:error|FATAL|PANIC): +([^\n]*)/.exec(output)?.[1] ?? output.trim().split('\n').at(-1)
  throw new Error(cause || `initdb ended with exit code ${code}`)
}
