/** Lets Kysely send its statements through one given connection, which somebody else takes from the pool and gives back. */
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import { preparedNameOfOften } from './prepared.ts'
import type { Tables } from './tables.ts'

/** Sends at once whatever it is given: a statement does not wait for the answer of the one before. */
class BoundDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(client: pg.PoolClient) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const name = preparedNameOfOften(sql)
        const values = parameters as unknown[]
        const result = await client.query(name === undefined ? { text: sql, values } : { name, text: sql, values })
        const numAffectedRows = result.rowCount === null ? undefined : BigInt(result.rowCount)
        return { rows: result.rows as R[], numAffectedRows }
      },
      streamQuery: () => {
        throw new Error('A bound connection does not stream')
      },
    }
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  beginTransaction = refuse
  commitTransaction = refuse
  rollbackTransaction = refuse
}

async function refuse(): Promise<never> {
  throw new Error('The transaction of a bound connection is begun and ended by its owner')
}

/** One for each connection: it knows nothing of a transaction. */
const bound = new WeakMap<pg.PoolClient, Kysely<Tables>>()

/**
 * Statements that are sent often are prepared: what they are sent for has to be done again when a plan is refused
 * (isOutdatedPlan).
 * @param client stays open for as long as this is used
 */
export const boundTo = (client: pg.PoolClient): Kysely<Tables> => {
  const known = bound.get(client)
  if (known) return known
  const made = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new BoundDriver(client),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  bound.set(client, made)
  return made
}
