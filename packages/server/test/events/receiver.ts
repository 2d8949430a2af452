/** What the tests of dispatches share: a receiver of requests, and the queue as the worker sees it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Store } from '@countersign/server/storage/store.ts'
import { expect, vi } from 'vitest'

/** As long as a machine may take that is busy with other things. */
const WAIT = { timeout: 60_000, interval: 10 }

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Resolves when so many requests have come in all. */
  got(count: number): Promise<void>
  close(): Promise<void>
}

/** A receiver that answers 200, or as it is told. @param port a free one unless given */
export const startReceiver = async (
  answer: (response: ServerResponse) => void = (response) => void response.end(),
  port = 0,
): Promise<Receiver> => {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    // of a sender that ended in the middle nothing has come
    const chunks = await request.toArray().catch(() => undefined)
    if (!chunks) return
    const body = Buffer.concat(chunks).toString()
    received.push({ method, path: url, headers, body })
    answer(response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    got: (count) => vi.waitFor(() => expect(received).toHaveLength(count), WAIT),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What is in the queue. */
export const queued = ({ database }: Store) =>
  database.kysely.selectFrom('dispatches').select(['kind', 'attempts', 'last_error', 'due_at', 'expires_at']).execute()

/** Resolves when nothing is in the queue. */
export const queueEmpty = (store: Store): Promise<void> =>
  vi.waitFor(async () => expect(await queued(store)).toEqual([]), WAIT)

/** Resolves when the first attempt of the one dispatch in the queue has failed. */
export const failedOnce = (store: Store): Promise<void> =>
  vi.waitFor(
    async () =>
      expect(await queued(store)).toEqual([expect.objectContaining({ attempts: 1, last_error: expect.any(String) })]),
    WAIT,
  )

/** Makes the workers of every node look now: the clock of a test moves without telling anyone. */
export const wakeWorkers = async ({ database }: Store): Promise<void> => {
  await database.pool.query(`SELECT pg_notify('countersign_dispatch', '')`)
}
