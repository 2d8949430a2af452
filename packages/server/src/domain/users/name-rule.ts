/**
 * Whether the usernames of a tenant may differ only in case (`usernamePolicy.caseSensitive`, DECISIONS Q7), for writing
 * names and for changing the rule. Names are written under a shared lock, which a change back to case-insensitive names
 * takes exclusively: it sees every name, and none is written under the former rule after it.
 */

import { type RawBuilder, sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

/** The turns of lockouts and messages use other seeds. */
const lockOf = (tenantId: string) => sql`hashtextextended(${tenantId}, 3)`

/** SQL of the rule in force; right until the transaction ends only after `holdNameRule`. */
export const namesAreExact = (tenantId: string): RawBuilder<boolean> => sql<boolean>`
  coalesce((SELECT (e.settings #>> '{usernamePolicy,caseSensitive}')::boolean
    FROM sign_in_experiences e WHERE e.tenant_id = ${tenantId}), false)`

/** Keeps the rule unchanged until the transaction ends; called before rows of users are locked, to avoid deadlocks. */
export const holdNameRule = ({ tx, tenant, send }: Unit): void =>
  send(sql`SELECT pg_advisory_xact_lock_shared(${lockOf(tenant.id)})`.execute(tx))

/** What is stored with a written username: whether it conflicts only with itself. Holds the rule. */
export const nameRule = (
  unit: Unit,
  { username }: { readonly username?: string | null },
): { is_username_exact?: RawBuilder<boolean> | false } => {
  if (username === undefined) return {}
  if (username === null) return { is_username_exact: false }
  holdNameRule(unit)
  return { is_username_exact: namesAreExact(unit.tenant.id) }
}

/** Accounts whose names differ only in case. */
interface Conflict {
  /** The name in lower case. */
  readonly name: string
  /** At most a hundred. */
  readonly userIds: readonly string[]
}

/**
 * How many names are in use in more than one spelling, and the first of them by name. Reads all names of the tenant.
 */
export const caseConflicts = async (
  db: Db,
  tenantId: string,
  limit: number,
): Promise<{ total: number; conflicts: readonly Conflict[] }> => {
  const { rows } = await sql<Conflict & { total: number }>`
    SELECT username_key AS name, (array_agg(id ORDER BY id))[1:100] AS "userIds", (count(*) OVER ())::int AS total
    FROM users WHERE tenant_id = ${tenantId} AND username_key IS NOT NULL
    GROUP BY username_key HAVING count(*) > 1
    ORDER BY username_key LIMIT ${limit}`.execute(db)
  return { total: rows[0]?.total ?? 0, conflicts: rows.map(({ name, userIds }) => ({ name, userIds })) }
}

/**
 * Makes every name conflict with those that differ from it only in case; names can be written again when the
 * transaction has ended. Throws 422 `sign_in_experiences.username_policy_case_conflicts_exist` while there are such
 * names.
 */
export const ignoreCaseOfNames = async ({ tx, tenant, send }: Unit): Promise<void> => {
  send(sql`SELECT pg_advisory_xact_lock(${lockOf(tenant.id)})`.execute(tx))
  const { total: totalConflicts } = await caseConflicts(tx, tenant.id, 1)
  if (totalConflicts > 0)
    throw new ApiError('sign_in_experiences.username_policy_case_conflicts_exist', { totalConflicts })
  await tx
    .updateTable('users')
    .set({ is_username_exact: false })
    .where(inTenant(tenant.id))
    .where('is_username_exact', '=', true)
    .execute()
}
