/** Verification of our own JWT access tokens: SPEC 5.4 as a protected API does it, and the same for introspection. */

import { isRevoked } from '../domain/issued/revoked-access-tokens.ts'
import { signingKeys } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { hasSignatureOf, parseJws } from './jws.ts'
import { ACCESS_TOKEN_TYPE } from './mint.ts'

/** Longer input is refused before it is looked at. */
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
  /** The organization that the scopes were granted in. */
  readonly organization_id?: string
  /** Of a token that came of a user's grant. */
  readonly auth_time?: number
  readonly sid?: string
}

/** Why a token is refused; for the log, not for the one who sent it. */
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
 * and that key's own algorithm, `typ`, `iss`, `exp`. Throws TokenRefused. Asks the database nothing.
 * Does not check whether it was revoked, `aud`, scopes, or whether the client and the subject are still there: the caller knows what it needs.
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
  if ('crit' in jws.header || 'b64' in jws.header) throw new TokenRefused('has a header that is not understood')
  if (typ !== ACCESS_TOKEN_TYPE) throw new TokenRefused('not an access token')
  const keys = await signingKeys(store, tenant)
  // a key that is Next here may sign already on a node whose clock is ahead; like every verifier, ask only whether it is ours
  const key = keys.find(({ id }) => id === kid)
  if (!key) throw new TokenRefused('signed by no key of this tenant')
  if (alg !== key.algorithm || !hasSignatureOf(jws, key)) throw new TokenRefused('signature does not fit')
  const claims = asClaims(jws.claims)
  if (!claims) throw new TokenRefused('claims are missing')
  if (claims.iss !== tenant.issuer) throw new TokenRefused('of another issuer')
  if (claims.exp <= toNumericDate(now)) throw new TokenRefused('expired')
  return claims
}

/** The same of a token that was not revoked either. Throws TokenRefused. */
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
