/** More of what a receiver may do to the outbound client: names that move, slow responses, expired certificates. */
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net'
import tls from 'node:tls'
import { createOutbound, type OutboundOptions } from '@countersign/server/events/outbound.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { EXPIRED_CERTIFICATE, RECEIVER_KEY } from './receiver-certificate.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

const listening = async (server: NetServer | http.Server, port = 0, address = '127.0.0.1'): Promise<number> => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(port, address)
  await once(server, 'listening')
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** A port that is free at both addresses, because one free at the first may be in use at the other. */
const atBoth = async (outside: () => http.Server, inside: http.Server): Promise<number> => {
  for (;;) {
    const port = await listening(outside(), 0, '127.0.0.2')
    try {
      return await listening(inside, port, '127.0.0.1')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}

const outbound = (options: Partial<OutboundOptions> = {}) =>
  createOutbound({ allow: { hosts: [], ranges: [] }, allowLoopback: true, ...options })
const get = (client: ReturnType<typeof createOutbound>, url: string) => client.send({ url, method: 'GET' })

// only Linux has all of 127.0.0.0/8 by default
describe.skipIf(process.platform !== 'linux')('R-31 a name that resolves to this machine at the second lookup', () => {
  /** The allowed receiver is at 127.0.0.2; the receiver at the machine's own address must not be reached. */
  const arrange = async () => {
    const reached: string[] = []
    const answer = (where: string) =>
      http.createServer((_request, response) => {
        reached.push(where)
        response.end()
      })
    const port = await atBoth(() => answer('outside'), answer('inside'))
    const looks: string[] = []
    const answers = ['127.0.0.2', '127.0.0.1']
    const resolver = async (host: string) => {
      looks.push(host)
      return [answers[Math.min(looks.length, answers.length) - 1] ?? '']
    }
    const client = outbound({ resolver, allowLoopback: false, allow: { hosts: [], ranges: ['127.0.0.2'] } })
    return { client, url: `http://rebinding.example:${port}/`, reached, looks }
  }

  test('R-31 is resolved once for a request, which is sent to the result', async () => {
    const { client, url, reached, looks } = await arrange()
    expect((await get(client, url)).status).toBe(200)
    expect([reached, looks]).toEqual([['outside'], ['rebinding.example']])
  })

  test('R-31 is resolved again for the next request, which is not sent', async () => {
    const { client, url, reached, looks } = await arrange()
    await get(client, url)
    for (let n = 0; n < 3; n += 1)
      await expect(get(client, url)).rejects.toThrow('rebinding.example is at 127.0.0.1, which is not public')
    expect([reached, looks.length]).toEqual([['outside'], 4])
  })

  test('R-31 is not used at all when one of its addresses is not allowed', async () => {
    const { url, reached } = await arrange()
    const resolver = async () => ['127.0.0.2', '127.0.0.1']
    const client = outbound({ resolver, allowLoopback: false, allow: { hosts: [], ranges: ['127.0.0.2'] } })
    await expect(get(client, url)).rejects.toThrow('is at 127.0.0.1, which is not public')
    expect(reached).toEqual([])
  })
})

describe('R-31 a response that arrives byte by byte', () => {
  const WHOLE = `HTTP/1.1 200 OK\r\nx-of-theirs: ${'y'.repeat(2000)}\r\ncontent-length: 2000\r\n\r\n${'z'.repeat(2000)}`

  /** Sends the response a byte every so many milliseconds, from a position on; returns how far it got. */
  const dripping = async (from: number) => {
    let sent = 0
    const port = await listening(
      createServer((socket) => {
        socket.once('data', () => {
          sent = from
          if (from > 0) socket.write(WHOLE.slice(0, from))
          const drip = setInterval(() => {
            socket.write(WHOLE[sent] ?? '')
            sent += 1
          }, 2)
          socket.on('close', () => clearInterval(drip))
        })
      }),
    )
    return { url: `http://127.0.0.1:${port}/`, sent: () => sent }
  }

  test.each([
    ['from the first', 0],
    ['in its headers', 30],
    ['in its body', WHOLE.indexOf('\r\n\r\n') + 4],
  ])('R-31 %s is given up when the time is over', async (_where, from) => {
    const { url, sent } = await dripping(from)
    await expect(get(outbound({ timeoutMs: 1000 }), url)).rejects.toThrow('no complete response within 1 s')
    expect(sent()).toBeGreaterThan(from)
    expect(sent()).toBeLessThan(WHOLE.length)
  })

  test('R-31 a receiver that does not read its request times out', async () => {
    const port = await listening(createServer((socket) => void socket.pause()))
    const body = 'x'.repeat(30_000_000)
    const sending = outbound({ timeoutMs: 150 }).send({ url: `http://127.0.0.1:${port}/`, method: 'POST', body })
    await expect(sending).rejects.toThrow('no complete response within 0.15 s')
  })
})

test('R-31 an expired certificate is a failure, even if its issuer is trusted', async () => {
  let requests = 0
  const server = https.createServer({ key: RECEIVER_KEY, cert: EXPIRED_CERTIFICATE }, (_request, response) => {
    requests += 1
    response.end()
  })
  server.on('tlsClientError', () => undefined)
  const port = await listening(server)
  const before = tls.getCACertificates('default')
  tls.setDefaultCACertificates([EXPIRED_CERTIFICATE])
  closers.push(() => tls.setDefaultCACertificates(before))
  const client = outbound({ resolver: async () => ['127.0.0.1'] })
  await expect(get(client, `https://receiver.example:${port}/`)).rejects.toThrow(/expired/)
  expect(requests).toBe(0)
})
