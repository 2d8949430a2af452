/**
 * The load: keep-alive connections that each send the next request when the previous response has arrived. Written on
 * sockets, because a client that costs as much as the server would measure itself on a small machine. Any response
 * other than success ends the run.
 */
import { connect, type Socket } from 'node:net'

/** Returns the bytes of the next request; without one the round ends early. */
export type NextRequest = () => Buffer | undefined

export interface Round {
  readonly requests: number
  readonly seconds: number
  /** Milliseconds, in ascending order. */
  readonly latencies: Float64Array
}

interface Credentials {
  readonly clientId: string
  readonly clientSecret: string
}

/** A request as bytes. @param header a line, such as an authorization; @param form its body; without one it is a GET */
export const requestBytes = (path: string, header: string, form?: Record<string, string>): Buffer => {
  const body = form && new URLSearchParams(form).toString()
  const head = [
    `${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`,
    'host: localhost',
    header,
    ...(body === undefined
      ? []
      : ['content-type: application/x-www-form-urlencoded', `content-length: ${body.length}`]),
    'accept: application/json',
    'user-agent: countersign-bench',
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

/** The same with a body of JSON. */
export const jsonRequestBytes = (method: 'POST' | 'PATCH', path: string, header: string, value: object): Buffer => {
  const body = JSON.stringify(value)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: localhost',
    header,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'user-agent: countersign-bench',
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

export const basic = ({ clientId, clientSecret }: Credentials): string =>
  `authorization: Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

/** A token request as bytes; of client_credentials, unless the parameters name another grant. */
export const tokenRequest = (client: Credentials, parameters: Record<string, string>): Buffer =>
  requestBytes('/oidc/token', basic(client), { grant_type: 'client_credentials', ...parameters })

/** Whether these are the bytes of a complete response. Throws for any status except 200, 201 and 204. */
const isWhole = (received: Buffer): boolean => {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = received.toString('latin1', 0, end)
  const [, status] = /^HTTP\/1\.1 (20[014]) /.exec(head) ?? []
  if (!status) throw new Error(`The bench was answered: ${received.toString()}`)
  if (status === '204') return true
  const [, length] = /content-length: (\d+)/i.exec(head) ?? []
  if (length === undefined) throw new Error('The bench understands only answers with a Content-Length')
  return received.length >= end + 4 + Number(length)
}

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket)).once('error', reject)
    socket.setNoDelay(true)
  })

/** Sends requests one after another on a connection until time is up; resolves with the latency of each. */
const converse = (socket: Socket, next: NextRequest, until: number): Promise<number[]> =>
  new Promise((resolve, reject) => {
    const latencies: number[] = []
    let received: Buffer | undefined
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      const request = sentAt < until ? next() : undefined
      if (request) socket.write(request)
      else resolve(latencies)
    }
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed a connection')))
    socket.on('data', (chunk: Buffer) => {
      received = received ? Buffer.concat([received, chunk]) : chunk
      try {
        if (!isWhole(received)) return
      } catch (error) {
        reject(error)
        return
      }
      received = undefined
      latencies.push(performance.now() - sentAt)
      send()
    })
    send()
  })

/** Loads a server on the loopback for some seconds. */
export const loadFor = async (
  port: number,
  seconds: number,
  next: NextRequest,
  connections: number,
): Promise<Round> => {
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)))
  const startedAt = performance.now()
  try {
    const each = await Promise.all(sockets.map((socket) => converse(socket, next, startedAt + seconds * 1000)))
    const latencies = Float64Array.from(each.flat()).sort()
    return { requests: latencies.length, seconds: (performance.now() - startedAt) / 1000, latencies }
  } finally {
    for (const socket of sockets) socket.removeAllListeners('close').destroy()
  }
}

/** Repeats an action of several requests for some seconds, several in parallel. */
export const repeatFor = async (seconds: number, once: () => Promise<void>, atOnce: number): Promise<Round> => {
  const startedAt = performance.now()
  const latencies: number[] = []
  const repeat = async () => {
    for (;;) {
      const begun = performance.now()
      if (begun - startedAt > seconds * 1000) return
      await once()
      latencies.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, repeat))
  const sorted = Float64Array.from(latencies).sort()
  return { requests: sorted.length, seconds: (performance.now() - startedAt) / 1000, latencies: sorted }
}
