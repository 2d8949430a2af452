/** A provider of messages for tests: takes requests, shows them, and answers what it is told to. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, vi } from 'vitest'

export interface ProviderRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Of a form or of JSON. */
  readonly body: Record<string, unknown>
}

export interface ProviderReply {
  readonly status: number
  readonly body?: object | string
  readonly headers?: Readonly<Record<string, string>>
}

const read = (text: string, type = ''): Record<string, unknown> => {
  if (type.startsWith('application/json')) return JSON.parse(text) as Record<string, unknown>
  return type.startsWith('application/x-www-form-urlencoded') ? Object.fromEntries(new URLSearchParams(text)) : {}
}

export const startProvider = async () => {
  const requests: ProviderRequest[] = []
  let reply: ProviderReply = { status: 200 }
  const server = createServer((request, response) => {
    const answer = async () => {
      const text = Buffer.concat(await request.toArray()).toString()
      const { method = '', url: path = '', headers } = request
      requests.push({ method, path, headers, text, body: read(text, headers['content-type']) })
      const { status, body = '', headers: more = {} } = reply
      response.writeHead(status, { connection: 'close', ...more })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    }
    answer().catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answers(next: ProviderReply) {
      reply = next
    },
    got: (count: number) => vi.waitFor(() => expect(requests).toHaveLength(count), { timeout: 60_000, interval: 10 }),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

export type TestProvider = Awaited<ReturnType<typeof startProvider>>
