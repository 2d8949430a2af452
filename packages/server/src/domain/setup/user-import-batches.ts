/** Imports that come batch by batch from a client that may send one again: which batch is the next, and which was imported before. */
import { createHash } from 'node:crypto'
import { ApiError } from '../../kernel/api-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { type ImportProgress, importKey, type KeptProgress } from './user-import.ts'

/** A batch as it was sent. */
export interface SentBatch {
  /** Which import, chosen by the caller. */
  readonly importId: string
  /** Counted from 1. */
  readonly firstLine: number
  readonly lines: readonly string[]
}

/** The key of the one import that a caller has at a time. */
export const importKeyOf = (tenant: Tenant, { actor }: Caller): string =>
  importKey(tenant, `by-${actor.type}-${actor.id ?? ''}`)

/** Identifies the batch of an import by what is in it. */
const digestOf = ({ importId, firstLine, lines }: SentBatch): string =>
  `${importId}:${firstLine}:${createHash('sha256').update(JSON.stringify(lines)).digest('base64url')}`

/** How far the import is after the batch. */
export const throughBatch = (batch: SentBatch): Pick<ImportProgress, 'bytes' | 'lines' | 'digest'> => ({
  bytes: 0,
  lines: batch.firstLine - 1 + batch.lines.length,
  digest: digestOf(batch),
})

/**
 * Whether the batch is the one that was imported last, which is not to be imported again. Throws 409 for one that neither follows the
 * last one nor begins an import.
 */
export const wasImported = (before: KeptProgress | undefined, batch: SentBatch): boolean => {
  if (before?.progress.digest === digestOf(batch)) return true
  if (batch.firstLine === 1) return false
  const { digest = '', lines = 0 } = before?.progress ?? {}
  const isSame = digest.startsWith(`${batch.importId}:`)
  if (isSame && lines === batch.firstLine - 1) return false
  throw new ApiError('user_import.not_the_next_batch', { line: isSame ? lines + 1 : 1 })
}
