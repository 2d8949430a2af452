/**
 * Token revocation: RFC 7009, DECISIONS G5. Revoking a refresh or opaque token ends its grant; a JWT is recorded as
 * revoked until it expires.
 */

import { findOpaqueToken, revokeOpaqueToken } from '../domain/issued/opaque-access-tokens.ts'
import { readRefreshToken, revokeRefreshToken } from '../domain/issued/refresh-families.ts'
import { revokeAccessToken } from '../domain/issued/revoked-access-tokens.ts'
import { revokeGrant } from '../domain/sessions/grants.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Store } from '../storage/store.ts'
import { perform, type Work } from '../storage/unit-of-work.ts'
import { TokenRefused, verifyAccessToken } from '../tokens/verify.ts'
import { authenticateClient, clientActor } from './client-authentication.ts'
import { formOf, NO_STORE, single } from './endpoint.ts'

/**
 * The claims of a live token of this server, otherwise undefined: RFC 7009 section 2.2 answers 200 for an invalid
 * token.
 */
const liveClaims = async (store: Store, { tenant }: Exchange, token: string, now: Date) => {
  try {
    return await verifyAccessToken(store, tenant, token, now)
  } catch (error) {
    if (error instanceof TokenRefused) return undefined
    throw error
  }
}

/** Revokes the token according to its kind, if it belongs to the application. */
const revoke = async (
  work: Work,
  exchange: Exchange,
  token: string,
  applicationId: string,
  now: Date,
): Promise<void> => {
  const { store, tenant } = work
  const refresh = readRefreshToken(store.vault, tenant.id, token)
  if (refresh) return perform(work, revokeRefreshToken, refresh, applicationId)
  const opaque = await findOpaqueToken(store, tenant, token)
  if (opaque) {
    if (opaque.applicationId !== applicationId) return
    if (opaque.grantId === null) return perform(work, revokeOpaqueToken, token)
    return perform(work, revokeGrant, opaque.grantId)
  }
  const claims = await liveClaims(store, exchange, token, now)
  if (claims?.client_id === applicationId) {
    await perform(work, revokeAccessToken, claims.jti, new Date(claims.exp * 1000))
  }
}

/**
 * Revokes a token of the calling client. A token of another client is left alone, and the response does not show it.
 */
export const revocationEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant } = exchange
    const now = store.clock.now()
    const parameters = formOf(exchange)
    const { client } = await authenticateClient(store, exchange, parameters, now)
    const token = single(parameters, 'token')
    if (token === undefined) throw new OAuthError('invalid_request', 'the parameter token is missing')
    const caller = callerOf(exchange, 'RevokeToken', clientActor(client))
    await revoke({ store, tenant, caller }, exchange, token, client.id, now)
    return { status: 200, headers: NO_STORE }
  }
