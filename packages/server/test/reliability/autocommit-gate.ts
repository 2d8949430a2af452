/**
 * A proxy between a node and PostgreSQL, like the gate of transactions, that stops a statement which is its own
 * transaction: before the database receives it, or after the database has run it and before the node knows. Then the
 * connection hangs.
 */
import { connect, createServer, type Socket } from 'node:net'
import type { ClusterAddress } from '@countersign/harness/cluster.ts'
import { isText, messagesOf } from './statement-gate.ts'

/** Before the database receives the statement, or when its response contains this. */
export type AutocommitPlace = 'unsent' | { readonly answer: RegExp }

export interface AutocommitGate {
  /** The address of the proxy, in place of the database's. */
  readonly address: ClusterAddress
  /** Stops the next statement that holds the marker; resolves when it is stopped. */
  stop(marker: string, place: AutocommitPlace): Promise<void>
  close(): Promise<void>
}

interface Trap {
  readonly marker: string
  readonly place: AutocommitPlace
  readonly sprung: () => void
}

/** ReadyForQuery outside of a transaction: the end of a response. */
const READY = Buffer.from('Z\0\0\0\x05I')

export const autocommitGate = async (cluster: ClusterAddress): Promise<AutocommitGate> => {
  let trap: Trap | undefined
  const sockets = new Set<Socket>()

  const through = (near: Socket) => {
    const far = cluster.host.startsWith('/')
      ? connect(`${cluster.host}/.s.PGSQL.${cluster.port}`)
      : connect(cluster.port, cluster.host)
    for (const socket of [near, far]) {
      sockets.add(socket)
      const cut = () => {
        near.destroy()
        far.destroy()
      }
      socket.on('error', cut)
      socket.on('close', cut)
    }
    const read = messagesOf()
    let hangs = false
    /** The response to a statement with the marker, as far as it has arrived. */
    let answer: Buffer | undefined

    near.on('data', (chunk) => {
      for (const message of read(chunk as Buffer)) {
        if (trap && isText(message) && message.text.includes(trap.marker)) {
          if (trap.place === 'unsent') {
            hangs = true
            trap.sprung()
            trap = undefined
          } else answer = Buffer.alloc(0)
        }
        if (!hangs) far.write(message.bytes)
      }
    })
    far.on('data', (chunk) => {
      if (answer === undefined) return void near.write(chunk)
      answer = Buffer.concat([answer, chunk as Buffer])
      if (hangs || !answer.subarray(-READY.length).equals(READY)) return
      if (trap && trap.place !== 'unsent' && trap.place.answer.test(answer.toString('latin1'))) {
        hangs = true
        trap.sprung()
        trap = undefined
        return
      }
      near.write(answer)
      answer = undefined
    })
  }

  const server = createServer(through)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the gate has no port')
  return {
    address: { ...cluster, host: '127.0.0.1', port: address.port },
    stop: (marker, place) =>
      new Promise((sprung) => {
        trap = { marker, place, sprung }
      }),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
