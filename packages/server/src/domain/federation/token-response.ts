/** The tokens in the answer of a provider's token endpoint, as they are kept. */
import type { TokenEndpointResponse } from 'oauth4webapi'
import type { TokenSet } from './token-sets.ts'

/** @param now when the answer came */
export const tokenSetOf = (
  { access_token, token_type, scope, expires_in, refresh_token }: TokenEndpointResponse,
  now: Date,
): TokenSet => ({
  accessToken: access_token,
  tokenType: token_type,
  ...(scope ? { scope } : {}),
  ...(expires_in === undefined ? {} : { expiresAt: Math.floor(now.getTime() / 1000 + expires_in) }),
  ...(refresh_token ? { refreshToken: refresh_token } : {}),
})
