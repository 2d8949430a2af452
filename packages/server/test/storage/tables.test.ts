/** The table types of storage/tables.ts match the migrated database in every column. */
import { readdir, readFile } from 'node:fs/promises'
import { createDatabase } from '@countersign/harness/cluster.ts'
import { withClient } from '@countersign/server/storage/client.ts'
import { expect, inject, test } from 'vitest'

interface Column {
  readonly type: string
  readonly nullable: boolean
  /** The database fills it in. */
  readonly generated: boolean
}
type Schema = Record<string, Record<string, Column>>

/** The type that Kysely returns for a column, in PostgreSQL's terms. */
const AS_IN_SQL: Readonly<Record<string, string>> = {
  string: 'text',
  'string[]': 'ARRAY',
  number: 'number',
  boolean: 'boolean',
  Date: 'timestamp with time zone',
  Buffer: 'bytea',
  'Record<string, unknown>': 'jsonb',
}

const columnOf = (declared: string): Column => {
  const generated = /^Generated<(.+)>$/.exec(declared)
  // a column that is written in another form, or not at all, is compared by its type when read
  const inner = /^ColumnType<(Record<.+?>(?: \| null)?|.+?), /.exec(declared)?.[1] ?? generated?.[1] ?? declared
  const nullable = / \| null$/.test(inner)
  const plain = inner.replace(/ \| null$/, '')
  if (plain.startsWith('Json<')) return { type: 'jsonb', nullable, generated: generated !== null }
  const type = plain.startsWith("'") ? 'text' : AS_IN_SQL[plain]
  if (!type) throw new Error(`tables.ts declares a column as ${declared}, which this test does not know`)
  return { type, nullable, generated: generated !== null }
}

const FOLDER = new URL('../../src/storage/', import.meta.url)

/** The interface Tables and those that it extends: types do not exist at run time, so the source is parsed. */
const declaredTables = async (): Promise<Schema> => {
  const files = (await readdir(FOLDER)).filter((file) => /(^|-)tables\.ts$/.test(file))
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, FOLDER), 'utf8')))
  const bodies = sources.map((source) => /export interface \w*Tables\s[^{]*\{([\s\S]+?)\n\}/.exec(source)?.[1] ?? '')
  const text = bodies.join('\n').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  const tables = [...text.matchAll(/^ {2}(\w+): \{([^}]+)\}/gm)]
  return Object.fromEntries(
    tables.map(([, table = '', columns = '']) => [
      table,
      Object.fromEntries(
        [...columns.matchAll(/(\w+): ([^;\n]+)/g)].map(([, column = '', type = '']) => [column, columnOf(type.trim())]),
      ),
    ]),
  )
}

const actualTables = async (): Promise<Schema> => {
  const { url, drop } = await createDatabase(inject('cluster'))
  try {
    const { rows } = await withClient(url, (client) =>
      client.query(`SELECT * FROM information_schema.columns WHERE table_schema = 'public'`),
    )
    const schema: Schema = {}
    for (const { table_name, column_name, data_type, is_nullable, column_default, is_identity } of rows) {
      if (table_name === 'schema_migrations') continue
      schema[table_name] ??= {}
      Object.assign(schema[table_name], {
        [column_name]: {
          type: ['integer', 'bigint', 'smallint', 'double precision'].includes(data_type) ? 'number' : data_type,
          nullable: is_nullable === 'YES',
          generated: column_default !== null || is_identity === 'YES',
        },
      })
    }
    return schema
  } finally {
    await drop()
  }
}

test('tables.ts agrees with the database: tables, columns, types, nulls and defaults', async () => {
  const declared = await declaredTables()
  expect(Object.keys(declared).length).toBeGreaterThan(10)
  // a jsonb column is written as JSON text whether or not the database has a default for it
  const comparable = (schema: Schema) =>
    Object.fromEntries(
      Object.entries(schema).map(([table, columns]) => [
        table,
        Object.fromEntries(
          Object.entries(columns).map(([name, column]) => [
            name,
            column.type === 'jsonb' ? { ...column, generated: false } : column,
          ]),
        ),
      ]),
    )
  expect(comparable(declared)).toEqual(comparable(await actualTables()))
})
