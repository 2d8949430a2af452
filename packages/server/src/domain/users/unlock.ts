/** Early unlocking of accounts by an administrator. */

import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertMayChange } from '../administrators/takeover.ts'
import { type Identifier, identifierKeys } from '../credentials/identifiers.ts'
import { forgetAll, readings } from '../credentials/lockout.ts'
import { accountOf, hasIdentifier, type UserRow } from './rows.ts'

/** The users who have one of these as their username, address or number. */
const usersNamed = async ({ tx, tenant }: Unit, typed: readonly Identifier[]): Promise<UserRow[]> => {
  const keys = [...new Set(typed.flatMap(identifierKeys))]
  if (keys.length === 0) return []
  const rows = await tx
    .selectFrom('users')
    .selectAll()
    .where(inTenant(tenant.id))
    .where(({ or, eb }) =>
      or([eb('username_key', 'in', keys), eb('email_key', 'in', keys), eb('primary_phone', 'in', keys)]),
    )
    .execute()
  return rows.filter((row) => typed.some((identifier) => hasIdentifier(row, identifier)))
}

/**
 * Unlocks these identifiers, whether or not an account has them, and the accounts that have them with all their
 * identifiers (DECISIONS N6). Later locks start at the shortest again. Throws 403 for an administrator whose password the caller
 * may not guess (DECISIONS U4). @param values usernames, email addresses and
 * phone numbers as users enter them @param hasExactNames whether the tenant distinguishes usernames by case
 */
export const identifiersUnlocked = operation(
  [],
  async (unit, values: readonly string[], hasExactNames: boolean): Promise<void> => {
    const typed = values.flatMap((value) => readings(value, hasExactNames))
    const users = await usersNamed(unit, typed)
    for (const { id } of users) await assertMayChange(unit, id)
    await forgetAll(
      unit,
      typed,
      users.map((row) => accountOf(row, hasExactNames)),
    )
  },
)
