/** Writes the current state as a declaration that `countersign apply` accepts without any change. */

import type { Declaration } from '@countersign/contract/declaration.ts'
import type { EventType } from '@countersign/contract/events.ts'
import type { USER_SCOPES } from '@countersign/contract/user-consent-scopes.ts'
import type { ApplicationRow } from '../domain/applications/rows.ts'
import { listSamlApplicationsOf } from '../domain/applications/saml-applications.ts'
import { type Connector, listConnectorsOf } from '../domain/delivery/connectors.ts'
import { readCustomizers } from '../domain/issued/jwt-customizers.ts'
import { readClientDocumentSettings } from '../domain/registered-clients/document-settings.ts'
import { readRegistrationSettings } from '../domain/registered-clients/settings.ts'
import { readIdTokenSettings } from '../domain/tenants/id-token-settings.ts'
import { readSecuritySettings } from '../domain/tenants/security-settings.ts'
import { listProfileFields } from '../domain/users/profile-fields.ts'
import { headersOf } from '../domain/webhooks/rows.ts'
import { ConfigurationError } from '../kernel/configuration.ts'
import { inTenant } from '../storage/in-tenant.ts'
import { operation, type Unit } from '../storage/unit-of-work.ts'
import { declaredAccountCenter } from './account-center.ts'
import { declaredAdministratorRoles } from './administrator-roles.ts'
import { type ConsentScopes, readAccessRoles, readConsentScopes } from './application-access.ts'
import { readApplications, readHeldRoles } from './applications.ts'
import { readDeclaredTypes } from './authorization-details-types.ts'
import { declaredCaptchaProvider } from './captcha-provider.ts'
import { readDocumentConsentScopes } from './client-documents.ts'
import { withoutSecrets } from './connector-secrets.ts'
import { readCustomPhrases } from './custom-phrases.ts'
import { declaredTemplate, readEmailTemplates } from './email-templates.ts'
import { readHooks } from './hooks.ts'
import { readHeldPermissions, readOrganizationRoles, readOrganizationScopes } from './organization-template.ts'
import { declaredField } from './profile-fields.ts'
import { readPermissions } from './resources.ts'
import { readRoleScopes, readRoles } from './roles.ts'
import { declaredSamlApplication } from './saml-applications.ts'
import { readSettings } from './settings.ts'
import { declaredSsoConnectors } from './sso-connectors.ts'
import { withheld } from './withheld.ts'

const byName = <T extends { readonly name: string }>(rows: readonly T[]): T[] =>
  rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))

/** A field with its default value is left out. */
const described = (description: string | null) => (description ? { description } : {})
const unlessEmpty = <K extends string, T extends object>(key: K, value: T): { [P in K]?: T } =>
  (Object.keys(value).length > 0 ? { [key]: value } : {}) as { [P in K]?: T }

const resources = async (unit: Unit): Promise<NonNullable<Declaration['resources']>> => {
  const { tx, tenant } = unit
  const rows = await tx
    .selectFrom('resources')
    .selectAll()
    .where(inTenant(tenant.id))
    .where('is_management', '=', false)
    .execute()
  const scopes = await tx.selectFrom('scopes').selectAll().where(inTenant(tenant.id)).execute()
  const typesOf = await readDeclaredTypes(unit)
  return rows
    .toSorted((a, b) => (a.indicator < b.indicator ? -1 : 1))
    .map((row) => ({
      indicator: row.indicator,
      name: row.name,
      accessTokenTtl: row.access_token_ttl,
      ...(row.sender_constraint === 'none' ? {} : { senderConstraint: row.sender_constraint }),
      ...(row.requires_nonce ? { dpopNonceRequired: true } : {}),
      isDefault: row.is_default,
      permissions: byName(scopes.filter(({ resource_id }) => resource_id === row.id)).map(({ name, description }) => ({
        name,
        ...described(description),
      })),
      ...typesOf(row.id),
    }))
}

/** @param kind in the plural */
const assertNamedApart = (rows: readonly { readonly name: string; readonly id: string }[], kind: string): void => {
  const twice = rows.filter(({ name }) =>
    rows.some((other) => other.name === name && other.id !== rows.find((first) => first.name === name)?.id),
  )
  const names = [...new Set(twice.map(({ name }) => name))]
  if (names.length === 0) return
  const [name] = names
  const ids = rows.filter((row) => row.name === name).map(({ id }) => id)
  throw new ConfigurationError(
    `Several ${kind} are named ${name} (${ids.join(', ')}): a file identifies them by name, so rename all but one.`,
  )
}

const named = (all: readonly { readonly id: string; readonly name: string }[], ids: readonly string[]) =>
  byName(all.filter(({ id }) => ids.includes(id))).map(({ name }) => name)

/** Which roles let their users into an application; nothing where everyone may use it and no rule is kept. */
const accessControls = async (unit: Unit) => {
  const [roles, admitted] = [await readRoles(unit), await readAccessRoles(unit)]
  return ({ id, has_access_control }: ApplicationRow) =>
    has_access_control || admitted(id).length > 0 ? { accessControl: { userRoles: named(roles, admitted(id)) } } : {}
}

/** What may be asked for, by the names that a file has. */
const namedConsentScopes = async (unit: Unit) => {
  const [permissions, organizationScopes] = [await readPermissions(unit), await readOrganizationScopes(unit)]
  return ({ user, resource, organization, organizationResource }: ConsentScopes) => ({
    userScopes: user as (typeof USER_SCOPES)[number][],
    resourceScopes: permissions.grantsOf(resource),
    organizationScopes: named(organizationScopes, organization),
    organizationResourceScopes: permissions.grantsOf(organizationResource),
  })
}

const clientDocuments = async (unit: Unit): Promise<NonNullable<Declaration['clientDocuments']>> => ({
  ...(await readClientDocumentSettings(unit.tx, unit.tenant.id)),
  userConsentScopes: (await namedConsentScopes(unit))(await readDocumentConsentScopes(unit)),
})

const applications = async (unit: Unit): Promise<NonNullable<Declaration['applications']>> => {
  const [rows, held, roles] = [await readApplications(unit), await readHeldRoles(unit), await readRoles(unit)]
  const [consented, accessControlOf] = [await readConsentScopes(unit), await accessControls(unit)]
  const scopesOf = await namedConsentScopes(unit)
  assertNamedApart(rows, 'applications')
  return byName(rows).map((row) => ({
    name: row.name,
    type: row.type,
    ...described(row.description),
    ...(row.is_third_party ? { isThirdParty: true } : {}),
    oidcClientMetadata: row.oidc_client_metadata,
    ...unlessEmpty('customClientMetadata', row.custom_client_metadata),
    ...unlessEmpty('customData', row.custom_data),
    ...(row.type === 'MachineToMachine' ? { roles: named(roles, held.get(row.id) ?? []) } : {}),
    ...(row.is_third_party ? { userConsentScopes: scopesOf(consented(row.id)) } : {}),
    ...(row.has_access_control ? { appLevelAccessControlEnabled: true } : {}),
    ...accessControlOf(row),
  }))
}

/** The same where variables are substituted: literal text that looks like one is escaped. */
const literal = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replace(/\$\$?\{[A-Za-z_]\w*\}/g, (each) => `$${each}`)
  if (Array.isArray(value)) return value.map(literal)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, literal(inner)]))
}

/** Connectors have no name: a tenant has one of a kind, or one for each target. */
const nameOf = ({ factory, target }: Connector): string => `${factory.id} ${target}`

const samlApplications = async (unit: Unit): Promise<NonNullable<Declaration['samlApplications']>> => {
  const accessControlOf = await accessControls(unit)
  const present = await listSamlApplicationsOf(unit)
  assertNamedApart(
    present.map(({ row }) => row),
    'SAML applications',
  )
  return present.map((each) => ({ ...declaredSamlApplication(each), ...accessControlOf(each.row) }))
}

/** Secrets become variables: the file is to be kept where configuration is kept. */
const connectors = async (unit: Unit): Promise<NonNullable<Declaration['connectors']>> => {
  const present = (await listConnectorsOf(unit)).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  return present.map((connector) => ({
    connectorId: connector.factory.id,
    config: withoutSecrets(connector, literal(connector.config)),
    ...unlessEmpty('metadata', literal(connector.metadata) as object),
    ...(connector.syncProfile ? { syncProfile: true } : {}),
    ...(connector.enableTokenStorage ? { enableTokenStorage: true } : {}),
  }))
}

const roles = async (unit: Unit): Promise<NonNullable<Declaration['roles']>> => {
  const [rows, held, permissions] = [await readRoles(unit), await readRoleScopes(unit), await readPermissions(unit)]
  return byName(rows).map(({ id, name, type, description, is_default }) => ({
    name,
    type,
    ...described(description),
    ...(is_default ? { isDefault: true } : {}),
    permissions: permissions.grantsOf(held.get(id) ?? []),
  }))
}

const organizationTemplate = async (unit: Unit): Promise<NonNullable<Declaration['organizationTemplate']>> => {
  const scopes = byName(await readOrganizationScopes(unit))
  const [rows, held, permissions] = [
    await readOrganizationRoles(unit),
    await readHeldPermissions(unit),
    await readPermissions(unit),
  ]
  return {
    permissions: scopes.map(({ name, description }) => ({ name, ...described(description) })),
    roles: byName(rows).map(({ id, name, type, description }) => ({
      name,
      type,
      ...described(description),
      permissions: scopes
        .filter((scope) => held.get(id)?.organizationScopes.includes(scope.id))
        .map((scope) => scope.name),
      ...unlessEmpty('apiPermissions', permissions.grantsOf(held.get(id)?.scopes ?? [])),
    })),
  }
}

const hooks = async (unit: Unit): Promise<NonNullable<Declaration['hooks']>> => {
  const rows = await readHooks(unit)
  const nameless = rows.find(({ name }) => name === '')
  if (nameless)
    throw new ConfigurationError(
      `The hook ${nameless.id} has no name: a file identifies hooks by name, so give it one.`,
    )
  assertNamedApart(rows, 'hooks')
  return byName(rows).map((row) => ({
    name: literal(row.name) as string,
    events: row.events.toSorted() as EventType[],
    config: {
      url: literal(row.url) as string,
      ...unlessEmpty('headers', withheld(headersOf(unit.vault, row))),
      ...(row.retries === null ? {} : { retries: row.retries }),
    },
    ...(row.is_enabled ? {} : { enabled: false }),
    ...(row.is_ordered ? { ordered: true } : {}),
  }))
}

const jwtCustomizers = async ({ tx, vault, tenant }: Unit): Promise<NonNullable<Declaration['jwtCustomizers']>> => {
  const present = await readCustomizers(tx, vault, tenant)
  return Object.fromEntries(
    present.map(({ tokenType, environmentVariables = {}, contextSample, tokenSample, ...fields }) => [
      tokenType,
      {
        ...fields,
        ...unlessEmpty('environmentVariables', withheld(environmentVariables)),
        ...(contextSample ? { contextSample } : {}),
        ...(tokenSample ? { tokenSample } : {}),
      },
    ]),
  )
}

/** Everything that a declaration can contain, in an order that depends only on names. Secrets are left out. */
export const readTenant = operation(
  [],
  async (unit): Promise<Declaration> => ({
    resources: await resources(unit),
    roles: await roles(unit),
    applications: await applications(unit),
    samlApplications: await samlApplications(unit),
    organizationTemplate: await organizationTemplate(unit),
    connectors: await connectors(unit),
    ssoConnectors: await declaredSsoConnectors(unit, literal),
    emailTemplates: (await readEmailTemplates(unit)).map(declaredTemplate),
    customProfileFields: (await listProfileFields(unit.tx, unit.tenant.id)).map(declaredField),
    customPhrases: Object.fromEntries(
      (await readCustomPhrases(unit)).map(({ language_tag, translation }) => [language_tag, translation]),
    ),
    administratorRoles: await declaredAdministratorRoles(unit),
    captchaProvider: await declaredCaptchaProvider(unit),
    accountCenter: await declaredAccountCenter(unit),
    security: await readSecuritySettings(unit.tx, unit.tenant.id),
    idToken: await readIdTokenSettings(unit.tx, unit.tenant.id),
    clientRegistration: await readRegistrationSettings(unit.tx, unit.tenant.id),
    clientDocuments: await clientDocuments(unit),
    signInExperience: (await readSettings(unit)) as unknown as NonNullable<Declaration['signInExperience']>,
    hooks: await hooks(unit),
    jwtCustomizers: await jwtCustomizers(unit),
  }),
)

/** The declaration as YAML. */
export const writtenDeclaration = async (declaration: Declaration, tenantName: string): Promise<string> => {
  const { stringify } = await import('yaml')
  return `# The configuration of the tenant ${tenantName}. Apply it with \`countersign apply -f <this file>\`.\n${stringify(declaration, { lineWidth: 0, aliasDuplicateObjects: false })}`
}
