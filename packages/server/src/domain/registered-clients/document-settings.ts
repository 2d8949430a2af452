/** Whether a tenant takes clients whose id is the address of a document (DECISIONS Z3). */
import type { ClientDocumentSettings } from '@countersign/contract/client-documents.ts'
import { sql } from 'kysely'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'

const TAG = 'client-document-settings'

/** The settings as they are stored now. */
export const readClientDocumentSettings = async (db: Db, tenantId: string): Promise<ClientDocumentSettings> => {
  const query = db.selectFrom('client_document_settings').select('is_enabled').where(inTenant(tenantId))
  return { enabled: (await query.executeTakeFirst())?.is_enabled ?? false }
}

/** The settings of a tenant, from the cache. */
export const clientDocumentSettings = (store: Store, { id: tenantId }: Tenant): Promise<ClientDocumentSettings> =>
  store.cache.get(tenantId, TAG, async () => ({
    value: await readClientDocumentSettings(store.database.configuration, tenantId),
    tags: [TAG],
  }))

/** Changes the settings; what is left out stays. */
export const updateClientDocumentSettings = operation(
  [],
  async (unit, change: Partial<ClientDocumentSettings>): Promise<ClientDocumentSettings> => {
    const { tx, tenant } = unit
    const before = await readClientDocumentSettings(tx, tenant.id)
    const after = { ...before, ...change }
    await sql`INSERT INTO client_document_settings (tenant_id, is_enabled) VALUES (${tenant.id}, ${after.enabled})
      ON CONFLICT (tenant_id) DO UPDATE SET is_enabled = excluded.is_enabled`.execute(tx)
    unit.concerns('clientDocumentSettings', tenant.id, { before: { ...before }, after })
    unit.changed(TAG)
    return after
  },
)
