/**
 * The revocation feed (DECISIONS G17): what ended, for APIs that verify JWT access tokens by themselves and want to refuse those
 * that were revoked. Not standardized; authenticated like introspection.
 */
import type { RevocationFeed } from '../domain/tenants/revocation-feed.ts'
import { type Answer, type Exchange, jsonAnswer } from '../http/exchange.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Store } from '../storage/store.ts'
import { authenticateClient } from './client-authentication.ts'
import { formOf, NO_STORE, single } from './endpoint.ts'

/** Seconds: less than proxies wait. */
const LONGEST_WAIT = 25

const waitOf = (given: string | undefined): number => {
  if (given === undefined) return 0
  if (/^\d{1,2}$/.test(given) && Number(given) <= LONGEST_WAIT) return Number(given)
  throw new OAuthError('invalid_request', `wait must be a whole number of seconds from 0 to ${LONGEST_WAIT}`)
}

export const revocationFeedEndpoint =
  (store: Store, feed: RevocationFeed) =>
  async (exchange: Exchange): Promise<Answer> => {
    const parameters = formOf(exchange)
    const { client } = await authenticateClient(store, exchange, parameters, store.clock.now())
    const { introspectionAudiences = [], dangerouslyIntrospectAllTokens } = client.metadata
    if (!client.isConfidential || (introspectionAudiences.length === 0 && !dangerouslyIntrospectAllTokens)) {
      throw new OAuthError('unauthorized_client', 'the feed is for confidential clients with introspectionAudiences')
    }
    const [after, wait] = [single(parameters, 'after'), waitOf(single(parameters, 'wait'))]
    const gone = new AbortController()
    const forget = exchange.onGone(() => gone.abort())
    try {
      const page = await feed.read(exchange.tenant, after, wait, gone.signal)
      if (!page) throw new OAuthError('invalid_request', 'after is not a cursor of this feed')
      const { revocations, cursor, hasMore } = page
      return jsonAnswer(200, { revocations, cursor, has_more: hasMore }, NO_STORE)
    } finally {
      forget()
    }
  }
