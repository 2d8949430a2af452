/** The store as a transaction sees it: for what reads by a store and has to see what the transaction has locked and written. */
import type { ConfigCache } from './config-cache.ts'
import type { Store } from './store.ts'
import type { Tx } from './unit-of-work.ts'

/** Loads each time: what is in memory may be older than the transaction. */
const unkept = (cache: ConfigCache): ConfigCache => ({
  ...cache,
  size: 0,
  get: async (_tenantId, _key, load) => (await load()).value,
  peek: () => undefined,
})

/** Reads by Kysely, and values that are otherwise cached, come from the transaction; the rest is as before. */
export const storeWithin = (store: Store, tx: Tx): Store => ({
  ...store,
  database: { ...store.database, kysely: tx, configuration: tx },
  cache: unkept(store.cache),
})
