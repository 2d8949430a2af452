/** The keys of a SAML connector: requests are signed with the active one, and assertions may be encrypted to any of them. */
import { ApiError, notFound } from '../../../kernel/api-error.ts'
import { type CertifiedKey, certificateFacts, newCertifiedKey } from '../../../kernel/certificates.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { inTenant } from '../../../storage/in-tenant.ts'
import type { Store } from '../../../storage/store.ts'
import { operation, type Unit } from '../../../storage/unit-of-work.ts'
import { ssoPreset } from '../enterprise/presets.ts'
import type { ConnectorKeys } from './provider.ts'

const YEARS = 3
const DAY_MS = 86_400_000

export interface SigningKey {
  readonly id: string
  readonly certificate: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly isActive: boolean
}

/** A key as it is shown, without its private key. */
export const shownSigningKey = ({ id, certificate, createdAt, expiresAt, isActive }: SigningKey) => {
  const formatted = certificateFacts(certificate)?.fingerprint ?? ''
  return {
    ...{ id, certificate, active: isActive },
    createdAt: createdAt.getTime(),
    expiresAt: expiresAt.getTime(),
    fingerprints: { sha256: { formatted, unformatted: formatted.replaceAll(':', '') } },
  }
}

interface Row {
  readonly id: string
  readonly certificate: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly is_active: boolean
}

const fromRow = (row: Row): SigningKey => ({
  id: row.id,
  certificate: row.certificate,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  isActive: row.is_active,
})

const purpose = (tenantId: string, id: string): string => `sso-connector-signing-key/${tenantId}/${id}`

const COLUMNS = ['id', 'certificate', 'created_at', 'expires_at', 'is_active'] as const

/** Of a connector, the newest first. */
export const listSigningKeys = async (
  { database: { kysely } }: Store,
  tenant: Tenant,
  connectorId: string,
): Promise<SigningKey[]> => {
  const rows = await kysely
    .selectFrom('sso_connector_signing_keys')
    .select(COLUMNS)
    .where(inTenant(tenant.id))
    .where('connector_id', '=', connectorId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(fromRow)
}

/** With their private keys. */
export const signingKeys = async (
  { database: { kysely }, vault }: Store,
  tenant: Tenant,
  connectorId: string,
): Promise<ConnectorKeys> => {
  const rows = await kysely
    .selectFrom('sso_connector_signing_keys')
    .select(['id', 'certificate', 'sealed_private_key', 'is_active'])
    .where(inTenant(tenant.id))
    .where('connector_id', '=', connectorId)
    .orderBy('created_at', 'desc')
    .execute()
  const all = rows.map(({ id, certificate, sealed_private_key: sealed }) => ({
    certificate,
    privateKey: vault.unseal(sealed, purpose(tenant.id, id)),
  }))
  return { active: all[rows.findIndex((row) => row.is_active)], all }
}

/** Locks the connector, so that its keys change one after another. Throws 404, 400 for one that does not speak SAML. */
const lockConnector = async ({ tx, tenant }: Unit, connectorId: string): Promise<void> => {
  const row = await tx
    .selectFrom('sso_connectors')
    .select('provider_name')
    .where(inTenant(tenant.id))
    .where('id', '=', connectorId)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw notFound('SSO connector', connectorId)
  if (ssoPreset(row.provider_name).providerType !== 'saml') throw new ApiError('single_sign_on.sso_signing_unavailable')
}

/** Of a connector; there is one active key at most. */
const keysOf = ({ tx, tenant }: Unit, connectorId: string) =>
  tx.updateTable('sso_connector_signing_keys').where(inTenant(tenant.id)).where('connector_id', '=', connectorId)

const deactivate = (unit: Unit, connectorId: string) =>
  keysOf(unit, connectorId).set({ is_active: false }).where('is_active', '=', true).execute()

/** How many keys a connector has, within an operation. */
export const signingKeyCount = async ({ tx, tenant }: Unit, connectorId: string): Promise<number> => {
  const rows = await tx
    .selectFrom('sso_connector_signing_keys')
    .select('id')
    .where(inTenant(tenant.id))
    .where('connector_id', '=', connectorId)
    .execute()
  return rows.length
}

/** Stores a new key of a connector. Throws 404, 400. @param isActive in place of the one that is active */
export const createSigningKey = operation(
  [],
  async (unit, connectorId: string, isActive: boolean, key: CertifiedKey): Promise<SigningKey> => {
    const { tx, tenant, vault } = unit
    await lockConnector(unit, connectorId)
    if (isActive) await deactivate(unit, connectorId)
    const id = newId()
    const facts = certificateFacts(key.certificate)
    if (!facts) throw new Error('A certificate that was just made cannot be read')
    const row = await tx
      .insertInto('sso_connector_signing_keys')
      .values({
        tenant_id: tenant.id,
        id,
        connector_id: connectorId,
        sealed_private_key: vault.seal(key.privateKey, purpose(tenant.id, id)),
        certificate: key.certificate,
        is_active: isActive,
        created_at: unit.now,
        expires_at: facts.validUntil,
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow()
    unit.concerns('ssoConnector', connectorId)
    unit.concerns('signingKey', id)
    return fromRow(row)
  },
)

/** A key pair for a connector: it takes a while, and is made outside of the transaction. */
export const newSigningKey = ({ clock }: Store, connectorId: string): Promise<CertifiedKey> => {
  const now = clock.now()
  return newCertifiedKey(connectorId, now, new Date(now.getTime() + YEARS * 365 * DAY_MS))
}

/** Activates a key in place of the one that is active, or deactivates it. Throws 404, 400. */
export const activateSigningKey = operation(
  [],
  async (unit, connectorId: string, id: string, isActive: boolean): Promise<SigningKey> => {
    await lockConnector(unit, connectorId)
    if (isActive) await deactivate(unit, connectorId)
    const row = await keysOf(unit, connectorId)
      .set({ is_active: isActive })
      .where('id', '=', id)
      .returning(COLUMNS)
      .executeTakeFirst()
    if (!row) throw notFound('signing key', id)
    unit.concerns('ssoConnector', connectorId)
    unit.concerns('signingKey', id)
    return fromRow(row)
  },
)

/** Deletes a key that is not active. Throws 404, 400. */
export const deleteSigningKey = operation([], async (unit, connectorId: string, id: string): Promise<void> => {
  const { tx, tenant } = unit
  await lockConnector(unit, connectorId)
  const row = await tx
    .deleteFrom('sso_connector_signing_keys')
    .where(inTenant(tenant.id))
    .where('connector_id', '=', connectorId)
    .where('id', '=', id)
    .returning('is_active')
    .executeTakeFirst()
  if (!row) throw notFound('signing key', id)
  if (row.is_active) throw new ApiError('single_sign_on.can_not_delete_active_signing_key')
  unit.concerns('ssoConnector', connectorId)
  unit.concerns('signingKey', id)
})
