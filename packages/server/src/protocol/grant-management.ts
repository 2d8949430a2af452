/**
 * The grant management API (Grant Management for OAuth 2.0, section 6): an application reads and revokes its grants, each with a token that
 * the user of the grant authorized for it (DECISIONS X9).
 */
import { standingDetails, storedDetails } from '../domain/access/authorization-details.ts'
import { type Client, findClient, managesGrants } from '../domain/applications/clients.ts'
import { findManagedGrant, type ManagedGrant, revokeManagedGrant } from '../domain/issued/managed-grants.ts'
import { findTokenAtUserinfo } from '../domain/issued/opaque-access-tokens.ts'
import { GRANT_QUERY_SCOPE, GRANT_REVOKE_SCOPE, isGrantScope, isOidcScope } from '../domain/permissions/oidc-scopes.ts'
import { DEFAULT_RESOURCE } from '../domain/permissions/reserved-names.ts'
import { claimsNamedFor } from '../domain/sign-in/requested-claims.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { assertHeld } from '../tokens/bound/at-resource.ts'
import { nextNonce } from '../tokens/dpop/nonce.ts'
import { clientActor } from './client-authentication.ts'
import { NO_STORE } from './endpoint.ts'
import { presentedToken } from './presented-token.ts'
import { asProofError, refuseToken } from './token-refusal.ts'

interface Allowed {
  readonly client: Client
  readonly grant: ManagedGrant
  readonly headers: Readonly<Record<string, string>>
}

/** One answer for every grant that is not this application's and this user's. */
const notFound = () => new OAuthError('invalid_grant_id', 'there is no such grant', { status: 404 })

/** The grant of the address, if the token of the request may do this with it. Throws OAuthError 401, 403, 404. */
const allowed = async (store: Store, exchange: Exchange, scope: string): Promise<Allowed> => {
  const { tenant } = exchange
  const presented = presentedToken(exchange)
  const token = await findTokenAtUserinfo(store, tenant, presented.token)
  const client = token && (await findClient(store, tenant, token.applicationId))
  if (!token || !client) throw refuseToken(presented.scheme, 'the access token is not valid here')
  const { scopes, userId, jkt, x5t } = token
  const proof = await assertHeld(store, exchange, { ...presented, jkt, x5t }, client).catch((error: unknown) => {
    throw asProofError(error)
  })
  if (!managesGrants(client))
    throw new OAuthError('access_denied', 'the application does not manage grants', { status: 403 })
  if (!scopes.includes(scope))
    throw refuseToken(presented.scheme, `the access token lacks the scope ${scope}`, 'insufficient_scope')
  const grant = await findManagedGrant(store, tenant, client.id, exchange.params.grantId ?? '')
  if (grant?.userId !== userId) throw notFound()
  return { client, grant, headers: { ...NO_STORE, ...nextNonce(store, tenant, proof) } }
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** What the grant allows, as section 6.4 writes it: permissions with the APIs that they are for, and the other scopes. */
const described = async (store: Store, tenant: Tenant, client: Client, grant: ManagedGrant) => {
  const { scopes, resources, claims, authorizationDetails, createdAt, updatedAt, expiresAt } = grant
  const ofUser = scopes.filter((scope) => isOidcScope(scope) && !isGrantScope(scope))
  const permissions = scopes.filter((scope) => !isOidcScope(scope))
  const indicators = resources.filter((indicator) => indicator !== DEFAULT_RESOURCE)
  const details = await standingDetails(store, tenant, client, storedDetails(authorizationDetails))
  const named = [...new Set([...claimsNamedFor('idToken', claims), ...claimsNamedFor('userinfo', claims)])]
  return {
    scopes: [
      ...(ofUser.length > 0 ? [{ scope: ofUser.join(' ') }] : []),
      ...(permissions.length > 0
        ? [{ scope: permissions.join(' '), ...(indicators.length > 0 ? { resources: indicators } : {}) }]
        : []),
    ],
    ...(named.length > 0 ? { claims: named } : {}),
    ...(details.length > 0 ? { authorization_details: details } : {}),
    created_at: seconds(createdAt),
    last_updated_at: seconds(updatedAt),
    expires_at: seconds(expiresAt),
  }
}

export const queryGrantEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { client, grant, headers } = await allowed(store, exchange, GRANT_QUERY_SCOPE)
    return jsonAnswer(200, await described(store, exchange.tenant, client, grant), headers)
  }

export const revokeGrantEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { client, grant, headers } = await allowed(store, exchange, GRANT_REVOKE_SCOPE)
    const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'RevokeGrant', clientActor(client)) }
    if (!(await perform(work, revokeManagedGrant, client.id, grant))) throw notFound()
    return { status: 204, headers, body: '' }
  }
