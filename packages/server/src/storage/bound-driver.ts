/** Lets units send their statements through one given connection, which the caller takes from the pool and returns. */
import {
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import { createLane, type Lane } from './lane.ts'
import { preparedNameOfOften } from './prepared.ts'
import type { ShapeSender } from './statement.ts'
import type { Tables } from './tables.ts'

/** Where one of the units that share a connection sends its statements. */
export interface Seat extends ShapeSender {
  readonly tx: Kysely<Tables>
  /** Sends a statement that is not one of `tx`. */
  query(statement: pg.QueryConfig): Promise<pg.QueryResult>
  /** Whether a statement has changed a row, as far as responses have arrived; reset when the seat is taken. */
  hasWritten: boolean
}

/** Whether a statement may have changed something. One that begins with WITH may change rows and return others. */
const writes = (text: string, { command, rowCount }: pg.QueryResult): boolean =>
  command === 'SELECT' ? /^\s*with\b/i.test(text) : rowCount !== 0

/** A statement does not wait for the result of the previous one. */
const connectionOf = (query: Seat['query'], written: () => void): DatabaseConnection => ({
  async executeQuery({ sql, parameters }) {
    const name = preparedNameOfOften(sql)
    const values = parameters as unknown[]
    const result = await query(name === undefined ? { text: sql, values } : { name, text: sql, values })
    if (writes(sql, result)) written()
    const { rows, rowCount } = result
    return { rows, numAffectedRows: rowCount === null ? undefined : BigInt(rowCount) }
  },
  streamQuery: () => {
    throw new Error('A bound connection does not stream')
  },
})

const refuse = async (): Promise<never> => {
  throw new Error('A bound connection is opened, and its transaction begun and ended, by its owner')
}
const driver: Driver = {
  init: refuse,
  acquireConnection: refuse,
  beginTransaction: refuse,
  commitTransaction: refuse,
  rollbackTransaction: refuse,
  releaseConnection: refuse,
  destroy: refuse,
}
const adapter = new PostgresAdapter()
const compiler = new PostgresQueryCompiler()
const dialect = {
  createAdapter: () => adapter,
  createDriver: () => driver,
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => compiler,
}

const newSeat = (lane: Lane): Seat => {
  const place = { last: 0 }
  const query = (statement: pg.QueryConfig) => lane.query(statement, place)
  const connection = connectionOf(query, () => {
    seat.hasWritten = true
  })
  const provider = { provideConnection: <T>(consumer: (to: DatabaseConnection) => Promise<T>) => consumer(connection) }
  const executor = new DefaultQueryExecutor(compiler, adapter, provider)
  const tx = new Kysely<Tables>({ config: { dialect }, dialect, driver, executor })
  const seat: Seat = {
    tx,
    query,
    async sendShape(shape, values) {
      const { rows, isWritten } = await lane.together(shape, values, place)
      if (isWritten) seat.hasWritten = true
      return rows
    },
    hasWritten: false,
  }
  return seat
}

/** What sends on a connection. */
export interface BoundConnection {
  readonly lane: Lane
  /**
   * The seat with this index, which one unit uses at a time. Statements leave in the order in which they are executed, each
   * in its place before `execute` returns its promise: Kysely's own provider of connections would pass them on some promises
   * later, and the first one later than the second. Statements that are sent often are prepared: the caller has to repeat
   * its work when a plan is refused (isOutdatedPlan).
   */
  seatAt(index: number): Seat
}

const newConnection = (client: pg.PoolClient): BoundConnection => {
  const lane = createLane(client)
  const seats: Seat[] = []
  return {
    lane,
    seatAt(index) {
      const seat = seats[index] ?? newSeat(lane)
      seats[index] = seat
      seat.hasWritten = false
      return seat
    },
  }
}

/** They know nothing about transactions. */
const connections = new WeakMap<pg.PoolClient, BoundConnection>()

/** @param client stays open for as long as this is used */
export const boundTo = (client: pg.PoolClient): BoundConnection => {
  const connection = connections.get(client) ?? newConnection(client)
  connections.set(client, connection)
  return connection
}
