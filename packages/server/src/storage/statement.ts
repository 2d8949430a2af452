/**
 * Statements whose text is built once for each shape that they can have, and then only filled in: for the hot
 * paths, where building the text cost the server more than sending it (docs/decisions/0024).
 */
import { CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/** A value of a statement, or SQL that gives it. */
export type SqlValue<T> = T | Expression<T>

class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** The place of a value in the text; the same name always means the same value. */
export const parameter = <T>(name: string): RawBuilder<T> => sql<T>`${new Parameter(name)}`

interface Compiled {
  readonly text: string
  /** The names of its parameters, $1 first. */
  readonly names: readonly string[]
}

/**
 * The text with one number for each name. Throws for a value that is embedded in the text, because the next call would
 * send it again.
 */
const compiled = <R>(db: Db, built: RawBuilder<R>): Compiled => {
  const { sql: text, parameters } = built.compile(db)
  const names: string[] = []
  const numbers = parameters.map((each) => {
    if (!(each instanceof Parameter)) throw new Error('A shaped statement has named parameters only')
    if (!names.includes(each.name)) names.push(each.name)
    return names.indexOf(each.name) + 1
  })
  return { text: text.replace(/\$(\d+)/g, (_, number) => `$${numbers[Number(number) - 1]}`), names }
}

/** Sends the statement of this shape; resolves with its rows. */
export type ShapedStatement<R> = (
  db: Db,
  shape: string,
  build: () => RawBuilder<R>,
  values: Readonly<Record<string, unknown>>,
) => Promise<R[]>

/**
 * A statement with its texts. `build` is called once for each shape, which must contain everything that the text
 * depends on; `values` has one for every parameter in it.
 */
export const shapedStatement = <R>(): ShapedStatement<R> => {
  const known = new Map<string, Compiled>()
  return async (db, shape, build, values) => {
    let statement = known.get(shape)
    if (!statement) {
      statement = compiled(db, build())
      known.set(shape, statement)
    }
    const given = statement.names.map((name) => values[name])
    const { rows } = await db.executeQuery<R>(CompiledQuery.raw(statement.text, given))
    return rows
  }
}
