/**
 * Statements that do the same for several units at once: the values of each unit are one row of what is given, and every
 * row that comes back has the number of its unit. The text is built once for each shape that a statement can have. For
 * the hot paths, where building and sending a statement for each cost more than what it does (docs/decisions/0024).
 */
import { CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** A value of a statement, or SQL that gives it. */
export type SqlValue<T> = T | Expression<T>

type SqlType = 'text' | 'text[]' | 'boolean' | 'bytea' | 'integer' | 'timestamptz'

class Parameter {
  readonly name: string
  readonly type: SqlType
  constructor(name: string, type: SqlType) {
    this.name = name
    this.type = type
  }
}

/** The place of a value in the text; the same name always means the same value. */
export const parameter = <T>(name: string, type: SqlType): RawBuilder<T> => sql<T>`${new Parameter(name, type)}`

const GIVEN_MARK = '/* given */'
/** What is given, for the FROM of a statement. Its rows are numbered from 0: `given.n`. */
export const GIVEN: RawBuilder<unknown> = sql.raw(GIVEN_MARK)

/** A statement in one of its shapes. */
export interface Shape {
  /** With one parameter: the JSON of all values. */
  readonly text: string
  /** The names of its values. */
  readonly names: readonly string[]
}

export type ShapedValues = Readonly<Record<string, unknown>>

/**
 * The condition is always true, but PostgreSQL expects it of one row only, and so plans for few: by index, at any size of
 * the tables.
 */
const given = (columns: readonly Parameter[]): string =>
  `(SELECT * FROM json_to_recordset($1) AS one (n integer, ${columns.map(({ name, type }) => `"${name}" ${type}`).join()})
    WHERE n % 1 = 0) given`

/** Throws for a value that is embedded in the text, because the next call would send it again. */
const shapeOf = (db: Db, built: RawBuilder<unknown>): Shape => {
  const { sql: text, parameters } = built.compile(db)
  const columns = new Map<string, Parameter>()
  const references = parameters.map((each) => {
    if (!(each instanceof Parameter)) throw new Error('A shaped statement has named parameters only')
    columns.set(each.name, each)
    return `given."${each.name}"`
  })
  const named = text.replace(/\$(\d+)/g, (_, number) => references[Number(number) - 1] ?? '')
  return { text: named.replaceAll(GIVEN_MARK, () => given([...columns.values()])), names: [...columns.keys()] }
}

const sendable = (value: unknown): unknown =>
  value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value

/** The values of one unit as a JSON object. @param number of the unit */
export const valuesAsJson = ({ names }: Shape, number: number, values: ShapedValues): string => {
  const row: Record<string, unknown> = { n: number }
  for (const name of names) row[name] = sendable(values[name])
  return JSON.stringify(row)
}

/** Sends statements: a unit with those of others, or a connection alone. */
export interface ShapeSender {
  readonly tx: Db
  /** Resolves with the rows for these values. */
  sendShape(shape: Shape, values: ShapedValues): Promise<unknown[]>
}

/** Outside of a unit. */
export const aloneOn = (db: Db): ShapeSender => ({
  tx: db,
  async sendShape(shape, values) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(shape.text, [`[${valuesAsJson(shape, 0, values)}]`]))
    return rows
  },
})

/** Sends the statement of this shape; resolves with its rows. */
export type ShapedStatement<R> = (
  sender: ShapeSender,
  shape: string,
  build: () => RawBuilder<R>,
  values: ShapedValues,
) => Promise<R[]>

/**
 * A statement with its texts. `build` is called once for each shape, which must contain everything that the text
 * depends on; `values` has one for every parameter in it. The text contains GIVEN, and what it returns begins with
 * `given.n`. One that changes rows returns them, or returns nothing.
 */
export const shapedStatement = <R>(): ShapedStatement<R> => {
  const known = new Map<string, Shape>()
  return (sender, name, build, values) => {
    let shape = known.get(name)
    if (!shape) {
      shape = shapeOf(sender.tx, build())
      known.set(name, shape)
    }
    return sender.sendShape(shape, values) as Promise<R[]>
  }
}
