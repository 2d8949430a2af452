/** Ownership of a data directory: one process at a time, by a kernel lock. */
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { EmbeddedDatabaseError, errorCode, reasonOf } from './embedded-database-error.ts'

/*
 * The owner of a data directory is the process that holds a kernel lock on the file `countersign.lock` in it. The
 * kernel gives the lock to one process and takes it back when that process ends, however it ends; so there is nothing
 * stale to detect, process ids play no part, and containers that share a volume see one another's lock.
 *
 * Node has no call for file locks, but its SQLite has: an empty database file, locked by an open exclusive transaction
 * that never writes. It also tells apart two owners within one process, which a bare POSIX lock would not.
 * (A POSIX lock is lost when its process closes any other descriptor of the file: nothing here opens it twice.)
 */

const lockFile = (dataDir: string): string => join(dataDir, 'countersign.lock')
const SQLITE_BUSY = 5

export interface DataDirectoryLock {
  /** releases the lock; a second call does nothing */
  release(): void
}

/**
 * Takes the lock of a data directory that exists. Throws EmbeddedDatabaseError when another owner has it, or the lock
 * file cannot be made. Waits 200 ms before it refuses, because isDataDirectoryInUse() holds a read lock for an instant.
 */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  let database: DatabaseSync | undefined
  try {
    await createPrivately(lockFile(dataDir))
    database = new DatabaseSync(lockFile(dataDir))
    for (let attempt = 1; !tryExclusive(database); attempt++) {
      if (attempt > 10) {
        throw new EmbeddedDatabaseError(
          `Another Countersign server is already using the data directory ${dataDir}. ` +
            'Stop it first, or set DATA_DIR to another directory.',
        )
      }
      await sleep(20)
    }
  } catch (error) {
    database?.close()
    if (error instanceof EmbeddedDatabaseError) throw error
    throw new EmbeddedDatabaseError(`The data directory ${dataDir} cannot be locked: ${reasonOf(error)}.`)
  }
  const held = database
  return {
    release: () => {
      if (held.isOpen) held.close()
    },
  }
}

/** Returns whether a process holds the lock. Creates nothing; a directory that does not exist is not in use. */
export async function isDataDirectoryInUse(dataDir: string): Promise<boolean> {
  const file = lockFile(dataDir)
  try {
    await stat(file)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false
    throw new EmbeddedDatabaseError(`The data directory ${dataDir} cannot be used: ${reasonOf(error)}.`)
  }
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    database.prepare('SELECT count(*) FROM sqlite_schema').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw new EmbeddedDatabaseError(`The lock file ${file} cannot be read: ${reasonOf(error)}.`)
  } finally {
    database?.close()
  }
}

async function createPrivately(file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close()
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

function tryExclusive(database: DatabaseSync): boolean {
  try {
    // Without the pragma SQLite would make a journal file beside it, to be able to undo what we never write.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
