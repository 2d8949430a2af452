/** The mint: turns an Authorization into the tokens of the response. The tokens of every grant are made here. */
import { subjectFor } from '../domain/applications/subjects.ts'
import { issueOpaqueToken, OPAQUE_TOKEN_SECONDS, type OpaqueTokenOwner } from '../domain/issued/opaque-access-tokens.ts'
import { acrOf } from '../domain/sign-in/acr.ts'
import { currentKey, idTokenKey, type SigningKey, signingKeys } from '../domain/tenants/signing-keys.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import { inInternalSpan } from '../kernel/tracing.ts'
import type { Store } from '../storage/store.ts'
import type { Unit } from '../storage/unit-of-work.ts'
import {
  type Authorization,
  type ExchangeAuthorization,
  type GrantAuthorization,
  type JwtAuthorization,
  type MachineAuthorization,
  type RedeemedAuthorization,
  userOf,
} from './authorization.ts'
import { type CustomClaims, customClaims } from './claims/custom-claims.ts'
import { encryptedFor, idTokenEncryption } from './encryption.ts'
import { mintIdToken } from './id-token.ts'
import { mintIdentityAssertion } from './identity-assertion.ts'
import { signJws } from './jws.ts'
import { newTokenId } from './token-id.ts'

/** RFC 9068 section 2.1. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
/** DECISIONS M. */
const LONGEST_ACCESS_TOKEN = 8192

export interface Minted {
  readonly accessToken: string
  /** Of a JWT; opaque tokens have none. */
  readonly jti: string | undefined
  /** Seconds. */
  readonly expiresIn: number
  /** Space-separated; undefined when nothing was granted. */
  readonly scope: string | undefined
  readonly idToken?: string
  /** More for the audit entry. */
  readonly facts?: Readonly<Record<string, unknown>>
}

/** The claims of an access token beyond those that all have. */
const ownClaims = (authorization: JwtAuthorization): Readonly<Record<string, unknown>> => {
  switch (authorization.kind) {
    case 'machine':
      return {}
    case 'exchange':
      return authorization.act ? { act: authorization.act } : {}
    case 'grant': {
      const { authenticatedAt, sessionId, amr } = authorization.grant
      return { auth_time: toNumericDate(authenticatedAt), acr: acrOf(amr), sid: sessionId ?? undefined }
    }
  }
}

/** Numeric date of its expiry. */
const endOf = ({ resource, ...authorization }: JwtAuthorization, iat: number): number => {
  const end = iat + resource.accessTokenTtl
  return 'expiresAt' in authorization && authorization.expiresAt !== undefined
    ? Math.min(end, authorization.expiresAt)
    : end
}

const scopeOf = ({ scopes }: Pick<Authorization, 'scopes'>): string | undefined =>
  scopes.length > 0 ? scopes.join(' ') : undefined

/** The JWT access token of an API or an organization (RFC 9068, DECISIONS G2). */
const mintJwt = (
  key: SigningKey,
  { issuer }: Tenant,
  authorization: JwtAuthorization,
  jti: string,
  scope: string | undefined,
  now: Date,
  { claims, facts }: CustomClaims,
): Minted => {
  const { client, resource, organizationId } = authorization
  const iat = toNumericDate(now)
  const exp = endOf(authorization, iat)
  const accessToken = signJws(key, ACCESS_TOKEN_TYPE, {
    // none of them is among those below (SECURITY R-16); if one were, those below would win
    ...claims,
    iss: issuer,
    sub: userOf(authorization) ?? client.id,
    aud: resource.indicator,
    exp,
    iat,
    jti,
    client_id: client.id,
    scope,
    organization_id: organizationId,
    authorization_details: authorization.details,
    cnf: authorization.confirmation,
    ...ownClaims(authorization),
  })
  if (accessToken.length > LONGEST_ACCESS_TOKEN) {
    const tooLong = `the access token would be longer than ${LONGEST_ACCESS_TOKEN} bytes`
    throw Object.keys(claims).length > 0
      ? new OAuthError('invalid_request', `${tooLong} with its custom claims`)
      : new OAuthError('invalid_scope', `${tooLong}; ask for fewer scopes or authorization details`)
  }
  return { accessToken, jti, expiresIn: exp - iat, scope, ...(facts && { facts }) }
}

/**
 * Makes the JWT access token of an Authorization with the claims of a script as mintTokens does, and gives it to nobody. Throws what
 * mintTokens would: OAuthError if it is too long.
 */
export const rehearseJwt = async (
  store: Store,
  tenant: Tenant,
  authorization: JwtAuthorization,
  jti: string,
  now: Date,
  claims: CustomClaims['claims'],
): Promise<void> => {
  const key = currentKey(await signingKeys(store, tenant), now)
  if (!key) throw new Error(`Tenant ${tenant.id} has no signing key in use`)
  mintJwt(key, tenant, authorization, jti, scopeOf(authorization), now, { claims })
}

/** What an opaque token depends on: its grant or, for an exchange, only its user and application. */
const ownerOf = (authorization: GrantAuthorization | ExchangeAuthorization): OpaqueTokenOwner => {
  if (authorization.kind === 'exchange') return { userId: authorization.userId, applicationId: authorization.client.id }
  const { id: grantId, endsWithSession, sessionId, stepUpAt, claims = null } = authorization.grant
  return { grantId, sessionId: endsWithSession ? sessionId : null, stepUpAt, claims }
}

/** The opaque access token of userinfo: a row, written by the unit of its grant. */
const mintOpaque = (
  unit: Unit,
  authorization: GrantAuthorization | ExchangeAuthorization,
  scope: string | undefined,
): Minted => {
  const { scopes, confirmation } = authorization
  const end = 'expiresAt' in authorization ? authorization.expiresAt : undefined
  const left = end === undefined ? OPAQUE_TOKEN_SECONDS : end - toNumericDate(unit.now)
  const expiresIn = Math.min(OPAQUE_TOKEN_SECONDS, left)
  const accessToken = issueOpaqueToken(unit, ownerOf(authorization), scopes, confirmation, expiresIn)
  return { accessToken, jti: undefined, expiresIn, scope }
}

/** What is stored about the tokens commits with what was redeemed for them; a machine's token is only signed. */
type Minting =
  | readonly [authorization: MachineAuthorization, now: Date, unit?: undefined]
  | readonly [authorization: RedeemedAuthorization, now: Date, unit: Unit]

/**
 * Makes the tokens of an Authorization with the tenant's current key, the ID token with one of the algorithm that its
 * client asks for. For grants that redeem something, within their unit. Does not check the Authorization: that is the
 * grant's responsibility.
 */
export const mintTokens = (store: Store, tenant: Tenant, ...[authorization, now, unit]: Minting): Promise<Minted> =>
  inInternalSpan('mint', async () => {
    const keys = await signingKeys(store, tenant)
    const key = currentKey(keys, now)
    if (!key) throw new Error(`Tenant ${tenant.id} has no signing key in use`)
    const scope = scopeOf(authorization)
    const jwt = async (of: JwtAuthorization, jti: string): Promise<Minted> =>
      mintJwt(key, tenant, of, jti, scope, now, await customClaims(store, tenant, of, jti, now, unit))
    if (unit === undefined) return await jwt(authorization, newTokenId())
    if (authorization.kind === 'assertion') return mintIdentityAssertion(key, tenant, authorization, scope, now)
    if (authorization.kind === 'exchange') {
      const { resource, subjectTokenId } = authorization
      if (!resource) return mintOpaque(unit, authorization, scope)
      return await jwt({ ...authorization, resource }, newTokenId({ subjectTokenId }))
    }
    const { resource, grant, jti = newTokenId(grant), identity } = authorization
    const minted = resource ? await jwt({ ...authorization, resource }, jti) : mintOpaque(unit, authorization, scope)
    if (!identity) return minted
    const { idTokenSignedResponseAlg: asked } = authorization.client.metadata
    const idKey = idTokenKey(keys, asked, now)
    if (!idKey) throw new Error(`Tenant ${tenant.id} has no ${asked} key in use, which its application asks for`)
    const { client, userId } = authorization
    const subject = subjectFor(store, tenant, client, userId)
    const signed = mintIdToken(idKey, tenant, subject, { ...authorization, identity }, minted.accessToken, now)
    const encryption = idTokenEncryption(client)
    return { ...minted, idToken: encryption ? await encryptedFor(store, client, encryption, signed) : signed }
  })
