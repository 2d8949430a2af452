/** Which member of client metadata is which setting of an application (RFC 7591 section 2, OpenID Connect Registration section 2). */
import type { ApplicationRegistration } from '@countersign/contract/applications.ts'
import type { CustomClientMetadata, OidcClientMetadata } from '@countersign/contract/client-metadata.ts'
import type { Static } from 'typebox'

/** Members of `oidcClientMetadata`. */
export const OIDC_MEMBERS = {
  redirect_uris: 'redirectUris',
  post_logout_redirect_uris: 'postLogoutRedirectUris',
  backchannel_logout_uri: 'backchannelLogoutUri',
  backchannel_logout_session_required: 'backchannelLogoutSessionRequired',
  logo_uri: 'logoUri',
} as const satisfies Record<string, keyof Static<typeof OidcClientMetadata>>

/** Members of `customClientMetadata`. */
export const CUSTOM_MEMBERS = {
  token_endpoint_auth_method: 'tokenEndpointAuthMethod',
  jwks: 'jwks',
  jwks_uri: 'jwksUri',
  id_token_encrypted_response_alg: 'idTokenEncryptedResponseAlg',
  id_token_encrypted_response_enc: 'idTokenEncryptedResponseEnc',
  userinfo_encrypted_response_alg: 'userinfoEncryptedResponseAlg',
  userinfo_encrypted_response_enc: 'userinfoEncryptedResponseEnc',
  subject_type: 'subjectType',
  sector_identifier_uri: 'sectorIdentifierUri',
  id_token_signed_response_alg: 'idTokenSignedResponseAlg',
  userinfo_signed_response_alg: 'userinfoSignedResponseAlg',
  request_object_signing_alg: 'requestObjectSigningAlg',
  authorization_signed_response_alg: 'authorizationSignedResponseAlg',
  introspection_signed_response_alg: 'introspectionSignedResponseAlg',
  require_pushed_authorization_requests: 'requirePushedAuthorizationRequests',
  require_signed_request_object: 'requireSignedRequestObject',
  dpop_bound_access_tokens: 'dpopBoundAccessTokens',
  tls_client_certificate_bound_access_tokens: 'tlsClientCertificateBoundAccessTokens',
} as const satisfies Record<string, keyof Static<typeof CustomClientMetadata>>

/** What is kept and shown as the client said it, and has no effect. */
export const STATED_MEMBERS = {
  client_uri: 'clientUri',
  policy_uri: 'policyUri',
  tos_uri: 'tosUri',
  contacts: 'contacts',
  software_id: 'softwareId',
  software_version: 'softwareVersion',
} as const satisfies Record<string, keyof Static<typeof ApplicationRegistration>>

const WIRE_NAMES: ReadonlyMap<string, string> = new Map(
  [OIDC_MEMBERS, CUSTOM_MEMBERS, STATED_MEMBERS, { client_name: 'name' }].flatMap((members) =>
    Object.entries(members).map(([wire, own]) => [own, wire] as const),
  ),
)

/** The name that a client knows a setting by; the same where it has no other. */
const wireName = (own: string): string => WIRE_NAMES.get(own) ?? own

/** A sentence about settings in the names that a client knows. */
export const inWireNames = (sentence: string): string =>
  sentence.replace(/\/(oidc|custom)ClientMetadata\//g, '').replace(/[a-z]+[A-Z]\w*/g, wireName)
