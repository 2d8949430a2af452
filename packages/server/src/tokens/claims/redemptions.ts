/**
 * Which requests may hold a database connection while a script runs. A grant that consumes something runs the script
 * inside its transaction; so that slow scripts of one tenant cannot take all connections from the others, its requests
 * wait here before they take one. Half of the pool is for such transactions, a quarter for those of one tenant.
 */
import { findCustomizer } from '../../domain/issued/jwt-customizers.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { createFairQueue, type FairQueue, QueueFull } from './fair-queue.ts'

const MOST_WAITING = 128

const queues = new WeakMap<Store, FairQueue>()

const queueOf = (store: Store): FairQueue => {
  const known = queues.get(store)
  if (known) return known
  const { max } = store.database.pool.options
  const queue = createFairQueue({
    places: Math.max(1, Math.floor(max / 2)),
    placesPerTenant: Math.max(1, Math.floor(max / 4)),
    waitingPerTenant: MOST_WAITING,
  })
  queues.set(store, queue)
  return queue
}

/**
 * Does the work at once if the tenant has no script for users' tokens; otherwise when it is the tenant's turn. Throws
 * temporarily_unavailable when too many are waiting. @param work a transaction that ends with a user's tokens; it is
 * told whether there is a script
 */
export const redeemInTurn = async <T>(
  store: Store,
  tenant: Tenant,
  work: (hasClaimsScript: boolean) => Promise<T>,
): Promise<T> => {
  if (!(await findCustomizer(store, tenant, 'access-token'))) return work(false)
  const leave = await queueOf(store)
    .enter(tenant.id)
    .catch((error: unknown) => {
      if (!(error instanceof QueueFull)) throw error
      throw new OAuthError(
        'temporarily_unavailable',
        'too many tokens with custom claims are being made; try again soon',
        {
          reason: error.message,
          headers: { 'retry-after': '1' },
        },
      )
    })
  try {
    return await work(true)
  } finally {
    leave()
  }
}
