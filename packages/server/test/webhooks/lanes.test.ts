/** The rooms of hooks on a node (DECISIONS K5): wider while all goes well, narrow for all when many receivers fall silent. */
import type { TakenDelivery } from '@countersign/server/domain/webhooks/queue.ts'
import { createLanes, NARROW } from '@countersign/server/events/webhook-lanes.ts'
import { expect, test } from 'vitest'

const of = (hookId: string) => ({ tenant_id: 'default', hookId, isOrdered: false }) as TakenDelivery
const widthOf = (lanes: ReturnType<typeof createLanes>, hookId: string) =>
  lanes.open().find((lane) => lane.hookId === hookId)?.width
const succeed = (lanes: ReturnType<typeof createLanes>, hookId: string, times: number) => {
  for (let n = 0; n < times; n += 1) {
    lanes.enter(of(hookId))
    lanes.leave(of(hookId), true)
  }
}

test('a lane widens by one for each success, up to four times its width, and narrows after a failure', () => {
  const lanes = createLanes(512)
  succeed(lanes, 'a', 3)
  expect(widthOf(lanes, 'a')).toBe(NARROW + 3)
  succeed(lanes, 'a', 100)
  expect(widthOf(lanes, 'a')).toBe(NARROW * 4)
  lanes.enter(of('a'))
  lanes.enter(of('a'))
  lanes.leave(of('a'), false)
  expect(widthOf(lanes, 'a')).toBe(NARROW)
})

test('while half of all places are in use no lane is wide', () => {
  const lanes = createLanes(40)
  succeed(lanes, 'a', 100)
  for (let n = 0; n < 20; n += 1) lanes.enter(of('silent'))
  expect(widthOf(lanes, 'a')).toBe(NARROW * 4)
  lanes.enter(of('silent'))
  expect(widthOf(lanes, 'a')).toBe(NARROW)
  lanes.leave(of('silent'), false)
  expect(widthOf(lanes, 'a')).toBe(NARROW * 4)
})
