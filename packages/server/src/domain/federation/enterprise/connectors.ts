/** Enterprise SSO connectors: identity providers of companies, with the email domains that lead to each. Their configuration is sealed. */
import type { SsoConfig } from '@countersign/contract/sso-connector-configs.ts'
import type { SsoConnectorCreate, SsoConnectorUpdate } from '@countersign/contract/sso-connectors.ts'
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError, notFound } from '../../../kernel/api-error.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Vault } from '../../../kernel/secrets.ts'
import type { Tenant } from '../../../kernel/tenant.ts'
import { Withheld } from '../../../storage/audit-entities.ts'
import type { Db } from '../../../storage/database.ts'
import { inTenant } from '../../../storage/in-tenant.ts'
import { mapPage, type Page, type PageRequest, paginate } from '../../../storage/page.ts'
import { holdReferencedRows } from '../../../storage/referenced-rows.ts'
import type { Store } from '../../../storage/store.ts'
import type { Tables } from '../../../storage/tables.ts'
import { operation, type Unit } from '../../../storage/unit-of-work.ts'
import { deleteTokenSetsOf } from '../token-sets.ts'
import { isCompleteConfig, soundSsoConfig } from './config.ts'
import { ssoDomains } from './domains.ts'
import { assertDomainsOf } from './organization-domains.ts'
import { type SsoPreset, ssoPreset } from './presets.ts'

export interface SsoBranding {
  readonly displayName?: string
  readonly logo?: string
  readonly darkLogo?: string
}

export interface SsoConnector {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  /** Whose it is; null: the tenant's. It never changes. */
  readonly organizationId: string | null
  readonly preset: SsoPreset
  readonly config: SsoConfig
  /** Whether users can be sent there. */
  readonly isComplete: boolean
  /** In ASCII and lower case. */
  readonly domains: readonly string[]
  readonly branding: SsoBranding
  /** Whether name and picture are updated at every sign-in. */
  readonly syncProfile: boolean
  /** Whether the tokens that it issues are kept. */
  readonly enableTokenStorage: boolean
  readonly createdAt: Date
}

type Row = Selectable<Tables['sso_connectors']> & { readonly domains: string[] }

/** Whatever is built from the SSO connectors of a tenant. */
export const SSO_CONNECTORS_TAG = 'sso-connectors'
const purpose = (tenantId: string, id: string) => `sso-connector/${tenantId}/${id}`

const fromRow = (vault: Vault, row: Row): SsoConnector => ({
  tenantId: row.tenant_id,
  id: row.id,
  name: row.connector_name,
  organizationId: row.organization_id,
  preset: ssoPreset(row.provider_name),
  config: JSON.parse(vault.unseal(row.sealed_config, purpose(row.tenant_id, row.id))) as SsoConfig,
  isComplete: row.is_complete,
  domains: row.domains,
  branding: row.branding as SsoBranding,
  syncProfile: row.sync_profile,
  enableTokenStorage: row.enable_token_storage,
  createdAt: row.created_at,
})

const connectorsIn = (db: Db, tenantId: string) =>
  db
    .selectFrom('sso_connectors as c')
    .selectAll('c')
    .select(
      sql<string[]>`ARRAY(SELECT d.domain FROM sso_connector_domains d
        WHERE d.tenant_id = c.tenant_id AND d.connector_id = c.id ORDER BY d.position)`.as('domains'),
    )
    .where(inTenant(tenantId, 'c'))

/** The connectors of a tenant. @param where further conditions, of the table as `c` */
export const listSsoConnectors = async (
  { database: { kysely }, vault }: Store,
  tenant: Tenant,
  request: PageRequest,
  where: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): Promise<Page<SsoConnector>> => {
  const query = connectorsIn(kysely, tenant.id).where(where)
  const page = await paginate(kysely, query, request, { createdAt: 'c.created_at', id: 'c.id' })
  return mapPage(page, (row) => fromRow(vault, row))
}

/** All connectors of the tenant, by name, within an operation. @param organizationId only those that belong to this one */
export const ssoConnectorsOf = async (
  { tx, vault, tenant }: Pick<Unit, 'tx' | 'vault' | 'tenant'>,
  organizationId?: string,
): Promise<SsoConnector[]> => {
  const all = connectorsIn(tx, tenant.id).orderBy('c.connector_name')
  const rows = await (organizationId === undefined
    ? all
    : all.where('c.organization_id', '=', organizationId)
  ).execute()
  return rows.map((row) => fromRow(vault, row))
}

const find = async (db: Db, vault: Vault, tenantId: string, id: string): Promise<SsoConnector | undefined> => {
  const row = await connectorsIn(db, tenantId).where('c.id', '=', id).executeTakeFirst()
  return row && fromRow(vault, row)
}

/** The connector with this id, from the cache; undefined: there is none. */
export const ssoConnectorOfSignIn = (
  store: Store,
  { id: tenantId }: Tenant,
  id: string,
): Promise<SsoConnector | undefined> =>
  store.cache.get(tenantId, `sso-connector/${id}`, async () => ({
    value: await find(store.database.configuration, store.vault, tenantId, id),
    tags: [SSO_CONNECTORS_TAG],
  }))

/** What sign-in pages show of a connector. */
export interface ShownSsoConnector {
  readonly id: string
  readonly connectorName: string
  readonly logo: string
  readonly darkLogo: string
}

/** The most connectors that pages of one's own are given: one finds those of an address by its domain. */
const MOST_SHOWN = 100

/** How pages show a connector. */
export const shownSsoConnector = ({
  id,
  name,
  preset: { logo, logoDark },
  branding: { displayName, logo: own, darkLogo: ownDark },
}: Pick<SsoConnector, 'id' | 'name' | 'preset' | 'branding'>): ShownSsoConnector => ({
  id,
  connectorName: displayName || name,
  logo: own || logo,
  darkLogo: ownDark || own || logoDark,
})

/** Those of the tenant that can be used, by name, from the cache. Those of organizations are found by a domain or by their organization. */
export const shownSsoConnectors = (store: Store, { id: tenantId }: Tenant): Promise<readonly ShownSsoConnector[]> =>
  store.cache.get(tenantId, 'shown-sso-connectors', async () => {
    const rows = await store.database.configuration
      .selectFrom('sso_connectors')
      .select(['id', 'provider_name', 'connector_name', 'branding'])
      .where(inTenant(tenantId))
      .where('is_complete', '=', true)
      .where('organization_id', 'is', null)
      .orderBy('connector_name')
      .limit(MOST_SHOWN)
      .execute()
    const value = rows.map(({ id, provider_name, connector_name: name, branding }) =>
      shownSsoConnector({ id, name, preset: ssoPreset(provider_name), branding: branding as SsoBranding }),
    )
    return { value, tags: [SSO_CONNECTORS_TAG] }
  })

/** Throws 404. */
export const getSsoConnector = async (
  { database: { kysely }, vault }: Store,
  tenant: Tenant,
  id: string,
): Promise<SsoConnector> => {
  const connector = await find(kysely, vault, tenant.id, id)
  if (!connector) throw notFound('SSO connector', id)
  return connector
}

const writeDomains = async ({ tx, tenant }: Unit, id: string, domains: readonly string[]): Promise<void> => {
  await tx.deleteFrom('sso_connector_domains').where(inTenant(tenant.id)).where('connector_id', '=', id).execute()
  await sql`
    INSERT INTO sso_connector_domains (tenant_id, domain, connector_id, position)
    SELECT ${tenant.id}, d.domain, ${id}, d.position FROM unnest(${domains}::text[]) WITH ORDINALITY AS d (domain, position)`.execute(
    tx,
  )
}

/** What the audit log records about a change. */
const auditFields = ({
  name,
  organizationId,
  config,
  domains,
  branding,
  syncProfile,
  enableTokenStorage,
}: SsoConnector) => ({
  name,
  ...(organizationId === null ? {} : { organizationId }),
  config: new Withheld(config),
  domains,
  branding,
  syncProfile,
  enableTokenStorage,
})

/** Throws 422 for a provider that issues no tokens. */
const assertPossible = (
  { providerType }: SsoPreset,
  { enableTokenStorage = false }: Static<typeof SsoConnectorUpdate>,
) => {
  if (enableTokenStorage && providerType === 'saml') throw new ApiError('connector.token_storage_not_supported')
}

/**
 * Creates a connector, of an organization if the input names one. Throws 400 for a configuration that does not fit, 409 for a name that
 * another of the same owner has, 422 for domains, also as assertDomainsOf, and for an organization that does not exist.
 */
export const createSsoConnector = operation(
  [],
  async (unit, input: Static<typeof SsoConnectorCreate>): Promise<SsoConnector> => {
    const { tx, tenant, now, vault, changed } = unit
    const domains = ssoDomains(input.domains ?? [])
    const preset = ssoPreset(input.providerName)
    assertPossible(preset, input)
    const config = soundSsoConfig(input.providerName, input.config ?? {})
    const { organizationId = null } = input
    if (organizationId !== null) await holdReferencedRows(unit, 'organizations', [organizationId], 'organizationId')
    await assertDomainsOf(unit, organizationId, domains)
    const id = newId()
    const row = await tx
      .insertInto('sso_connectors')
      .values({
        tenant_id: tenant.id,
        id,
        organization_id: organizationId,
        provider_name: input.providerName,
        connector_name: input.connectorName,
        sealed_config: vault.seal(JSON.stringify(config), purpose(tenant.id, id)),
        is_complete: isCompleteConfig(preset, config),
        branding: JSON.stringify(input.branding ?? {}),
        sync_profile: input.syncProfile ?? false,
        enable_token_storage: input.enableTokenStorage ?? false,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await writeDomains(unit, id, domains)
    const connector = fromRow(vault, { ...row, domains })
    unit.concerns('ssoConnector', id, { after: auditFields(connector) })
    changed(SSO_CONNECTORS_TAG)
    return connector
  },
)

/** Those of the sessions that were made there. */
const forgetIdTokens = async ({ tx, tenant }: Unit, id: string): Promise<void> => {
  await tx
    .updateTable('sso_sessions')
    .set({ sealed_id_token: null })
    .where(inTenant(tenant.id))
    .where('connector_id', '=', id)
    .execute()
}

/** Changes a connector; fields that are left out stay. Throws 404, and as createSsoConnector. */
export const updateSsoConnector = operation(
  [],
  async (unit, id: string, change: Static<typeof SsoConnectorUpdate>): Promise<SsoConnector> => {
    const { tx, tenant, vault, changed } = unit
    await tx
      .selectFrom('sso_connectors')
      .select('id')
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .forUpdate()
      .execute()
    const before = await find(tx, vault, tenant.id, id)
    if (!before) throw notFound('SSO connector', id)
    assertPossible(before.preset, change)
    const domains = change.domains ? ssoDomains(change.domains) : before.domains
    const config = change.config ? soundSsoConfig(before.preset.providerName, change.config) : before.config
    const row = await tx
      .updateTable('sso_connectors')
      .set({
        connector_name: change.connectorName ?? before.name,
        sealed_config: vault.seal(JSON.stringify(config), purpose(tenant.id, id)),
        is_complete: isCompleteConfig(before.preset, config),
        branding: JSON.stringify(change.branding ?? before.branding),
        sync_profile: change.syncProfile ?? before.syncProfile,
        enable_token_storage: change.enableTokenStorage ?? before.enableTokenStorage,
      })
      .where(inTenant(tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    if (change.domains) {
      await assertDomainsOf(unit, before.organizationId, domains)
      await writeDomains(unit, id, domains)
    }
    if (before.config.signOutAtProvider && !config.signOutAtProvider) await forgetIdTokens(unit, id)
    const connector = fromRow(vault, { ...row, domains: [...domains] })
    // a refresh token is for the provider that issued it
    const isMoved = connector.config.issuer !== before.config.issuer
    if (isMoved || !connector.enableTokenStorage) await deleteTokenSetsOf(unit, 'sso_connector_id', id)
    unit.concerns('ssoConnector', id, { before: auditFields(before), after: auditFields(connector) })
    changed(SSO_CONNECTORS_TAG)
    return connector
  },
)

/** Deletes a connector with its domains and the identities that users have there. Throws 404. */
export const deleteSsoConnector = operation([], async (unit, id: string): Promise<void> => {
  const { tx, tenant, changed } = unit
  const deleted = await tx
    .deleteFrom('sso_connectors')
    .where(inTenant(tenant.id))
    .where('id', '=', id)
    .returning('connector_name')
    .executeTakeFirst()
  if (!deleted) throw notFound('SSO connector', id)
  unit.concerns('ssoConnector', id, { before: { name: deleted.connector_name } })
  changed(SSO_CONNECTORS_TAG)
})
