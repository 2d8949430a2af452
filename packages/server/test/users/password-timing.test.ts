/**
 * DECISIONS L4: the time of a refusal does not tell whether a password was imported. The tests only check that nothing
 * is too early, never that it is too late.
 */
import { setImmediate } from 'node:timers/promises'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { createTimeFloor } from '@countersign/server/kernel/time-floor.ts'
import type * as client from 'openid-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPage } from '../experience/arrange.ts'
import { createApp, createUser } from '../sign-in/arrange.ts'

let server: TestServer
let configuration: client.Configuration
beforeAll(async () => {
  server = await startTestServer(inject('cluster'))
  configuration = (await createApp(server)).configuration
})
afterAll(() => server.close())

/** Milliseconds that the refusal of a wrong password takes. */
const wrong = async (username: string): Promise<number> => {
  const page = await openPage(server, configuration)
  await page.start('SignIn')
  const begun = performance.now()
  expect((await page.verify(username, 'wrong')).status).toBe(422)
  return performance.now() - begun
}

/** By how much a timer of the floor may fire early. */
const EARLY_MS = 5

/** Whether there is nothing to wait for. */
const isReached = async (reached: Promise<void>) =>
  Promise.race([reached.then(() => true), setImmediate().then(() => false)])

/** The floor of the tenant in milliseconds, asked for without waiting for it: a wait would be late on a busy machine. */
const learnedFloor = async (): Promise<number> => {
  let [below, above] = [0, 3000]
  while (above - below > 1) {
    const took = (below + above) / 2
    if (await isReached(server.store.importedPasswords.reach('default', took, server.clock.now()))) above = took
    else below = took
  }
  return below
}

test('R-28 a wrong password for an unknown user, or for a hash of our own, is refused no sooner than a recent imported one', async () => {
  const { username } = await createUser(server)
  const passwordDigest = '$2a$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  await server.api('POST', '/users', { username: 'imported', passwordAlgorithm: 'Bcrypt', passwordDigest })
  await wrong('imported')
  const learned = await learnedFloor()
  // 1024 rounds of bcrypt and one argon2id on any machine
  expect(learned).toBeGreaterThan(20)
  for (const name of ['nobody_at_all', username]) expect(await wrong(name)).toBeGreaterThan(learned - EARLY_MS)

  server.store.importedPasswords.raise('default', 900, server.clock.now())
  for (const name of ['nobody_else', username, 'imported']) expect(await wrong(name)).toBeGreaterThan(900 - EARLY_MS)
})

describe('the floor', () => {
  const at = (hours: number) => new Date(1_800_000_000_000 + hours * 3_600_000)

  test('is that of its key, remembered for 12 hours at least and 24 at most', async () => {
    const floor = createTimeFloor()
    floor.raise('a', 1000, at(0))
    floor.raise('a', 10, at(1))
    expect(await isReached(floor.reach('b', 0, at(0)))).toBe(true)
    expect(await isReached(floor.reach('a', 999, at(12)))).toBe(false)
    expect(await isReached(floor.reach('a', 1000, at(12)))).toBe(true)
    expect(await isReached(floor.reach('a', 0, at(25)))).toBe(true)
    floor.raise('a', 20, at(25))
    expect(await isReached(floor.reach('a', 20, at(25)))).toBe(true)
  })

  test('is no higher than three seconds', async () => {
    const floor = createTimeFloor()
    floor.raise('a', 60_000, at(0))
    expect(await isReached(floor.reach('a', 3000, at(0)))).toBe(true)
  })
})
