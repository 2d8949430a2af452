/** Lets Kysely send its statements through a connection whose transaction somebody else begins and ends. */
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import type pg from 'pg'

export class BoundDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(client: pg.PoolClient) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const result = await client.query(sql, [...parameters])
        const numAffectedRows = result.rowCount === null ? undefined : BigInt(result.rowCount)
        return { rows: result.rows as R[], numAffectedRows }
      },
      streamQuery: () => {
        throw new Error('A unit of work does not stream')
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
  throw new Error('A unit of work is one transaction already')
}
