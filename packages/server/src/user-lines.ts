/**
 * The input of an import as batches of lines, with constant memory: how far each batch reaches, and the digest of everything
 * up to there, so that a resumed import can tell whether this is the input that it was started with.
 */
import { createHash, type Hash } from 'node:crypto'

export interface Line {
  readonly number: number
  /** Undefined: longer than a line may be. */
  readonly bytes: Buffer | undefined
}

export interface LineBatch {
  readonly lines: readonly Line[]
  readonly isLast: boolean
  readonly through: { readonly bytes: number; readonly lines: number; readonly digest: string }
}

/** As a body of the Management API (DECISIONS M). */
export const LONGEST_LINE = 1024 * 1024
const FINGERPRINTED = 64 * 1024
/**
 * A batch is full when its lines have this weight, which bounds what a transaction writes and what has to be redone
 * after a crash.
 */
const FULL = 1000
/** A plaintext password has to be hashed, which takes as long as inserting a hundred users. */
const WEIGHT_OF_PASSWORD = 20
const WEIGHT_OF_KIB = 0.25

const NEWLINE = 0x0a

/** Identifies inputs by their beginning. The input is returned whole, because it can be a pipe. */
export const fingerprinted = async (
  input: AsyncIterable<Buffer>,
): Promise<{ fingerprint: string; input: AsyncIterable<Buffer> }> => {
  const chunks = input[Symbol.asyncIterator]()
  const head: Buffer[] = []
  for (let length = 0; length < FINGERPRINTED; ) {
    const { value, done } = await chunks.next()
    if (done) break
    head.push(value)
    length += value.length
  }
  async function* whole() {
    yield* head.splice(0)
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  const beginning = Buffer.concat(head).subarray(0, FINGERPRINTED)
  return { fingerprint: createHash('sha256').update(beginning).digest('base64url'), input: whole() }
}

/** Skips what was read before. Undefined when the input is shorter or begins differently. */
export const skipped = async (
  input: AsyncIterable<Buffer>,
  bytes: number,
  digest: string,
): Promise<{ input: AsyncIterable<Buffer>; hash: Hash } | undefined> => {
  const hash = createHash('sha256')
  const chunks = input[Symbol.asyncIterator]()
  let left = bytes
  let rest: Buffer = Buffer.alloc(0)
  while (left > 0) {
    const { value, done } = await chunks.next()
    if (done) return undefined
    hash.update(value.subarray(0, left))
    rest = value.subarray(left)
    left -= Math.min(left, value.length)
  }
  if (hash.copy().digest('base64url') !== digest) return undefined
  async function* remaining() {
    if (rest.length > 0) yield rest
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
  }
  return { input: remaining(), hash }
}

const weightOf = (bytes: Buffer | undefined): number =>
  bytes === undefined
    ? 1
    : 1 + (bytes.length / 1024) * WEIGHT_OF_KIB + (bytes.includes('"password"') ? WEIGHT_OF_PASSWORD : 0)

/**
 * The lines of the input in batches, the last of which may be empty. Blank lines are counted and left out; a line that is too long is not kept in memory.
 * @param from how far the input was already read
 * @param hash of the part already read
 */
export async function* lineBatches(
  input: AsyncIterable<Buffer>,
  from: { readonly bytes: number; readonly lines: number },
  hash: Hash = createHash('sha256'),
): AsyncGenerator<LineBatch> {
  let { bytes, lines: number } = from
  let batch: Line[] = []
  let weight = 0
  let pending: Buffer[] = []
  let pendingLength = 0

  const endLine = () => {
    number += 1
    const isTooLong = pendingLength > LONGEST_LINE
    const line = isTooLong ? undefined : pending.length === 1 ? pending[0] : Buffer.concat(pending)
    pending = []
    pendingLength = 0
    if (line?.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)) return
    batch.push({ number, bytes: line })
    weight += weightOf(line)
  }
  const closed = (isLast: boolean): LineBatch => {
    const done = { lines: batch, isLast, through: { bytes, lines: number, digest: hash.copy().digest('base64url') } }
    batch = []
    weight = 0
    return done
  }

  for await (const chunk of input) {
    let start = 0
    let hashed = 0
    while (start < chunk.length) {
      const end = chunk.indexOf(NEWLINE, start)
      const piece = chunk.subarray(start, end < 0 ? chunk.length : end)
      pendingLength += piece.length
      if (pendingLength <= LONGEST_LINE) pending.push(piece)
      else pending = []
      if (end < 0) break
      start = end + 1
      endLine()
      if (weight < FULL) continue
      hash.update(chunk.subarray(hashed, start))
      bytes += start - hashed
      hashed = start
      yield closed(false)
    }
    hash.update(chunk.subarray(hashed))
    bytes += chunk.length - hashed
  }
  if (pendingLength > 0) endLine()
  yield closed(true)
}
