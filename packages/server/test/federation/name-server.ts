/** A name server that knows TXT records (RFC 1035, section 4.1), for organizations that prove a domain. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface NameServer {
  /** Its address, for DNS_SERVERS. */
  readonly address: string
  /** Values by name. */
  readonly records: Map<string, string>
  close(): Promise<void>
}

/** The first question of a message: the name in it, and its bytes. */
const questionOf = (message: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), bytes: message.subarray(12, at + 5) }
}

const words = (...values: number[]): Buffer => Buffer.from(Uint16Array.from(values).buffer).swap16()

const answerTo = (message: Buffer, records: ReadonlyMap<string, string>): Buffer => {
  const { name, bytes } = questionOf(message)
  const value = records.get(name)
  // a response, with recursion; 3: there is no such name
  const flags = 0x8180 + (value === undefined ? 3 : 0)
  const head = [message.subarray(0, 2), words(flags, 1, value === undefined ? 0 : 1, 0, 0), bytes]
  if (value === undefined) return Buffer.concat(head)
  // the name of the question, TXT, IN, for no time
  const record = words(0xc00c, 16, 1, 0, 0, value.length + 1)
  return Buffer.concat([...head, record, Buffer.from([value.length]), Buffer.from(value)])
}

export const startNameServer = async (): Promise<NameServer> => {
  const records = new Map<string, string>()
  const socket = createSocket('udp4')
  socket.on('message', (message, { address, port }) => socket.send(answerTo(message, records), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
}
