// @countersign/guard verifies access tokens in a protected API: it owns the checks of RFC 9068 and the responses of RFC
// 6750. It depends on jose and on the web platform (Request, Response, fetch); what a verified token allows is up to
// the API.

export { bearerToken } from './bearer/bearer-token.ts'
export { type BearerChallengeOptions, challenge } from './challenge/challenge.ts'
export { type Refusal, refusal } from './challenge/refusal.ts'
export { toResponse } from './challenge/to-response.ts'
export { type NonceSource, rotatingNonces } from './dpop/nonces.ts'
export type { DPoPOptions } from './dpop/options.ts'
export { memoryReplayStore, type ReplayStore } from './dpop/replay-store.ts'
export type { GuardErrorCode } from './errors/codes.ts'
export { GuardError, type GuardErrorDetails, type TokenScheme } from './errors/guard-error.ts'
export type { KeySource } from './keys/key-source.ts'
export { localKeys } from './keys/local-keys.ts'
export { remoteKeys } from './keys/remote-keys.ts'
export type { RemoteKeysOptions } from './keys/remote-settings.ts'
export { dangerouslyAllowHttp } from './keys/secure-url.ts'
export {
  type ProtectedResource,
  type ProtectedResourceMetadata,
  type ProtectedResourceOptions,
  protectedResource,
} from './metadata/protected-resource.ts'
export type { HeaderValues, MutualTlsOptions } from './mtls/options.ts'
export type { RevocationFeed } from './revocations/revocation-feed.ts'
export type { Actor } from './token/actor.ts'
export {
  type AuthenticationClock,
  type RequiredAuthentication,
  requireAuthentication,
} from './token/authentication.ts'
export { type AuthorizationDetail, requireDetail } from './token/authorization-details.ts'
export type { AccessTokenClaims } from './token/claims.ts'
export { requireScopes } from './token/scopes.ts'
export { type AccessTokenVerifier, accessTokenVerifier } from './verify/access-token-verifier.ts'
export type { AccessTokenOptions } from './verify/options.ts'
export type { VerifiedAccessToken } from './verify/verified-access-token.ts'
export { verifyAccessToken } from './verify/verify-access-token.ts'
