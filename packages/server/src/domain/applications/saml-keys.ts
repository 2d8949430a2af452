/**
 * The keys of SAML applications: each with a certificate of its own making. One is active and signs; the others are announced in
 * the metadata, so that service providers know a key before it signs (DECISIONS P11).
 */
import type { Selectable } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import { certificateFacts, newCertifiedKey } from '../../kernel/certificates.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Unit } from '../../storage/unit-of-work.ts'
import { applicationTag } from './rows.ts'

export type SamlKeyRow = Omit<Selectable<Tables['saml_application_keys']>, 'sealed_private_key'>

export interface SamlKey {
  /** Both in PEM. */
  readonly certificate: string
  readonly privateKey: string
  readonly isActive: boolean
}

/** Rotation needs two; a few more do no harm. */
const MOST_KEYS = 10
const COLUMNS = ['tenant_id', 'application_id', 'id', 'certificate', 'is_active', 'created_at', 'expires_at'] as const

/** Of a common name. */
const LONGEST_NAME = 64
const purpose = (tenantId: string, id: string) => `saml-application-key/${tenantId}/${id}`

/** Creates a key within another operation. The caller has locked the application. */
export const addSamlKey = async (
  unit: Unit,
  applicationId: string,
  years: number,
  { isActive }: { readonly isActive: boolean },
): Promise<SamlKeyRow> => {
  const { tx, tenant, now, vault } = unit
  const expiresAt = new Date(now)
  expiresAt.setUTCFullYear(expiresAt.getUTCFullYear() + years)
  const { hostname } = new URL(tenant.baseUrl)
  const { privateKey, certificate } = await newCertifiedKey(hostname.slice(0, LONGEST_NAME), now, expiresAt)
  const id = newId()
  const row = await tx
    .insertInto('saml_application_keys')
    .values({
      tenant_id: tenant.id,
      application_id: applicationId,
      id,
      certificate,
      sealed_private_key: vault.seal(privateKey, purpose(tenant.id, id)),
      is_active: isActive,
      created_at: now,
      expires_at: expiresAt,
    })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  unit.note({ secretId: id })
  unit.changed(applicationTag(applicationId))
  return row
}

/** Oldest first, without their private keys. */
export const listSamlKeys = (store: Store, { id: tenantId }: Tenant, applicationId: string): Promise<SamlKeyRow[]> =>
  store.database.kysely
    .selectFrom('saml_application_keys')
    .select(COLUMNS)
    .where(inTenant(tenantId))
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Adds a key that is not active. The caller has locked the application. Throws 422 if there are too many. */
export const addFurtherKey = async (unit: Unit, applicationId: string, years: number): Promise<SamlKeyRow> => {
  const { count } = await unit.tx
    .selectFrom('saml_application_keys')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where(inTenant(unit.tenant.id))
    .where('application_id', '=', applicationId)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MOST_KEYS) throw new ApiError('application.saml.reach_limit', { limit: MOST_KEYS })
  return addSamlKey(unit, applicationId, years, { isActive: false })
}

/** Makes a key the one that signs, or no longer. The caller has locked the application. Throws 404. */
export const setActive = async (
  unit: Unit,
  applicationId: string,
  id: string,
  isActive: boolean,
): Promise<SamlKeyRow> => {
  const keys = unit.tx.updateTable('saml_application_keys').where(inTenant(unit.tenant.id))
  const ofApplication = keys.where('application_id', '=', applicationId)
  if (isActive)
    await ofApplication.set({ is_active: false }).where('is_active', '=', true).where('id', '!=', id).execute()
  const row = await ofApplication
    .set({ is_active: isActive })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirst()
  if (!row) throw notFound('secret', id)
  unit.note({ secretId: id, active: isActive })
  unit.changed(applicationTag(applicationId))
  return row
}

/** Deletes a key. The caller has locked the application. Throws 404, 422 for the active one. */
export const eraseKey = async (unit: Unit, applicationId: string, id: string): Promise<void> => {
  const deleted = await unit.tx
    .deleteFrom('saml_application_keys')
    .where(inTenant(unit.tenant.id))
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .returning('is_active')
    .executeTakeFirst()
  if (!deleted) throw notFound('secret', id)
  if (deleted.is_active) throw new ApiError('application.saml.can_not_delete_active_secret')
  unit.note({ secretId: id })
  unit.changed(applicationTag(applicationId))
}

/** The keys that have not expired, the active one first, from the cache. */
export const samlKeys = async (
  store: Store,
  { id: tenantId }: Tenant,
  applicationId: string,
): Promise<readonly SamlKey[]> => {
  const keys = await store.cache.get(tenantId, `saml-keys:${applicationId}`, async () => {
    const rows = await store.database.configuration
      .selectFrom('saml_application_keys')
      .selectAll()
      .where(inTenant(tenantId))
      .where('application_id', '=', applicationId)
      .orderBy('is_active', 'desc')
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    const value = rows.map((row) => ({
      certificate: row.certificate,
      privateKey: store.vault.unseal(row.sealed_private_key, purpose(tenantId, row.id)),
      isActive: row.is_active,
      expiresAt: row.expires_at,
    }))
    return { value, tags: [applicationTag(applicationId)] }
  })
  return keys.filter(({ expiresAt }) => expiresAt > store.clock.now())
}

/** SHA-256 of the certificate, with colons between the bytes. */
export const fingerprintOf = (certificate: string): string => certificateFacts(certificate)?.fingerprint ?? ''
