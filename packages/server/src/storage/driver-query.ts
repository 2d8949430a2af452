/**
 * A prepared statement as it is sent, and its result. The driver's own class asks PostgreSQL with every execution which
 * columns the result has, copies what it is given, and sends four messages one by one. A prepared statement has the same
 * columns each time, or is refused (docs/decisions/0024).
 */
import pg from 'pg'
import { bindMessage, DESCRIBE, EXECUTE, type WireValue } from './wire-messages.ts'

/** The columns of the rows of a statement. */
interface Columns {
  readonly fields: pg.FieldDef[]
  readonly parsers: readonly ((text: string) => unknown)[]
  /** With every column, so that all rows have one shape. */
  readonly empty: Readonly<Record<string, unknown>>
}

/** What is known about the prepared statements of one connection: their columns, by name. */
export type KnownColumns = Map<string, Columns>

/** What a query calls on the connection that sends it. */
interface DriverConnection {
  readonly stream: { readonly writable: boolean; write(bytes: Buffer): boolean }
  readonly parsedStatements: Readonly<Record<string, string>>
  readonly submittedNamedStatements: Record<string, string>
  parse(statement: { readonly name: string; readonly text: string }): void
}

/** A statement with its values on the wire. */
export interface Sendable {
  readonly name: string
  readonly text: string
  readonly values: readonly WireValue[]
}

type Finish = (error: Error | undefined, result: pg.QueryResult) => void

const NO_COLUMNS: Columns = { fields: [], parsers: [], empty: {} }

const columnsOf = (fields: pg.FieldDef[], types: pg.CustomTypesConfig): Columns => ({
  fields,
  parsers: fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text')),
  empty: Object.fromEntries(fields.map(({ name }) => [name, null])),
})

/** For `query` of a pipelined client, which calls the methods. A query is sent once. */
export class DriverQuery {
  readonly name: string
  readonly text: string
  /** Called at the end; the driver replaces it if statements have a timeout. */
  callback: Finish
  readonly #values: readonly WireValue[]
  readonly #known: KnownColumns
  readonly #types: pg.CustomTypesConfig
  readonly #result: pg.QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] }
  #columns: Columns | undefined
  #unreadable: Error | undefined

  /** @param known of the client that sends it */
  constructor({ name, text, values }: Sendable, known: KnownColumns, types: pg.CustomTypesConfig, callback: Finish) {
    this.name = name
    this.text = text
    this.#values = values
    this.#known = known
    this.#types = types
    this.callback = callback
  }

  submit(connection: DriverConnection): Error | null {
    const { name, text } = this
    const { stream, submittedNamedStatements: submitted } = connection
    const previous = connection.parsedStatements[name] ?? submitted[name]
    if (previous === undefined) {
      connection.parse({ name, text })
      submitted[name] = text
    } else if (previous !== text) return new Error(`The name ${name} belongs to another statement`)
    this.#columns = this.#known.get(name)
    // a socket that has been closed ends every query of its client
    if (stream.writable) stream.write(bindMessage(name, this.#values, this.#columns ? EXECUTE : DESCRIBE))
    return null
  }

  handleRowDescription({ fields }: { readonly fields: pg.FieldDef[] }): void {
    this.#columns = columnsOf(fields, this.#types)
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    if (this.#unreadable) return
    const { fields, parsers, empty } = this.#columns ?? NO_COLUMNS
    try {
      const row: Record<string, unknown> = { ...empty }
      for (const [index, value] of values.entries()) {
        const [field, parse] = [fields[index], parsers[index]]
        if (field && parse && value !== null) row[field.name] = parse(value)
      }
      this.#result.rows.push(row)
    } catch (error) {
      this.#unreadable = error as Error
    }
  }

  /** `INSERT 0 1`, `SELECT 3`, `SET` */
  handleCommandComplete({ text }: { readonly text: string }): void {
    const end = text.indexOf(' ')
    this.#result.command = end < 0 ? text : text.slice(0, end)
    const count = end < 0 ? Number.NaN : Number(text.slice(text.lastIndexOf(' ') + 1))
    this.#result.rowCount = Number.isNaN(count) ? null : count
  }

  handleReadyForQuery(): void {
    this.#columns ??= NO_COLUMNS
    this.#known.set(this.name, this.#columns)
    this.#result.fields = this.#columns.fields
    this.callback(this.#unreadable, this.#result)
  }

  handleError(error: Error): void {
    this.callback(this.#unreadable ?? error, this.#result)
  }

  handleEmptyQuery(): void {}
}

// a pipelined client refuses queries of any class that it does not take for its own
Object.setPrototypeOf(DriverQuery.prototype, pg.Query.prototype)
