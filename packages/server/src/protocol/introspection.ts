/** Token introspection: RFC 7662, DECISIONS G5. A caller sees tokens that concern it; any other is just not active. */
import { type Client, findClient } from '../domain/clients.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { type AccessTokenClaims, TokenRefused, verifyAccessToken } from '../tokens/verify.ts'
import { authenticateClient } from './client-authentication.ts'
import { formOf, NO_STORE, single } from './endpoint.ts'

/** SECURITY R-14: the token's own client, a server of its audience, or a client that the tenant lets see all. */
const concerns = ({ id, metadata }: Client, { client_id, aud }: AccessTokenClaims): boolean =>
  client_id === id ||
  aud === id ||
  (metadata.introspectionAudiences ?? []).includes(aud) ||
  metadata.dangerouslyIntrospectAllTokens === true

/** The claims of a token that is good for this caller, else undefined. */
const visibleClaims = async (store: Store, tenant: Tenant, caller: Client, token: string, now: Date) => {
  try {
    const claims = await verifyAccessToken(store, tenant, token, now)
    if (!concerns(caller, claims)) return undefined
    // a token of a client that is gone is worth nothing (SECURITY R-13)
    return (await findClient(store, tenant, claims.client_id)) ? claims : undefined
  } catch (error) {
    if (error instanceof TokenRefused) return undefined
    throw error
  }
}

export const introspectionEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const now = store.clock.now()
    const parameters = formOf(exchange)
    const { client } = await authenticateClient(store, exchange, parameters, now)
    if (!client.isConfidential) throw new OAuthError('invalid_client', 'introspection is for confidential clients')
    const token = single(parameters, 'token')
    if (token === undefined) throw new OAuthError('invalid_request', 'the parameter token is missing')
    const claims = await visibleClaims(store, exchange.tenant, client, token, now)
    return jsonAnswer(200, claims ? { active: true, token_type: 'Bearer', ...claims } : { active: false }, NO_STORE)
  }
