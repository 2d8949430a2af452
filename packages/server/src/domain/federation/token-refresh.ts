/** New tokens of a provider for a refresh token (RFC 6749 section 6), and the tokens in its answers as we keep them. */
import { processRefreshTokenResponse, refreshTokenGrantRequest, type TokenEndpointResponse } from 'oauth4webapi'
import type { Store } from '../../storage/store.ts'
import { authOf, clientOf, conformed } from './client.ts'
import { serverOf } from './metadata.ts'
import type { Provider } from './provider.ts'
import { reachOf } from './reach.ts'
import { step } from './step.ts'
import { tokenSetOf } from './token-response.ts'
import type { TokenSet } from './token-sets.ts'

/** Redeems a refresh token. The former one stays where the provider issues no other. Throws FederationFailure. */
export const refreshedTokens = async (
  store: Store,
  provider: Provider,
  { scope, refreshToken = '' }: TokenSet,
): Promise<TokenSet> => {
  const reach = reachOf(store)
  const server = await serverOf(reach, provider)
  const client = clientOf(store, provider)
  const answer = await step('provider', async () =>
    // an ID token here says nothing that is needed, and is not looked at
    conformed(await refreshTokenGrantRequest(server, client, authOf(store, provider), refreshToken, reach.options)),
  )
  const response = await step(
    'provider',
    (): Promise<TokenEndpointResponse> => processRefreshTokenResponse(server, client, answer),
  )
  return { ...(scope === undefined ? {} : { scope }), refreshToken, ...tokenSetOf(response, store.clock.now()) }
}
