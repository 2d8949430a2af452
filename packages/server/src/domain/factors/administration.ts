/** Second factors of a user in the hands of an administrator: given, taken away, decided about. */
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'
import { getUser, lockUser, type UserRow } from '../users/rows.ts'
import { addBackupCodes, areBackupCodes, macOfBackupCode } from './backup-codes.ts'
import { choicesOf, type FactorChoices, setChoices } from './choices.ts'
import { assertNoFactor, type Factor, factorsOf, removeFactor } from './factors.ts'
import { addTotp, isTotpSecret, sealTotpSecret } from './totp.ts'
import { endTrust } from './trusted-devices.ts'

/** The factors of a user. Throws 404. */
export const listFactors = async (store: Store, tenant: Tenant, userId: string): Promise<Factor[]> => {
  await getUser(store, tenant, userId)
  return factorsOf(store.database.kysely, tenant.id, userId)
}

/** What a user decided. Throws 404. */
export const getChoices = async (store: Store, tenant: Tenant, userId: string): Promise<FactorChoices> =>
  choicesOf(await getUser(store, tenant, userId))

/** Gives a user a TOTP with this secret; returns the user. Throws 404, 422. */
export const giveTotp = operation([], async (unit, userId: string, secret: string): Promise<UserRow> => {
  if (!isTotpSecret(secret)) throw new ApiError('user.totp_secret_invalid')
  const user = await lockUser(unit, userId)
  await assertNoFactor(unit, userId, 'Totp')
  const id = newId()
  await addTotp(unit, userId, { id, sealedSecret: sealTotpSecret(unit, id, secret), usedStep: null })
  unit.concerns('user', userId)
  unit.note({ factor: 'Totp' })
  return user
})

/** Gives a user these backup codes. Throws 404, 422. */
export const giveBackupCodes = operation([], async (unit, userId: string, codes: readonly string[]): Promise<void> => {
  if (!areBackupCodes(codes)) throw new ApiError('user.wrong_backup_code_format')
  await lockUser(unit, userId)
  await assertNoFactor(unit, userId, 'BackupCode')
  if ((await factorsOf(unit.tx, unit.tenant.id, userId)).length === 0)
    throw new ApiError('session.mfa.backup_code_can_not_be_alone')
  const id = newId()
  await addBackupCodes(unit, userId, { id, macs: codes.map((code) => macOfBackupCode(unit, id, code)) })
  unit.concerns('user', userId)
  unit.note({ factor: 'BackupCode' })
})

/** Takes a factor from a user. Throws 404. */
export const takeFactor = operation([], async (unit, userId: string, id: string): Promise<void> => {
  await lockUser(unit, userId)
  if ((await removeFactor(unit, userId, id)).length === 0) await endTrust(unit, userId)
  unit.concerns('user', userId)
})

/** Decides for a user; what is left out stays. Throws 404. */
export const updateChoices = operation(
  [],
  async (unit, userId: string, change: FactorChoices): Promise<FactorChoices> => {
    const user = await lockUser(unit, userId)
    const before = choicesOf(user)
    const after = await setChoices(unit, user, change)
    unit.concerns('user', userId, { before: { ...before }, after: { ...after } })
    return after
  },
)
