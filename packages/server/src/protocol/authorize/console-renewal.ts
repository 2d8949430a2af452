/**
 * How the console at an admin host renews its token: by an authorization request with `prompt=none` that its script sends from there
 * to the issuer (DECISIONS U11). The only answer of the server that a script of another origin may read with the browser's cookies.
 */
import { CONSOLE_ID } from '../../domain/applications/console.ts'
import type { Answer, Exchange } from '../../http/exchange.ts'
import type { Store } from '../../storage/store.ts'

/** Whether the request renews the token of the tenant's console, and comes from there. */
const isRenewal = (store: Store, { tenant, headers, queryText }: Exchange): boolean => {
  const { origin } = headers
  if (origin === undefined || origin === tenant.baseUrl || origin !== store.consoleOrigin(tenant)) return false
  const query = new URLSearchParams(queryText)
  return query.get('client_id') === CONSOLE_ID && query.get('prompt') === 'none'
}

/** The endpoint, whose redirect the console may follow; what comes of it goes to the console's redirect URI alone. */
export const withConsoleRenewal =
  (store: Store, handle: (exchange: Exchange) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<Answer> => {
    const answer = await handle(exchange)
    const { origin } = exchange.headers
    if (origin === undefined || !isRenewal(store, exchange)) return answer
    const allowed = {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    }
    return { ...answer, headers: { ...answer.headers, ...allowed } }
  }
