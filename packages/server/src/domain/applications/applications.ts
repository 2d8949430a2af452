/** Applications: the OAuth clients of a tenant (DECISIONS C1). */

import type { ApplicationCreate, ApplicationUpdate } from '@countersign/contract/applications.ts'
import type { OidcClientMetadata } from '@countersign/contract/client-metadata.ts'
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import { notRelated } from '../../storage/not-related.ts'
import { keptTotal, type Page, type PageRequest, paginate } from '../../storage/page.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Unit } from '../../storage/unit-of-work.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { searchPattern } from '../permissions/scopes.ts'
import { revokeTokensOf } from '../tenants/revocations.ts'
import { holdSecuritySettings } from '../tenants/security-settings.ts'
import { algorithmsOf, ensureChain } from '../tenants/signing-keys.ts'
import { ORIGINS_TAG, originsOf } from './allowed-origins.ts'
import { CONSOLE_ID } from './console.ts'
import { DOCUMENT_IDS } from './document-clients.ts'
import { assertExchangePolicies } from './exchange-policies.ts'
import { assertFederatedCredentials } from './federated-credentials.ts'
import { assertKeySettings } from './key-settings.ts'
import { assertHttpUri, assertRedirectUris } from './redirect-uris.ts'
import {
  type ApplicationRow,
  type ApplicationType,
  applicationTag,
  type ClientMetadata,
  isConfidential,
  lockApplication,
} from './rows.ts'
import { addSecret } from './secrets.ts'
import { assertProfile, profileChanges } from './security-profile.ts'
import { assertSameSector, assertSector } from './subjects.ts'
import { assertTlsClientAuth } from './tls-client-auth.ts'

type OidcMetadata = Static<typeof OidcClientMetadata>

/** How many there are. */
export const TOTAL_TAG = 'applications'

export interface ApplicationFilter {
  readonly types?: readonly ApplicationType[] | undefined
  readonly isThirdParty?: boolean | undefined
  readonly excludeRoleId?: string | undefined
  readonly excludeOrganizationId?: string | undefined
  readonly search?: string | undefined
}

export const listApplications = (
  store: Store,
  { id: tenantId }: Tenant,
  request: PageRequest & ApplicationFilter,
): Promise<Page<ApplicationRow>> => {
  const db = store.database.kysely
  let query = db
    .selectFrom('applications')
    .selectAll()
    .where(inTenant(tenantId))
    .where('id', '!=', CONSOLE_ID)
    .where('id', 'not like', DOCUMENT_IDS)
  if (request.types) query = query.where('type', '=', sql<ApplicationType>`ANY(${request.types}::text[])`)
  if (request.isThirdParty !== undefined) query = query.where('is_third_party', '=', request.isThirdParty)
  const { search, excludeRoleId, excludeOrganizationId } = request
  if (search)
    query = query.where(({ or, eb }) =>
      or([eb('name', 'ilike', searchPattern(search)), eb('id', '=', search.replaceAll('%', ''))]),
    )
  if (excludeRoleId) {
    const relation = {
      table: 'applications_roles',
      column: 'role_id',
      id: excludeRoleId,
      listed: ['application_id', 'applications.id'],
    } as const
    query = query.where(notRelated(tenantId, relation))
  }
  if (excludeOrganizationId) {
    const relation = {
      table: 'organization_applications',
      column: 'organization_id',
      id: excludeOrganizationId,
      listed: ['application_id', 'applications.id'],
    } as const
    query = query.where(notRelated(tenantId, relation))
  }
  const isWhole =
    !request.types && request.isThirdParty === undefined && !search && !excludeRoleId && !excludeOrganizationId
  return paginate(db, query, request, isWhole ? { total: keptTotal(store, tenantId, TOTAL_TAG) } : {})
}

/** The rules between an application's fields, whichever of them a change contains. */
export const assertConsistent = async (
  type: ApplicationType,
  isThirdParty: boolean,
  oidc: OidcMetadata,
  custom: ClientMetadata,
) => {
  if (isThirdParty && type === 'MachineToMachine')
    throw new ApiError('application.invalid_third_party_application_type')
  if (isThirdParty && custom.allowTokenExchange) {
    throw new ApiError('application.third_party_application_cannot_enable_token_exchange')
  }
  if (custom.isDeviceFlow && type !== 'Native') throw new ApiError('application.device_flow_native_only')
  if (custom.backchannelTokenDeliveryMode && type !== 'Traditional') {
    throw new ApiError('guard.invalid_input', {
      reason: `applications of type ${type} have no backchannelTokenDeliveryMode: only Traditional ones ask for users without a browser`,
    })
  }
  if (custom.backchannelTokenDeliveryMode === 'ping' && !oidc.backchannelClientNotificationEndpoint)
    throw new ApiError('guard.invalid_input', {
      reason: 'ping needs a backchannelClientNotificationEndpoint',
      issues: [
        {
          path: '/oidcClientMetadata/backchannelClientNotificationEndpoint',
          reason: 'is needed for ping',
          code: 'missing',
        },
      ],
    })
  if (custom.nativeSsoGroup !== undefined && type !== 'Native') {
    throw new ApiError('guard.invalid_input', {
      reason: `applications of type ${type} have no nativeSsoGroup: only Native ones share the sign-in of a device`,
    })
  }
  if (custom.grantManagement && type !== 'Traditional') {
    throw new ApiError('guard.invalid_input', {
      reason: `applications of type ${type} have no grantManagement: only Traditional ones manage grants`,
    })
  }
  if (custom.tokenEndpointAuthMethod && !isConfidential(type)) {
    throw new ApiError('guard.invalid_input', {
      reason: `applications of type ${type} are public and have no tokenEndpointAuthMethod`,
    })
  }
  if (custom.sharedSignals && !isConfidential(type)) {
    throw new ApiError('guard.invalid_input', {
      reason: `applications of type ${type} are public and cannot be receivers of Shared Signals`,
      issues: [{ path: '/customClientMetadata/sharedSignals', reason: 'is for confidential applications' }],
    })
  }
  await assertKeySettings(custom)
  assertTlsClientAuth(custom)
  if (custom.exchangePolicies) assertExchangePolicies(custom.exchangePolicies)
  assertFederatedCredentials(type, custom.federatedCredentials ?? [])
  const wildcards = custom.dangerouslyAllowWildcardRedirectUris ? 'allowed' : 'withheld'
  if (isThirdParty && wildcards === 'allowed') {
    // the operator cannot know who owns those hosts
    throw new ApiError('guard.invalid_input', {
      reason: 'third-party applications cannot have redirect URIs with wildcards',
      issues: [{ path: '/customClientMetadata/dangerouslyAllowWildcardRedirectUris', reason: 'is third-party' }],
    })
  }
  const { redirectUris, postLogoutRedirectUris } = oidc
  await assertRedirectUris({ redirectUris, postLogoutRedirectUris }, { isNative: type === 'Native', wildcards })
  await assertHttpUri('backchannelLogoutUri', oidc.backchannelLogoutUri)
  await assertHttpUri('backchannelClientNotificationEndpoint', oidc.backchannelClientNotificationEndpoint)
  await assertHttpUri('logoUri', oidc.logoUri)
  assertSector({ type, redirectUris, metadata: custom })
}

/** What the audit log records about a change. */
const fieldsOf = (row: ApplicationRow) => ({
  name: row.name,
  description: row.description,
  oidcClientMetadata: row.oidc_client_metadata,
  customClientMetadata: row.custom_client_metadata,
  customData: row.custom_data,
  appLevelAccessControlEnabled: row.has_access_control,
})

/** Registers an application; a confidential one gets a secret named "Default secret". Throws 400 for an invalid one. */
export const createApplication = operation(
  [],
  async (unit, input: Static<typeof ApplicationCreate>): Promise<ApplicationRow> => {
    const oidc = { redirectUris: [], postLogoutRedirectUris: [], ...input.oidcClientMetadata }
    const custom = input.customClientMetadata ?? {}
    const isThirdParty = input.isThirdParty ?? false
    const { type } = input
    if (type === 'SAML') throw new ApiError('application.saml.use_saml_app_api')
    await assertConsistent(type, isThirdParty, oidc, custom)
    const settings = await holdSecuritySettings(unit)
    await assertProfile(unit, { type, oidc, custom }, settings)
    const row = await unit.tx
      .insertInto('applications')
      .values({
        tenant_id: unit.tenant.id,
        id: newId(),
        name: input.name,
        description: input.description ?? null,
        type,
        is_third_party: isThirdParty,
        has_access_control: input.appLevelAccessControlEnabled ?? false,
        oidc_client_metadata: JSON.stringify(oidc),
        custom_client_metadata: JSON.stringify(custom),
        custom_data: JSON.stringify(input.customData ?? {}),
        origins: originsOf(oidc.redirectUris, custom.corsAllowedOrigins ?? []),
        created_at: unit.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (isConfidential(row.type)) await addSecret(unit, row.id, 'Default secret', null)
    for (const algorithm of algorithmsOf(custom)) await ensureChain(unit, algorithm)
    unit.note({ securityProfileSets: profileChanges(custom, settings) })
    unit.concerns('application', row.id, { after: fieldsOf(row) })
    unit.changed(applicationTag(row.id), ORIGINS_TAG, TOTAL_TAG)
    return row
  },
)

/** Merged field by field; an empty string removes an address. */
const mergedOidc = (before: OidcMetadata, sent: Static<typeof ApplicationUpdate>['oidcClientMetadata']) =>
  Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([, value]) => value !== '')) as OidcMetadata

/** The application's new metadata: replaced if it is sent, except for what never changes (DECISIONS C10). */
const replacedMetadata = (before: ClientMetadata, sent: ClientMetadata | undefined): ClientMetadata => {
  if (!sent) return before
  const { isDeviceFlow } = before
  return { ...(isDeviceFlow === undefined ? {} : { isDeviceFlow }), ...sent }
}

/**
 * Changes an application. `oidcClientMetadata` is merged field by field (an empty string removes an address), `customClientMetadata` and custom data are replaced; the
 * type and whether it is for devices cannot change (422).
 */
export const updateApplication = operation(
  [],
  async (unit, id: string, change: Static<typeof ApplicationUpdate>): Promise<ApplicationRow> => {
    const before = await lockApplication(unit, id)
    await assertHolds(unit, 'applications', [id])
    if (before.type === 'SAML') throw new ApiError('application.saml.use_saml_app_api')
    const oidc = mergedOidc(before.oidc_client_metadata as OidcMetadata, change.oidcClientMetadata)
    const custom = replacedMetadata(before.custom_client_metadata, change.customClientMetadata)
    if ((custom.isDeviceFlow ?? false) !== (before.custom_client_metadata.isDeviceFlow ?? false)) {
      throw new ApiError('application.device_flow_not_changeable')
    }
    await assertConsistent(before.type, before.is_third_party, oidc, custom)
    const { redirectUris } = before.oidc_client_metadata as OidcMetadata
    assertSameSector(
      { type: before.type, redirectUris, metadata: before.custom_client_metadata },
      { type: before.type, redirectUris: oidc.redirectUris, metadata: custom },
    )
    const settings = await holdSecuritySettings(unit)
    await assertProfile(unit, { type: before.type, oidc, custom }, settings)
    const row = await unit.tx
      .updateTable('applications')
      .set({
        name: change.name ?? before.name,
        description: change.description === undefined ? before.description : change.description,
        oidc_client_metadata: JSON.stringify(oidc),
        custom_client_metadata: JSON.stringify(custom),
        custom_data: JSON.stringify(change.customData ?? before.custom_data),
        has_access_control: change.appLevelAccessControlEnabled ?? before.has_access_control,
        origins: originsOf(oidc.redirectUris, custom.corsAllowedOrigins ?? []),
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    for (const algorithm of algorithmsOf(change.customClientMetadata ?? {})) await ensureChain(unit, algorithm)
    unit.note({ securityProfileSets: profileChanges(custom, settings) })
    unit.concerns('application', id, { before: fieldsOf(before), after: fieldsOf(row) })
    unit.changed(applicationTag(id), ORIGINS_TAG)
    return row
  },
)

/** Merges into the custom data at the top level; returns the whole. */
export const mergeCustomData = operation([], async (unit, id: string, data: Record<string, unknown>) => {
  const before = await lockApplication(unit, id)
  await assertHolds(unit, 'applications', [id])
  const merged = { ...before.custom_data, ...data }
  await unit.tx
    .updateTable('applications')
    .set({ custom_data: JSON.stringify(merged) })
    .where(inTenant(unit.tenant.id))
    .where('id', '=', id)
    .execute()
  unit.concerns('application', id, { before: { customData: before.custom_data }, after: { customData: merged } })
  unit.changed(applicationTag(id))
  return merged
})

/** Deletes an application with its secrets and its roles; it gets no token from then on. The caller has locked it, and may. */
export const eraseApplication = async (unit: Unit, row: ApplicationRow): Promise<void> => {
  const { tx, tenant, changed } = unit
  const { id } = row
  await tx.deleteFrom('applications').where(inTenant(tenant.id)).where('id', '=', id).execute()
  revokeTokensOf(unit, 'client', id)
  unit.concerns('application', id, { before: fieldsOf(row) })
  changed(applicationTag(id), ORIGINS_TAG, TOTAL_TAG)
}
