/** Lets Kysely send its statements through one given connection, which someone else takes from the pool and gives back. */
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

/** Sends at once whatever it is given: a statement does not wait for the answer of the one before. */
const connectionOf = (client: pg.PoolClient): DatabaseConnection => ({
  async executeQuery({ sql, parameters }) {
    const name = preparedNameOfOften(sql)
    const values = parameters as unknown[]
    const { rows, rowCount } = await client.query(
      name === undefined ? { text: sql, values } : { name, text: sql, values },
    )
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

/** One for each connection: it knows nothing of a transaction. */
const bound = new WeakMap<pg.PoolClient, Kysely<Tables>>()

/**
 * Statements leave in the order in which they are executed, each before `execute` returns its promise: Kysely's own provider
 * of connections would hand them on some promises later, and the first one later than the second. Those that are sent often
 * are prepared: what they are sent for has to be done again when a plan is refused (isOutdatedPlan).
 * @param client stays open for as long as this is used
 */
export const boundTo = (client: pg.PoolClient): Kysely<Tables> => {
  const known = bound.get(client)
  if (known) return known
  const connection = connectionOf(client)
  const provider = { provideConnection: <T>(consumer: (to: DatabaseConnection) => Promise<T>) => consumer(connection) }
  const executor = new DefaultQueryExecutor(compiler, adapter, provider)
  const made = new Kysely<Tables>({ config: { dialect }, dialect, driver, executor })
  bound.set(client, made)
  return made
}
