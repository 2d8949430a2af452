/**
 * a node is killed between any two statements of a redemption. Afterwards what was sent either still works or
 * has been consumed completely; nothing is ever half done, and there is never a second family.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@countersign/harness/free-port.ts'
import { type Program, runProgram } from '@countersign/harness/program.ts'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { everyPlace, OPAQUE_REDEMPTIONS, type Scene, SECRET_KEY, setScene, throughGate } from './redemptions.ts'

describe('kill -9 of a node', () => {
  let scene: Scene
  let directory: string
  let program: Program | undefined
  beforeAll(async () => {
    scene = await setScene(inject('cluster'))
    directory = await mkdtemp(join(tmpdir(), 'countersign-kill-'))
  })
  afterAll(async () => {
    program?.process.kill('SIGKILL')
    await program?.ended
    await scene.close()
    await rm(directory, { recursive: true, force: true })
  })

  const startNode = async () => {
    const port = await freePort()
    const started = runProgram(['start'], {
      DATABASE_URL: throughGate(scene),
      SECRET_KEY,
      BASE_URL: scene.server.baseUrl,
      DATA_DIR: directory,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'silent',
    })
    program = started
    await started.printed('is ready at')
    return { program: started, url: `http://127.0.0.1:${port}` }
  }

  test.each(OPAQUE_REDEMPTIONS)(
    'R-3 before any statement of the redemption of %s',
    async (_what, redemption) => {
      let node = await startNode()
      const stops = await everyPlace(
        (statement) => ({ statement }),
        async (place) => {
          const { send, check } = await redemption.prepare(scene)
          scene.gate.set(redemption.marker, place, () => node.program.process.kill('SIGKILL'))
          const reply = await send(node).catch(() => undefined)
          if (!scene.gate.clear()) {
            expect(reply?.status).toBe(200)
            return false
          }
          expect(reply).toBeUndefined()
          expect(await node.program.ended).toBe('SIGKILL')
          await check(place === 'committed')
          // it restarts and serves: the next redemption is sent to it
          node = await startNode()
          return true
        },
      )
      expect(stops).toBeGreaterThanOrEqual(5)
      const { send } = await redemption.prepare(scene)
      expect((await send(node)).status).toBe(200)
      node.program.process.kill('SIGKILL')
    },
    400_000,
  )
})
