/** A fair queue for a scarce resource that tenants share: they take turns, and none gets all of it. */

/** Too many requests of the tenant are already waiting. */
export class QueueFull extends Error {}

export interface FairQueue {
  /**
   * Waits for a slot; the function that it resolves to releases the slot. Throws QueueFull at once when too many of the
   * tenant are already waiting. @param isUrgent ahead of the others of its tenant, however many wait: for a caller that
   * holds another resource in the meantime
   */
  enter(tenantId: string, isUrgent?: boolean): Promise<() => void>
}

interface Waiter {
  readonly isUrgent: boolean
  readonly begin: () => void
}

interface Limits {
  /** Slots in total. */
  readonly places: number
  /** Slots that one tenant may have. */
  readonly placesPerTenant: number
  /** How many of one tenant may wait. */
  readonly waitingPerTenant: number
}

/** Creates an empty queue with this many slots. It is local to this process. */
export const createFairQueue = ({ places, placesPerTenant, waitingPerTenant }: Limits): FairQueue => {
  /** Tenants in the order of their turns, each with its waiters in theirs. */
  const waiting = new Map<string, Waiter[]>()
  const inside = new Map<string, number>()
  let taken = 0

  const hasRoom = (tenantId: string): boolean => taken < places && (inside.get(tenantId) ?? 0) < placesPerTenant

  const take = (tenantId: string) => {
    taken += 1
    inside.set(tenantId, (inside.get(tenantId) ?? 0) + 1)
  }

  const admit = () => {
    for (const [tenantId, queue] of waiting) {
      if (!hasRoom(tenantId)) continue
      const first = queue.shift()
      // to the end: the others have their turn first
      waiting.delete(tenantId)
      if (queue.length > 0) waiting.set(tenantId, queue)
      take(tenantId)
      first?.begin()
    }
  }

  const leave = (tenantId: string) => {
    taken -= 1
    const left = (inside.get(tenantId) ?? 1) - 1
    if (left === 0) inside.delete(tenantId)
    else inside.set(tenantId, left)
    admit()
  }

  return {
    async enter(tenantId, isUrgent = false) {
      const known = waiting.get(tenantId)
      if (!known && hasRoom(tenantId)) take(tenantId)
      else {
        const queue = known ?? []
        if (queue.length >= waitingPerTenant && !isUrgent)
          throw new QueueFull(`too many requests of tenant ${tenantId} are waiting`)
        waiting.set(tenantId, queue)
        await new Promise<void>((begin) => {
          const behind = isUrgent ? queue.findIndex((waiter) => !waiter.isUrgent) : -1
          queue.splice(behind < 0 ? queue.length : behind, 0, { isUrgent, begin })
        })
      }
      return () => leave(tenantId)
    },
  }
}
