/**
 * Fetches the document of a client by the guarded outbound client (SECURITY R-31): by one request at a time for an address, without
 * following redirects, within five seconds and 5 KiB, and not again for half a minute if that failed, so that nobody can have this
 * server ask somebody else at will. What is in the document is not judged here.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { type Outbound, publicReason } from '../../kernel/outbound.ts'
import type { Store } from '../../storage/store.ts'

const TIMEOUT_MS = 5000
const MOST_BYTES = 5 * 1024
/** How soon an address is asked again that did not answer with a document. */
const AGAIN_MS = 30_000
const MOST_KEPT = 1000
/** For how long a document counts as current, in seconds: what its server says, within these bounds. */
const SHORTEST_LIFE = 300
const LONGEST_LIFE = 86_400
const USUAL_LIFE = 3600

/** Why there is no document, for the log and the developers of the client; it names no addresses that a name resolves to. */
export class NoDocument extends Error {
  /** The address did not answer, which may pass; otherwise it answered that there is none. */
  readonly isUnreachable: boolean
  constructor(reason: string, isUnreachable: boolean, options?: ErrorOptions) {
    super(reason, options)
    this.isUnreachable = isUnreachable
  }
}

export interface FetchedDocument {
  /** Undefined: it is the one with the tag that was sent. */
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly etag: string | null
  /** Seconds. */
  readonly lifetime: number
}

/** RFC 9111 section 5.2.2: `no-store` and `no-cache` ask for the shortest that there is. */
const lifetimeOf = ({ 'cache-control': said = '', age }: IncomingHttpHeaders): number => {
  if (/\bno-(store|cache)\b/i.test(said)) return SHORTEST_LIFE
  const [, seconds] = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(said) ?? []
  if (seconds === undefined) return USUAL_LIFE
  const left = Number(seconds) - (/^\d{1,9}$/.test(age ?? '') ? Number(age) : 0)
  return Math.min(Math.max(left, SHORTEST_LIFE), LONGEST_LIFE)
}

/** An entity tag that can be sent back (RFC 9110 section 8.8.3). */
const etagOf = ({ etag }: IncomingHttpHeaders): string | null =>
  etag !== undefined && /^(W\/)?"[\x21\x23-\x7e]{0,200}"$/.test(etag) ? etag : null

const isJson = ({ 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type.trim())

const objectIn = (body: Buffer): Readonly<Record<string, unknown>> => {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new NoDocument('it did not answer with JSON', false)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new NoDocument('it did not answer with a JSON object', false)
  return value as Readonly<Record<string, unknown>>
}

const ask = async (
  { outbound }: Pick<Store, 'outbound'>,
  url: string,
  known: string | null,
): Promise<FetchedDocument> => {
  const headers = { accept: 'application/json', ...(known === null ? {} : { 'if-none-match': known }) }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await outbound
    .send({ url, method: 'GET', headers, signal, mostBytes: MOST_BYTES })
    .catch((error: unknown) => {
      throw new NoDocument(publicReason(error), true, { cause: error })
    })
  const lifetime = lifetimeOf(answer.headers)
  if (answer.status === 304 && known !== null) return { metadata: undefined, etag: known, lifetime }
  if (answer.status !== 200)
    throw new NoDocument(`it answered ${answer.status}`, answer.status >= 500 || answer.status === 429)
  if (answer.isCut) throw new NoDocument(`it is larger than ${MOST_BYTES} bytes`, false)
  if (!isJson(answer.headers)) throw new NoDocument('it is not of the type application/json', false)
  return { metadata: objectIn(answer.body), etag: etagOf(answer.headers), lifetime }
}

interface Entry {
  /** The request that is under way. */
  asking?: Promise<FetchedDocument>
  failure?: { readonly error: unknown; readonly at: number }
}

/** By the client that asks, of which a process has one. */
const entries = new WeakMap<Pick<Outbound, 'send'>, Map<string, Entry>>()

const entriesOf = ({ outbound }: Pick<Store, 'outbound'>): Map<string, Entry> => {
  const known = entries.get(outbound) ?? new Map<string, Entry>()
  entries.set(outbound, known)
  return known
}

/**
 * The document at an address. Throws NoDocument; what `admit` throws.
 * @param known the tag of the document that is known @param admit called before a request is sent, to count it
 */
export const fetchDocument = async (
  store: Pick<Store, 'outbound' | 'clock'>,
  url: string,
  known: string | null,
  admit: () => void,
): Promise<FetchedDocument> => {
  const all = entriesOf(store)
  // another tenant knows another document, or none
  const key = `${known ?? ''} ${url}`
  const entry = all.get(key)
  if (entry?.asking !== undefined) return entry.asking
  const now = store.clock.now().getTime()
  if (entry?.failure && now - entry.failure.at < AGAIN_MS) throw entry.failure.error
  admit()
  const asking = ask(store, url, known)
  all.delete(key)
  all.set(key, { asking })
  const [oldest] = all.keys()
  if (all.size > MOST_KEPT && oldest !== undefined) all.delete(oldest)
  try {
    const document = await asking
    all.delete(key)
    return document
  } catch (error) {
    all.set(key, { failure: { error, at: store.clock.now().getTime() } })
    throw error
  }
}
