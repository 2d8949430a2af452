/**
 * Devices on which a user is not asked for a second factor (DECISIONS O3, SPEC 6.1): a secret in a cookie, kept as its hash,
 * bound to the user and the tenant. One browser has one secret for all its users.
 */
import { type Selectable, sql } from 'kysely'
import { notFound } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import { newOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { getUser, lockUser } from '../users/rows.ts'
import { forgetDevices } from './familiarity.ts'

type TrustedDevice = Selectable<Tables['trusted_devices']>

const DAY_MILLISECONDS = 86_400_000
/** Of one user: the oldest gives way. */
const MOST = 50

const entity = ({ id, user_id, expires_at }: Pick<TrustedDevice, 'id' | 'user_id' | 'expires_at'>) => ({
  id,
  userId: user_id,
  expiresAt: expires_at.toISOString(),
})

/** Whether an organization of the user forbids it. */
const isForbidden = async (db: Db, tenantId: string, userId: string): Promise<boolean> => {
  const { rows } = await sql`/* prepared */
    SELECT FROM organization_users m JOIN organizations o ON o.tenant_id = m.tenant_id AND o.id = m.organization_id
    WHERE m.tenant_id = ${tenantId} AND m.user_id = ${userId} AND NOT o.is_trusted_device_allowed LIMIT 1`.execute(db)
  return rows.length > 0
}

/** Whether the user trusts the device with this secret, now. */
export const isTrusted = async (
  db: Db,
  tenantId: string,
  userId: string,
  secret: string | undefined,
  now: Date,
): Promise<boolean> => {
  const hash = opaqueHash('device', secret)
  if (!hash) return false
  const { rows } = await sql`/* prepared */
    SELECT FROM trusted_devices
    WHERE tenant_id = ${tenantId} AND user_id = ${userId} AND secret_hash = ${hash} AND expires_at > ${now}`.execute(db)
  return rows.length > 0 && !(await isForbidden(db, tenantId, userId))
}

/** Whether the user may trust devices: no organization of theirs forbids it. */
export const mayTrust = async (db: Db, tenantId: string, userId: string): Promise<boolean> =>
  !(await isForbidden(db, tenantId, userId))

/**
 * Trusts the device from now on; returns its secret, which is for the cookie. The caller has made sure that the user may.
 * @param secret that the device has already
 */
export const trustDevice = async (
  unit: Unit<'TrustedDevice.Created'>,
  userId: string,
  days: number,
  secret: string | undefined,
): Promise<string> => {
  const { tx, tenant, now, caller } = unit
  const kept = secret !== undefined && opaqueHash('device', secret) ? secret : newOpaque('device')
  const secret_hash = opaqueHash('device', kept)
  if (!secret_hash) throw new Error('A new device secret has no hash')
  await sql`
    DELETE FROM trusted_devices WHERE tenant_id = ${tenant.id} AND user_id = ${userId} AND (secret_hash = ${secret_hash} OR id IN (
      SELECT id FROM trusted_devices WHERE tenant_id = ${tenant.id} AND user_id = ${userId}
      ORDER BY last_used_at DESC OFFSET ${MOST - 1}))`.execute(tx)
  const row = {
    tenant_id: tenant.id,
    id: newId(),
    user_id: userId,
    secret_hash,
    user_agent: caller.userAgent ?? null,
    ip: caller.ip ?? null,
    created_at: now,
    last_used_at: now,
    expires_at: new Date(now.getTime() + days * DAY_MILLISECONDS),
  }
  await tx.insertInto('trusted_devices').values(row).execute()
  unit.emit('TrustedDevice.Created', { data: entity(row) })
  unit.note({ trustedDevice: row.id })
  return kept
}

/** Remembers that a device was used by a user who trusts it; of any other device nothing is kept. */
export const markUsed = async (
  { tx, tenant, now }: Unit,
  userId: string,
  secret: string | undefined,
): Promise<void> => {
  const secret_hash = opaqueHash('device', secret)
  if (!secret_hash) return
  await tx
    .updateTable('trusted_devices')
    .set({ last_used_at: now })
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .where('secret_hash', '=', secret_hash)
    .where('expires_at', '>', now)
    .execute()
}

/** Ends the trust in all devices of a user. What it follows from is told, not this (DECISIONS O3). */
export const endTrust = async (unit: Unit, userId: string): Promise<void> => {
  const { tx, tenant } = unit
  await forgetDevices(unit, userId)
  await tx.deleteFrom('trusted_devices').where(inTenant(tenant.id)).where('user_id', '=', userId).execute()
}

/** The devices that a user trusts, the latest first. Throws 404. */
export const listTrustedDevices = async (store: Store, tenant: Tenant, userId: string): Promise<TrustedDevice[]> => {
  await getUser(store, tenant, userId)
  return store.database.kysely
    .selectFrom('trusted_devices')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('user_id', '=', userId)
    .where('expires_at', '>', store.clock.now())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Ends the trust in a device. Throws 404, also for one whose time is over. */
export const deleteTrustedDevice = operation(
  ['TrustedDevice.Deleted'],
  async (unit, userId: string, id: string): Promise<void> => {
    const { tx, tenant, now } = unit
    await lockUser(unit, userId)
    const row = await tx
      .deleteFrom('trusted_devices')
      .where(inTenant(tenant.id))
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .where('expires_at', '>', now)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('trusted device', id)
    unit.emit('TrustedDevice.Deleted', { data: entity(row) })
    unit.concerns('user', userId)
  },
)
