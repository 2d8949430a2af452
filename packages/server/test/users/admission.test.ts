/**
 * The admission limit before costly work: a number at once, a number in the queue, 503 for the rest (DECISIONS L4,
 * SECURITY R-35).
 */
import { createAdmission } from '@countersign/server/kernel/admission.ts'
import { expect, test } from 'vitest'

/** Work that waits until the test ends it. */
const createWork = () => {
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (number: number) => async () => {
    begun.push(number)
    await new Promise<void>((resolve) => {
      ends[number] = resolve
    })
    return number
  }
  return { begun, work, end: (number: number) => ends[number]?.() }
}

test('work beyond the limit waits in order; beyond the queue it is refused immediately', async () => {
  const admit = createAdmission(2, 2, 'busy')
  const { begun, work, end } = createWork()
  const running = [0, 1, 2, 3].map((number) => admit(work(number)))
  const refused = await admit(work(4)).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'request.unavailable', status: 503 })
  expect(begun).toEqual([0, 1])
  end(1)
  expect(await running[1]).toBe(1)
  expect(begun).toEqual([0, 1, 2])
  // a place in the queue is free again
  const late = admit(work(5))
  end(0)
  await running[0]
  expect(begun).toEqual([0, 1, 2, 3])
  for (const number of [2, 3]) end(number)
  await Promise.all([running[2], running[3]])
  end(5)
  expect(await late).toBe(5)
})

test('work that fails frees its place', async () => {
  const admit = createAdmission(1, 1, 'busy')
  const failing = admit(() => Promise.reject(new Error('no')))
  const next = admit(async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
  expect(await admit(async () => 'another')).toBe('another')
})
