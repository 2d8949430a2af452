/**
 * Where the parameters of an authorization request come from: from the request itself, or from what its client has pushed
 * before (RFC 9126 section 4). A pushed request loads as often as its page does, until a code is issued for it.
 */
import type { Client } from '../../domain/applications/clients.ts'
import { findPushedRequest, pushedRequestId, pushedValue } from '../../domain/issued/pushed-requests.ts'
import { findInteraction } from '../../domain/sign-in/interactions.ts'
import { readCookie } from '../../http/cookies.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Parameters } from '../../http/parameters.ts'
import type { Store } from '../../storage/store.ts'
import { UnsafeRequestError } from './authorization-error.ts'

type ArrivedRequest =
  | { readonly parameters: Parameters; readonly pushedId?: string }
  /** The browser's own sign-in of a request that no longer loads. */
  | { readonly interactionId: string }

/** The sign-in that this browser began last, if it is for this pushed request. */
const signInUnderway = async (store: Store, exchange: Exchange, pushedId: string): Promise<string | undefined> => {
  const [id = '', browser] = [readCookie(exchange, 'interaction'), readCookie(exchange, 'browser')]
  const interaction = await findInteraction(store, exchange.tenant, id, browser)
  return interaction?.request.pushedId === pushedId ? id : undefined
}

/**
 * The parameters as sent, or those that were pushed; a page that is loaded again after the minute of its request_uri leads back
 * to the sign-in that began with it. A request_uri that names no pushed request stays among the parameters: the checks refuse it
 * once the error can be redirected. Throws UnsafeRequestError for a request that was used or has expired, and for a SAML
 * application whose request was not pushed.
 */
export const arrivedRequest = async (
  store: Store,
  exchange: Exchange,
  client: Client,
  sent: Parameters,
): Promise<ArrivedRequest> => {
  const [requestUri = '', ...more] = sent.get('request_uri') ?? []
  const value = pushedValue(requestUri)
  // a repeated one is refused together with other repeated parameters
  if (value === undefined || more.length > 0) {
    // its requests are those that saml/ has made of what the application sent
    if (client.type === 'SAML') throw new UnsafeRequestError('malformed', { clientId: client.id, client })
    return { parameters: sent }
  }
  const pushedId = pushedRequestId(value)
  const pushed = await findPushedRequest(store, exchange.tenant, client.id, value)
  if (pushed && pushedId !== undefined) return { parameters: new Map(Object.entries(pushed)), pushedId }
  const interactionId = pushedId && (await signInUnderway(store, exchange, pushedId))
  if (interactionId) return { interactionId }
  throw new UnsafeRequestError('pushedRequestGone', { clientId: client.id, client })
}
