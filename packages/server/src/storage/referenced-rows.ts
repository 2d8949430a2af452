/**
 * The rows that the ids of a request name, locked against deletion until the end of the transaction, so that a
 * reference to them never dangles. The only place where an id of another tenant, or of another kind of entity, is found
 * not to exist.
 */
import { sql } from 'kysely'
import { ApiError } from '../kernel/api-error.ts'
import type { Unit } from './unit-of-work.ts'

/** The tables, and the data of a row besides its id. */
interface Marks {
  readonly users: object
  readonly organizations: object
  readonly organization_scopes: object
  readonly sso_connectors: object
  readonly roles: { readonly type: string }
  readonly applications: { readonly type: string }
  readonly organization_roles: { readonly type: string }
  readonly scopes: { readonly is_management: boolean }
}
const MARKS: Readonly<Record<keyof Marks, string | undefined>> = {
  users: undefined,
  organizations: undefined,
  organization_scopes: undefined,
  sso_connectors: undefined,
  roles: 'type',
  applications: 'type',
  organization_roles: 'type',
  scopes: 'is_management',
}

export type ReferencedRow<T extends keyof Marks> = { readonly id: string } & Marks[T]

/**
 * Locks the rows in a fixed order (FOR KEY SHARE), so that two requests with the same ids do not deadlock. Throws 422
 * naming the ids that do not exist in the tenant. @param field the name of the ids in the request
 */
export const holdReferencedRows = async <T extends keyof Marks>(
  { tx, tenant }: Pick<Unit, 'tx' | 'tenant'>,
  table: T,
  ids: readonly string[],
  field: string,
): Promise<ReferencedRow<T>[]> => {
  if (ids.length === 0) return []
  const mark = MARKS[table]
  const { rows } = await sql<ReferencedRow<T>>`
    SELECT id${mark === undefined ? sql`` : sql`, ${sql.ref(mark)}`} FROM ${sql.table(table)}
    WHERE tenant_id = ${tenant.id} AND id = ANY(${ids}::text[]) ORDER BY id FOR KEY SHARE`.execute(tx)
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new ApiError('entity.relation_foreign_key_not_found', { [field]: unknown })
  return rows
}
