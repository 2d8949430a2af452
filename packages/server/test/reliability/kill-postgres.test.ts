/**
 * PostgreSQL is killed between any two statements of a redemption. Afterwards what was sent either still
 * works or has been consumed completely; nothing is ever half done, and there is never a second family.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { startCluster, withAdmin } from '@countersign/harness/cluster.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../protocol/arrange.ts'
import { everyPlace, OPAQUE_REDEMPTIONS, type Scene, setScene, throughGate } from './redemptions.ts'

/** PostgreSQL, a node that is cut off with it, and what both are observed with. */
interface Victim {
  readonly scene: Scene
  readonly node: { readonly url: string }
  /** The process id of the running PostgreSQL; rejects while none is running. */
  postmaster(): Promise<number>
  /** Whether the node that survives can work. */
  isBack(): Promise<boolean>
  close(): Promise<void>
}

const startVictim = async (): Promise<Victim> => {
  const { address, stop } = await startCluster()
  const admin = (sql: string) => withAdmin(address, async (client) => (await client.query(sql)).rows)
  // an acknowledged commit must survive the process: the other tests do not need that
  await admin(`ALTER ROLE ${address.user} SET synchronous_commit = on`)
  const scene = await setScene(address)
  const node = await scene.server.startNode({ DATABASE_URL: throughGate(scene) })
  return {
    scene,
    node,
    postmaster: async () =>
      Number((await admin(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`))[0].pid),
    isBack: () =>
      fetch(`${scene.server.baseUrl}/api/status`).then(
        ({ status }) => status === 204,
        () => false,
      ),
    async close() {
      await node.close()
      await scene.close()
      await stop()
    },
  }
}

describe('kill -9 of PostgreSQL', () => {
  let victims: Victim[]
  let turn = 0
  // a repeatedly killed PostgreSQL is restarted ever more slowly: they take turns
  beforeAll(async () => {
    victims = await Promise.all([startVictim(), startVictim(), startVictim()])
  })
  afterAll(() => Promise.all(victims.map((victim) => victim.close())))

  const next = (): Victim => {
    turn += 1
    const victim = victims[turn % victims.length]
    if (!victim) throw new Error('there is no victim')
    return victim
  }
  /** Polling without a pause would take the CPU from what is waited for. */
  const pause = () => delay(20, false)

  test.each(OPAQUE_REDEMPTIONS)(
    'R-3 before any statement of the redemption of %s',
    async (_what, redemption) => {
      const stops = await everyPlace(
        (statement) => ({ statement }),
        async (place) => {
          const { scene, node, postmaster, isBack } = next()
          const { send, check } = await redemption.prepare(scene)
          const pid = await postmaster()
          scene.gate.set(redemption.marker, place, (cut) => {
            process.kill(pid, 'SIGKILL')
            cut()
          })
          const reply = await send(node)
          if (!scene.gate.clear()) {
            expect(reply.status).toBe(200)
            return false
          }
          expect(reply.status).toBe(500)
          await eventually('PostgreSQL is another process', 60_000, async () => {
            await pause()
            return (await postmaster().catch(() => pid)) !== pid
          })
          await eventually('the node has found it', 60_000, async () => (await isBack()) || pause())
          await check(place === 'committed')
          return true
        },
      )
      expect(stops).toBeGreaterThanOrEqual(5)
    },
    400_000,
  )
})
