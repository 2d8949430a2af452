/** The captcha provider of a tenant, at most one. Its keys are sealed. */
import type { CaptchaConfig } from '@countersign/contract/captcha-provider.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { Withheld } from '../../storage/audit-entities.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation } from '../../storage/unit-of-work.ts'

interface CaptchaProvider {
  readonly id: string
  readonly config: CaptchaConfig
  readonly createdAt: Date
  readonly updatedAt: Date
}

const TAG = 'captcha-provider'
const purpose = (tenantId: string) => `captcha-provider/${tenantId}`

/** The provider with its keys, if there is one. */
export const readCaptchaProvider = async (
  db: Db,
  vault: Vault,
  tenantId: string,
): Promise<CaptchaProvider | undefined> => {
  const row = await db.selectFrom('captcha_providers').selectAll().where(inTenant(tenantId)).executeTakeFirst()
  if (!row) return undefined
  const config = JSON.parse(vault.unseal(row.sealed_config, purpose(tenantId))) as CaptchaConfig
  return { id: row.id, config, createdAt: row.created_at, updatedAt: row.updated_at }
}

/** Throws 404 `entity.not_found`. */
export const getCaptchaProvider = async (
  { database, vault }: Store,
  { id: tenantId }: Tenant,
): Promise<CaptchaProvider> => {
  const provider = await readCaptchaProvider(database.kysely, vault, tenantId)
  if (!provider) throw new ApiError('entity.not_found')
  return provider
}

/** The provider that is asked, from the cache; undefined: browsers do a proof of work. */
export const captchaConfig = (store: Store, { id: tenantId }: Tenant): Promise<CaptchaConfig | undefined> =>
  store.cache.get(tenantId, TAG, async () => {
    const provider = await readCaptchaProvider(store.database.configuration, store.vault, tenantId)
    return { value: provider?.config, tags: [TAG] }
  })

/** Sets the provider, in place of the one that there is. Its keys are tried only when someone signs in. */
export const putCaptchaProvider = operation([], async (unit, config: CaptchaConfig): Promise<CaptchaProvider> => {
  const { tx, tenant, vault, now } = unit
  const before = await readCaptchaProvider(tx, vault, tenant.id)
  const sealed_config = vault.seal(JSON.stringify(config), purpose(tenant.id))
  const row = await tx
    .insertInto('captcha_providers')
    .values({ tenant_id: tenant.id, id: newId(), sealed_config, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ sealed_config, updated_at: now }))
    .returning(['id', 'created_at', 'updated_at'])
    .executeTakeFirstOrThrow()
  const fieldsOf = (each: CaptchaConfig) => ({ type: each.type, config: new Withheld(each) })
  unit.concerns('captchaProvider', row.id, {
    ...(before ? { before: fieldsOf(before.config) } : {}),
    after: fieldsOf(config),
  })
  unit.changed(TAG)
  return { id: row.id, config, createdAt: row.created_at, updatedAt: row.updated_at }
})

/** Throws 404 `entity.not_found`. */
export const deleteCaptchaProvider = operation([], async (unit): Promise<void> => {
  const { tx, tenant, changed } = unit
  const row = await tx.deleteFrom('captcha_providers').where(inTenant(tenant.id)).returning('id').executeTakeFirst()
  if (!row) throw new ApiError('entity.not_found')
  unit.concerns('captchaProvider', row.id)
  changed(TAG)
})
