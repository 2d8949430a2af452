/** A condition for lists from which to choose what to add: it excludes the rows that are already related. */
import { type RawBuilder, sql } from 'kysely'

/** A relation of two ids: one is given, the other belongs to each listed row. */
interface Relation {
  readonly table: 'users_roles' | 'applications_roles' | 'organization_users' | 'organization_applications'
  /** The column of the id that is given. */
  readonly column: string
  readonly id: string
  /** The column of the listed one's id, and that id as the query names it. */
  readonly listed: readonly [column: string, id: string]
}

/** SQL: the listed row is not related to the id. It costs one index lookup for each row. */
export const notRelated = (
  tenantId: string,
  { table, column, id, listed: [own, listedId] }: Relation,
): RawBuilder<boolean> =>
  sql<boolean>`NOT EXISTS (
    SELECT FROM ${sql.table(table)} related
    WHERE related.tenant_id = ${tenantId} AND related.${sql.ref(column)} = ${id} AND related.${sql.ref(own)} = ${sql.ref(listedId)})`
