/**
 * Import and export of users as lines of JSON: what `countersign users` does, with or without a running
 * server. Lines are read and checked here, one batch ahead of the one that the database is writing.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { UserLine } from '@countersign/contract/user-line.ts'
import { withStore } from './administration.ts'
import type { Configuration } from './configuration.ts'
import {
  analyzeUsers,
  type ImportedUser,
  type ImportProgress,
  importKey,
  importProgress,
  importUsers,
  type KeptProgress,
  type RefusedLine,
} from './domain/setup/user-import.ts'
import { getTenant } from './domain/tenants/tenants.ts'
import { exportedUsers, usersExported } from './domain/users/export.ts'
import { ApiError } from './kernel/api-error.ts'
import { systemCaller } from './kernel/caller.ts'
import { ConfigurationError } from './kernel/configuration.ts'
import { type StrictReader, strictReader } from './kernel/strict-schema.ts'
import { isRefused, readUserLine } from './management/user-line.ts'
import { perform } from './storage/unit-of-work.ts'
import { fingerprinted, type Line, type LineBatch, LONGEST_LINE, lineBatches, skipped } from './user-lines.ts'

export interface ImportRequest {
  readonly tenantId: string
  readonly input: AsyncIterable<Buffer>
  /** If an import of the same input was started before: refuse, continue it, or start over. */
  readonly mode: 'first' | 'resume' | 'again'
  readonly withEvents: boolean
  readonly allowUnknownKeys: boolean
  /** Stops before the next batch. */
  readonly signal: AbortSignal
  /** Called before the first batch, with the earlier progress, if any. */
  begin(before: ImportProgress | undefined): Promise<void>
  /** Called after each commit. */
  advance(progress: ImportProgress): Promise<void>
}

type Reader = StrictReader<typeof UserLine>

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

/** Throws ApiError for a line that is too long. */
const bytesOf = ({ number, bytes }: Line): Buffer => {
  if (bytes === undefined) throw new ApiError('request.body_too_large', { limit: LONGEST_LINE })
  const isMarked = number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK)
  return isMarked ? bytes.subarray(3) : bytes
}

interface Read extends Pick<LineBatch, 'through' | 'isLast'> {
  readonly users: readonly ImportedUser[]
  readonly refusals: readonly RefusedLine[]
}

/**
 * How many lines are read at once; then database responses get their turn, which would otherwise wait for the whole
 * batch.
 */
const AT_ONCE = 50
/** Enough to keep every thread that hashes passwords busy. */
const READERS = 4

const read = async ({ lines, ...position }: LineBatch, reader: Reader): Promise<Read> => {
  const users: ImportedUser[] = []
  const refusals: RefusedLine[] = []
  const waiting = lines[Symbol.iterator]()
  const work = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      const line = next.value
      if (line.number % AT_ONCE === 0) await turn()
      const user = await readUserLine(line.number, () => bytesOf(line), reader)
      if (isRefused(user)) refusals.push(user)
      else users.push(user)
    }
  }
  await Promise.all(Array.from({ length: READERS }, work))
  return { users: users.sort((a, b) => a.line - b.line), refusals, ...position }
}

/** Each batch read while the one before it is being written. */
async function* readAhead(batches: AsyncIterable<LineBatch>, reader: Reader): AsyncGenerator<Read> {
  const iterator = batches[Symbol.asyncIterator]()
  const next = async (): Promise<Read | undefined> => {
    const { value, done } = await iterator.next()
    return done ? undefined : read(value, reader)
  }
  let current = await next()
  while (current) {
    const following = next()
    // a failure is handled when its turn comes
    following.catch(() => undefined)
    yield current
    current = await following
  }
}

const NOTHING: ImportProgress = {
  bytes: 0,
  lines: 0,
  digest: '',
  created: 0,
  refused: 0,
  isFinished: false,
  recent: [],
}

const assertMode = (before: KeptProgress | undefined, mode: ImportRequest['mode']): void => {
  if (!before || mode !== 'first') return
  const { isFinished, lines } = before.progress
  throw new ConfigurationError(
    isFinished
      ? `This input was already imported, ${lines} lines; --resume imports what follows them, --again all of it again.`
      : `An import of this input stopped after line ${lines}; --resume continues there, --again starts from the first line.`,
  )
}

/** Imports users; returns the progress: to the end, unless the signal stopped it. */
export const importUserLines = (configuration: Configuration, request: ImportRequest): Promise<ImportProgress> =>
  withStore(configuration, async (store) => {
    const { mode, withEvents, signal } = request
    const tenant = await getTenant(store, request.tenantId)
    const { fingerprint, input } = await fingerprinted(request.input)
    const key = importKey(tenant, fingerprint)
    let kept = await importProgress(store, key)
    assertMode(kept, mode)
    const from = mode === 'resume' && kept ? kept.progress : { bytes: 0, lines: 0 }
    const rest =
      mode === 'resume' && kept ? await skipped(input, from.bytes, kept.progress.digest) : { input, hash: undefined }
    if (!rest)
      throw new ConfigurationError(
        'The input is not the one that the import was started with; --again imports it from the start.',
      )
    await request.begin(mode === 'resume' ? kept?.progress : undefined)
    const reader = strictReader(UserLine, { allowUnknown: request.allowUnknownKeys })
    const work = { store, tenant, caller: systemCaller('importUsers') }
    let progress = (mode === 'resume' ? kept?.progress : undefined) ?? NOTHING
    for await (const batch of readAhead(lineBatches(rest.input, from, rest.hash), reader)) {
      // the operator who stops this may also have stopped the program that writes the input, so its last line may be
      // incomplete
      if (signal.aborted) return { ...progress, isFinished: false }
      const isAgain = mode === 'again' && progress === NOTHING
      kept = await perform(work, importUsers, { key, before: kept, isAgain, ...batch, withEvents })
      progress = kept.progress
      await request.advance(progress)
    }
    await analyzeUsers(store)
    return progress
  })

/**
 * Passes the users of a tenant to `write`, many lines at a time.
 * @param withPasswordHashes includes hashes, from which passwords can be guessed
 */
export const exportUserLines = (
  configuration: Configuration,
  tenantId: string,
  withPasswordHashes: boolean,
  write: (lines: string) => Promise<void>,
): Promise<number> =>
  withStore(configuration, async (store) => {
    const tenant = await getTenant(store, tenantId)
    await perform({ store, tenant, caller: systemCaller('exportUsers') }, usersExported, withPasswordHashes)
    let count = 0
    for await (const users of exportedUsers(store, tenant, withPasswordHashes)) {
      count += users.length
      await write(users.map((user) => `${JSON.stringify(user)}\n`).join(''))
    }
    return count
  })
