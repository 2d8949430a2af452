/** Enterprise SSO connectors: the identity providers of companies, and the email domains whose users sign in there. */
import Type from 'typebox'
import { routes, WHOLE } from './route.ts'
import { EpochMilliseconds, Id, Nullable, OneOf, SECRET } from './schema.ts'
import { SSO_PROVIDER_NAMES, type SsoConfig } from './sso-connector-configs.ts'

/** Judged by the provider: the server compares it with the schema that the provider has. */
const Config = Type.Unsafe<SsoConfig>({
  ...SECRET,
  type: 'object',
  description:
    'As the provider wants it: `issuer`, `clientId` and `clientSecret` for OpenID Connect; `metadataUrl`, `metadata`, or `entityId`, `signInEndpoint` and `x509Certificate` for SAML. Until it is complete no user is sent there',
})

/** What an SSO connector is called, by which it is also found elsewhere than where its id was given. */
export const ConnectorName = Type.String({ minLength: 1, maxLength: 128, examples: ['Acme'] })
const Domains = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
  maxItems: 200,
  description:
    'Email domains whose users sign in here and not by password or code; kept in lower case and in ASCII (Punycode)',
})
const Logo = Type.String({ maxLength: 2048, pattern: '^(https://|data:image/|$)', description: 'URL of an image' })
const Branding = Type.Object({
  displayName: Type.Optional(Type.String({ maxLength: 128 })),
  logo: Type.Optional(Logo),
  darkLogo: Type.Optional(Logo),
})
const SyncProfile = Type.Boolean({
  description: 'Whether name and picture are updated at every sign-in. Default: only at registration',
})
const EnableTokenStorage = Type.Boolean({
  description:
    'Whether the tokens that the identity provider issues are kept, encrypted, for applications that call its APIs on behalf of the user. Not for SAML. Default: they are not; what was kept is deleted when it is switched off',
})

const providerFields = {
  providerType: OneOf(['oidc', 'saml']),
  name: Type.String(),
}

export const SsoConnectorProvider = Type.Object({
  providerName: OneOf(SSO_PROVIDER_NAMES),
  ...providerFields,
  logo: Type.String(),
  logoDark: Type.String(),
  description: Type.String(),
  configSchema: Type.Unsafe<object>({ type: 'object', description: 'JSON Schema of the configuration' }),
})

const OrganizationId = Type.String({
  minLength: 1,
  maxLength: 21,
  description:
    'The organization that the connector belongs to: its users become members of this organization and of no other, and it signs in members only. Its domains have to be proved (`/organizations/:id/domains`)',
})

const withoutConfig = {
  tenantId: Type.String(),
  id: Type.String(),
  providerName: OneOf(SSO_PROVIDER_NAMES),
  connectorName: ConnectorName,
  organizationId: Nullable(OrganizationId),
  domains: Domains,
  branding: Branding,
  syncProfile: SyncProfile,
  enableTokenStorage: EnableTokenStorage,
  createdAt: EpochMilliseconds,
}

/** A connector as it is shown where its configuration must not be. */
export const ShownSsoConnector = Type.Object(withoutConfig)

export const SsoConnector = Type.Object({
  ...withoutConfig,
  config: Config,
  ...providerFields,
  providerLogo: Type.String(),
  providerLogoDark: Type.String(),
  isComplete: Type.Boolean({ description: 'Whether nothing is missing in the configuration' }),
})

export const SsoConnectorUpdate = Type.Object({
  config: Type.Optional(Config),
  domains: Type.Optional(Domains),
  branding: Type.Optional(Branding),
  syncProfile: Type.Optional(SyncProfile),
  enableTokenStorage: Type.Optional(EnableTokenStorage),
  connectorName: Type.Optional(ConnectorName),
})

/** What a new connector of the tenant has. */
export const TenantSsoConnector = Type.Object({
  ...SsoConnectorUpdate.properties,
  providerName: OneOf(SSO_PROVIDER_NAMES),
  connectorName: ConnectorName,
})

export const SsoConnectorCreate = Type.Object({
  ...TenantSsoConnector.properties,
  organizationId: Type.Optional(OrganizationId),
})

const domainErrors = [
  'single_sign_on.duplicate_connector_name',
  'single_sign_on.domain_in_use',
  'single_sign_on.domain_not_verified',
  'single_sign_on.duplicated_domains',
  'single_sign_on.forbidden_domains',
  'single_sign_on.invalid_domain_format',
  'connector.token_storage_not_supported',
] as const
const byId = { params: Type.Object({ id: Id }) }

export const ssoConnectorRoutes = routes({
  listSsoConnectorProviders: {
    method: 'GET',
    path: '/sso-connector-providers',
    permission: 'read:connectors',
    summary: 'List the identity providers that SSO connectors can be created for',
    status: 200,
    response: Type.Array(SsoConnectorProvider),
  },
  listSsoConnectors: {
    method: 'GET',
    path: '/sso-connectors',
    permission: 'write:connectors',
    list: 'whole',
    summary: 'List SSO connectors with their configuration',
    status: 200,
    response: Type.Array(SsoConnector),
  },
  createSsoConnector: {
    method: 'POST',
    path: '/sso-connectors',
    permission: 'write:connectors',
    summary: 'Create an SSO connector',
    description:
      'Register `{base URL}/callback/{id}` as the redirect URI at the identity provider. The configuration may be completed later.',
    body: SsoConnectorCreate,
    status: 200,
    response: SsoConnector,
    errors: ['entity.relation_foreign_key_not_found', ...domainErrors],
  },
  getSsoConnector: {
    method: 'GET',
    path: '/sso-connectors/:id',
    permission: 'write:connectors',
    version: WHOLE,
    summary: 'Get an SSO connector with its configuration',
    ...byId,
    status: 200,
    response: SsoConnector,
    errors: ['entity.not_exists_with_id'],
  },
  updateSsoConnector: {
    method: 'PATCH',
    path: '/sso-connectors/:id',
    permission: 'write:connectors',
    version: WHOLE,
    summary: 'Change an SSO connector; each field is replaced as a whole',
    ...byId,
    body: SsoConnectorUpdate,
    status: 200,
    response: SsoConnector,
    errors: ['entity.not_exists_with_id', ...domainErrors],
  },
  deleteSsoConnector: {
    method: 'DELETE',
    path: '/sso-connectors/:id',
    permission: 'write:connectors',
    version: WHOLE,
    summary: 'Delete an SSO connector',
    description: 'The identities of its users are deleted too: the users stay, and sign in otherwise.',
    ...byId,
    status: 204,
    errors: ['entity.not_exists_with_id'],
  },
})
