/** SAML applications: their settings, beside what every application has. The rules between the settings are here. */
import {
  POST_BINDING,
  type SamlApplicationCreate,
  type SamlApplicationUpdate,
  type SamlSettings as SettingsSchema,
} from '@countersign/contract/saml-applications.ts'
import type { Static } from 'typebox'
import { ApiError } from '../../kernel/api-error.ts'
import { certificateFacts } from '../../kernel/certificates.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { inTenant } from '../../storage/in-tenant.ts'
import type { Store } from '../../storage/store.ts'
import { operation, type Tx, type Unit } from '../../storage/unit-of-work.ts'
import { assertHolds } from '../permissions/management-access.ts'
import { TOTAL_TAG } from './applications.ts'
import { objectionToHttpUri } from './redirect-uris.ts'
import { type ApplicationRow, applicationTag, getApplication, lockApplication } from './rows.ts'
import { addSamlKey } from './saml-keys.ts'

export type SamlSettings = Static<typeof SettingsSchema>

export interface SamlApplication {
  readonly row: ApplicationRow
  readonly settings: SamlSettings
}

const DEFAULTS: Omit<SamlSettings, 'nameIdFormat'> = {
  attributeMapping: {},
  entityId: null,
  acsUrl: null,
  otherAcsUrls: [],
  encryption: null,
  signResponse: true,
  requestCertificates: [],
  requireSignedRequests: false,
  allowIdpInitiated: false,
  singleLogout: null,
}

const FIRST_KEY_YEARS = 3

const assertAddress = (url: string): void => {
  if (objectionToHttpUri(url) !== undefined)
    throw new ApiError('application.saml.acs_url_scheme_not_supported', { url })
}

/** Encryption and signatures are by RSA keys: those that every service provider has. */
const assertCertificate = (pem: string): void => {
  const refuse = (reason: string) => new ApiError('application.saml.invalid_certificate_pem_format', { reason })
  const facts = /^\s*-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\s*$/.test(pem)
    ? certificateFacts(pem)
    : undefined
  if (!facts) throw refuse('it cannot be read')
  if (!facts.isUsable) throw refuse('its key is not an RSA key of at least 2048 bits')
}

const assertConsistent = (settings: SamlSettings): void => {
  const { acsUrl, otherAcsUrls, encryption, requestCertificates, requireSignedRequests, singleLogout } = settings
  if (acsUrl && acsUrl.binding !== POST_BINDING) throw new ApiError('application.saml.acs_url_binding_not_supported')
  if (acsUrl) assertAddress(acsUrl.url)
  for (const url of otherAcsUrls) assertAddress(url)
  if (singleLogout) assertAddress(singleLogout.url)
  if (singleLogout?.backChannelUrl) assertAddress(singleLogout.backChannelUrl)
  for (const certificate of requestCertificates) assertCertificate(certificate)
  if (encryption?.certificate !== undefined) assertCertificate(encryption.certificate)
  const invalid = (reason: string) => new ApiError('guard.invalid_input', { reason })
  if (encryption?.encryptAssertion && encryption.certificate === undefined)
    throw invalid('encryptAssertion needs the certificate of the application in encryption')
  if (requireSignedRequests && requestCertificates.length === 0)
    throw invalid('requireSignedRequests needs the certificate of the application in requestCertificates')
  if (singleLogout && requestCertificates.length === 0)
    throw invalid('singleLogout needs the certificate of the application in requestCertificates')
}

/** What the audit log records about a change. */
const fieldsOf = (row: ApplicationRow, settings: SamlSettings) => ({
  name: row.name,
  description: row.description,
  customData: row.custom_data,
  appLevelAccessControlEnabled: row.has_access_control,
  ...settings,
})

const settingsOf = async (tx: Tx, tenant: Tenant, row: ApplicationRow): Promise<SamlSettings> => {
  const stored = await tx
    .selectFrom('saml_applications')
    .select('settings')
    .where(inTenant(tenant.id))
    .where('application_id', '=', row.id)
    .executeTakeFirst()
  if (!stored) throw new ApiError('application.saml.saml_application_only')
  return { ...DEFAULTS, ...(stored.settings as SamlSettings) }
}

/** All of the tenant, in the order of their names. */
export const listSamlApplicationsOf = async ({ tx, tenant }: Unit): Promise<SamlApplication[]> => {
  const rows = await tx
    .selectFrom('applications')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('type', '=', 'SAML')
    .orderBy('name')
    .orderBy('id')
    .execute()
  const found: SamlApplication[] = []
  for (const row of rows) found.push({ row, settings: await settingsOf(tx, tenant, row) })
  return found
}

/** Throws 404, 422 for an application of another type. */
export const getSamlApplication = async (store: Store, tenant: Tenant, id: string): Promise<SamlApplication> => {
  const row = await getApplication(store, tenant, id)
  return { row, settings: await settingsOf(store.database.kysely, tenant, row) }
}

/** The application, locked. Throws 404, 422 for one of another type, 403 as assertHolds. */
export const lockSamlApplication = async (unit: Unit, id: string): Promise<SamlApplication> => {
  const row = await lockApplication(unit, id)
  const settings = await settingsOf(unit.tx, unit.tenant, row)
  await assertHolds(unit, 'applications', [id])
  return { row, settings }
}

/** Registers a SAML application with an active key. Throws 422 for settings that cannot work. */
export const createSamlApplication = operation(
  [],
  async (unit, input: Static<typeof SamlApplicationCreate>): Promise<SamlApplication> => {
    const { name, description, customData, appLevelAccessControlEnabled, ...sent } = input
    const settings = { ...DEFAULTS, ...sent }
    assertConsistent(settings)
    const row = await unit.tx
      .insertInto('applications')
      .values({
        tenant_id: unit.tenant.id,
        id: newId(),
        name,
        description: description ?? null,
        type: 'SAML',
        has_access_control: appLevelAccessControlEnabled ?? false,
        oidc_client_metadata: JSON.stringify({ redirectUris: [], postLogoutRedirectUris: [] }),
        custom_client_metadata: '{}',
        custom_data: JSON.stringify(customData ?? {}),
        created_at: unit.now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await unit.tx
      .insertInto('saml_applications')
      .values({ tenant_id: unit.tenant.id, application_id: row.id, settings: JSON.stringify(settings) })
      .execute()
    await addSamlKey(unit, row.id, FIRST_KEY_YEARS, { isActive: true })
    unit.concerns('application', row.id, { after: fieldsOf(row, settings) })
    unit.changed(applicationTag(row.id), TOTAL_TAG)
    return { row, settings }
  },
)

/** Changes a SAML application: each setting that is sent replaces the former one. Throws 404, 422. */
export const updateSamlApplication = operation(
  [],
  async (unit, id: string, change: Static<typeof SamlApplicationUpdate>): Promise<SamlApplication> => {
    const before = await lockSamlApplication(unit, id)
    const { name, description, customData, appLevelAccessControlEnabled, ...sent } = change
    const settings = { ...before.settings, ...sent }
    assertConsistent(settings)
    const row = await unit.tx
      .updateTable('applications')
      .set({
        name: name ?? before.row.name,
        description: description === undefined ? before.row.description : description,
        custom_data: JSON.stringify(customData ?? before.row.custom_data),
        has_access_control: appLevelAccessControlEnabled ?? before.row.has_access_control,
      })
      .where(inTenant(unit.tenant.id))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await unit.tx
      .updateTable('saml_applications')
      .set({ settings: JSON.stringify(settings) })
      .where(inTenant(unit.tenant.id))
      .where('application_id', '=', id)
      .execute()
    unit.concerns('application', id, {
      before: fieldsOf(before.row, before.settings),
      after: fieldsOf(row, settings),
    })
    unit.changed(applicationTag(id))
    return { row, settings }
  },
)

/** The addresses of this server as the identity provider of one application; the first is its entity id as well. */
export const samlAddressesOf = ({ baseUrl }: Tenant, id: string) => ({
  metadata: `${baseUrl}/api/saml-applications/${id}/metadata`,
  signOn: `${baseUrl}/api/saml/${id}/authn`,
  logout: `${baseUrl}/api/saml/${id}/slo`,
})

/** The settings of an application of type SAML, from the cache; undefined: there is none with this id. */
export const findSamlSettings = (
  store: Store,
  { id: tenantId }: Tenant,
  id: string,
): Promise<SamlSettings | undefined> =>
  store.cache.get(tenantId, `saml-application:${id}`, async () => {
    const row = await store.database.configuration
      .selectFrom('saml_applications')
      .select('settings')
      .where(inTenant(tenantId))
      .where('application_id', '=', id)
      .executeTakeFirst()
    return { value: row && { ...DEFAULTS, ...(row.settings as SamlSettings) }, tags: [applicationTag(id)] }
  })
