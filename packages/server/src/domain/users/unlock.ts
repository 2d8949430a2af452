/** Early unlocking of accounts by an administrator. */

import { inTenant } from '../../storage/in-tenant.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { identifierKeys } from '../credentials/identifiers.ts'
import { forgetAll, readings } from '../credentials/lockout.ts'
import { accountOf, type UserRow } from './rows.ts'

/** The users who have one of these as their username, address or number. */
const usersNamed = ({ tx, tenant }: Unit, values: readonly string[]): Promise<UserRow[]> => {
  const keys = [...new Set(values.flatMap(readings).flatMap(identifierKeys))]
  if (keys.length === 0) return Promise.resolve([])
  return tx
    .selectFrom('users')
    .selectAll()
    .where(inTenant(tenant.id))
    .where(({ or, eb }) =>
      or([eb('username_key', 'in', keys), eb('email_key', 'in', keys), eb('primary_phone', 'in', keys)]),
    )
    .execute()
}

/**
 * Unlocks these identifiers, whether or not an account has them, and the accounts that have them with all their
 * identifiers (DECISIONS N6). Later locks start at the shortest again. @param values usernames, email addresses and
 * phone numbers as users enter them
 */
export const identifiersUnlocked = operation([], async (unit, values: readonly string[]): Promise<void> => {
  await forgetAll(unit, values, (await usersNamed(unit, values)).map(accountOf))
})
