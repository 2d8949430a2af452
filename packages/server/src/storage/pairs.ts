/** Tables of pairs: which rows of one kind a row of another holds, such as the permissions of a role. */
import { type SqlBool, sql } from 'kysely'
import { notFound } from '../kernel/api-error.ts'
import { noteRemoved } from './noted-removals.ts'
import type { Tables } from './tables.ts'
import type { Unit } from './unit-of-work.ts'

export interface Pairs {
  readonly table: keyof Tables
  /** The column of the row that holds. */
  readonly holder: string
  /** The column of what is held. */
  readonly held: string
  /** What is held, as errors name it. */
  readonly kind: string
  /** The same as audit entries name it; undefined: they do not. */
  readonly entity?: string
}

/** The condition that a row is held. @param alias of its table in the query */
export const heldBy = ({ table, holder, held }: Pairs, tenantId: string, holderId: string, alias: string) =>
  sql<SqlBool>`${sql.ref(`${alias}.id`)} IN (
    SELECT ${sql.ref(held)} FROM ${sql.table(table)}
    WHERE tenant_id = ${tenantId} AND ${sql.ref(holder)} = ${holderId})`

/** Takes from the holder, which the caller has locked, whatever is not in the list, and records it in the audit entry. */
export const takeOthers = async (unit: Unit, pairs: Pairs, holderId: string, ids: readonly string[]): Promise<void> => {
  const { table, holder, held, entity } = pairs
  const { rows } = await sql<{ id: string }>`
    DELETE FROM ${sql.table(table)}
    WHERE tenant_id = ${unit.tenant.id} AND ${sql.ref(holder)} = ${holderId} AND ${sql.ref(held)} <> ALL(${ids}::text[])
    RETURNING ${sql.ref(held)} AS id`.execute(unit.tx)
  const removed = rows.map(({ id }) => id)
  if (entity !== undefined) noteRemoved(unit, entity, removed)
}

/** Takes one from the holder. Throws 404 when it is not held. */
export const takeHeld = async (
  { tx, tenant }: Unit,
  { table, holder, held, kind }: Pairs,
  holderId: string,
  id: string,
): Promise<void> => {
  const { rows } = await sql`
    DELETE FROM ${sql.table(table)}
    WHERE tenant_id = ${tenant.id} AND ${sql.ref(holder)} = ${holderId} AND ${sql.ref(held)} = ${id}
    RETURNING ${sql.ref(held)}`.execute(tx)
  if (rows.length === 0) throw notFound(kind, id)
}
