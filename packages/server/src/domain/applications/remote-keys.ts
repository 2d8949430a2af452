/**
 * The keys that an application publishes at an address (`jwksUri`, RFC 7591 section 2), fetched by the guarded outbound client (SECURITY
 * Kept in memory by address, of those that were used last: an address is asked by one request at a time, and again for a key
 * that is not known only after a while, so that nobody can have this server ask somebody else at will.
 */
import type { JWK } from 'jose'
import { type Outbound, publicReason } from '../../kernel/outbound.ts'
import type { Store } from '../../storage/store.ts'
import { isPublicKey } from './client-keys.ts'

/** How long keys count as current. */
const FRESH_MS = 300_000
/** How long they are used while the address does not answer. */
const STALE_MS = 3_600_000
/** How soon an address is asked again, for a key that it did not have or because it did not answer. */
const AGAIN_MS = 30_000
const TIMEOUT_MS = 5000
const MOST_KEYS = 20
const MOST_KEPT = 1000

/** Why the keys of an application are not known, for its operator; it names no addresses that a name resolves to. */
export class KeysUnavailable extends Error {}

interface Entry {
  keys: readonly JWK[]
  /** When `keys` were fetched. */
  fetchedAt: number
  /** When the address was asked last, with or without success. */
  askedAt: number
  /** Of the last request, if it had no success. */
  failure: KeysUnavailable | undefined
  /** The request that is under way. */
  asking: Promise<void> | undefined
}

type Load = () => Promise<readonly JWK[]>

/** By the client that asks, of which a process has one. */
const caches = new WeakMap<Pick<Outbound, 'send'>, Map<string, Entry>>()

const entryOf = ({ outbound }: Pick<Store, 'outbound'>, name: string): Entry => {
  const cache = caches.get(outbound) ?? new Map<string, Entry>()
  caches.set(outbound, cache)
  const never = Number.NEGATIVE_INFINITY
  const entry = cache.get(name) ?? { keys: [], fetchedAt: never, askedAt: never, failure: undefined, asking: undefined }
  cache.delete(name)
  cache.set(name, entry)
  const [oldest] = cache.keys()
  if (cache.size > MOST_KEPT && oldest !== undefined) cache.delete(oldest)
  return entry
}

/** The keys in a document: public ones, and no more than an application may have. Throws KeysUnavailable. */
const keysIn = (document: unknown): readonly JWK[] => {
  const keys = typeof document === 'object' && document !== null && 'keys' in document ? document.keys : undefined
  if (!Array.isArray(keys)) throw new KeysUnavailable('it did not answer with a JWK Set')
  return keys.filter(isPublicKey).slice(0, MOST_KEYS)
}

/** The document at an address, of at most 64 KiB and within five seconds. Throws KeysUnavailable. */
export const fetchJson = async ({ outbound }: Pick<Store, 'outbound'>, url: string): Promise<unknown> => {
  const headers = { accept: 'application/jwk-set+json, application/json' }
  const answer = await outbound
    .send({ url, method: 'GET', headers, signal: AbortSignal.timeout(TIMEOUT_MS) })
    .catch((error: unknown) => {
      throw new KeysUnavailable(publicReason(error), { cause: error })
    })
  if (answer.status !== 200) throw new KeysUnavailable(`it answered ${answer.status}`)
  if (answer.isCut) throw new KeysUnavailable('its answer is too large')
  try {
    return JSON.parse(answer.body.toString())
  } catch {
    throw new KeysUnavailable('it did not answer with JSON')
  }
}

/** The key set at an address, asked now. Throws KeysUnavailable. */
export const fetchKeys = async (store: Pick<Store, 'outbound'>, url: string): Promise<readonly JWK[]> =>
  keysIn(await fetchJson(store, url))

/** Asks the address; those who come meanwhile wait for the same answer. Never throws: a failure is kept in the entry. */
const ask = (store: Pick<Store, 'clock'>, entry: Entry, load: Load): Promise<void> => {
  entry.asking ??= load()
    .then(
      (keys) => {
        const now = store.clock.now().getTime()
        Object.assign(entry, { keys, fetchedAt: now, askedAt: now, failure: undefined })
      },
      (error: unknown) => {
        const failure = error instanceof KeysUnavailable ? error : new KeysUnavailable('unexpected', { cause: error })
        Object.assign(entry, { failure, askedAt: store.clock.now().getTime() })
      },
    )
    .finally(() => {
      entry.asking = undefined
    })
  return entry.asking
}

/**
 * The keys that are kept under a name, or fetched. Throws KeysUnavailable where they could not be fetched within the last hour.
 * @param name an address, or another text that is none
 * @param isEnough whether what is known will do: if not, they are fetched again, at most every half minute
 * @param load throws KeysUnavailable
 */
export const keysFrom = async (
  store: Pick<Store, 'outbound' | 'clock'>,
  name: string,
  isEnough: (keys: readonly JWK[]) => boolean,
  load: Load,
): Promise<readonly JWK[]> => {
  const entry = entryOf(store, name)
  const now = store.clock.now().getTime()
  const isFresh = now - entry.fetchedAt < FRESH_MS && isEnough(entry.keys)
  if (!isFresh && (entry.asking || now - entry.askedAt >= AGAIN_MS)) await ask(store, entry, load)
  if (store.clock.now().getTime() - entry.fetchedAt < STALE_MS) return entry.keys
  throw entry.failure ?? new KeysUnavailable('it was not asked yet')
}

/** The keys at an address, as keysFrom keeps them. */
export const remoteKeys = (
  store: Pick<Store, 'outbound' | 'clock'>,
  url: string,
  isEnough: (keys: readonly JWK[]) => boolean,
): Promise<readonly JWK[]> => keysFrom(store, url, isEnough, () => fetchKeys(store, url))
