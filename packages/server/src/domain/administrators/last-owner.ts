/** A tenant that has an owner keeps one who can sign in (DECISIONS U5). */
import { sql } from 'kysely'
import { ApiError } from '../../kernel/api-error.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { OWNER } from './built-in-roles.ts'

/**
 * Throws 422 `administrator.last_owner` if the user is the only owner who is not suspended, before they are removed, suspended or
 * deleted. Owners are counted in turn: two who leave at the same moment do not both leave.
 */
export const assertOwnerRemains = async (
  { tx, tenant }: Pick<Unit, 'tx' | 'tenant'>,
  userId: string,
): Promise<void> => {
  const { rows: held } = await sql`
    SELECT FROM administrators_roles
    WHERE tenant_id = ${tenant.id} AND user_id = ${userId} AND role_id = ${OWNER}`.execute(tx)
  if (held.length === 0) return
  await sql`SELECT FROM administrator_roles WHERE tenant_id = ${tenant.id} AND id = ${OWNER} FOR NO KEY UPDATE`.execute(
    tx,
  )
  const { rows: others } = await sql`
    SELECT FROM administrators_roles h JOIN users u ON u.tenant_id = h.tenant_id AND u.id = h.user_id
    WHERE h.tenant_id = ${tenant.id} AND h.role_id = ${OWNER} AND h.user_id <> ${userId} AND NOT u.is_suspended
    LIMIT 1`.execute(tx)
  if (others.length === 0) throw new ApiError('administrator.last_owner')
}
