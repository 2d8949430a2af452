/** `private_key_jwt`: client authentication with a signed assertion (RFC 7521 section 4.2, RFC 7523 section 3). */
import { useClientAssertion } from '../domain/applications/client-assertions.ts'
import type { Client } from '../domain/applications/clients.ts'
import { KeysUnavailable } from '../domain/applications/remote-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { parseJws } from '../tokens/jws.ts'
import { CLOCK_TOLERANCE, verifiedByKeyOf } from './client-jwt.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const LONGEST_ASSERTION = 8192
/** How far ahead `iat` may be; `nbf` is held to the tolerance of all clocks. Seconds. */
const FUTURE_TOLERANCE = 60
/** How far ahead `exp` may be, and so the longest that a `jti` is remembered. Seconds. */
const LONGEST_LIFE = 3600

/**
 * The claimed subject of the assertion, and whether it is its issuer too, as where a client signs for itself; before anything is verified.
 * Undefined if it is not a JWT.
 */
export const claimedSubject = (
  assertion: string,
): { readonly subject: string; readonly isOwn: boolean } | undefined => {
  if (assertion.length > LONGEST_ASSERTION) return undefined
  const { iss, sub } = parseJws(assertion)?.claims ?? {}
  return typeof sub === 'string' ? { subject: sub, isOwn: iss === sub } : undefined
}

const verifiedClaims = async (store: Store, assertion: string, client: Client, audience: string[], now: Date) => {
  const { jwtVerify } = await import('jose')
  const found = await verifiedByKeyOf(store, client, assertion, (key, algorithms) =>
    jwtVerify(assertion, key, {
      algorithms,
      issuer: client.id,
      subject: client.id,
      audience,
      currentDate: now,
      clockTolerance: CLOCK_TOLERANCE,
      requiredClaims: ['exp', 'jti'],
    }),
  )
  return found?.verified.payload
}

/** Why there are no keys, for the log; any other error is thrown. */
const unavailable = (error: unknown): string => {
  if (error instanceof KeysUnavailable) return `the keys at its jwksUri are not known: ${error.message}`
  throw error
}

/**
 * Why an assertion does not authenticate the client, or undefined when it does. Consumes the assertion: its `jti` is
 * accepted once until it expires, across all nodes (SECURITY R-5). The audience must be this issuer or its token
 * endpoint, with the profile fapi2 the issuer, and nothing else: an assertion that is also valid elsewhere could have been stolen from there.
 */
export const refuseAssertion = async (
  store: Store,
  tenant: Tenant,
  client: Client,
  assertion: string,
  now: Date,
): Promise<string | undefined> => {
  const isFapi2 = client.metadata.securityProfile === 'fapi2'
  const audiences = isFapi2 ? [tenant.issuer] : [tenant.issuer, `${tenant.issuer}/token`]
  const claims = await verifiedClaims(store, assertion, client, audiences, now).catch(unavailable)
  if (typeof claims === 'string') return claims
  if (!claims) return 'the assertion cannot be verified with any key of the client'
  const { exp, jti, aud, iat } = claims
  // FAPI 2.0 Security Profile section 5.3.2.1: as a string, and with clocks that are nearly right
  if (isFapi2 && typeof aud !== 'string') return 'the audience of the assertion is not a string'
  if (isFapi2 && iat !== undefined && iat > toNumericDate(now) + FUTURE_TOLERANCE)
    return 'the assertion was issued in the future'
  if (Array.isArray(aud) && aud.length !== 1) return 'the assertion has several audiences'
  if (typeof jti !== 'string' || jti === '' || jti.length > 256) return 'the assertion has no usable jti'
  if (typeof exp !== 'number' || exp > toNumericDate(now) + LONGEST_LIFE)
    return 'the lifetime of the assertion is too long'
  const until = new Date((exp + CLOCK_TOLERANCE) * 1000)
  return (await useClientAssertion(store, tenant, client.id, jti, until)) ? undefined : 'the assertion was used before'
}
