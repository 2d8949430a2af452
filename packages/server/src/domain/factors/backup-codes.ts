/**
 * Backup codes: ten, shown once, each good once, for a user who does not have their other factors at hand. Forty bits could be
 * found by trying: they are kept as what only the holder of the master key can make of them.
 */
import { sql } from 'kysely'
import { newBytes } from '../../kernel/ids.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { tellOwner } from '../users/owner-notices.ts'

const COUNT = 10
const HEX_DIGITS = 10

/** Ten new codes of ten hexadecimal digits. */
export const newBackupCodes = (): string[] =>
  Array.from({ length: COUNT }, () => newBytes(HEX_DIGITS / 2).toString('hex'))

/** Codes that come from elsewhere: as many, of the same form, each another one. */
export const areBackupCodes = (codes: readonly string[]): boolean =>
  codes.length === COUNT && new Set(codes).size === COUNT && codes.every((code) => /^[0-9a-f]{10}$/.test(code))

/** A code as people copy it. */
export const typedBackupCode = (code: string): string => code.replace(/[\s-]/g, '').toLowerCase()

/** What is kept of a code. @param factorId of the codes that it is one of */
export const macOfBackupCode = ({ vault, tenant }: Unit, factorId: string, code: string): Buffer =>
  vault.authenticate(`${tenant.id}/${factorId}/${typedBackupCode(code)}`, 'backup-code')

/** Gives a user backup codes. The caller has made sure that they have none. @param id with which the codes were made */
export const addBackupCodes = async (
  unit: Unit,
  userId: string,
  { id, macs }: { readonly id: string; readonly macs: readonly Buffer[] },
): Promise<void> => {
  const { tx, tenant, now } = unit
  await tx
    .insertInto('factors')
    .values({ tenant_id: tenant.id, id, user_id: userId, type: 'BackupCode', created_at: now })
    .execute()
  await tx
    .insertInto('backup_codes')
    .values(macs.map((mac) => ({ tenant_id: tenant.id, factor_id: id, mac })))
    .execute()
  await tellOwner(unit, userId, 'backupCodesCreated')
}

/** Uses a code of a user up: of several uses of one code one gets the id of the factor. */
export const useBackupCode = async (unit: Unit, userId: string, code: string): Promise<string | undefined> => {
  const { tx, tenant, now } = unit
  const factor = await tx
    .selectFrom('factors')
    .select('id')
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .where('type', '=', 'BackupCode')
    .executeTakeFirst()
  if (!factor) return undefined
  const { rows } = await sql`
    WITH used AS (
      UPDATE backup_codes SET used_at = ${now}
      WHERE tenant_id = ${tenant.id} AND factor_id = ${factor.id} AND mac = ${macOfBackupCode(unit, factor.id, code)}
        AND used_at IS NULL
      RETURNING factor_id)
    UPDATE factors f SET last_used_at = ${now} FROM used
    WHERE f.tenant_id = ${tenant.id} AND f.id = used.factor_id RETURNING f.id`.execute(tx)
  return rows.length > 0 ? factor.id : undefined
}
