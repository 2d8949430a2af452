/** What is set for an application as an OAuth client: its addresses, and how it authenticates and gets tokens (DECISIONS C1). */
import Type from 'typebox'
import { AuthorizationDetailsTypeName } from './authorization-details.ts'
import { ENCRYPTION_SETTINGS } from './encryption.ts'
import { ExchangePolicies } from './exchange-policies.ts'
import { FederatedCredentials } from './federated-credentials.ts'
import { IDENTITY_ASSERTION_SETTINGS } from './identity-assertions.ts'
import { JsonObject, OneOf } from './schema.ts'
import { SECURITY_PROFILES } from './security-settings.ts'
import { SharedSignals } from './shared-signals.ts'
import { SIGNING_ALGORITHMS } from './signing-keys.ts'
import { SUBJECT_SETTINGS } from './subject-settings.ts'

const Uri = Type.String({ minLength: 1, maxLength: 2048 })
const Uris = Type.Array(Uri, { maxItems: 100 })

export const OidcClientMetadata = Type.Object({
  redirectUris: Uris,
  postLogoutRedirectUris: Uris,
  backchannelLogoutUri: Type.Optional(Uri),
  backchannelLogoutSessionRequired: Type.Optional(Type.Boolean()),
  backchannelClientNotificationEndpoint: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description:
        'Where the application is told that a user has answered, if its backchannelTokenDeliveryMode is ping: public, or listed in OUTBOUND_ALLOW',
    }),
  ),
  logoUri: Type.Optional(Uri),
})

/** How a confidential application may authenticate (RFC 6749 section 2.3.1, RFC 7523, RFC 8705). */
export const CLIENT_AUTH_METHODS = [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
] as const

/** How applications learn that a backchannel authentication request was answered (OpenID CIBA section 5). */
export const BACKCHANNEL_DELIVERY_MODES = ['poll', 'ping'] as const

const CertificateName = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description }))

export const CustomClientMetadata = Type.Object({
  corsAllowedOrigins: Type.Optional(Uris),
  idTokenTtl: Type.Optional(Type.Integer({ minimum: 1, maximum: 31_536_000, description: 'Seconds' })),
  idTokenSignedResponseAlg: Type.Optional(
    OneOf(SIGNING_ALGORITHMS, {
      description: 'The algorithm of its ID tokens; by default that of the tenant’s current key',
    }),
  ),
  ...SUBJECT_SETTINGS,
  refreshTokenTtl: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 15_552_000, description: 'Seconds; refreshTokenTtlInDays wins' }),
  ),
  refreshTokenTtlInDays: Type.Optional(Type.Integer({ minimum: 1, maximum: 180 })),
  alwaysIssueRefreshToken: Type.Optional(Type.Boolean()),
  rotateRefreshToken: Type.Optional(Type.Boolean()),
  allowTokenExchange: Type.Optional(
    Type.Boolean({ description: 'Whether it may exchange tokens (RFC 8693). Off by default.' }),
  ),
  exchangeSubjectAudiences: Type.Optional(
    Type.Array(Uri, {
      maxItems: 100,
      description: 'The application may exchange access tokens for these APIs. Any API of the tenant by default',
    }),
  ),
  exchangeTargetResources: Type.Optional(
    Type.Array(Uri, {
      maxItems: 100,
      description: 'Indicators of the APIs that it may exchange tokens for. Any but the Management API by default',
    }),
  ),
  exchangePolicies: Type.Optional(ExchangePolicies),
  federatedCredentials: Type.Optional(FederatedCredentials),
  ...IDENTITY_ASSERTION_SETTINGS,
  isDeviceFlow: Type.Optional(Type.Boolean()),
  backchannelTokenDeliveryMode: Type.Optional(
    OneOf(BACKCHANNEL_DELIVERY_MODES, {
      description:
        'Lets a Traditional application ask for users without a browser (OpenID Client-Initiated Backchannel Authentication), and says how it learns their answer: poll, by asking the token endpoint; ping, by being told at backchannelClientNotificationEndpoint when to ask. It may not by default',
    }),
  ),
  backchannelAuthenticationRequestSigningAlg: Type.Optional(
    OneOf(SIGNING_ALGORITHMS, {
      description:
        'The algorithm with which it signs its backchannel authentication requests, with a key of jwks; requests that are not signed are then refused. It does not sign them by default',
    }),
  ),
  maxAllowedGrants: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  requirePkce: Type.Optional(Type.Boolean()),
  securityProfile: Type.Optional(
    OneOf(SECURITY_PROFILES, {
      description:
        'By default that of the tenant. fapi2: the application is held to the FAPI 2.0 Security Profile. It authenticates with private_key_jwt for this issuer alone or with a client certificate, pushes its requests, uses PKCE, gets access tokens bound to its key (DPoP), or to its certificate if tlsClientCertificateBoundAccessTokens says so, and refresh tokens that are not rotated, whatever its other settings say; its keys and signatures are PS256, ES256 or EdDSA, its redirect URIs https. What breaks a rule is refused when it is stored',
    }),
  ),
  requirePushedAuthorizationRequests: Type.Optional(
    Type.Boolean({ description: 'Whether it has to push its authorization requests (RFC 9126). Off by default' }),
  ),
  requireSignedRequestObject: Type.Optional(
    Type.Boolean({
      description:
        'Whether its authorization requests have to be request objects (RFC 9101) signed with a key of jwks. Off by default',
    }),
  ),
  requestObjectSigningAlg: Type.Optional(
    OneOf(SIGNING_ALGORITHMS, {
      description: 'The algorithm of its request objects; by default that of any of its keys',
    }),
  ),
  authorizationSignedResponseAlg: Type.Optional(
    OneOf(SIGNING_ALGORITHMS, {
      description: 'The algorithm of its authorization responses as JWTs; by default that of the tenant’s current key',
    }),
  ),
  introspectionSignedResponseAlg: Type.Optional(
    OneOf(SIGNING_ALGORITHMS, {
      description:
        'The algorithm of introspection responses to it as JWTs; by default that of the tenant’s current key',
    }),
  ),
  tokenEndpointAuthMethod: Type.Optional(
    OneOf(CLIENT_AUTH_METHODS, {
      description:
        'How a confidential application authenticates at the token endpoint; Basic by default. tls_client_auth and self_signed_tls_client_auth need a client certificate (RFC 8705)',
    }),
  ),
  ...ENCRYPTION_SETTINGS,
  jwksUri: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description:
        'Where the application publishes its public keys, an https address, in place of `jwks`: they are fetched when they are needed, kept for five minutes, and fetched again for a key that is not known',
    }),
  ),
  jwks: Type.Optional(
    Type.Object(
      { keys: Type.Array(JsonObject, { minItems: 1, maxItems: 20 }) },
      {
        description:
          'The public keys that verify client assertions (private_key_jwt) and request objects, and those of self-signed client certificates (with x5c, that certificate alone); those for encryption have `use` `enc`',
      },
    ),
  ),
  introspectionAudiences: Type.Optional(
    Type.Array(Uri, {
      maxItems: 100,
      description: 'Indicators of the API resources that this application serves: it may introspect their tokens',
    }),
  ),
  dpopBoundAccessTokens: Type.Optional(
    Type.Boolean({
      description:
        'Whether every token request of the application must have a DPoP proof, so that its access tokens are bound to a key (RFC 9449). Off by default: they are bound if it sends one',
    }),
  ),
  tlsClientAuthSubjectDn: CertificateName(
    'The subject of its client certificate, as RFC 4514 writes it: CN=Worker,O=Example,C=DE. tls_client_auth needs this or one of the following',
  ),
  tlsClientAuthSanDns: CertificateName('A host name among the alternative names of its client certificate'),
  tlsClientAuthSanUri: CertificateName('A URI among them'),
  tlsClientAuthSanIp: CertificateName('An IP address among them'),
  tlsClientAuthSanEmail: CertificateName('An email address among them'),
  tlsClientAuthCertificates: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 16_384 }), {
      minItems: 1,
      maxItems: 20,
      description:
        'The CAs that may have certified its client certificate (tls_client_auth), each in PEM: others are not trusted. Revocation is not looked at',
    }),
  ),
  tlsClientCertificateBoundAccessTokens: Type.Optional(
    Type.Boolean({
      description:
        'Whether every token request of the application must come with a client certificate, to which its access tokens, and refresh tokens of a public application, are bound (RFC 8705 section 3). Off by default',
    }),
  ),
  dpopNonceRequired: Type.Optional(
    Type.Boolean({
      description:
        'Whether its DPoP proofs at the token endpoint must carry a nonce of this server (RFC 9449 section 8), so that none can be made in advance. Off by default',
    }),
  ),
  authorizationDetailsTypes: Type.Optional(
    Type.Array(AuthorizationDetailsTypeName, {
      maxItems: 100,
      description:
        'The types of authorization details that it may ask for (RFC 9396). None by default. A machine-to-machine application gets what it asks for; any other one what the user approves',
    }),
  ),
  sharedSignals: Type.Optional(SharedSignals),
  nativeSsoGroup: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      pattern: '^[A-Za-z0-9._-]+$',
      description:
        'The name of a group of Native applications that share sign-ins on a device (OpenID Connect Native SSO for Mobile Apps 1.0): one that asks for the scope device_sso gets a device secret, with which each other of the group gets tokens of the same session without a browser. Not for third-party applications',
    }),
  ),
  grantManagement: Type.Optional(
    Type.Boolean({
      description:
        'Whether a Traditional application manages grants (Grant Management for OAuth 2.0): its authorization requests may create, extend or replace one, whose id comes with the tokens, and it may read and revoke its grants. Off by default',
    }),
  ),
  dangerouslyAllowWildcardRedirectUris: Type.Optional(
    Type.Boolean({
      description:
        'Lets * stand for a part of one label of the host, or of one segment of the path, of redirect URIs. Anyone who can serve a page at a matching address can get tokens of every user who opens their link. Off by default; never for third-party applications',
    }),
  ),
  dangerouslyIntrospectAllTokens: Type.Optional(
    Type.Boolean({ description: 'The application may introspect every token of the tenant' }),
  ),
})
