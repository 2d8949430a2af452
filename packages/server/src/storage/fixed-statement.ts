/**
 * Statements of the hot paths whose text never changes: the query is built and compiled once, which takes as long as sending it
 * (docs/decisions/0024).
 */
import { CompiledQuery, type Insertable, type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** The values of a statement, as it is built with them. */
export type Given<V> = { readonly [K in keyof V]: RawBuilder<V[K]> }

/** A query, or SQL. */
interface Built<R> {
  compile(db: Db): CompiledQuery<R>
}

/** The place of a value. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

const slots = <V>(): Given<V> => new Proxy({}, { get: (_, name: string) => sql`${new Slot(name)}` }) as Given<V>

/**
 * A statement that is built when it is first executed; `build` must not depend on anything but what it is given. Values that it
 * embeds are sent each time.
 */
export const fixedStatement = <V extends object, R>(build: (db: Db, given: Given<V>) => Built<R>) => {
  let compiled: CompiledQuery<R> | undefined
  return async (db: Db, values: V): Promise<R[]> => {
    compiled ??= build(db, slots<V>()).compile(db)
    const parameters = compiled.parameters.map((each) => (each instanceof Slot ? values[each.name as keyof V] : each))
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters })
    return rows
  }
}

/** Table and columns → the text that inserts a row. */
const insertions = new Map<string, string>()

/** Inserts a row with these columns; undefined is null. */
export const insertRow = async <T extends keyof Tables & string>(
  db: Db,
  table: T,
  row: Insertable<Tables[T]>,
): Promise<void> => {
  const columns = Object.keys(row)
  const key = `${table} ${columns.join()}`
  let text = insertions.get(key)
  if (text === undefined) {
    const places = columns.map((_, index) => `$${index + 1}`)
    text = `INSERT INTO ${table} (${columns.map((column) => `"${column}"`).join()}) VALUES (${places.join()})`
    insertions.set(key, text)
  }
  await db.executeQuery(CompiledQuery.raw(text, Object.values(row)))
}
