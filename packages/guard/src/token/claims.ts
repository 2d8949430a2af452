import type { JWTPayload } from 'jose'
import { GuardError } from '../errors/guard-error.ts'
import { type ActorClaim, isActorClaim } from './actor.ts'
import { type AuthorizationDetail, isAuthorizationDetails } from './authorization-details.ts'

/** The claims of an access token (RFC 9068 §2.2), and the custom ones of the tenant. */
export interface AccessTokenClaims {
  readonly iss: string
  readonly sub: string
  readonly aud: string | readonly string[]
  readonly exp: number
  readonly iat: number
  readonly jti: string
  readonly client_id: string
  readonly scope?: string
  readonly act?: ActorClaim
  readonly organization_id?: string
  /** What exactly was approved (RFC 9396 §9.1). */
  readonly authorization_details?: readonly AuthorizationDetail[]
  /** The class of the user's authentication (RFC 9470 §6). */
  readonly acr?: string
  /** When the user signed in. */
  readonly auth_time?: number
  /** The key that the token is bound to (RFC 7800). */
  readonly cnf?: Readonly<Record<string, unknown>>
  readonly [claim: string]: unknown
}

type Check = (value: unknown) => boolean
const isText: Check = (value) => typeof value === 'string' && value !== ''
// JSON can contain 1e999, which is parsed as Infinity: a token that never expires.
const isTime: Check = (value) => Number.isFinite(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const checks: Readonly<Record<string, Check>> = {
  iss: isText,
  sub: isText,
  aud: (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
  exp: isTime,
  iat: isTime,
  jti: isText,
  client_id: isText,
  scope: optional((value) => typeof value === 'string'),
  act: optional(isActorClaim),
  organization_id: optional(isText),
  authorization_details: optional(isAuthorizationDetails),
  acr: optional(isText),
  auth_time: optional(isTime),
  cnf: optional((value) => typeof value === 'object' && value !== null && !Array.isArray(value)),
}

/**
 * Refuses claims that lack something RFC 9068 §2.2 requires or have it in another type. A malformed `act`
 * or `organization_id` is refused and not omitted: without it the call would pass as the user's own. So are `authorization_details`, of which an
 * API that looks for one type would not notice that another is none.
 *
 * Nothing is compared here: `jose` checks issuer and times; audience, client and scopes have their own files.
 * Custom claims pass unchanged: check them where you use them.
 */
export function checkClaims(claims: JWTPayload): asserts claims is AccessTokenClaims & JWTPayload {
  const claim = Object.keys(checks).find((name) => !checks[name]?.(claims[name]))
  if (claim) throw new GuardError('token_claim_invalid', { detail: `The claim ${claim} is missing or invalid` })
}
