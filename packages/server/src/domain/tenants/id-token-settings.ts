/** What the ID tokens of a tenant say about users (DECISIONS G16). */
import { DEFAULT_ID_TOKEN_SETTINGS, type IdTokenSettings } from '@countersign/contract/id-token-settings.ts'
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'

/** Of what is built from the settings: every client. */
export const ID_TOKEN_TAG = 'id-token-settings'

/** The settings as they are stored now. */
export const readIdTokenSettings = async (db: Db, tenantId: string): Promise<IdTokenSettings> => {
  const query = db.selectFrom('id_token_settings').select('settings').where(inTenant(tenantId))
  return { ...DEFAULT_ID_TOKEN_SETTINGS, ...(await query.executeTakeFirst())?.settings }
}

/** The same of a tenant, for those who ask for nothing else. */
export const getIdTokenSettings = ({ database }: Store, { id }: Tenant): Promise<IdTokenSettings> =>
  readIdTokenSettings(database.kysely, id)

/** Changes the settings; what is left out stays. */
export const updateIdTokenSettings = operation([], async (unit, change: Partial<IdTokenSettings>) => {
  const { tx, tenant } = unit
  const first = JSON.stringify(DEFAULT_ID_TOKEN_SETTINGS)
  await sql`INSERT INTO id_token_settings (tenant_id, settings) VALUES (${tenant.id}, ${first})
    ON CONFLICT DO NOTHING`.execute(tx)
  const locked = await tx
    .selectFrom('id_token_settings')
    .select('settings')
    .where(inTenant(tenant.id))
    .forUpdate()
    .executeTakeFirstOrThrow()
  const before = { ...DEFAULT_ID_TOKEN_SETTINGS, ...locked.settings }
  const { enabledExtendedClaims = before.enabledExtendedClaims, claims = before.claims } = change
  const after: IdTokenSettings = { enabledExtendedClaims: [...new Set(enabledExtendedClaims)], claims }
  await tx
    .updateTable('id_token_settings')
    .set({ settings: JSON.stringify(after) })
    .where(inTenant(tenant.id))
    .execute()
  unit.concerns('idTokenSettings', tenant.id, { before: { ...before }, after: { ...after } })
  unit.changed(ID_TOKEN_TAG)
  return after
})
