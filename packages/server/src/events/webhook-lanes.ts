/**
 * How many requests a hook may have under way on this node. Each hook has a lane of its own, so that a receiver that does not
 * answer delays no one else; a lane that only succeeds becomes wider, and is narrow again after a failure. While half of all
 * places are taken every lane counts as narrow: many receivers that fall silent at once must not take the rest.
 */
import type { Lane, TakenDelivery } from '../domain/webhooks/queue.ts'

export const NARROW = 8
const WIDE = 32
/** Wide lanes are remembered while nothing is in them, so many of them. */
const MOST_REMEMBERED = 256

interface OpenLane {
  readonly tenantId: string
  readonly hookId: string
  count: number
  width: number
}

export interface Lanes {
  /** Those that are not as everyone's at the beginning. */
  open(): readonly Lane[]
  enter(taken: TakenDelivery): void
  /** Returns whether half of the lane is free: time to fill it again. */
  leave(taken: TakenDelivery, isSuccess: boolean): boolean
}

/** @param most of all lanes together */
export const createLanes = (most: number): Lanes => {
  const lanes = new Map<string, OpenLane>()
  let underway = 0
  const keyOf = ({ tenant_id, hookId }: TakenDelivery) => `${tenant_id} ${hookId}`
  return {
    open() {
      const widest = underway > most / 2 ? NARROW : WIDE
      return [...lanes.values()].map((lane) => ({ ...lane, width: Math.min(lane.width, widest) }))
    },
    enter(taken) {
      const key = keyOf(taken)
      const { tenant_id: tenantId, hookId } = taken
      const lane = lanes.get(key) ?? { tenantId, hookId, count: 0, width: NARROW }
      lane.count += 1
      underway += 1
      lanes.set(key, lane)
    },
    leave(taken, isSuccess) {
      underway -= 1
      const key = keyOf(taken)
      const lane = lanes.get(key)
      if (!lane) return true
      lane.count -= 1
      lane.width = isSuccess ? Math.min(lane.width + 1, WIDE) : NARROW
      if (lane.count === 0 && (lane.width === NARROW || lanes.size > MOST_REMEMBERED)) lanes.delete(key)
      return taken.isOrdered || lane.count <= lane.width / 2
    },
  }
}
