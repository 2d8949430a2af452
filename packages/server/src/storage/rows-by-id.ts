/** The rows of a page whose ids come from another table: a list of members is in the order of the memberships. */
import { type Selectable, sql } from 'kysely'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

/** The rows with these ids, in their order; those deleted in the meantime are missing. */
export const rowsById = async <T extends 'users' | 'applications' | 'organizations'>(
  store: Store,
  { id: tenantId }: Tenant,
  table: T,
  ids: readonly string[],
): Promise<Selectable<Tables[T]>[]> => {
  const { rows } = await sql<Selectable<Tables[T]> & { id: string }>`
    SELECT * FROM ${sql.table(table)}
    WHERE tenant_id = ${tenantId} AND id = ANY(${ids}::text[])`.execute(store.database.kysely)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
