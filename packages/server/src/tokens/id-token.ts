/** ID tokens (OpenID Connect Core section 2). */
import { hash } from 'node:crypto'
import { deviceSecretHash } from '../domain/issued/device-secrets.ts'
import { acrClaim } from '../domain/sign-in/acr.ts'
import { requestedAcrs } from '../domain/sign-in/requested-claims.ts'
import type { SigningKey } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { GrantAuthorization } from './authorization.ts'
import { hasSignatureOf, parseJws, signJws } from './jws.ts'

const LIFETIME_SECONDS = 3600
const TYPE = 'JWT'
const DIGEST = { ES256: 'sha256', RS256: 'sha256', PS256: 'sha256', ES384: 'sha384', EdDSA: 'sha512' } as const

/** Half of the digest of the access token (OpenID Connect Core section 3.1.3.6). */
const accessTokenHash = (key: SigningKey, accessToken: string): string => {
  const digest = hash(DIGEST[key.algorithm], accessToken, 'buffer')
  return digest.subarray(0, digest.length / 2).toString('base64url')
}

/** Makes the ID token of an Authorization that carries an identity. @param subject as the application knows the user */
export const mintIdToken = (
  key: SigningKey,
  { issuer }: Tenant,
  subject: string,
  {
    client,
    grant,
    identity,
    deviceSecret,
  }: GrantAuthorization & { readonly identity: Readonly<Record<string, unknown>> },
  accessToken: string,
  now: Date,
): string => {
  const iat = toNumericDate(now)
  return signJws(key, TYPE, {
    ...identity,
    iss: issuer,
    sub: subject,
    aud: client.id,
    exp: iat + (client.metadata.idTokenTtl ?? LIFETIME_SECONDS),
    iat,
    at_hash: accessTokenHash(key, accessToken),
    auth_time: toNumericDate(grant.authenticatedAt),
    amr: grant.amr,
    acr: acrClaim(grant.amr, requestedAcrs(grant.claims)),
    ...(grant.sessionId ? { sid: grant.sessionId } : {}),
    ...(grant.nonce === null ? {} : { nonce: grant.nonce }),
    ...(deviceSecret === undefined ? {} : { ds_hash: deviceSecretHash(deviceSecret) }),
  })
}

/**
 * The claims of an ID token of this server, checked by signature, type and issuer; undefined for anything else. Expired
 * ones are accepted.
 */
export const readIdToken = (
  keys: readonly SigningKey[],
  { issuer }: Tenant,
  token: string,
): Readonly<Record<string, unknown>> | undefined => {
  const jws = token.length <= 16_384 ? parseJws(token) : undefined
  if (!jws || jws.header.typ !== TYPE || 'crit' in jws.header) return undefined
  const key = keys.find(({ id }) => id === jws.header.kid)
  if (!key || jws.header.alg !== key.algorithm || !hasSignatureOf(jws, key)) return undefined
  return jws.claims.iss === issuer ? jws.claims : undefined
}
