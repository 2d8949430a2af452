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

/** Sends every statement at once: it does not wait for the result of the previous one. */
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

/** One per connection: it knows nothing about transactions. */
const bound = new WeakMap<pg.PoolClient, Kysely<Tables>>()

/**
 * Statements leave in the order in which they are executed, each before `execute` returns its promise: Kysely's own
 * connection provider would pass them on some promises later, and the first one later than the second. Statements that
 * are sent often are prepared: the caller has to repeat its work when a plan is refused (isOutdatedPlan). @param client
 * stays open for as long as this is used
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
