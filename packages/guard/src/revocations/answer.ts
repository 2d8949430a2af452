// Reading an answer of the feed: bounded, and believed only in its exact form.

import { DIGEST_BYTES } from './digests.ts'

/** One thing that ended. */
interface Revocation {
  readonly digest: Buffer
  /** Numeric date after which no such token is alive. */
  readonly expiry: number
  /** Numeric date of the last tokens that are meant; undefined: all are. */
  readonly issuedUntil: number | undefined
}

export interface Page {
  readonly revocations: readonly Revocation[]
  readonly cursor: string
  readonly hasMore: boolean
}

const MOST_BYTES = 4 * 1024 * 1024
const MOST_ENTRIES = 20_000
const LATEST = 0xffff_fffe

/** The text of a response. Throws when it is longer than any answer, before more of it is read. */
async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength
    if (length > MOST_BYTES) throw new Error(`the answer is longer than ${MOST_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
}

const isTime = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) > 0 && Number(value) <= LATEST

function toRevocation(entry: unknown): Revocation {
  const { id, exp, iat } = (entry ?? {}) as Record<string, unknown>
  const digest = typeof id === 'string' && id.length === 16 ? Buffer.from(id, 'base64url') : undefined
  if (digest?.length !== DIGEST_BYTES || !isTime(exp) || (iat !== undefined && !isTime(iat)))
    throw new Error('an entry of the answer is malformed')
  return { digest, expiry: exp, issuedUntil: iat }
}

/** The page in a response. Throws for any other response, with what is wrong with it. */
export async function pageIn(response: Response): Promise<Page> {
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`the feed answered ${response.status}`)
  }
  const answer: unknown = JSON.parse(await boundedText(response))
  const { revocations, cursor, has_more: hasMore } = (answer ?? {}) as Record<string, unknown>
  const isPage = Array.isArray(revocations) && revocations.length <= MOST_ENTRIES && typeof hasMore === 'boolean'
  if (!isPage || typeof cursor !== 'string' || cursor === '' || cursor.length > 512)
    throw new Error('the answer is not one of a revocation feed')
  return { revocations: revocations.map(toRevocation), cursor, hasMore }
}
