/** A line for something scarce that tenants share: they take turns, and none gets all of it. */

/** The line of a tenant is full. */
export class LineFull extends Error {}

export interface FairLine {
  /**
   * Waits for a place; call what it gives to leave it. Throws LineFull at once when too many of the tenant wait already.
   * @param isUrgent before the others of its tenant, and however many wait: for those who hold something else meanwhile
   */
  enter(tenantId: string, isUrgent?: boolean): Promise<() => void>
}

interface Waiter {
  readonly isUrgent: boolean
  readonly begin: () => void
}

interface Limits {
  /** Places in all. */
  readonly places: number
  /** Places that one tenant may have. */
  readonly each: number
  /** How many of one tenant may wait. */
  readonly inLine: number
}

export const createFairLine = ({ places, each, inLine }: Limits): FairLine => {
  /** In the order of their turns. */
  const waiting = new Map<string, Waiter[]>()
  const inside = new Map<string, number>()
  let taken = 0

  const hasRoom = (tenantId: string): boolean => taken < places && (inside.get(tenantId) ?? 0) < each

  const take = (tenantId: string) => {
    taken += 1
    inside.set(tenantId, (inside.get(tenantId) ?? 0) + 1)
  }

  const admit = () => {
    for (const [tenantId, line] of waiting) {
      if (taken >= places) return
      if (!hasRoom(tenantId)) continue
      const first = line.shift()
      // to the end: the others have their turn first
      waiting.delete(tenantId)
      if (line.length > 0) waiting.set(tenantId, line)
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
      const line = waiting.get(tenantId)
      if (!line && hasRoom(tenantId)) take(tenantId)
      else {
        const queue = line ?? []
        if (queue.length >= inLine && !isUrgent) throw new LineFull(`too many of tenant ${tenantId} wait`)
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
