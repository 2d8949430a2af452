/**
 * Whoever controls the account of an administrator holds what the administrator holds. Hence nobody changes such a user, or makes a
 * credential of theirs, who lacks a permission that they hold (DECISIONS U4, SECURITY R-33).
 *
 * `lockUser` calls it for every change of a user through the Management API; so do the operations that make credentials of a user
 * without a change of the user, and directories where they change what a user signs in with.
 */
import type { Unit } from '../../storage/unit-of-work.ts'
import { assertHoldsNamed } from '../permissions/management-access.ts'
import { permissionsOfAdministrator } from './permissions.ts'

/**
 * Throws 403 `auth.forbidden` naming the permissions that the user holds as an administrator and the caller lacks, for
 * callers of the Management API and directories: users change their own account, and the server works without limits. Costs a
 * statement only for a limited caller. Does not check that the user exists.
 */
export const assertMayChange = async (
  { tx, tenant, caller }: Pick<Unit, 'tx' | 'tenant' | 'caller'>,
  userId: string,
): Promise<void> => {
  if (!caller.permissions && caller.actor.type !== 'directory') return
  await assertHoldsNamed(caller, async () => (await permissionsOfAdministrator(tx, tenant, userId)) ?? [])
}
