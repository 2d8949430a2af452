/**
 * Counts round trips to the database: a proxy between the server and PostgreSQL that counts how often the server
 * sends something after it has received a response. Statements that are sent together are one round trip.
 */
import { connect, createServer, type Socket } from 'node:net'
import type { ClusterAddress } from '@countersign/harness/cluster.ts'
import { messagesOf } from '../reliability/statement-gate.ts'

export interface CountingProxy {
  /** The address of the proxy, in place of the database's. */
  readonly address: ClusterAddress
  /** What was sent in each round trip of the work, in the order of their start. */
  roundTrips(work: () => Promise<unknown>): Promise<string[]>
  /** The statements that PostgreSQL ran: by name if the program names them, otherwise by text. */
  statements(work: () => Promise<unknown>): Promise<string[]>
  /**
   * What PostgreSQL did meanwhile, on whatever account: each statement with how many rows it wrote, as in `UPDATE 1`. What only
   * reads has no such number.
   */
  effects(work: () => Promise<unknown>): Promise<string[]>
  close(): Promise<void>
}

/** Background work of the server, on no request's path: batches of audit rows, events, notices. */
const isBackground = (sent: string): boolean =>
  ['event_sequences', 'FROM outbox', 'dispatches', 'LISTEN ', 'SELECT 1\0'].some((word) => sent.includes(word)) ||
  (sent.includes('INSERT INTO audit_log') && !sent.includes('COMMIT'))

interface Round {
  text: string
  readonly statements: string[]
}

export const countingProxy = async (cluster: ClusterAddress): Promise<CountingProxy> => {
  let rounds: Round[] = []
  let effects: { readonly statement: string; written: string }[] = []
  const sockets = new Set<Socket>()
  const texts = new Map<string, string>()
  // a name of which only the number is known says nothing, and a statement gets one when it is sent for the twentieth
  // time
  const known = (name: string) => (/^prepared-\d+$/.test(name) ? (texts.get(name) ?? name) : name)
  const server = createServer((near) => {
    const far = cluster.host.startsWith('/')
      ? connect(`${cluster.host}/.s.PGSQL.${cluster.port}`)
      : connect(cluster.port, cluster.host)
    let current: Round | undefined
    const read = messagesOf()
    const readAnswers = messagesOf(true)
    let parsed = ''
    /** Statements whose answer has not ended. */
    const running: { readonly statement: string; written: string }[] = []
    const run = (statement: string) => {
      const one = { statement, written: '' }
      running.push(one)
      effects.push(one)
      current?.statements.push(statement)
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (from === near) {
          if (!current) {
            current = { text: '', statements: [] }
            rounds.push(current)
          }
          for (const { type, text } of read(bytes as Buffer)) {
            current.text += text
            const [first = '', second = ''] = text.slice(5).split('\0')
            // Query: the text. Parse: a name, the text. Bind, which runs it: a portal, the name.
            if (type === 'P') parsed = second
            if (type === 'P' && first !== '') texts.set(first, second)
            if (type === 'Q') run(first)
            if (type === 'B') run(second === '' ? parsed : known(second))
          }
        } else {
          current = undefined
          for (const { type, text } of readAnswers(bytes as Buffer)) {
            const [one] = running
            // CommandComplete: what was done; ReadyForQuery: the answer has ended
            if (type === 'C' && one && /^(INSERT|UPDATE|DELETE)/.test(text.slice(5)))
              one.written += ` ${text.slice(5, -1)}`
            if (type === 'Z') running.shift()
          }
        }
        to.write(bytes)
      })
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const during = async (work: () => Promise<unknown>): Promise<Round[]> => {
    rounds = []
    await work()
    return rounds.filter(({ text }) => !isBackground(text))
  }
  return {
    address: { ...cluster, host: '127.0.0.1', port: address.port },
    roundTrips: async (work) => (await during(work)).map(({ text }) => text),
    effects: async (work) => {
      effects = []
      await work()
      return effects.map(({ statement, written }) => `${statement}${written}`)
    },
    statements: async (work) => (await during(work)).flatMap(({ statements }) => statements),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
