/**
 * The secrets of confidential applications: several at a time, each with a name and an optional expiry (DECISIONS C1).
 */

import type { Selectable } from 'kysely'
import { ApiError, notFound } from '../../kernel/api-error.ts'
import type { Caller } from '../../kernel/caller.ts'
import { newSecret } from '../../kernel/ids.ts'
import { hashSecret, type Vault } from '../../kernel/secrets.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import type { Db } from '../../storage/database.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import type { Tables } from '../../storage/tables.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { applicationTag, getApplication, isConfidential, lockApplication } from './rows.ts'

export type SecretRow = Omit<Selectable<Tables['application_secrets']>, 'hash' | 'sealed'> & { readonly value: string }

/** What a sealed secret is bound to; not its name, so that renaming does not affect it. */
const purpose = (tenantId: string, applicationId: string) => `application-secret/${tenantId}/${applicationId}`

const open = (vault: Vault, { hash: _, sealed, ...row }: Selectable<Tables['application_secrets']>): SecretRow => ({
  ...row,
  value: vault.unseal(sealed, purpose(row.tenant_id, row.application_id)),
})

const readSecrets = async (db: Db, vault: Vault, tenantId: string, applicationId: string): Promise<SecretRow[]> => {
  const rows = await db
    .selectFrom('application_secrets')
    .selectAll()
    .where(inTenant(tenantId))
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .orderBy('name')
    .execute()
  return rows.map((row) => open(vault, row))
}

/**
 * The secrets of an application with their values, oldest first. Throws 404, 403 when they give access to more than the
 * caller holds.
 */
export const listSecrets = async (
  store: Store,
  tenant: Tenant,
  caller: Caller,
  applicationId: string,
): Promise<SecretRow[]> => {
  await getApplication(store, tenant, applicationId)
  await assertHolds({ tx: store.database.kysely, tenant, caller }, 'applications', [applicationId])
  return readSecrets(store.database.kysely, store.vault, tenant.id, applicationId)
}

/** The same within an operation. */
export const listSecretsOf = ({ tx, vault, tenant }: Unit, applicationId: string): Promise<SecretRow[]> =>
  readSecrets(tx, vault, tenant.id, applicationId)

/** Creates a secret within another operation; 422 if the name is taken. */
export const addSecret = async (
  { tx, tenant, now, vault }: Unit,
  applicationId: string,
  name: string,
  expiresAt: Date | null,
): Promise<SecretRow> => {
  const value = newSecret()
  const row = await tx
    .insertInto('application_secrets')
    .values({
      tenant_id: tenant.id,
      application_id: applicationId,
      name,
      hash: hashSecret(value),
      sealed: vault.seal(value, purpose(tenant.id, applicationId)),
      created_at: now,
      expires_at: expiresAt,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return open(vault, row)
}

/**
 * Adds a secret to a confidential application. Throws 404, 422 for a public application or when the name is taken, 400 for an
 * expiry in the past.
 */
export const createSecret = operation(
  [],
  async (unit, applicationId: string, name: string, expiresAt: Date | null): Promise<SecretRow> => {
    if (expiresAt && expiresAt <= unit.now)
      throw new ApiError('request.invalid_input', { reason: 'expiresAt is in the past' })
    const application = await lockApplication(unit, applicationId)
    if (!isConfidential(application.type) || application.type === 'SAML') throw new ApiError('application.invalid_type')
    await assertHolds(unit, 'applications', [applicationId])
    unit.note({ secretName: name })
    unit.changed(applicationTag(applicationId))
    return addSecret(unit, applicationId, name, expiresAt)
  },
)

/** Renames a secret; its value stays. Throws 404, 422 when the name is taken. */
export const renameSecret = operation(
  [],
  async (unit, applicationId: string, name: string, newName: string): Promise<SecretRow> => {
    const { tx, tenant, vault, changed } = unit
    await assertHolds(unit, 'applications', [applicationId])
    const row = await tx
      .updateTable('application_secrets')
      .set({ name: newName })
      .where(inTenant(tenant.id))
      .where('application_id', '=', applicationId)
      .where('name', '=', name)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('secret', name)
    unit.note({ secretName: name, newSecretName: newName })
    changed(applicationTag(applicationId))
    return open(vault, row)
  },
)

/** Deletes a secret; it is refused from then on. Throws 404. */
export const deleteSecret = operation([], async (unit, applicationId: string, name: string): Promise<void> => {
  const { tx, tenant, changed } = unit
  await assertHolds(unit, 'applications', [applicationId])
  const deleted = await tx
    .deleteFrom('application_secrets')
    .where(inTenant(tenant.id))
    .where('application_id', '=', applicationId)
    .where('name', '=', name)
    .returning('name')
    .execute()
  if (deleted.length === 0) throw notFound('secret', name)
  changed(applicationTag(applicationId))
})
