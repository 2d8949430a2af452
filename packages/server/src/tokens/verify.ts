/**
 * Verification of the server's own JWT access tokens: SPEC 5.4 as for any protected API, and the same for
 * introspection.
 */

import type { AuthorizationDetail } from '../domain/access/authorization-details.ts'
import type { Confirmation } from '../domain/issued/confirmation.ts'
import { isRevoked } from '../domain/issued/revoked-access-tokens.ts'
import { signingKeys } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { hasSignatureOf, parseJws } from './jws.ts'
import { ACCESS_TOKEN_TYPE } from './mint.ts'

/** Longer input is refused without being parsed. */
const LONGEST_INPUT = 16_384

export interface AccessTokenClaims {
  readonly iss: string
  readonly sub: string
  readonly aud: string
  readonly exp: number
  readonly iat: number
  readonly jti: string
  readonly client_id: string
  readonly scope?: string
  /** The organization in which the scopes were granted. */
  readonly organization_id?: string
  /** For a token issued from a user's grant. */
  readonly auth_time?: number
  readonly sid?: string
  /** What it allows beside its scopes (RFC 9396). */
  readonly authorization_details?: readonly AuthorizationDetail[]
  /** What it is bound to. */
  readonly cnf?: Confirmation
}

/** Why a token is refused; for the log, not for the caller. */
export class TokenRefused extends Error {}

const text = (value: unknown): value is string => typeof value === 'string' && value !== ''
const time = (value: unknown): value is number => Number.isSafeInteger(value)

const asClaims = (claims: Readonly<Record<string, unknown>>): AccessTokenClaims | undefined => {
  const { iss, sub, aud, exp, iat, jti, client_id, scope, auth_time, sid } = claims
  const complete = text(iss) && text(sub) && text(aud) && time(exp) && time(iat) && text(jti) && text(client_id)
  if (!complete || (scope !== undefined && typeof scope !== 'string')) return undefined
  return {
    ...claims,
    ...{ iss, sub, aud, exp, iat, jti, client_id },
    ...(scope === undefined ? {} : { scope }),
    ...(time(auth_time) ? { auth_time } : {}),
    ...(text(sid) ? { sid } : {}),
  }
}

/**
 * The claims of an access token that this tenant signed and that is valid now: signature by the key that `kid` names
 * and that key's own algorithm, `typ`, `iss`, `exp`. Throws TokenRefused. Does not query the database. Does not check
 * revocation, `aud`, scopes, or whether the client and the subject still exist: the caller knows what it needs.
 */
export const readAccessToken = async (
  store: Store,
  tenant: Tenant,
  token: string,
  now: Date,
): Promise<AccessTokenClaims> => {
  if (token.length > LONGEST_INPUT) throw new TokenRefused('too long')
  const jws = parseJws(token)
  if (!jws) throw new TokenRefused('not a JWS')
  const { kid, alg, typ } = jws.header
  if ('crit' in jws.header || 'b64' in jws.header) throw new TokenRefused('has an unsupported header')
  if (typ !== ACCESS_TOKEN_TYPE) throw new TokenRefused('not an access token')
  const keys = await signingKeys(store, tenant)
  // a key that is Next here may already sign on a node whose clock is ahead; like any verifier, check only that it
  // belongs to the tenant
  const key = keys.find(({ id }) => id === kid)
  if (!key) throw new TokenRefused('signed by no key of this tenant')
  if (alg !== key.algorithm || !hasSignatureOf(jws, key)) throw new TokenRefused('signature does not match')
  const claims = asClaims(jws.claims)
  if (!claims) throw new TokenRefused('claims are missing')
  if (claims.iss !== tenant.issuer) throw new TokenRefused('of another issuer')
  if (claims.exp <= toNumericDate(now)) throw new TokenRefused('expired')
  return claims
}

/** The same, and the token must not have been revoked. Throws TokenRefused. */
export const verifyAccessToken = async (
  store: Store,
  tenant: Tenant,
  token: string,
  now: Date,
): Promise<AccessTokenClaims> => {
  const claims = await readAccessToken(store, tenant, token, now)
  if (await isRevoked(store, tenant, claims.jti)) throw new TokenRefused('revoked')
  return claims
}
