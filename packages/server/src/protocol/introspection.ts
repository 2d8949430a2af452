/**
 * Token introspection: RFC 7662, DECISIONS G5. A caller sees tokens that concern it; any other is reported as not
 * active; as JSON, or as a signed JWT (RFC 9701). The kind of a token is visible in its value, so token_type_hint is not needed.
 */

import { storedDetails } from '../domain/access/authorization-details.ts'
import { type Client, findClient } from '../domain/applications/clients.ts'
import { subjectFor } from '../domain/applications/subjects.ts'
import { userOfAccessToken } from '../domain/issued/access-token-users.ts'
import { confirmationOf } from '../domain/issued/confirmation.ts'
import { findOpaqueToken } from '../domain/issued/opaque-access-tokens.ts'
import { findLiveRefreshToken, readRefreshToken } from '../domain/issued/refresh-families.ts'
import { acrOf } from '../domain/sign-in/acr.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { toNumericDate } from '../kernel/clock.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { introspectionJwt } from '../tokens/signed-responses.ts'
import { grantOfToken } from '../tokens/token-id.ts'
import { type AccessTokenClaims, TokenRefused, verifyAccessToken } from '../tokens/verify.ts'
import { authenticateClient } from './client-authentication.ts'
import { formOf, NO_STORE, single } from './endpoint.ts'
import { tokenTypeOf } from './sender-constraint.ts'

/** What the response says about an active token. */
type Facts = Readonly<Record<string, unknown>>

interface Question {
  readonly store: Store
  readonly tenant: Tenant
  readonly caller: Client
  readonly token: string
  readonly now: Date
}

/** SECURITY R-14: the token's own client, or a client that the tenant lets see all. */
const owns = ({ id, metadata }: Client, applicationId: string): boolean =>
  applicationId === id || metadata.dangerouslyIntrospectAllTokens === true

/** The same, or a server of the token's audience. */
const concerns = (caller: Client, { client_id, aud }: AccessTokenClaims): boolean =>
  owns(caller, client_id) || aud === caller.id || (caller.metadata.introspectionAudiences ?? []).includes(aud)

/** The claims of a live JWT access token of this server, otherwise undefined. */
const liveClaims = async ({ store, tenant, token, now }: Question): Promise<AccessTokenClaims | undefined> => {
  try {
    return await verifyAccessToken(store, tenant, token, now)
  } catch (error) {
    if (error instanceof TokenRefused) return undefined
    throw error
  }
}

const ofJwt = async (question: Question): Promise<Facts | undefined> => {
  const { store, tenant, caller } = question
  const claims = await liveClaims(question)
  if (!claims || !concerns(caller, claims)) return undefined
  const { sub, client_id } = claims
  // a token of a deleted client is not active (SECURITY R-13)
  if (!(await findClient(store, tenant, client_id))) return undefined
  const active = { ...claims, token_type: tokenTypeOf(claims.cnf) }
  if (sub === client_id) return active
  const token = { userId: sub, applicationId: client_id, grant: grantOfToken(claims) }
  const user = await userOfAccessToken(store, tenant, token)
  return user && { ...active, username: user.username ?? undefined }
}

interface OfUser {
  readonly applicationId: string
  readonly userId: string
  readonly username: string | null
}

/** The user: an application with pairwise subjects learns no more about one from its tokens than from ID tokens. */
const userFor = ({ store, tenant, caller }: Question, { applicationId, userId, username }: OfUser): Facts => {
  const sub = caller.id === applicationId ? subjectFor(store, tenant, caller, userId) : userId
  return { sub, username: sub === userId ? (username ?? undefined) : undefined }
}

/** For userinfo, and so only for its client; its audience is this server. */
const ofOpaqueToken = async (question: Question): Promise<Facts | undefined> => {
  const { store, tenant, caller, token } = question
  const found = await findOpaqueToken(store, tenant, token)
  if (!found || !owns(caller, found.applicationId)) return undefined
  const cnf = confirmationOf(found)
  return {
    token_type: tokenTypeOf(cnf),
    cnf,
    iss: tenant.issuer,
    ...userFor(question, found),
    aud: tenant.issuer,
    exp: toNumericDate(found.expiresAt),
    iat: toNumericDate(found.createdAt),
    client_id: found.applicationId,
    scope: found.scopes.length > 0 ? found.scopes.join(' ') : undefined,
    sid: found.sessionId ?? undefined,
  }
}

/**
 * Without token_type: RFC 6749 section 5.1 has none for refresh tokens, and it must not be taken for a Bearer token.
 */
const ofRefreshToken = async (
  question: Question,
  token: NonNullable<ReturnType<typeof readRefreshToken>>,
): Promise<Facts | undefined> => {
  const { store, tenant, caller } = question
  const found = await findLiveRefreshToken(store, tenant, token)
  if (!found || !owns(caller, found.applicationId)) return undefined
  return {
    iss: tenant.issuer,
    ...userFor(question, found),
    aud: tenant.issuer,
    exp: toNumericDate(found.expiresAt),
    iat: toNumericDate(found.issuedAt),
    client_id: found.applicationId,
    scope: found.scopes.length > 0 ? found.scopes.join(' ') : undefined,
    auth_time: toNumericDate(found.authenticatedAt),
    acr: acrOf(found.amr),
    authorization_details: found.authorizationDetails === null ? undefined : storedDetails(found.authorizationDetails),
    cnf: confirmationOf(found),
    sid: found.sessionId ?? undefined,
  }
}

/** What the caller may know about the token; undefined if it is not active for this caller. At most two statements. */
const factsOf = async (question: Question): Promise<Facts | undefined> => {
  const { store, tenant, token } = question
  const refresh = readRefreshToken(store.vault, tenant.id, token)
  if (refresh) return ofRefreshToken(question, refresh)
  return (await ofOpaqueToken(question)) ?? ofJwt(question)
}

const JWT_RESPONSE = 'application/token-introspection+jwt'

/** RFC 9701 section 4: the caller asks for the JWT by its media type. */
const acceptsJwt = ({ headers }: Exchange): boolean =>
  (headers.accept ?? '').split(',').some((range) => range.split(';')[0]?.trim().toLowerCase() === JWT_RESPONSE)

export const introspectionEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const now = store.clock.now()
    const parameters = formOf(exchange)
    const { client } = await authenticateClient(store, exchange, parameters, now)
    if (!client.isConfidential) throw new OAuthError('invalid_client', 'introspection is for confidential clients')
    const token = single(parameters, 'token')
    if (token === undefined) throw new OAuthError('invalid_request', 'the parameter token is missing')
    const facts = await factsOf({ store, tenant: exchange.tenant, caller: client, token, now })
    const response = facts ? { ...facts, active: true } : { active: false }
    if (!acceptsJwt(exchange)) return jsonAnswer(200, response, NO_STORE)
    const body = await introspectionJwt(store, exchange.tenant, client, response)
    return { status: 200, headers: { 'content-type': JWT_RESPONSE, ...NO_STORE }, body }
  }
