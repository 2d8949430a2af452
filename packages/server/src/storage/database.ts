/** The connection pool, and Kysely over it. Every statement is counted, and is a span for OpenTelemetry. */
import { trace } from '@opentelemetry/api'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Log } from '../kernel/log.ts'
import { preparedName } from './prepared.ts'
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
   * For the loads of the configuration cache, on connections of their own: a unit of work that has to wait for one must
   * not wait for the pool that it is itself holding up.
   */
  readonly configuration: Db
  readonly connection: Connection
  /** How many statements this process has sent. */
  readonly statements: () => number
  /** How often it has waited for the database: statements that travel together are one round trip. */
  readonly roundTrips: () => number
  close(): Promise<void>
}

type QueryArguments = Parameters<typeof pg.Client.prototype.query>

/** The same, with a name for a statement that is to be prepared. */
const prepared = (args: QueryArguments): QueryArguments => {
  const [text, values] = args as unknown as [unknown, unknown]
  const name = typeof text === 'string' && Array.isArray(values) ? preparedName(text) : undefined
  return name === undefined ? args : ([{ name, text, values }] as unknown as QueryArguments)
}

const CONFIGURATION_CONNECTIONS = 3
const INT8 = 20
const types: pg.CustomTypesConfig = {
  // bigint columns of ours hold sequence numbers and counts, all far below 2^53
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
}

export const connectionConfig = (connection: Connection): pg.ClientConfig =>
  'url' in connection ? { connectionString: connection.url } : { ...connection }

/**
 * Opens the pool; connects when the first statement needs it. Connections are pipelined: a statement does not wait for
 * the answer of the one before, so that BEGIN costs no round trip of its own.
 * @param poolSize the most connections
 */
export const openDatabase = (connection: Connection, poolSize: number, log: Log): Database => {
  let statements = 0
  let roundTrips = 0
  const tracer = trace.getTracer('countersign')

  class CountedClient extends pg.Client {
    /** Whether anything was answered since the last round trip began. */
    #answered = true

    // The signature of pg's query has nine overloads; all of them go through here unchanged.
    override query = ((...args: Parameters<typeof pg.Client.prototype.query>) => {
      statements += 1
      // what is sent before anything was answered travels together; what is sent after an answer has waited for it
      if (this.#answered) roundTrips += 1
      const result = super.query(...prepared(args)) as unknown
      const span = tracer.startSpan('query')
      if (span.isRecording()) {
        const [config] = args as unknown as [string | { text?: string }]
        span.setAttribute('db.query.text', typeof config === 'string' ? config : (config.text ?? ''))
      }
      this.#answered = !(result instanceof Promise)
      if (result instanceof Promise) {
        const end = () => {
          this.#answered = true
          span.end()
        }
        result.then(end, end)
      } else span.end()
      return result
    }) as typeof pg.Client.prototype.query
  }

  const open = (max: number): pg.Pool => {
    const pool = new pg.Pool({
      ...connectionConfig(connection),
      Client: CountedClient,
      types,
      max,
      pipeline: true,
      keepAlive: true,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 60_000,
      application_name: 'countersign',
    })
    // pg leaves a connection that is in use without a listener: were it to die between two statements, the process would too
    pool.on('connect', (client) => {
      client.on('error', (error) => log.debug({ error: error.message }, 'a database connection was lost'))
      // where PostgreSQL has a compiler, it would compile statements that it takes for large, each time, for longer than they run
      client.query('SET jit = off').catch((error: unknown) => log.debug({ err: error }, 'jit could not be set'))
    })
    pool.on('error', (error) => log.warn({ error: error.message }, 'an idle database connection was lost'))
    return pool
  }
  const kyselyOver = (pool: pg.Pool) => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const pool = open(poolSize)
  const [kysely, configuration] = [kyselyOver(pool), kyselyOver(open(CONFIGURATION_CONNECTIONS))]
  return {
    pool,
    kysely,
    configuration,
    connection,
    statements: () => statements,
    roundTrips: () => roundTrips,
    async close() {
      await Promise.all([kysely.destroy(), configuration.destroy()])
    },
  }
}
