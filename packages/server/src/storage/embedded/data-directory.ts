/** DATA_DIR itself: created, writable, and with a real path. */
import { access, chmod, chown, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedDatabaseError, errorCode, reasonOf } from './embedded-database-error.ts'

/**
 * Makes DATA_DIR usable: creates it, and its parents, when missing, and gives its real path (absolute, without symbolic
 * links), which is the one every other file here works with. Throws EmbeddedDatabaseError when it is not a directory or
 * cannot be written. A new one is for us alone, except that the account PostgreSQL runs as, when not our own, may pass
 * through it. The mode of an existing directory is left alone, as are its contents.
 */
export async function prepareDataDirectory(dataDir: string, account: Account | null): Promise<string> {
  try {
    await create(resolve(dataDir), account)
    const path = await realpath(dataDir)
    if (!(await stat(path)).isDirectory()) throw new Error('it is not a directory')
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK)
    return path
  } catch (error) {
    throw new EmbeddedDatabaseError(`The data directory ${dataDir} cannot be used: ${reasonOf(error)}.`)
  }
}

async function create(dataDir: string, account: Account | null): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true })
  try {
    await mkdir(dataDir, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return
    throw error
  }
  if (!account) return
  await chown(dataDir, process.getuid?.() ?? 0, account.gid)
  await chmod(dataDir, 0o710)
}
