/**
 * The second factors of a user as rows: listed, added, removed. What proves one is in totp.ts and backup-codes.ts; addresses
 * that codes are sent to are factors too where the tenant says so, and have no row.
 */
import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { tellOwner } from '../users/owner-notices.ts'

/** The kinds of factors as settings and the wire name them, the strongest first: the order in which they are offered. */
export const FACTOR_TYPES = [
  'WebAuthn',
  'Totp',
  'PhoneVerificationCode',
  'EmailVerificationCode',
  'BackupCode',
] as const
export type FactorType = (typeof FACTOR_TYPES)[number]

/** Whether a text names one. */
export const isFactorType = (text: string | undefined): text is FactorType =>
  (FACTOR_TYPES as readonly (string | undefined)[]).includes(text)

/** A factor without its secrets. */
export interface Factor
  extends Pick<
    Selectable<Tables['factors']>,
    'id' | 'type' | 'agent' | 'name' | 'created_at' | 'last_used_at' | 'rp_id'
  > {
  /** Of backup codes: how many are unused. */
  readonly remaining: number
}

/** The factors of a user, the oldest first. */
export const factorsOf = async (db: Db, tenantId: string, userId: string): Promise<Factor[]> => {
  const { rows } = await sql<Factor>`/* prepared */
    SELECT f.id, f.type, f.agent, f.name, f.created_at, f.last_used_at, f.rp_id, (
      SELECT count(*)::int FROM backup_codes b
      WHERE b.tenant_id = f.tenant_id AND b.factor_id = f.id AND b.used_at IS NULL) AS remaining
    FROM factors f WHERE f.tenant_id = ${tenantId} AND f.user_id = ${userId}
    ORDER BY f.created_at, f.type DESC, f.id`.execute(db)
  return rows
}

const ALREADY = { Totp: 'user.totp_already_in_use', BackupCode: 'user.backup_code_already_in_use' } as const

/** Throws 422 where the user has a factor of a kind of which there is one. The user is locked by the caller. */
export const assertNoFactor = async (
  { tx, tenant }: Unit,
  userId: string,
  type: keyof typeof ALREADY,
): Promise<void> => {
  if ((await factorsOf(tx, tenant.id, userId)).some((factor) => factor.type === type)) throw new ApiError(ALREADY[type])
}

/**
 * Removes a factor. Backup codes are no factor alone: they go with the last of the others. Returns what is left. Throws 404.
 * The user is locked by the caller.
 */
export const removeFactor = async (unit: Unit, userId: string, id: string): Promise<Factor[]> => {
  const { tx, tenant } = unit
  const removed = await tx
    .deleteFrom('factors')
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('type')
    .executeTakeFirst()
  if (!removed) throw notFound('factor', id)
  unit.note({ factor: removed.type })
  await tellOwner(unit, userId, 'factorRemoved')
  const left = await factorsOf(tx, tenant.id, userId)
  if (left.length === 0 || left.some(({ type }) => type !== 'BackupCode')) return left
  await tx.deleteFrom('factors').where(inTenant(tenant.id)).where('user_id', '=', userId).execute()
  return []
}
