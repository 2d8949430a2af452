/** Locks one row by its name in the address of a request, before what it shows is compared with what the caller has seen. */
import { sql } from 'kysely'
import type { Tables } from './tables.ts'
import type { Unit } from './unit-of-work.ts'

/** Where the row is. */
export interface RowPlace {
  readonly table: keyof Tables
  /** The column that has the value beside the tenant's id; undefined: a tenant has one row. */
  readonly column?: string
  /** Of a row that may be missing while its defaults hold: what it is inserted with, so that there is one to lock. */
  readonly empty?: Readonly<Record<string, string>>
}

const insertEmpty = async ({ tx, tenant }: Unit, table: string, values: Readonly<Record<string, string>>) => {
  const names = Object.keys(values).map((name) => sql.ref(name))
  await sql`
    INSERT INTO ${sql.table(table)} (tenant_id, ${sql.join(names)}) VALUES (${tenant.id}, ${sql.join(Object.values(values))})
    ON CONFLICT DO NOTHING`.execute(tx)
}

/** Locks the row until the end of the transaction against every change (FOR UPDATE); one that is missing is none. */
export const lockRow = async (unit: Unit, { table, column, empty }: RowPlace, value: string | undefined) => {
  const { tx, tenant } = unit
  if (empty) await insertEmpty(unit, table, empty)
  const itself = column === undefined ? sql`` : sql` AND ${sql.ref(column)} = ${value ?? ''}`
  await sql`SELECT FROM ${sql.table(table)} WHERE tenant_id = ${tenant.id}${itself} FOR UPDATE`.execute(tx)
}
