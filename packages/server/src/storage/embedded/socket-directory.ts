/** Where the Unix-domain socket is: below DATA_DIR, or in a safe place when that path is too long. */
import { createHash } from 'node:crypto'
import { chmod, chown, lstat, mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedDatabaseError, reasonOf } from './embedded-database-error.ts'

/** The longest path of a Unix-domain socket in bytes, without the final NUL. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103
const socketName = '.s.PGSQL.5432'

/**
 * Makes the directory for the socket, mode 0700 and owned by the account PostgreSQL runs as (ours when null), and gives
 * its path: `run` in the data directory, or, where that would be too long for a socket, a directory under the system's
 * temporary one, named by a hash of the data directory's real path. Throws EmbeddedDatabaseError when
 * it cannot be made, or what is there is a link or another's.
 */
export async function prepareSocketDirectory(dataDir: string, account: Account | null): Promise<string> {
  const directory = socketDirectory(dataDir)
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const found = await lstat(directory)
    if (!found.isDirectory()) throw new Error('it is not a directory')
    const ours = [process.getuid?.(), account?.uid]
    if (!ours.includes(found.uid)) throw new Error('it belongs to another user')
    // Sticky /tmp lets no one but the owner and root replace it from here on.
    if (account) await chown(directory, account.uid, account.gid)
    await chmod(directory, 0o700)
    return directory
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The directory ${directory} for the database's socket cannot be used: ${reasonOf(error)}.`,
    )
  }
}

/** Removes the socket of a server that is gone, and its lock file. The caller must know that no PostgreSQL uses them. */
export async function removeStaleSocket(directory: string): Promise<void> {
  await rm(join(directory, socketName), { force: true })
  await rm(join(directory, `${socketName}.lock`), { force: true })
}

function socketDirectory(dataDir: string): string {
  const within = join(dataDir, 'run')
  if (Buffer.byteLength(join(within, socketName)) <= longestSocketPath) return within
  const name = `countersign-${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`
  const temporary = join(tmpdir(), name)
  return Buffer.byteLength(join(temporary, socketName)) <= longestSocketPath ? temporary : join('/tmp', name)
}
