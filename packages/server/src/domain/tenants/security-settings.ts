/** What a tenant demands of its applications: a security profile, pushed requests (DECISIONS V10), and nonces in proofs (DECISIONS V5). */
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Unit } from '../../storage/unit-of-work.ts'

export interface SecuritySettings {
  /** The profile of the applications that have none of their own. */
  readonly profile: 'none' | 'fapi2'
  /** Whether every application has to push its authorization requests. */
  readonly requirePushedAuthorizationRequests: boolean
  /** Whether the DPoP proofs of every application must carry the server's nonce. */
  readonly dpopNonceRequired: boolean
}

/** Of what is built from the settings: every client, and discovery. */
export const SECURITY_TAG = 'security-settings'

interface Row {
  readonly profile: string
  readonly requires_pushed: boolean
  readonly requires_nonce: boolean
}

const COLUMNS = ['profile', 'requires_pushed', 'requires_nonce'] as const

/** @param row undefined: nothing has been set */
const settingsOf = (row: Row | undefined): SecuritySettings => ({
  profile: row?.profile === 'fapi2' ? 'fapi2' : 'none',
  requirePushedAuthorizationRequests: row?.requires_pushed ?? false,
  dpopNonceRequired: row?.requires_nonce ?? false,
})

/** The settings as they are stored now. */
export const readSecuritySettings = async (db: Db, tenantId: string): Promise<SecuritySettings> =>
  settingsOf(await db.selectFrom('security_settings').select(COLUMNS).where(inTenant(tenantId)).executeTakeFirst())

/** The settings of a tenant, from the cache. */
export const securitySettings = (store: Store, { id: tenantId }: Tenant): Promise<SecuritySettings> =>
  store.cache.get(tenantId, 'security-settings', async () => ({
    value: await readSecuritySettings(store.database.configuration, tenantId),
    tags: [SECURITY_TAG],
  }))

/** What locks need: a row, which a tenant that has set nothing does not have. */
const ensureRow = async ({ tx, tenant }: Unit): Promise<void> => {
  await tx
    .insertInto('security_settings')
    .values({ tenant_id: tenant.id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The settings, locked against other changes. */
export const lockSecuritySettings = async (unit: Unit): Promise<SecuritySettings> => {
  await ensureRow(unit)
  const query = unit.tx.selectFrom('security_settings').select(COLUMNS).where(inTenant(unit.tenant.id))
  return settingsOf(await query.forUpdate().executeTakeFirst())
}

/** The settings, which stay until the transaction ends: what is checked against them keeps to them when it is stored. */
export const holdSecuritySettings = async (unit: Unit): Promise<SecuritySettings> => {
  const held = unit.tx.selectFrom('security_settings').select(COLUMNS).where(inTenant(unit.tenant.id)).forShare()
  const row = await held.executeTakeFirst()
  if (row) return settingsOf(row)
  await ensureRow(unit)
  return settingsOf(await held.executeTakeFirst())
}

/** Stores the settings, within another operation. */
export const storeSecuritySettings = async ({ tx, tenant }: Unit, settings: SecuritySettings): Promise<void> => {
  await tx
    .updateTable('security_settings')
    .set({
      profile: settings.profile,
      requires_pushed: settings.requirePushedAuthorizationRequests,
      requires_nonce: settings.dpopNonceRequired,
    })
    .where(inTenant(tenant.id))
    .execute()
}
