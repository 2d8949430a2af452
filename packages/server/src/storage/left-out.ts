/** What a list leaves out: those who are given something already, where somebody chooses to whom to give it. */
import { type RawBuilder, sql } from 'kysely'

/** Of two ids that a row ties together, one that is given and one of each row that is listed. */
interface Tie {
  readonly table: 'users_roles' | 'applications_roles' | 'organization_users' | 'organization_applications'
  /** The column of the id that is given. */
  readonly column: string
  readonly id: string
  /** The column of the listed one's id, and that id as the query names it. */
  readonly listed: readonly [column: string, id: string]
}

/** SQL: the listed row is not tied to the id. One index entry is looked at for each. */
export const notTied = (tenantId: string, { table, column, id, listed: [own, listedId] }: Tie): RawBuilder<boolean> =>
  sql<boolean>`NOT EXISTS (
    SELECT FROM ${sql.table(table)} tie
    WHERE tie.tenant_id = ${tenantId} AND tie.${sql.ref(column)} = ${id} AND tie.${sql.ref(own)} = ${sql.ref(listedId)})`
