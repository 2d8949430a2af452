/** The account that PostgreSQL runs as: it refuses root, so a root process chooses another account for it. */
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Account } from './account.ts'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { capabilityToReach } from './reachable.ts'

const run = promisify(execFile)

/** How to start a program of PostgreSQL: as ourselves (account null), as another account, or through setpriv. */
export interface RunAs {
  readonly account: Account | null
  /** the command to spawn for a program and its arguments, and the options to spawn it with */
  command(program: string, args: readonly string[]): { file: string; args: string[]; options: Partial<Account> }
  /** something the operator should read in the log, once */
  readonly notice?: string
}

/**
 * Chooses the account PostgreSQL runs as: null for ourselves unless we are root, whom PostgreSQL refuses. A root process
 * takes the owner of an existing cluster, so that the choice stays what it was; else `postgres`, else a system user
 * `countersign` which it creates, else `nobody`. Throws EmbeddedDatabaseError when none exists.
 */
export async function chooseAccount(cluster: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const existing = await stat(cluster).catch(() => null)
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid }
  const account =
    (await lookUp('postgres')) ??
    (await lookUp('countersign')) ??
    (await createUser('countersign')) ??
    (await lookUp('nobody'))
  if (account) return account
  throw new EmbeddedDatabaseError(
    'The embedded PostgreSQL does not run as root, and there is no system account for it: create a user named ' +
      '"countersign", start Countersign as another user, or set DATABASE_URL.',
  )
}

/**
 * Decides how to run programs as the account: plainly, or, where it may not pass a directory on the way to the programs'
 * files or the data directory, through setpriv with the one capability that lets it. Throws EmbeddedDatabaseError when
 * that is needed and this is not Linux. The check reads owners and mode bits; it does not see ACLs.
 */
export async function runAs(account: Account | null, files: readonly string[], dataDir: string): Promise<RunAs> {
  if (!account) return { account, command: (file, args) => ({ file, args: [...args], options: {} }) }
  const needed = await capabilityToReach(account, files, dataDir)
  if (!needed) return { account, command: (file, args) => ({ file, args: [...args], options: { ...account } }) }
  const { capability, blockedBy } = needed
  if (process.platform !== 'linux') {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL does not run as root, and its account (uid ${account.uid}) cannot reach ${blockedBy}: ` +
        'choose another DATA_DIR, start Countersign as another user, or set DATABASE_URL.',
    )
  }
  const privileges = [
    ...[`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups'],
    // access(2), by which initdb looks for its programs, ignores capabilities of a process that is not root, unless told
    '--securebits=+no_setuid_fixup',
    ...[`--inh-caps=+${capability}`, `--ambient-caps=+${capability}`],
  ]
  return {
    account,
    command: (program, args) => ({ file: 'setpriv', args: [...privileges, '--', program, ...args], options: {} }),
    notice: `PostgreSQL runs with the capability ${capability}, because its account cannot reach ${blockedBy}`,
  }
}

async function lookUp(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (what) => Number((await run('id', [what, name])).stdout)),
    )
    return uid && gid && uid > 0 && gid > 0 ? { uid, gid } : null
  } catch {
    return null
  }
}

async function createUser(name: string): Promise<Account | null> {
  try {
    await run('useradd', ['--system', '--no-create-home', '--shell', '/usr/sbin/nologin', name])
  } catch {
    // no useradd, a read-only /etc, or another Countersign made the user in the meantime
  }
  return lookUp(name)
}
