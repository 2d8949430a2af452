/**
 * Where identity providers say that a session there has ended (OpenID Connect Back-Channel Logout 1.0): ours ends with it, and with
 * that those of our applications.
 */
import { ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { endSsoSessions } from '../domain/sign-in/enterprise-sessions.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { formOf, NO_STORE, single } from './endpoint.ts'

/** Loaded for the first one: most servers get none. */
const logout = () => import('../domain/federation/enterprise/logout.ts')

/** Answers 200 also where no session had to end (section 2.8), and 400 for a token that does not hold. */
export const providerLogoutEndpoint =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { tenant, params } = exchange
    const token = single(formOf(exchange), 'logout_token')
    const id = /^[0-9a-z]{21}$/.test(params.connectorId ?? '') ? params.connectorId : undefined
    const connector = id === undefined ? undefined : await ssoConnectorOfSignIn(store, tenant, id)
    const isOidc = connector?.isComplete && connector.preset.providerType === 'oidc'
    if (!connector || !isOidc || token === undefined)
      throw new OAuthError('invalid_request', 'there is no logout token')
    const work = { store, tenant, caller: callerOf(exchange, 'ProviderLogout') }
    const { readLogoutToken } = await logout()
    try {
      await perform(work, endSsoSessions, connector.id, await readLogoutToken(work, connector, token))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      throw new OAuthError('invalid_request', 'the logout token is not valid', { cause: error })
    }
    return { status: 200, headers: NO_STORE, body: '' }
  }
