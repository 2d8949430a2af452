import type { TokenScheme } from '../errors/guard-error.ts'
import { type Actor, actorOf } from '../token/actor.ts'
import type { AuthorizationDetail } from '../token/authorization-details.ts'
import type { AccessTokenClaims } from '../token/claims.ts'
import { splitScopes } from '../token/scopes.ts'

/** An access token whose checks have passed. */
export interface VerifiedAccessToken {
  /** The token itself, to be exchanged for one of a downstream API (RFC 8693). Keep it out of logs. */
  readonly token: string
  readonly claims: AccessTokenClaims
  /** How it was presented: `DPoP` with a proof of the key that it is bound to. */
  readonly scheme: TokenScheme
  /** `sub`: the user, or the application itself in a machine-to-machine token. */
  readonly subject: string
  /** `client_id`: the application that requested the token. */
  readonly clientId: string
  readonly scopes: ReadonlySet<string>
  /** `act`: who acts as `subject`, in a token of an impersonation with an actor token. */
  readonly actor: Actor | undefined
  /**
   * `organization_id`: the organization that the scopes were granted in. Compare it with the organization that owns the
   * requested data.
   */
  readonly organizationId: string | undefined
  /** `authorization_details`: what exactly was approved (RFC 9396), often by a user; empty in tokens without it. */
  readonly authorizationDetails: readonly AuthorizationDetail[]
  /** `acr`: how strongly the user signed in; undefined in tokens without a sign-in. */
  readonly acr: string | undefined
  /** `auth_time`: when the user signed in, to the second. */
  readonly authenticatedAt: Date | undefined
}

/** Converts checked claims to named members. */
export const verifiedAccessToken = (
  token: string,
  claims: AccessTokenClaims,
  scheme: TokenScheme,
): VerifiedAccessToken => ({
  token,
  claims,
  scheme,
  subject: claims.sub,
  clientId: claims.client_id,
  scopes: splitScopes(claims.scope ?? ''),
  actor: claims.act === undefined ? undefined : actorOf(claims.act),
  organizationId: claims.organization_id,
  authorizationDetails: claims.authorization_details ?? [],
  acr: claims.acr,
  authenticatedAt: claims.auth_time === undefined ? undefined : new Date(claims.auth_time * 1000),
})
