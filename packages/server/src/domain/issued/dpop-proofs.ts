/**
 * Single use of DPoP proofs (RFC 9449 section 11.1, SECURITY R-1): the only place that decides it, for all nodes.
 *
 * Proofs that arrive while a statement is under way are sent together as the next one, so that the cost of a statement is shared
 * when there are many. The table is not logged: a proof is remembered for two minutes, and what a crash of the database could lose
 * is worth less than a write to the log with every request.
 */
import { hashSecret } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'

/** How many are sent together. */
const MOST = 500

interface Use {
  readonly tenantId: string
  readonly hash: Buffer
  readonly expiresAt: Date
  readonly settle: PromiseWithResolvers<boolean>
}

interface Queue {
  waiting: Use[]
  isBusy: boolean
}

const queues = new WeakMap<Store['database'], Queue>()

const queueOf = ({ database }: Store): Queue => {
  const queue = queues.get(database) ?? { waiting: [], isBusy: false }
  queues.set(database, queue)
  return queue
}

const nameOf = (tenantId: string, hash: Buffer): string => `${tenantId} ${hash.toString('base64')}`

/** In the same order everywhere: two statements with the same proofs wait for one another instead of deadlocking. */
const byHash = (a: Use, b: Use): number => a.hash.compare(b.hash)

const send = async ({ database }: Store, uses: Use[]): Promise<void> => {
  uses.sort(byHash)
  const { rows } = await database.pool.query<{ tenant_id: string; hash: Buffer }>({
    name: 'use-dpop-proofs',
    text: `INSERT INTO used_dpop_proofs (tenant_id, hash, expires_at)
      SELECT * FROM unnest($1::text[], $2::bytea[], $3::timestamptz[]) ON CONFLICT DO NOTHING RETURNING tenant_id, hash`,
    values: [
      uses.map(({ tenantId }) => tenantId),
      uses.map(({ hash }) => hash),
      uses.map(({ expiresAt }) => expiresAt),
    ],
  })
  const used = new Set(rows.map(({ tenant_id, hash }) => nameOf(tenant_id, hash)))
  // of several uses of the same proof in one statement the first gets the row
  for (const { tenantId, hash, settle } of uses) settle.resolve(used.delete(nameOf(tenantId, hash)))
}

const drain = async (store: Store, queue: Queue): Promise<void> => {
  queue.isBusy = true
  while (queue.waiting.length > 0) {
    const uses = queue.waiting.splice(0, MOST)
    await send(store, uses).catch((error: unknown) => {
      for (const { settle } of uses) settle.reject(error)
    })
  }
  queue.isBusy = false
}

/**
 * Uses up a proof: succeeds exactly once for its key and `jti` until it expires. Returns whether this call succeeded.
 * @param expiresAt when the proof is too old to be accepted, whatever node looks at it
 */
export const useProof = async (
  store: Store,
  { id: tenantId }: Tenant,
  jkt: string,
  jti: string,
  expiresAt: Date,
): Promise<boolean> => {
  const queue = queueOf(store)
  const settle = Promise.withResolvers<boolean>()
  queue.waiting.push({ tenantId, hash: hashSecret(`${jkt} ${jti}`), expiresAt, settle })
  if (!queue.isBusy) drain(store, queue).catch(settle.reject)
  return settle.promise
}
