/** Discovery: OpenID Connect Discovery 1.0 section 3 and RFC 8414. Derived from the registries, never a second list. */

import type { ClientDocumentSettings } from '@countersign/contract/client-documents.ts'
import { BACKCHANNEL_DELIVERY_MODES } from '@countersign/contract/client-metadata.ts'
import type { RegistrationSettings } from '@countersign/contract/client-registration.ts'
import { CONTENT_ENCRYPTIONS, KEY_ENCRYPTIONS } from '@countersign/contract/encryption.ts'
import { SIGNING_ALGORITHMS } from '@countersign/contract/signing-keys.ts'
import { GRANT_ACTIONS } from '../domain/issued/managed-grants.ts'
import { detailsTypes } from '../domain/permissions/authorization-details-types.ts'
import {
  DEVICE_SSO_SCOPE,
  GRANT_QUERY_SCOPE,
  GRANT_REVOKE_SCOPE,
  OIDC_SCOPES,
} from '../domain/permissions/oidc-scopes.ts'
import { clientDocumentSettings } from '../domain/registered-clients/document-settings.ts'
import { registrationSettings } from '../domain/registered-clients/settings.ts'
import { ACR_VALUES } from '../domain/sign-in/acr.ts'
import { RESPONSE_MODES } from '../domain/sign-in/interactions.ts'
import { USER_CLAIMS } from '../domain/sign-in/requested-claims.ts'
import { type SecuritySettings, securitySettings } from '../domain/tenants/security-settings.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { jsonAnswer } from '../http/exchange.ts'
import { PROOF_ALGORITHMS } from '../kernel/proof-algorithms.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { BUILT_IN_LANGUAGES } from '../languages/choice.ts'
import type { Store } from '../storage/store.ts'
import { PROMPTS } from './authorize/checks.ts'
import { GRANTS } from './grants/registry.ts'
import { ID_JAG_PROFILE } from './identity-assertion.ts'
import { ID_JAG_TYPE } from './token-exchange/token-types.ts'

const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none']
/** Where clients can present certificates (RFC 8705 section 2). */
const CERTIFICATE_METHODS = ['tls_client_auth', 'self_signed_tls_client_auth']
const ASSERTION_ALGORITHMS = ['ES256', 'ES384', 'EdDSA', 'Ed25519', 'RS256', 'PS256']

/** RFC 8705 section 5, where the address for client certificates is another. */
const aliasesAt = (origin: string) => ({
  token_endpoint: `${origin}/oidc/token`,
  revocation_endpoint: `${origin}/oidc/token/revocation`,
  introspection_endpoint: `${origin}/oidc/token/introspection`,
  pushed_authorization_request_endpoint: `${origin}/oidc/request`,
  device_authorization_endpoint: `${origin}/oidc/device/auth`,
  backchannel_authentication_endpoint: `${origin}/oidc/bc-authorize`,
  userinfo_endpoint: `${origin}/oidc/me`,
  grant_management_endpoint: `${origin}/oidc/grants`,
})

/** Those of every ID token, and those of users. */
const CLAIMS = ['sub', 'iss', 'auth_time', 'amr', 'acr', 'sid', ...USER_CLAIMS]

/** What follows from whether, and where, clients can present certificates (RFC 8705). */
const certificateMembers = ({ mutualTls }: Store, tenant: Tenant) => {
  const origin = mutualTls.origin(tenant)
  const isApart = origin !== undefined && origin !== tenant.baseUrl
  return {
    methods: mutualTls.isOffered ? [...AUTH_METHODS, ...CERTIFICATE_METHODS] : AUTH_METHODS,
    members: {
      ...(mutualTls.isOffered ? { tls_client_certificate_bound_access_tokens: true } : {}),
      ...(isApart ? { mtls_endpoint_aliases: aliasesAt(origin) } : {}),
    },
  }
}
type CertificateMembers = ReturnType<typeof certificateMembers>

const metadata = (
  { issuer, baseUrl }: Tenant,
  certificates: CertificateMembers,
  settings: SecuritySettings,
  registration: RegistrationSettings,
  details: ReadonlyMap<string, unknown>,
  documents: ClientDocumentSettings,
) => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/me`,
  pushed_authorization_request_endpoint: `${issuer}/request`,
  require_pushed_authorization_requests: settings.requirePushedAuthorizationRequests || settings.profile === 'fapi2',
  client_id_metadata_document_supported: documents.enabled ? true : undefined,
  registration_endpoint: registration.mode === 'closed' ? undefined : `${issuer}/register`,
  device_authorization_endpoint: `${issuer}/device/auth`,
  backchannel_authentication_endpoint: `${issuer}/bc-authorize`,
  backchannel_token_delivery_modes_supported: [...BACKCHANNEL_DELIVERY_MODES],
  backchannel_authentication_request_signing_alg_values_supported: [...SIGNING_ALGORITHMS],
  backchannel_user_code_parameter_supported: false,
  grant_management_endpoint: `${issuer}/grants`,
  grant_management_actions_supported: [...GRANT_ACTIONS, 'query', 'revoke'],
  grant_management_action_required: false,
  native_sso_supported: true,
  end_session_endpoint: `${issuer}/session/end`,
  jwks_uri: `${issuer}/jwks`,
  introspection_endpoint: `${issuer}/token/introspection`,
  revocation_endpoint: `${issuer}/token/revocation`,
  service_documentation: `${baseUrl}/api/docs`,
  grant_types_supported: GRANTS.map(({ type }) => type),
  authorization_grant_profiles_supported: [ID_JAG_PROFILE],
  identity_chaining_requested_token_types_supported: [ID_JAG_TYPE],
  response_types_supported: ['code'],
  response_modes_supported: ['jwt', ...RESPONSE_MODES],
  scopes_supported: [...OIDC_SCOPES, GRANT_QUERY_SCOPE, GRANT_REVOKE_SCOPE, DEVICE_SSO_SCOPE],
  claims_supported: CLAIMS,
  acr_values_supported: [...ACR_VALUES],
  prompt_values_supported: [...PROMPTS],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  ui_locales_supported: [...BUILT_IN_LANGUAGES],
  claims_parameter_supported: true,
  authorization_details_types_supported: details.size > 0 ? [...details.keys()] : undefined,
  request_parameter_supported: true,
  request_object_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  request_uri_parameter_supported: false,
  dpop_signing_alg_values_supported: [...PROOF_ALGORITHMS],
  subject_types_supported: ['public', 'pairwise'],
  id_token_signing_alg_values_supported: [...SIGNING_ALGORITHMS],
  id_token_encryption_alg_values_supported: [...KEY_ENCRYPTIONS],
  id_token_encryption_enc_values_supported: [...CONTENT_ENCRYPTIONS],
  userinfo_signing_alg_values_supported: [...SIGNING_ALGORITHMS],
  userinfo_encryption_alg_values_supported: [...KEY_ENCRYPTIONS],
  userinfo_encryption_enc_values_supported: [...CONTENT_ENCRYPTIONS],
  authorization_signing_alg_values_supported: [...SIGNING_ALGORITHMS],
  introspection_signing_alg_values_supported: [...SIGNING_ALGORITHMS],
  token_endpoint_auth_methods_supported: certificates.methods,
  token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  introspection_endpoint_auth_methods_supported: certificates.methods.filter((method) => method !== 'none'),
  introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  revocation_endpoint_auth_methods_supported: certificates.methods,
  revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  ...certificates.members,
})

/** Public documents: any origin may read them, and a cache may keep them for a while (DECISIONS C5). */
export const PUBLIC_DOCUMENT = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' } as const

/** What a document is made of besides the tenant: the cache gives the same objects until they change. */
type Settings = readonly [SecuritySettings, RegistrationSettings, ReadonlyMap<string, unknown>, ClientDocumentSettings]

interface Prepared {
  readonly from: Settings
  readonly answer: Answer
}

const prepared = new WeakMap<Tenant, Prepared>()

export const discoveryEndpoint =
  (store: Store) =>
  async ({ tenant }: Exchange): Promise<Answer> => {
    const from = await Promise.all([
      securitySettings(store, tenant),
      registrationSettings(store, tenant),
      detailsTypes(store, tenant),
      clientDocumentSettings(store, tenant),
    ])
    const known = prepared.get(tenant)
    if (known?.from.every((each, index) => each === from[index])) return known.answer
    const answer = jsonAnswer(200, metadata(tenant, certificateMembers(store, tenant), ...from), PUBLIC_DOCUMENT)
    prepared.set(tenant, { from, answer })
    return answer
  }
