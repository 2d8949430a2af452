/** The one mint: turns an Authorization into the tokens of the answer. Every grant's tokens are made here. */
import { trace } from '@opentelemetry/api'
import { issueOpaqueToken, OPAQUE_TOKEN_SECONDS } from '../domain/issued/opaque-access-tokens.ts'
import { currentKey, idTokenKey, type SigningKey, signingKeys } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import type { Audience, Authorization } from './authorization.ts'
import { type CustomClaims, customClaims } from './claims/custom-claims.ts'
import { mintIdToken } from './id-token.ts'
import { signJws } from './jws.ts'
import { newTokenId } from './token-id.ts'

/** RFC 9068 section 2.1. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
/** DECISIONS M. */
const LONGEST_ACCESS_TOKEN = 8192

export interface Minted {
  readonly accessToken: string
  /** Of a JWT; an opaque token has none. */
  readonly jti: string | undefined
  /** Seconds. */
  readonly expiresIn: number
  /** Space-separated; undefined when nothing was granted. */
  readonly scope: string | undefined
  readonly idToken?: string
  /** More for the audit entry. */
  readonly facts?: Readonly<Record<string, unknown>>
}

const tracer = trace.getTracer('countersign')

/** The JWT access token of an API or an organization (RFC 9068, DECISIONS G2). */
const mintJwt = (
  key: SigningKey,
  { issuer }: Tenant,
  { subject, client, grant, act, organizationId, expiresAt, jti }: Authorization & { readonly jti: string },
  resource: Audience,
  scope: string | undefined,
  now: Date,
  { claims, facts }: CustomClaims,
): Minted => {
  const iat = toNumericDate(now)
  const expiresIn = Math.min(resource.accessTokenTtl, (expiresAt ?? Number.POSITIVE_INFINITY) - iat)
  const accessToken = signJws(key, ACCESS_TOKEN_TYPE, {
    // none of them is one of those below (SECURITY R-16); were it, those below would win
    ...claims,
    iss: issuer,
    sub: subject.id,
    aud: resource.indicator,
    exp: iat + expiresIn,
    iat,
    jti,
    client_id: client.id,
    scope,
    organization_id: organizationId,
    ...(act && { act }),
    ...(grant && { auth_time: toNumericDate(grant.authenticatedAt), sid: grant.sessionId ?? undefined }),
  })
  if (accessToken.length > LONGEST_ACCESS_TOKEN) {
    const tooLong = `the access token would be longer than ${LONGEST_ACCESS_TOKEN} bytes`
    throw Object.keys(claims).length > 0
      ? new OAuthError('invalid_request', `${tooLong} with its custom claims`)
      : new OAuthError('invalid_scope', `${tooLong}; ask for fewer scopes`)
  }
  return { accessToken, jti, expiresIn, scope, ...(facts && { facts }) }
}

/** The opaque access token of userinfo; it is a row, so it needs the unit of its grant. */
const mintOpaque = ({ grant, scopes }: Authorization, scope: string | undefined, unit: Unit | undefined): Minted => {
  if (!unit || !grant) throw new Error('An opaque token is made within the unit of its grant')
  return {
    accessToken: issueOpaqueToken(unit, {
      grantId: grant.id,
      sessionId: grant.endsWithSession ? grant.sessionId : null,
      scopes,
    }),
    jti: undefined,
    expiresIn: OPAQUE_TOKEN_SECONDS,
    scope,
  }
}

/**
 * Makes the tokens of an Authorization with the tenant's current key, the ID token with one of the algorithm that its client
 * asks for.
 * Does not ask whether the Authorization is right: that was the grant's part.
 * @param unit where the grant redeems something: what is stored of the tokens commits with it
 */
export const mintTokens = async (
  store: Store,
  tenant: Tenant,
  authorization: Authorization,
  now: Date,
  unit?: Unit,
): Promise<Minted> => {
  const span = tracer.startSpan('mint')
  try {
    const keys = await signingKeys(store, tenant)
    const key = currentKey(keys, now)
    if (!key) throw new Error(`Tenant ${tenant.id} has no signing key in use`)
    const { resource, scopes, identity } = authorization
    const scope = scopes.length > 0 ? scopes.join(' ') : undefined
    const { jti = newTokenId(authorization.grant) } = authorization
    const minted = resource
      ? mintJwt(
          key,
          tenant,
          { ...authorization, jti },
          resource,
          scope,
          now,
          await customClaims(store, tenant, authorization, jti, now, unit),
        )
      : mintOpaque(authorization, scope, unit)
    if (!identity) return minted
    const { idTokenSignedResponseAlg: asked } = authorization.client.metadata
    const idKey = idTokenKey(keys, asked, now)
    if (!idKey) throw new Error(`Tenant ${tenant.id} has no ${asked} key in use, which its application asks for`)
    return { ...minted, idToken: mintIdToken(idKey, tenant, authorization, minted.accessToken, now) }
  } finally {
    span.end()
  }
}
