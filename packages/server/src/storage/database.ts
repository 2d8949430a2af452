/** The connection pool, and Kysely over it. Every statement is counted, and is a span of the trace that it belongs to. */
import type { Socket } from 'node:net'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../kernel/log.ts'
import { failSpan, startQuerySpan } from '../kernel/tracing.ts'
import { createLookups, type Lookups } from './lookups.ts'
import { preparedName } from './prepared.ts'
import { KnownStatements, PreparedQuery } from './prepared-query.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/** How to reach PostgreSQL: a URL, or the socket of the embedded one. */
export type Connection =
  | { readonly url: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
      readonly ssl: false
    }

export interface Database {
  readonly pool: pg.Pool
  readonly kysely: Db
  /**
   * For the loads of the configuration cache, on separate connections: a unit of work that waits for a load must
   * not wait for the pool that it is itself blocking.
   */
  readonly configuration: Db
  /** For reads by key, on connections that requests share. */
  readonly lookups: Lookups
  readonly connection: Connection
  /** How many statements this process has sent. */
  readonly statements: () => number
  /** How often it has waited for the database: statements sent together count as one round trip. */
  readonly roundTrips: () => number
  close(): Promise<void>
}

type QueryArguments = Parameters<typeof pg.Client.prototype.query>

const textOf = (args: QueryArguments): string => {
  const [statement] = args as unknown as [string | { text?: string }]
  return typeof statement === 'string' ? statement : (statement.text ?? '')
}

/** The same, with a name for a statement that is to be prepared. */
const prepared = (args: QueryArguments): QueryArguments => {
  const [text, values] = args as unknown as [unknown, unknown]
  const name = typeof text === 'string' && Array.isArray(values) ? preparedName(text) : undefined
  return name === undefined ? args : ([{ name, text, values }] as unknown as QueryArguments)
}

/** A prepared statement; undefined for any other, and for one with a callback. */
const preparedOf = (args: QueryArguments): (pg.QueryConfig & { readonly name: string }) | undefined => {
  const [statement, ...further] = args as unknown as [pg.QueryConfig, ...unknown[]]
  const { name } = statement
  return further.length > 0 || name === undefined ? undefined : { ...statement, name }
}

const CONFIGURATION_CONNECTIONS = 3
const LOOKUP_CONNECTIONS = 2
const INT8 = 20
const types: pg.CustomTypesConfig = {
  // bigint columns contain sequence numbers and counts, all far below 2^53
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

/**
 * Settings of every connection. With JIT, PostgreSQL would compile statements that it estimates to be expensive, each
 * time, for longer than they run. Data is nearly always in memory, and the plan of a prepared statement is made once:
 * it must use the index even if the table is small at that moment.
 */
const SETTINGS = 'SET jit = off; SET random_page_cost = 1.1; SET seq_page_cost = 4'

export const connectionConfig = (connection: Connection): pg.ClientConfig =>
  'url' in connection ? { connectionString: connection.url } : { ...connection }

/**
 * Opens the pool; connects when the first statement needs it. Connections are pipelined: a statement does not wait
 * for the result of the previous one, so that BEGIN costs no extra round trip.
 * @param poolSize the most connections
 */
export const openDatabase = (connection: Connection, poolSize: number, log: Log): Database => {
  let statements = 0
  let roundTrips = 0

  class CountedClient extends pg.Client {
    /** Whether requests share the connection: then each of their statements counts as a round trip. */
    isShared = false
    /** Whether any result arrived since the last round trip began. */
    #answered = true
    #isCorked = false
    readonly #known = new KnownStatements()

    /** Everything sent before the next turn leaves in one write: one system call and one wake-up of PostgreSQL. */
    #gather() {
      const { stream } = (this as unknown as { connection: { stream: Socket } }).connection
      if (this.#isCorked) return
      this.#isCorked = true
      stream.cork()
      process.nextTick(() => {
        this.#isCorked = false
        stream.uncork()
      })
    }

    #send(args: QueryArguments): unknown {
      const statement = preparedOf(args)
      if (!statement) return super.query(...args)
      const { name, text, values = [] } = statement
      return new Promise((resolve, reject) => {
        const finish = (error: Error | undefined, result: pg.QueryResult) => (error ? reject(error) : resolve(result))
        const query = new PreparedQuery({ name, text, values }, this.#known, finish)
        super.query(query as unknown as pg.Query)
      })
    }

    // The signature of pg's query has nine overloads; all of them go through here unchanged.
    override query = ((...args: Parameters<typeof pg.Client.prototype.query>) => {
      statements += 1
      // statements sent before any result arrive together; one sent after a result has waited for it
      if (this.#answered || this.isShared) roundTrips += 1
      this.#gather()
      const result = this.#send(prepared(args))
      const span = startQuerySpan(() => textOf(args))
      this.#answered = !(result instanceof Promise)
      if (!(result instanceof Promise)) {
        span?.end()
        return result
      }
      const end = () => {
        this.#answered = true
        span?.end()
      }
      return result.then(
        (answer) => {
          end()
          return answer
        },
        (error: unknown) => {
          if (span) failSpan(span, error)
          end()
          // from the socket it would lead to nowhere
          if (error instanceof Error) Error.captureStackTrace(error)
          throw error
        },
      )
    }) as typeof pg.Client.prototype.query
  }

  const config: pg.ClientConfig = {
    ...connectionConfig(connection),
    types,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'countersign',
  }
  const arrange = (client: pg.Client | pg.PoolClient) => {
    client.on('error', (error) => log.debug({ error: error.message }, 'a database connection was lost'))
    client
      .query(SETTINGS)
      .catch((error: unknown) => log.debug({ err: error }, 'a database connection could not be set up'))
  }
  const open = (max: number): pg.Pool => {
    const pool = new pg.Pool({ ...config, Client: CountedClient, max, idleTimeoutMillis: 60_000 })
    // pg leaves a connection in use without a listener: if it were lost between two statements, the process would end
    pool.on('connect', arrange)
    pool.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection was lost'))
    return pool
  }
  const lookups = createLookups(async () => {
    const client = new CountedClient(config)
    client.isShared = true
    // without a listener, losing an idle one would end the process
    client.on('error', () => undefined)
    await client.connect()
    arrange(client)
    return client
  }, LOOKUP_CONNECTIONS)
  const kyselyOver = (pool: pg.Pool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const pool = open(poolSize)
  const [kysely, configuration] = [kyselyOver(pool), kyselyOver(open(CONFIGURATION_CONNECTIONS))]
  return {
    pool,
    kysely,
    configuration,
    lookups,
    connection,
    statements: () => statements,
    roundTrips: () => roundTrips,
    async close() {
      await Promise.all([kysely.destroy(), configuration.destroy(), lookups.close()])
    },
  }
}
