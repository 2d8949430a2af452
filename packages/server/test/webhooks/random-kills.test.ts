/**
 * K4, K5: workers are killed at random moments under load, one after the other and each replaced at once. Here a few; `npm run
 * reliability` sets KILLS to 100.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type Fleet, startFleet } from './fleet.ts'
import { type Load, startLoad } from './under-load.ts'

const KILLS = Number(process.env.KILLS ?? 12)
const WORKERS = 3
/** Of the workers that are killed so many had time to start. */
const STARTED = 0.8
const LONGEST_PAUSE_MS = 250
/** Beyond every lease and retry, and less than it takes to give up a hook. */
const AHEAD_SECONDS = 2 * 86_400
const SECRET_KEY = Buffer.alloc(32, 8).toString('base64')

let server: TestServer
let load: Load
let fleet: Fleet
/** Each ends what was begun, also when the next could not be begun. */
const closers: (() => unknown)[] = []
beforeAll(async () => {
  server = await startTestServer(inject('cluster'), { SECRET_KEY, WORKERS: 'off' })
  closers.push(() => server.close())
  fleet = startFleet(server, SECRET_KEY, WORKERS)
  closers.push(() => fleet.close())
  load = await startLoad(server)
  closers.push(() => load.close())
})
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
})

test(`${KILLS} workers killed at random moments lose nothing`, { timeout: 120_000 + KILLS * 6000 }, async ({
  annotate,
}) => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    const index = Math.floor(Math.random() * WORKERS)
    if (Math.random() < STARTED) await fleet.ready(index)
    await delay(Math.random() * LONGEST_PAUSE_MS)
    await fleet.kill(index)
    fleet.start(index)
  }
  await load.stop()
  for (let index = 0; index < WORKERS; index += 1) {
    await fleet.kill(index)
    fleet.start(index, AHEAD_SECONDS)
  }
  await annotate(`${KILLS} kills: ${await load.check()}`)
  expect(load.arrived()).toBeGreaterThan(KILLS)
})
