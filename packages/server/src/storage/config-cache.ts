/**
 * The cache of configuration: applications and their secrets, resources, permissions of an application, signing keys,
 * tenants. Filled on demand, bounded, and invalidated by change notices (notices.ts), never by age. Rows of users,
 * sessions and grants are not configuration and are never cached.
 *
 * An entry names the things it was built from, its tags; a notice names the things that changed. The hard part is a
 * value that was read before a change and arrives after it: such a value is given to callers that asked before the
 * change, but neither cached nor given to later ones.
 */

export interface Loaded<T> {
  readonly value: T
  /** What the value was built from, such as `application:abc`. A change notice with one of these drops the entry. */
  readonly tags: readonly string[]
}

export interface ConfigCache {
  /**
   * The value under a key of a tenant, from memory or by loading it. Concurrent requests share one load. A load that
   * throws is not cached.
   */
  get<T>(tenantId: string, key: string, load: () => Promise<Loaded<T>>): Promise<T>
  /** The value if it is in memory; for hot paths that would rather not wait for a promise. */
  peek<T>(tenantId: string, key: string): T | undefined
  /**
   * Drops what was built from these things. The tag `*` drops everything of the tenant; the tenant `*` drops
   * everything.
   */
  drop(tenantId: string, tags: readonly string[]): void
  /** While notices cannot be received nothing is cached: every get loads. */
  setListening(listening: boolean): void
  readonly size: number
}

interface Entry {
  readonly value: unknown
  /** The same for `get`; built once, so that a hit allocates nothing. */
  readonly settled: Promise<unknown>
  readonly tags: readonly string[]
}

/** The tag that an entry of every tenant carries for `*`. */
const scoped = (tenantId: string, tag: string) => `${tenantId}\n${tag}`

/** @param capacity the most entries kept; the least recently used go first */
export const createConfigCache = (capacity: number): ConfigCache => {
  const entries = new Map<string, Entry>()
  const keysByTag = new Map<string, Set<string>>()
  const loading = new Map<string, Promise<unknown>>()
  /** What changed while loads were in progress; cleared when there are none. */
  let changed = new Map<string, number>()
  let changes = 0
  let underway = 0
  let listening = true

  const remove = (key: string) => {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    for (const tag of entry.tags) {
      const keys = keysByTag.get(tag)
      keys?.delete(key)
      if (keys?.size === 0) keysByTag.delete(tag)
    }
  }

  const keep = (key: string, entry: Entry) => {
    remove(key)
    entries.set(key, entry)
    for (const tag of entry.tags) {
      const keys = keysByTag.get(tag)
      if (keys) keys.add(key)
      else keysByTag.set(tag, new Set([key]))
    }
    if (entries.size > capacity) {
      const [oldest] = entries.keys()
      if (oldest !== undefined) remove(oldest)
    }
  }

  /** Moves a used entry to the end of the order. Only needed when the cache is full. */
  const used = (key: string, entry: Entry) => {
    if (entries.size < capacity) return
    entries.delete(key)
    entries.set(key, entry)
  }

  const load = async <T>(tenantId: string, key: string, read: () => Promise<Loaded<T>>): Promise<T> => {
    const startedAt = changes
    underway += 1
    try {
      const { value, tags } = await read()
      const all = [...tags.map((tag) => scoped(tenantId, tag)), scoped(tenantId, '*'), scoped('*', '*')]
      const stale = all.some((tag) => (changed.get(tag) ?? 0) > startedAt)
      if (listening && !stale) keep(key, { value, settled: Promise.resolve(value), tags: all })
      return value
    } finally {
      underway -= 1
      if (underway === 0) changed = new Map()
    }
  }

  return {
    get<T>(tenantId: string, name: string, read: () => Promise<Loaded<T>>): Promise<T> {
      const key = scoped(tenantId, name)
      const kept = entries.get(key)
      if (kept) {
        used(key, kept)
        return kept.settled as Promise<T>
      }
      const shared = loading.get(key)
      if (shared !== undefined) return shared as Promise<T>
      const promise = load(tenantId, key, read)
      loading.set(key, promise)
      const done = () => {
        if (loading.get(key) === promise) loading.delete(key)
      }
      promise.then(done, done)
      return promise
    },
    peek<T>(tenantId: string, name: string): T | undefined {
      const key = scoped(tenantId, name)
      const entry = entries.get(key)
      if (entry) used(key, entry)
      return entry?.value as T | undefined
    },
    drop(tenantId, tags) {
      changes += 1
      for (const tag of tags) {
        const name = scoped(tenantId, tag)
        if (underway > 0) changed.set(name, changes)
        for (const key of [...(keysByTag.get(name) ?? [])]) remove(key)
      }
      // later callers must not share a load that began before the change
      loading.clear()
    },
    setListening(value) {
      listening = value
      this.drop('*', ['*'])
    },
    get size() {
      return entries.size
    },
  }
}
