/**
 * Second factors of a user in the user's own hands (DECISIONS T6). Each change needs a proof, because what is added can sign in, and
 * what is removed no longer protects.
 */
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { addBackupCodes, areBackupCodes, macOfBackupCode } from '../factors/backup-codes.ts'
import { choicesOf, type FactorChoices, setChoices } from '../factors/choices.ts'
import { assertNoFactor, type FactorType, factorsOf, removeFactor } from '../factors/factors.ts'
import { addTotp, isTotpSecret, sealTotpSecret, stepOfCode } from '../factors/totp.ts'
import { endTrust } from '../factors/trusted-devices.ts'
import type { SignInExperience } from '../sign-in/experience.ts'
import { assertAllowed } from '../sign-in/factor-proof.ts'
import { ownAmong } from '../sign-in/second-factors.ts'
import type { UserRow } from '../users/rows.ts'
import { announceUser, beginChange } from './changes.ts'
import { assertEditable, partOf } from './field-policy.ts'
import { type AccountHolder, lockHolder } from './holder.ts'
import { assertNothingVital } from './last-way.ts'
import type { AccountRules } from './own-fields.ts'
import { requireProof } from './verifications.ts'

const deleteFactorsOfType = async (
  { tx, tenant }: Unit,
  userId: string,
  type: 'Totp' | 'BackupCode',
): Promise<void> => {
  await tx
    .deleteFrom('factors')
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .where('type', '=', type)
    .execute()
}

/** Ends a change that adds a factor: it is asked for from now on, even if the user decided against factors before. */
export const factorAdded = async (
  unit: Unit<'User.Data.Updated'>,
  { mfa }: SignInExperience,
  user: UserRow,
  type: FactorType,
): Promise<void> => {
  unit.note({ factor: type })
  if (mfa.factors.includes(type) && choicesOf(user).enabled !== true) await setChoices(unit, user, { enabled: true })
  await announceUser(unit, user.id)
}

/** An authenticator app that is set up. */
export interface OwnTotp {
  /** Base32. */
  readonly secret: string
  /** That the app shows. Without one it is not known whether the app has the secret. */
  readonly code?: string | undefined
}

/** The step of the code, so that it cannot be used again. Throws 400 `session.mfa.invalid_totp_code`, 422. */
const provedStep = ({ now }: Unit, { secret, code }: OwnTotp): number | null => {
  if (!isTotpSecret(secret)) throw new ApiError('user.totp_secret_invalid')
  if (code === undefined) return null
  const step = stepOfCode(secret, code.trim(), now)
  if (step === undefined) throw new ApiError('session.mfa.invalid_totp_code')
  return step
}

/**
 * Gives the user an authenticator app. Throws as beginChange, 400 `session.mfa.invalid_totp_code`, 422.
 * @param isReplacing whether it takes the place of the one that they have
 */
export const setOwnTotp = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, totp: OwnTotp, isReplacing: boolean): Promise<void> => {
    const user = await beginChange(unit, holder, rules, 'mfa')
    assertAllowed(rules.experience, 'Totp')
    const usedStep = provedStep(unit, totp)
    if (isReplacing) await deleteFactorsOfType(unit, user.id, 'Totp')
    else await assertNoFactor(unit, user.id, 'Totp')
    const id = newId()
    await addTotp(unit, user.id, { id, sealedSecret: sealTotpSecret(unit, id, totp.secret), usedStep })
    await factorAdded(unit, rules.experience, user, 'Totp')
  },
)

/** Gives the user these backup codes, in place of those that they have. Throws as beginChange, 422. */
export const setOwnBackupCodes = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, codes: readonly string[]): Promise<void> => {
    const user = await beginChange(unit, holder, rules, 'mfa')
    assertAllowed(rules.experience, 'BackupCode')
    if (!areBackupCodes(codes)) throw new ApiError('user.wrong_backup_code_format')
    const own = ownAmong(await factorsOf(unit.tx, unit.tenant.id, user.id), user, rules.experience, undefined)
    if (!own.some((type) => type !== 'BackupCode')) throw new ApiError('session.mfa.backup_code_can_not_be_alone')
    await deleteFactorsOfType(unit, user.id, 'BackupCode')
    const id = newId()
    await addBackupCodes(unit, user.id, { id, macs: codes.map((code) => macOfBackupCode(unit, id, code)) })
    await factorAdded(unit, rules.experience, user, 'BackupCode')
  },
)

/** When each of the backup codes of a user was used; null: it is not. The used ones first. Throws 404 for a user without any. */
export const ownBackupCodes = async (
  { database }: Store,
  { id: tenantId }: Tenant,
  userId: string,
): Promise<(Date | null)[]> => {
  const codes = await database.kysely
    .selectFrom('backup_codes as b')
    .innerJoin('factors as f', (join) =>
      join.onRef('f.tenant_id', '=', 'b.tenant_id').onRef('f.id', '=', 'b.factor_id'),
    )
    .select('b.used_at')
    .where(inTenant(tenantId, 'f'))
    .where('f.user_id', '=', userId)
    .orderBy('b.used_at')
    .execute()
  if (codes.length === 0) throw new ApiError('entity.not_found')
  return codes.map(({ used_at }) => used_at)
}

/** Renames a passkey of the user. Throws as beginChange, 404. */
export const renameOwnPasskey = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, id: string, name: string): Promise<void> => {
    const user = await beginChange(unit, holder, rules, 'passkey')
    const renamed = await unit.tx
      .updateTable('factors')
      .set({ name })
      .where(inTenant(unit.tenant.id))
      .where('user_id', '=', user.id)
      .where('id', '=', id)
      .where('type', '=', 'WebAuthn')
      .returning('id')
      .executeTakeFirst()
    if (!renamed) throw new ApiError('entity.not_found')
    unit.note({ factor: 'WebAuthn' })
    await announceUser(unit, user.id)
  },
)

/** Removes a factor of the user; backup codes go with the last of the others. Throws as beginChange, 404, 422 as assertNothingVital. */
export const removeOwnFactor = operation(
  ['User.Data.Updated'],
  async (unit, holder: AccountHolder, rules: AccountRules, id: string): Promise<void> => {
    const present = () => factorsOf(unit.tx, unit.tenant.id, holder.userId)
    const type = (await present()).find((factor) => factor.id === id)?.type ?? 'Totp'
    const user = await beginChange(unit, holder, rules, partOf(type))
    const left = (await present()).filter((factor) => factor.id !== id)
    await assertNothingVital(unit, user, {}, rules.experience, left)
    if ((await removeFactor(unit, user.id, id)).length === 0) await endTrust(unit, user.id)
    await announceUser(unit, user.id)
  },
)

/** Whether factors would be asked for less often than before. */
const isWeaker = (before: FactorChoices, { enabled, skipMfaOnSignIn }: FactorChoices): boolean =>
  (enabled === false && before.enabled !== false) || (skipMfaOnSignIn === true && before.skipMfaOnSignIn !== true)

/**
 * Decides about factors; what is left out stays. Throws as beginChange, for a proof only where factors would be asked for less often.
 */
export const chooseOwnFactors = operation(
  ['User.Data.Updated'],
  async (
    unit,
    holder: AccountHolder,
    { center }: Pick<AccountRules, 'center'>,
    change: FactorChoices,
  ): Promise<FactorChoices> => {
    assertEditable(center, 'mfa')
    const user = await lockHolder(unit, holder)
    const before = choicesOf(user)
    if (isWeaker(before, change)) await requireProof(unit, holder, center)
    const after = await setChoices(unit, user, change)
    unit.concerns('user', user.id, { before: { ...before }, after: { ...after } })
    await announceUser(unit, user.id)
    return after
  },
)
