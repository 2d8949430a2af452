/** What the tests of webhooks share: receivers that answer as they are told, hooks, events, and an HMAC that is not the server's. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { EventType } from '@countersign/contract/events.ts'
import { type ApiClient, managementClient } from '@countersign/harness/management-client.ts'
import { startTestServer, type TestServer } from '@countersign/harness/server.ts'
import type { Store } from '@countersign/server/storage/store.ts'
import { expect, vi } from 'vitest'
import { fresh } from '../management/arrange.ts'

export interface Got {
  readonly headers: IncomingHttpHeaders
  /** As it came. */
  readonly raw: string
  readonly body: {
    id: string
    sequence: number
    event: string
    hookId: string
    createdAt: string
    data: { name: string }
  }
}

export interface HookReceiver {
  readonly url: string
  readonly got: readonly Got[]
  /** Answers so from now on. */
  answerWith(answer: Answer): void
  /** Resolves when so many requests have come in all. */
  count(count: number): Promise<void>
  close(): Promise<void>
}

type Answer = (response: ServerResponse, got: Got) => void
export const answering =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end()

/** As long as a machine may take that is busy with other things. */
const WAIT = { timeout: 60_000, interval: 10 }
export const soon = (check: () => unknown): Promise<unknown> => vi.waitFor(check, WAIT)

/** A receiver that answers 200 until it is told otherwise. @param port a free one unless given */
export const receiveHooks = async (answer: Answer = answering(200), port = 0): Promise<HookReceiver> => {
  const got: Got[] = []
  let answers = answer
  const server = createServer(async (request, response) => {
    // of a sender that was killed in the middle nothing has come
    const chunks = await request.toArray().catch(() => undefined)
    if (!chunks) return
    const raw = Buffer.concat(chunks).toString()
    const one = { headers: request.headers, raw, body: JSON.parse(raw) }
    got.push(one)
    answers(response, one)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    got,
    answerWith(next) {
      answers = next
    },
    async count(count) {
      await soon(() => expect(got.length).toBeGreaterThanOrEqual(count))
      expect(got).toHaveLength(count)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Receivers that end together, and the hooks that send to them. */
export const receiversOfATest = () => {
  const receivers: HookReceiver[] = []
  return {
    async receive(...parameters: Parameters<typeof receiveHooks>): Promise<HookReceiver> {
      const receiver = await receiveHooks(...parameters)
      receivers.push(receiver)
      return receiver
    },
    /** Deletes every hook of the tenant, then closes the receivers. */
    async end({ api }: TestServer): Promise<void> {
      const { body } = await api('GET', '/hooks?page_size=100')
      for (const { id } of body) await api('DELETE', `/hooks/${id}`)
      for (const receiver of receivers.splice(0)) await receiver.close()
    },
  }
}

/** A server whose client of the Management API asks for another token whenever the time has moved. */
export const startHookServer = async (...parameters: Parameters<typeof startTestServer>): Promise<TestServer> => {
  const server = await startTestServer(...parameters)
  let [client, at]: [ApiClient, number] = [server.api, server.clock.now().getTime()]
  const api: ApiClient = (...request) => {
    const now = server.clock.now().getTime()
    if (now !== at) [client, at] = [managementClient(server.baseUrl, server.credentials), now]
    return client(...request)
  }
  return { ...server, api }
}

/** Makes a hook for roles that are created, or what is said. */
export const createHook = async ({ api }: TestServer, url: string, more: object = {}) => {
  const { status, body } = await api('POST', '/hooks', { events: ['Role.Created'], config: { url }, ...more })
  expect(status).toBe(201)
  return body as { id: string; signingKey: string }
}

/** Causes an event Role.Created; gives the name of the role. */
export const causeEvent = async ({ api }: TestServer): Promise<string> => {
  const name = fresh('role')
  expect((await api('POST', '/roles', { name })).status).toBe(200)
  return name
}

export const deliveriesOf = async ({ api }: TestServer, hookId: string) =>
  (await api('GET', `/hooks/${hookId}/deliveries?page_size=100`)).body
export const hookOf = async ({ api }: TestServer, hookId: string) => (await api('GET', `/hooks/${hookId}`)).body

/**
 * Resolves when the deliveries of the hook, oldest first, are in these states. A delivery waits before its first attempt as well
 * as after one that failed: the first is `New` here, or a test would go on before the attempt that it means is over.
 */
export const states = (server: TestServer, hookId: string, expected: readonly string[]): Promise<unknown> =>
  soon(async () =>
    expect(
      (await deliveriesOf(server, hookId))
        .toSorted((a: { sequence: number }, b: { sequence: number }) => a.sequence - b.sequence)
        .map(({ state, attempts }: { state: string; attempts: number }) =>
          state === 'Waiting' && attempts === 0 ? 'New' : state,
        ),
    ).toEqual(expected),
  )

/** Makes the senders of every node look now: the clock of a test moves without telling anyone. */
const wakeSenders = async ({ database }: Store): Promise<void> => {
  await database.pool.query(`SELECT pg_notify('countersign_event', '')`)
}

/** Moves the time and makes the senders look. */
export const later = async (server: TestServer, seconds: number): Promise<void> => {
  server.clock.advance(seconds)
  await wakeSenders(server.store)
}

/** The signature of Standard Webhooks by the letter of its specification. */
export const standardSignature = ({ headers, raw }: Got, key: string): string => {
  const secret = Buffer.from(key.slice('whsec_'.length), 'base64')
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
  return `v1,${createHmac('sha256', secret).update(text).digest('base64')}`
}

export const EVERY_EVENT_OF_A_ROLE: readonly EventType[] = ['Role.Created', 'Role.Data.Updated', 'Role.Deleted']
