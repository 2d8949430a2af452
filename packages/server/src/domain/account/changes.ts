/** What every sensitive change of a user to their own account begins and ends with. */
import type { AccountField } from '@countersign/contract/account-center.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { type UserRow, userEntity } from '../users/rows.ts'
import { assertEditable } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import type { AccountRules } from './own-fields.ts'
import { requireProof } from './verifications.ts'

/**
 * The user, locked, with the proof that the request names used up. Throws 400 `account_center.…` where the settings forbid to change
 * this part of an account, 401 `verification_record.permission_denied` without proof, 401 `auth.unauthorized`.
 */
export const beginChange = async (
  unit: Unit,
  holder: AccountHolder,
  { center }: AccountRules,
  field: AccountField,
): Promise<UserRow> => {
  assertEditable(center, field)
  const user = await lockHolder(unit, holder)
  await requireProof(unit, holder, center)
  return user
}

/** Emits the user, changed now, and names them in the audit entry. The user is locked by the caller. */
export const announceUser = async (unit: Unit<'User.Data.Updated'>, userId: string): Promise<UserRow> => {
  const row = await unit.tx
    .updateTable('users')
    .set({ updated_at: unit.now })
    .where(inTenant(unit.tenant.id))
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
  unit.emit('User.Data.Updated', { data: userEntity(row) })
  unit.concerns('user', userId)
  return row
}
