import { GuardError } from '../errors/guard-error.ts'
import { misconfigured } from '../errors/misconfigured.ts'

/** Remembers proofs, so that each is accepted once (RFC 9449 §11.1). Several processes of an API need one that they share. */
export interface ReplayStore {
  /**
   * Records a use; returns whether it is the first. Must decide in one step: of two calls with the same id at the same time one gets
   * `true`. With Redis: `SET id 1 NX EXAT …`.
   * @param expiresAt when the id may be forgotten
   */
  use(id: string, expiresAt: Date): boolean | Promise<boolean>
}

/**
 * The store of one process, in memory. When it is full and nothing in it has expired, proofs are refused rather than accepted unseen.
 * @param most how many proofs it remembers: 100,000 by default
 */
export function memoryReplayStore(most = 100_000, now: () => Date = () => new Date()): ReplayStore {
  if (!(Number.isSafeInteger(most) && most > 0)) throw misconfigured('most must be a positive number')
  const used = new Map<string, number>()
  /** The oldest come first, and all live equally long: those that have expired are at the front. */
  const forget = (time: number) => {
    for (const [id, expiresAt] of used) {
      if (expiresAt > time) return
      used.delete(id)
    }
  }
  return {
    use(id, expiresAt) {
      forget(now().getTime())
      if (used.has(id)) return false
      if (used.size >= most) throw new GuardError('replay_store_unavailable', { detail: 'The replay store is full' })
      used.set(id, expiresAt.getTime())
      return true
    },
  }
}
