/**
 * A request to end the session (OpenID Connect RP-Initiated Logout 1.0 section 2): its content, and how it arrives with
 * cookies.
 */

import { type Client, findClient, isPossibleId } from '../domain/applications/clients.ts'
import { countPushedRequest } from '../domain/credentials/address-failures.ts'
import { consumeLogoutRequest, pushedValue, pushRequest, requestUriOf } from '../domain/issued/pushed-requests.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { type Parameters, parseParameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { UnsafeRequestError } from './authorize/authorization-error.ts'
import { excessOf } from './authorize/limits.ts'
import { fitsAddress, repeatAsGet } from './cross-site-post.ts'
import { single } from './endpoint.ts'
import { type Hint, readHint } from './id-token-hint.ts'
import { isRegisteredRedirectUri } from './redirect-uri.ts'

/** What a request may say (section 2). */
const PARAMETERS = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'] as const

export interface LogoutRequest {
  readonly hint: Hint | undefined
  readonly client: Client | undefined
  /** Where to go afterwards, if registered. */
  readonly returnTo: string | undefined
}

/** The parameters, each at most once. Throws invalid_request naming one that is repeated. */
export const given = (parameters: Parameters): [name: string, value: string][] =>
  PARAMETERS.flatMap((name): [string, string][] => {
    const value = single(parameters, name)
    return value === undefined ? [] : [[name, value]]
  })

/** The parameters in the URL, or those that were stored because they did not fit into a URL, which are consumed. */
export const sentOrKept = async (store: Store, exchange: Exchange): Promise<Parameters> => {
  const sent = parseParameters(exchange.queryText)
  const value = pushedValue(single(sent, 'request_uri') ?? '')
  if (value === undefined) return sent
  const work = {
    store,
    tenant: exchange.tenant,
    caller: callerOf(exchange, 'ConsumeLogoutRequest'),
  }
  const kept = await perform(work, consumeLogoutRequest, single(sent, 'client_id') ?? '', value)
  if (!kept) throw new UnsafeRequestError('pushedRequestGone')
  return new Map(Object.entries(kept))
}

/** Asks the browser to come back with its cookies: only they show whether anyone is signed in. */
export const repeatWithCookies = async (
  store: Store,
  exchange: Exchange,
  parameters: Parameters,
  client: Client | undefined,
): Promise<Answer> => {
  const { tenant } = exchange
  const address = `${tenant.issuer}/session/end`
  const all: Parameters = new Map(given(parameters).map(([name, value]) => [name, [value]]))
  if (fitsAddress(all)) return repeatAsGet(address, all)
  // there is no way back to a deleted application: the user is asked
  if (!client) return repeatAsGet(address, new Map())
  const work = { store, tenant, caller: callerOf(exchange, 'KeepLogoutRequest') }
  countPushedRequest(work)
  const value = await perform(work, pushRequest, 'logoutRequest', client.id, Object.fromEntries(all))
  const named = { client_id: [client.id], request_uri: [requestUriOf(value)] }
  return repeatAsGet(address, new Map(Object.entries(named)))
}

/** Section 2: the client is determined by the hint or named; the return address must be registered for it. */
export const readRequest = async (
  store: Store,
  { tenant }: Exchange,
  parameters: Parameters,
): Promise<LogoutRequest> => {
  const excess = excessOf(parameters, PARAMETERS)
  if (excess !== undefined) throw new OAuthError('invalid_request', excess)
  const hintText = single(parameters, 'id_token_hint')
  const clientId = single(parameters, 'client_id')
  const uri = single(parameters, 'post_logout_redirect_uri')
  const state = single(parameters, 'state')
  const hint = hintText === undefined ? undefined : await readHint(store, tenant, hintText)
  if (hintText !== undefined && !hint)
    throw new OAuthError('invalid_request', 'id_token_hint is not an ID token of this server')
  if (hint && clientId !== undefined && hint.clientId !== clientId) {
    throw new OAuthError('invalid_request', 'client_id is not the client of id_token_hint')
  }
  const id = hint?.clientId ?? clientId
  const client = id !== undefined && isPossibleId(id) ? await findClient(store, tenant, id) : undefined
  if (uri === undefined) return { hint, client, returnTo: undefined }
  if (id === undefined) {
    throw new OAuthError('invalid_request', 'post_logout_redirect_uri requires id_token_hint or client_id')
  }
  if (!client || !isRegisteredRedirectUri(uri, client.postLogoutRedirectUris, client)) {
    throw new OAuthError('invalid_request', 'post_logout_redirect_uri is not registered for the application')
  }
  const separator = uri.includes('?') ? '&' : '?'
  return { hint, client, returnTo: state === undefined ? uri : `${uri}${separator}state=${encodeURIComponent(state)}` }
}
