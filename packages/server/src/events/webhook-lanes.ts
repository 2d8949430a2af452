/**
 * How many requests a hook may have in flight on this node. Each hook has its own lane, so that a receiver that does
 * not answer delays no other; a lane widens while it only succeeds, and is narrow again after a failure. While half of
 * all slots are taken every lane counts as narrow: many receivers that stop answering at once must not take the rest.
 */
import type { Lane, TakenDelivery } from '../domain/webhooks/queue.ts'

export const NARROW = 8
const WIDE = 32
/** How many wide lanes are remembered while nothing is in them. */
const MOST_REMEMBERED = 256

interface OpenLane {
  readonly tenantId: string
  readonly hookId: string
  count: number
  width: number
}

export interface Lanes {
  /** The lanes that differ from the initial state. */
  open(): readonly Lane[]
  enter(taken: TakenDelivery): void
  /** Returns whether half of the lane is free: time to fill it again. */
  leave(taken: TakenDelivery, isSuccess: boolean): boolean
}

/** @param most the total for all lanes */
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
