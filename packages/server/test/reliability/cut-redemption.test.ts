/**
 * the connection to the database is cut between any two messages of a redemption. Afterwards what was sent
 * either still works or has been consumed completely; nothing is ever half done, and there is never a second family.
 */
import type { TestServer } from '@countersign/harness/server.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { everyPlace, REDEMPTIONS, type Scene, setScene, throughGate } from './redemptions.ts'

describe('the connection to the database is cut', () => {
  let scene: Scene
  let node: Awaited<ReturnType<TestServer['startNode']>>
  beforeAll(async () => {
    scene = await setScene(inject('cluster'))
    node = await scene.server.startNode({ DATABASE_URL: throughGate(scene) })
  })
  afterAll(async () => {
    await node.close()
    await scene.close()
  })

  test.each(REDEMPTIONS)(
    'R-1 R-3 before any message of the redemption of %s',
    async (_what, redemption) => {
      const stops = await everyPlace(
        (message) => ({ message }),
        async (place) => {
          const { send, check } = await redemption.prepare(scene)
          scene.gate.set(redemption.marker, place, (cut) => cut())
          const reply = await send(node)
          if (!scene.gate.clear()) {
            expect(reply.status).toBe(200)
            return false
          }
          expect([place, reply.status, reply.body.error]).toEqual([place, 500, 'server_error'])
          expect(reply.text).not.toMatch(/cs_|eyJ/)
          await check(place === 'committed')
          return true
        },
      )
      // BEGIN, the consumption, the user, what is issued, the audit entry, COMMIT: more than one message each
      expect(stops).toBeGreaterThan(12)
    },
    300_000,
  )
})
