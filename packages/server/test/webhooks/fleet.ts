/** Worker processes to be killed at any moment: each can be replaced by another that starts at once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { TestServer } from '@countersign/harness/server.ts'

const PROGRAM = fileURLToPath(new URL('worker-node.ts', import.meta.url))
/** A lease of 40 seconds is over after two. */
const PACE = 20

export interface Fleet {
  readonly size: number
  /** Resolves when the worker works, or has ended before it could. */
  ready(index: number): Promise<void>
  /** Kills a worker with SIGKILL; resolves when it is gone. */
  kill(index: number): Promise<void>
  /** Starts a worker in the place of one that was killed. @param ahead seconds that its clock is ahead of the others' */
  start(index: number, ahead?: number): void
  close(): Promise<void>
}

/** @param secretKey of the server */
export const startFleet = (server: TestServer, secretKey: string, size: number): Fleet => {
  const began = String(server.clock.now().getTime())
  const workers: { child: ChildProcess; ready: Promise<void>; ended: Promise<unknown> }[] = []
  const env = {
    ...{ DATABASE_URL: server.databaseUrl, SECRET_KEY: secretKey, DATABASE_POOL_SIZE: '4', LOG_LEVEL: 'silent' },
    PATH: process.env.PATH,
  }
  const of = (index: number) => {
    const worker = workers[index]
    if (!worker) throw new Error(`there is no worker ${index}`)
    return worker
  }
  const fleet: Fleet = {
    size,
    start(index, ahead = 0) {
      const child = spawn(process.execPath, [PROGRAM, began, String(PACE), String(ahead)], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'exit')
      const ready = Promise.race([once(child.stdout, 'data'), ended]).then(() => undefined)
      // that it could not be started is for those who wait for it
      for (const each of [ended, ready]) each.catch(() => undefined)
      workers[index] = { child, ready, ended }
    },
    ready: (index) => of(index).ready,
    async kill(index) {
      const { child, ended } = of(index)
      child.kill('SIGKILL')
      await ended
    },
    async close() {
      await Promise.all(workers.map((_worker, index) => fleet.kill(index)))
    },
  }
  for (let index = 0; index < size; index += 1) fleet.start(index)
  return fleet
}
