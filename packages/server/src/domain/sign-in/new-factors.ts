/** What an interaction adds to the factors of an account, when it is submitted. */
import type { Unit } from '../../storage/unit-of-work.ts'
import { addBackupCodes } from '../factors/backup-codes.ts'
import { choicesOf, setChoices } from '../factors/choices.ts'
import { assertNoFactor } from '../factors/factors.ts'
import { addPasskey } from '../factors/passkeys.ts'
import { addTotp } from '../factors/totp.ts'
import type { UserRow } from '../users/rows.ts'
import type { Draft, NewFactor } from './draft.ts'

const addFactor = async (unit: Unit, userId: string, factor: NewFactor): Promise<void> => {
  switch (factor.type) {
    case 'Totp':
      await assertNoFactor(unit, userId, 'Totp')
      return addTotp(unit, userId, { ...factor, sealedSecret: Buffer.from(factor.sealedSecret, 'base64') })
    case 'WebAuthn':
      return addPasskey(unit, userId, factor.id, factor.credential, unit.caller.userAgent ?? null)
    case 'BackupCode':
      await assertNoFactor(unit, userId, 'BackupCode')
      return addBackupCodes(unit, userId, { id: factor.id, macs: factor.macs.map((mac) => Buffer.from(mac, 'base64')) })
  }
}

/**
 * Gives the account the factors that were set up, and keeps what was decided about them. Returns whether there were any
 * factors. Throws 422 where another interaction was faster. The user is locked by the caller.
 */
export const keepFactors = async (
  unit: Unit,
  user: Pick<UserRow, 'id' | 'factor_choices'>,
  { newFactors = [], factorChoices }: Pick<Draft, 'newFactors' | 'factorChoices'>,
): Promise<boolean> => {
  for (const factor of newFactors) await addFactor(unit, user.id, factor)
  if (newFactors.length > 0) unit.note({ newFactors: newFactors.map(({ type }) => type) })
  const isWanted = newFactors.some((factor) => factor.type !== 'WebAuthn' || !factor.isForSignIn)
  const choices = { ...factorChoices, ...(isWanted ? { enabled: true } : {}) }
  const before = choicesOf(user)
  const isChanged = Object.entries(choices).some(([name, value]) => before[name as keyof typeof before] !== value)
  if (isChanged) await setChoices(unit, user, choices)
  return newFactors.length > 0
}
