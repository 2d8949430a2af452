/**
 * Members of an organization who may (`manage:sso`) look after its single sign-on in the Account API: its email domains and its SSO
 * connectors (DECISIONS P22).
 */
import Type from 'typebox'
import { FIELD_ERRORS } from './account.ts'
import {
  ADD_DOMAIN_ERRORS,
  OrganizationDomain,
  OrganizationDomainAdd,
  VERIFY_DOMAIN_ERRORS,
} from './organization-domains.ts'
import { CHECK_DESCRIPTION, ProviderCheck } from './provider-checks.ts'
import { routes } from './route.ts'
import { Id } from './schema.ts'
import { SsoConnector, SsoConnectorUpdate, TenantSsoConnector } from './sso-connectors.ts'
import { ActiveKey, SsoSigningKey } from './sso-signing-keys.ts'

const own = {
  permission: null,
  scopes: ['urn:logto:scope:organizations'],
  isFirstParty: true,
} as const
const params = Type.Object({ organizationId: Id })
const ofDomain = Type.Object({ organizationId: Id, domain: Type.String({ minLength: 1, maxLength: 256 }) })
const ofConnector = Type.Object({ organizationId: Id, connectorId: Id })
const ofKey = Type.Object({ organizationId: Id, connectorId: Id, keyId: Id })

/** Tokens of the provider are the operator's to keep. */
const { enableTokenStorage: _changed, ...changeable } = SsoConnectorUpdate.properties
const { enableTokenStorage: _created, ...creatable } = TenantSsoConnector.properties
const { tenantId: _tenant, enableTokenStorage: _shown, ...shown } = SsoConnector.properties

const MyConnector = Type.Object({
  ...shown,
  config: Type.Unsafe<object>({ type: 'object', description: 'Without the client secret' }),
  redirectUri: Type.String({
    description:
      'What the identity provider has to know: the redirect URI of OpenID Connect; of SAML the address of the metadata, which names the rest',
  }),
})

const errors = [...FIELD_ERRORS, 'entity.not_exists_with_id', 'auth.forbidden'] as const
const connectorErrors = [
  ...errors,
  'single_sign_on.domain_not_verified',
  'single_sign_on.duplicate_connector_name',
  'single_sign_on.duplicated_domains',
  'single_sign_on.forbidden_domains',
  'single_sign_on.invalid_domain_format',
] as const

const keyErrors = [...errors, 'single_sign_on.sso_signing_unavailable'] as const

export const accountOrganizationSsoRoutes = routes({
  listMyOrganizationDomains: {
    ...own,
    method: 'GET',
    path: '/my-account/organizations/:organizationId/domains',
    summary: 'List the email domains of an organization',
    description: 'This and the following are for members whose organization roles have the permission `manage:sso`.',
    params,
    status: 200,
    response: Type.Array(OrganizationDomain),
    errors,
  },
  addMyOrganizationDomain: {
    ...own,
    method: 'POST',
    path: '/my-account/organizations/:organizationId/domains',
    proof: true,
    summary: 'Add an email domain of an organization',
    description: 'Create the TXT record of the response in the DNS, then verify the domain.',
    params,
    body: OrganizationDomainAdd,
    status: 201,
    response: OrganizationDomain,
    errors: [...errors, ...ADD_DOMAIN_ERRORS],
  },
  verifyMyOrganizationDomain: {
    ...own,
    method: 'POST',
    path: '/my-account/organizations/:organizationId/domains/:domain/verification',
    summary: 'Look for the TXT record of an email domain',
    params: ofDomain,
    status: 200,
    response: OrganizationDomain,
    errors: [...errors, ...VERIFY_DOMAIN_ERRORS, 'request.rate_limited'],
  },
  removeMyOrganizationDomain: {
    ...own,
    method: 'DELETE',
    path: '/my-account/organizations/:organizationId/domains/:domain',
    proof: true,
    summary: 'Remove an email domain of an organization',
    description: 'The SSO connectors of the organization lose it too.',
    params: ofDomain,
    status: 204,
    errors,
  },
  listMyOrganizationSsoConnectors: {
    ...own,
    method: 'GET',
    path: '/my-account/organizations/:organizationId/sso-connectors',
    summary: 'List the SSO connectors that belong to an organization',
    params,
    status: 200,
    response: Type.Array(MyConnector),
    errors,
  },
  createMyOrganizationSsoConnector: {
    ...own,
    method: 'POST',
    path: '/my-account/organizations/:organizationId/sso-connectors',
    proof: true,
    summary: 'Create an SSO connector of an organization',
    description:
      'At most ten. Its domains have to be verified ones of the organization. The configuration may be completed later.',
    params,
    body: Type.Object(creatable),
    status: 201,
    response: MyConnector,
    errors: [...connectorErrors, 'single_sign_on.reach_limit'],
  },
  updateMyOrganizationSsoConnector: {
    ...own,
    method: 'PATCH',
    path: '/my-account/organizations/:organizationId/sso-connectors/:connectorId',
    proof: true,
    summary: 'Change an SSO connector of an organization; each field is replaced as a whole',
    description: 'A configuration without a client secret keeps the present one, if it is for the same issuer.',
    params: ofConnector,
    body: Type.Object(changeable),
    status: 200,
    response: MyConnector,
    errors: connectorErrors,
  },
  deleteMyOrganizationSsoConnector: {
    ...own,
    method: 'DELETE',
    path: '/my-account/organizations/:organizationId/sso-connectors/:connectorId',
    proof: true,
    summary: 'Delete an SSO connector of an organization',
    description: 'The identities of its users are deleted too: the users stay, and sign in otherwise.',
    params: ofConnector,
    status: 204,
    errors,
  },
  checkMyOrganizationSsoConnector: {
    ...own,
    method: 'GET',
    path: '/my-account/organizations/:organizationId/sso-connectors/:connectorId/provider-check',
    summary: 'Check the identity provider of an SSO connector of an organization',
    description: CHECK_DESCRIPTION,
    params: ofConnector,
    status: 200,
    response: ProviderCheck,
    errors: [...errors, 'request.rate_limited'],
  },
  listMyOrganizationSsoSigningKeys: {
    ...own,
    method: 'GET',
    path: '/my-account/organizations/:organizationId/sso-connectors/:connectorId/signing-keys',
    summary: 'List the keys of a SAML connector of an organization',
    params: ofConnector,
    status: 200,
    response: Type.Array(SsoSigningKey),
    errors,
  },
  createMyOrganizationSsoSigningKey: {
    ...own,
    method: 'POST',
    path: '/my-account/organizations/:organizationId/sso-connectors/:connectorId/signing-keys',
    proof: true,
    summary: 'Create a key of a SAML connector of an organization',
    description:
      'At most ten. An inactive key is in the metadata of the connector, so that the identity provider knows it before it is used.',
    params: ofConnector,
    body: ActiveKey,
    status: 201,
    response: SsoSigningKey,
    errors: [...keyErrors, 'single_sign_on.reach_limit'],
  },
  updateMyOrganizationSsoSigningKey: {
    ...own,
    method: 'PATCH',
    path: '/my-account/organizations/:organizationId/sso-connectors/:connectorId/signing-keys/:keyId',
    proof: true,
    summary: 'Activate or deactivate a key of a SAML connector of an organization',
    description: 'Without an active key requests are not signed.',
    params: ofKey,
    body: ActiveKey,
    status: 200,
    response: SsoSigningKey,
    errors: keyErrors,
  },
  deleteMyOrganizationSsoSigningKey: {
    ...own,
    method: 'DELETE',
    path: '/my-account/organizations/:organizationId/sso-connectors/:connectorId/signing-keys/:keyId',
    proof: true,
    summary: 'Delete a key of a SAML connector of an organization that is not active',
    params: ofKey,
    status: 204,
    errors: [...keyErrors, 'single_sign_on.can_not_delete_active_signing_key'],
  },
})
