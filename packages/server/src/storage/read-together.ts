/** Reads that do not need one another's answers: sent on one connection before any is answered, they are one wait. */
import { boundTo } from './bound-driver.ts'
import { isOutdatedPlan } from './database-errors.ts'
import { forgetPrepared } from './prepared.ts'
import type { Store } from './store.ts'

/**
 * The answers of several reads, in order; the first that fails is thrown. Each reads what has been committed when its turn
 * comes: together they are no snapshot.
 * @param read begins them with the store that it is given, whose statements all take one connection
 */
export const readTogether = async <R extends readonly unknown[]>(
  store: Store,
  read: (store: Store) => readonly [...{ readonly [K in keyof R]: Promise<R[K]> }],
): Promise<R> => {
  const client = await store.database.pool.connect()
  try {
    const begin = () => read({ ...store, database: { ...store.database, kysely: boundTo(client) } })
    const reads = begin()
    // none may be on its way when the connection goes back
    const answers = await Promise.allSettled(reads)
    if (answers.some((answer) => answer.status === 'rejected' && isOutdatedPlan(answer.reason))) {
      forgetPrepared()
      return (await Promise.all(begin())) as unknown as R
    }
    return (await Promise.all(reads)) as unknown as R
  } finally {
    client.release()
  }
}
