/**
 * A prepared statement as the driver sends it, except that PostgreSQL is asked once on each connection which columns its result
 * has, and not with every execution: a prepared statement whose columns have changed is refused (docs/decisions/0024).
 */
import pg from 'pg'

/** What the driver calls to send the messages of a query. */
interface Connection {
  describe(message: unknown): void
}

/** What the driver makes of the description of the columns: it serves every result of the statement. */
interface Columns {
  fields: readonly pg.FieldDef[]
  _parsers: unknown
  _prebuiltEmptyResultObject: unknown
}

type Finish = (error: Error | undefined, result: pg.QueryResult) => void

/** The driver's own class, with what its types leave out. */
declare class DriverQuery {
  constructor(text: string, values: readonly unknown[], callback: Finish)
  name: string
  _result: Columns
  _accumulateRows: boolean
  prepare(connection: Connection): void
  handleReadyForQuery(connection: Connection): void
}

/** What is known about the prepared statements of one connection. */
export class KnownStatements {
  readonly columns = new Map<string, Columns>()
  #quiet: Connection | undefined

  /** The connection, to which Describe is not sent. */
  withoutDescribe(connection: Connection): Connection {
    this.#quiet ??= Object.assign(Object.create(connection) as Connection, { describe: () => undefined })
    return this.#quiet
  }
}

/** For `query` of a client; a query is sent once. It returns its rows at once: COPY is never prepared. */
export class PreparedQuery extends (pg.Query as unknown as typeof DriverQuery) {
  readonly #known: KnownStatements

  /** @param statement with a name @param known of the client that sends it */
  constructor(
    { name, text, values }: { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
    known: KnownStatements,
    callback: Finish,
  ) {
    super(text, values, callback)
    this.name = name
    this.#known = known
  }

  override prepare(connection: Connection): void {
    const columns = this.#known.columns.get(this.name)
    if (columns) {
      this._result.fields = columns.fields
      this._result._parsers = columns._parsers
      this._result._prebuiltEmptyResultObject = columns._prebuiltEmptyResultObject
      this._accumulateRows = true
    }
    super.prepare(columns ? this.#known.withoutDescribe(connection) : connection)
  }

  /** Not called for a statement that has failed. */
  override handleReadyForQuery(connection: Connection): void {
    const { fields, _parsers, _prebuiltEmptyResultObject } = this._result
    if (!this.#known.columns.has(this.name)) {
      this.#known.columns.set(this.name, { fields, _parsers, _prebuiltEmptyResultObject })
    }
    super.handleReadyForQuery(connection)
  }
}
