/** Lets Kysely send its statements through one given connection, which the caller takes from the pool and returns. */
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
import { preparedNameOfOften } from './prepared.ts'
import type { Tables } from './tables.ts'

/** Where one of the units that share a connection sends its statements. */
export interface Seat {
  readonly client: pg.PoolClient
  readonly tx: Kysely<Tables>
  /** Whether a statement of `tx` has changed a row, as far as responses have arrived; reset when the seat is taken. */
  hasWritten: boolean
}

/** Whether a statement may have changed something. One that begins with WITH may change rows and return others. */
const writes = (text: string, { command, rowCount }: pg.QueryResult): boolean =>
  command === 'SELECT' ? /^\s*with\b/i.test(text) : rowCount !== 0

/** Sends every statement at once: it does not wait for the result of the previous one. */
const connectionOf = (client: pg.PoolClient, written: () => void): DatabaseConnection => ({
  async executeQuery({ sql, parameters }) {
    const name = preparedNameOfOften(sql)
    const values = parameters as unknown[]
    const result = await client.query(name === undefined ? { text: sql, values } : { name, text: sql, values })
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

/** Those of each connection: they know nothing about transactions. */
const seats = new WeakMap<pg.PoolClient, Seat[]>()

const newSeat = (client: pg.PoolClient): Seat => {
  const connection = connectionOf(client, () => {
    seat.hasWritten = true
  })
  const provider = { provideConnection: <T>(consumer: (to: DatabaseConnection) => Promise<T>) => consumer(connection) }
  const executor = new DefaultQueryExecutor(compiler, adapter, provider)
  const tx = new Kysely<Tables>({ config: { dialect }, dialect, driver, executor })
  const seat: Seat = { client, tx, hasWritten: false }
  return seat
}

/**
 * Statements leave in the order in which they are executed, each before `execute` returns its promise: Kysely's own provider
 * of connections would pass them on some promises later, and the first one later than the second. Statements that are sent
 * often are prepared: the caller has to repeat its work when a plan is refused (isOutdatedPlan).
 * @param client stays open for as long as this is used
 * @param index of the seat, which one unit uses at a time
 */
export const seatAt = (client: pg.PoolClient, index: number): Seat => {
  const known = seats.get(client) ?? []
  seats.set(client, known)
  const seat = known[index] ?? newSeat(client)
  known[index] = seat
  seat.hasWritten = false
  return seat
}
