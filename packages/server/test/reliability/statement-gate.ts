/**
 * A proxy between a node and PostgreSQL that parses the messages of the frontend protocol and stops one transaction at
 * a given position: neither that message nor anything after it reaches the database. The test decides what happens
 * then. Everything else passes unchanged.
 */
import { connect, createServer, type Socket } from 'node:net'
import type { ClusterAddress } from '@countersign/harness/cluster.ts'

/** Where the transaction is stopped. */
export type Place =
  /** Before its n-th message, counted from 1: Query, Parse, Bind, Describe, Execute, Sync, … */
  | { readonly message: number }
  /** Before its n-th statement. */
  | { readonly statement: number }
  /** When the database has committed, before the node learns of it. */
  | 'committed'

interface Trap {
  readonly marker: string
  readonly place: Place
  readonly spring: (cut: () => void) => void
  sprung: boolean
}

export interface StatementGate {
  /** The address of the proxy, in place of the database's. */
  readonly address: ClusterAddress
  /**
   * Sets a trap for the next transaction whose first statement holds the marker. When it reaches the position, `spring`
   * is called once, with a function that cuts the connection on both sides.
   */
  set(marker: string, place: Place, spring: (cut: () => void) => void): void
  /** Removes the trap. Returns whether it was sprung. */
  clear(): boolean
  close(): Promise<void>
}

interface Message {
  readonly type: string
  readonly bytes: Buffer
  readonly text: string
}

const NUL = '\0'

/** Cuts a stream into messages; the first of the frontend has no type. @param isStarted of the backend, or later */
export const messagesOf = (isStarted = false): ((chunk: Buffer) => Message[]) => {
  let rest = Buffer.alloc(0)
  /** The texts of statements that were prepared on this connection, by their names. */
  const prepared = new Map<string, string>()
  let last: Message | undefined
  /**
   * The content of the message; for the use of a prepared statement also its text, which an earlier message carried.
   */
  const textOf = (type: string, bytes: Buffer): string => {
    const text = bytes.toString('latin1')
    if (type === 'P') {
      const [name = '', statement = ''] = text.slice(5).split(NUL)
      if (name !== '') prepared.set(name, statement)
    }
    if (type !== 'B' || last?.type === 'P') return text
    const [, name = ''] = text.slice(5).split(NUL)
    return text + (prepared.get(name) ?? '')
  }
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    const messages: Message[] = []
    for (;;) {
      const offset = isStarted ? 1 : 0
      if (rest.length < offset + 4) return messages
      const length = offset + rest.readUInt32BE(offset)
      if (rest.length < length) return messages
      const bytes = rest.subarray(0, length)
      const type = isStarted ? String.fromCharCode(bytes[0] ?? 0) : ''
      last = { type, bytes, text: textOf(type, bytes) }
      messages.push(last)
      rest = rest.subarray(length)
      isStarted = true
    }
  }
}

/** A message that carries the text of a statement, or the name of one that was prepared. */
export const isText = ({ type }: Message) => type === 'Q' || type === 'P' || type === 'B'
/** A message after which another statement begins. */
const isEnd = (message: Message | undefined) => message === undefined || message.type === 'Q' || message.type === 'S'

export const statementGate = async (cluster: ClusterAddress): Promise<StatementGate> => {
  let trap: Trap | undefined
  const sockets = new Set<Socket>()

  const through = (near: Socket) => {
    const far = cluster.host.startsWith('/')
      ? connect(`${cluster.host}/.s.PGSQL.${cluster.port}`)
      : connect(cluster.port, cluster.host)
    const cut = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', cut)
      socket.on('close', cut)
    }

    const read = messagesOf()
    /** A transaction has begun, and its first statement identifies it. */
    let held: Message[] | undefined
    let watched: { messages: number; statements: number; last: Message | undefined } | undefined
    let isStopped = false
    let isDeaf = false

    const spring = () => {
      if (!trap || trap.sprung) return
      isStopped = true
      trap.sprung = true
      trap.spring(cut)
    }
    const forward = (message: Message) => {
      if (isStopped) return
      if (!watched || !trap) {
        far.write(message.bytes)
        return
      }
      watched.messages += 1
      if (isEnd(watched.last)) watched.statements += 1
      watched.last = message
      const { place } = trap
      if (place === 'committed') isDeaf ||= message.type === 'Q' && message.text.includes('COMMIT\0')
      else if ('message' in place ? watched.messages === place.message : watched.statements === place.statement)
        return spring()
      far.write(message.bytes)
      if (message.text.includes('COMMIT\0') && place !== 'committed') watched = undefined
    }
    const take = (message: Message) => {
      if (!held) {
        if (trap && !trap.sprung && !watched && isText(message) && /BEGIN[;\0]/.test(message.text)) held = [message]
        else forward(message)
        return
      }
      held.push(message)
      if (!isText(message)) return
      if (trap && message.text.includes(trap.marker)) watched = { messages: 0, statements: 0, last: undefined }
      const released = held
      held = undefined
      for (const each of released) forward(each)
    }

    near.on('data', (chunk) => {
      for (const message of read(chunk as Buffer)) take(message)
    })
    far.on('data', (chunk) => {
      if (!isDeaf) near.write(chunk)
      else if (chunk.toString('latin1').includes('COMMIT\0')) spring()
    })
  }

  const server = createServer(through)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the gate has no port')
  return {
    address: { ...cluster, host: '127.0.0.1', port: address.port },
    set(marker, place, spring) {
      trap = { marker, place, spring, sprung: false }
    },
    clear() {
      const sprung = trap?.sprung === true
      trap = undefined
      return sprung
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
