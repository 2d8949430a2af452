/**
 * The authorization endpoint (RFC 6749 section 3.1): GET and POST /auth begin a request, GET /auth/:id resumes it after a
 * page. Both end in the dispatcher, which answers with a redirect to the application or to the next page.
 */

import { authorizationFinished } from '../../domain/authorization.ts'
import { type Client, findClient } from '../../domain/clients.ts'
import { grantedScopes } from '../../domain/grants.ts'
import {
  type AuthorizationRequest,
  createInteraction,
  findInteraction,
  type Interaction,
  type InteractionState,
} from '../../domain/interactions.ts'
import { consumePushedRequest } from '../../domain/pushed-requests.ts'
import { findSession } from '../../domain/sessions.ts'
import { readCookie, writeCookie } from '../../http/cookies.ts'
import type { Answer, Exchange } from '../../http/exchange.ts'
import { type Parameters, parseParameters } from '../../http/parameters.ts'
import type { Caller } from '../../kernel/caller.ts'
import { newOpaque, opaqueHash } from '../../kernel/opaque.ts'
import type { Store } from '../../storage/store.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { formOf } from '../endpoint.ts'
import { subjectOfHint } from '../id-token-hint.ts'
import { pushedValue } from '../pushed-authorization.ts'
import { AuthorizationError, UnsafeRequestError } from './authorization-error.ts'
import { checkClient, checkRedirectUri, checkRequest, responseModeOf } from './checks.ts'
import { errorPage } from './error-page.ts'
import { nextStep } from './next-step.ts'
import { codeResponse, errorResponse } from './response.ts'

const PAGES = { 'sign-in': '/sign-in', consent: '/consent' } as const

const callerOf = ({ requestId, ip, userAgent }: Exchange, action: string): Caller => ({
  actor: { type: 'system' },
  action,
  requestId,
  ip,
  ...(userAgent === undefined ? {} : { userAgent }),
})

/** The browser's own cookie, which binds interactions to it; made when it has none. */
const browserOf = (exchange: Exchange): { browser: string; cookies: string[] } => {
  const sent = readCookie(exchange, 'browser')
  if (sent !== undefined && opaqueHash('browser', sent)) return { browser: sent, cookies: [] }
  const browser = newOpaque('browser')
  return { browser, cookies: [writeCookie(exchange.tenant, 'browser', browser)] }
}

interface Underway {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly state: InteractionState
  /** Absent while nothing had to be asked of the user. */
  readonly interactionId?: string
}

/** The hub: decides the next step from what is stored, and goes there. */
const dispatch = async (
  store: Store,
  exchange: Exchange,
  { client, request, state, interactionId }: Underway,
): Promise<Answer> => {
  const { tenant } = exchange
  const session = await findSession(store, tenant, readCookie(exchange, 'session'))
  const granted = session ? await grantedScopes(store, tenant, session.id, client.id) : []
  const next = nextStep({ request, client, session, state, granted, now: store.clock.now() })
  if (next.step === 'finish') {
    const work = { store, tenant, caller: callerOf(exchange, 'Interaction.Authorize') }
    const code = await perform(work, authorizationFinished, { session: next.session, client, request, interactionId })
    if (code === undefined) throw new UnsafeRequestError('This sign-in was finished in another window.')
    return codeResponse(tenant, request, code)
  }
  const { browser, cookies } = browserOf(exchange)
  const id =
    interactionId ??
    (await perform(
      { store, tenant, caller: callerOf(exchange, 'Interaction.Create') },
      createInteraction,
      browser,
      request,
    ))
  const location = `${tenant.baseUrl}${PAGES[next.step]}/${id}`
  return {
    status: 303,
    headers: { location, 'cache-control': 'no-store', ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) },
  }
}

/** The parameters as sent, or those that were pushed before and are used up by this (RFC 9126 section 4). */
const requestOf = async (store: Store, exchange: Exchange, client: Client, sent: Parameters): Promise<Parameters> => {
  const [requestUri] = sent.get('request_uri') ?? []
  if (!requestUri) return sent
  const value = pushedValue(requestUri)
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'ConsumePushedRequest') }
  const pushed = value === undefined ? undefined : await perform(work, consumePushedRequest, client.id, value)
  if (!pushed) throw new UnsafeRequestError('The request of the application has expired or was used before.')
  return new Map(Object.entries(pushed))
}

/** What the application is told goes to its redirect URI; everything before that URI is trusted is a page. */
const begin = async (store: Store, exchange: Exchange, sent: Parameters): Promise<Answer> => {
  const { tenant } = exchange
  const client = await checkClient(store, tenant, sent)
  const parameters = await requestOf(store, exchange, client, sent)
  const redirectUri = checkRedirectUri(client, parameters)
  const state = parameters.get('state')?.[0]
  let responseMode: AuthorizationRequest['responseMode'] = 'query'
  try {
    responseMode = responseModeOf(parameters)
    const hinted = await subjectOfHint(store, tenant, client, parameters.get('id_token_hint')?.[0])
    const request = await checkRequest(store, tenant, client, redirectUri, parameters, hinted)
    return await dispatch(store, exchange, { client, request, state: {} })
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error
    return errorResponse(tenant, { redirectUri, responseMode, ...(state === undefined ? {} : { state }) }, error)
  }
}

/** Pages of errors that cannot be redirected. */
const withErrorPage = async (store: Store, exchange: Exchange, answer: Promise<Answer>): Promise<Answer> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof UnsafeRequestError) return errorPage(store, exchange, error.explanation)
    throw error
  }
}

export const authorizeEndpoint =
  (store: Store) =>
  (exchange: Exchange): Promise<Answer> => {
    const parameters = exchange.method === 'POST' ? formOf(exchange) : parseParameters(exchange.queryText)
    return withErrorPage(store, exchange, begin(store, exchange, parameters))
  }

const resume = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant, params } = exchange
  const interaction: Interaction | undefined = await findInteraction(
    store,
    tenant,
    params.id ?? '',
    readCookie(exchange, 'browser'),
  )
  if (!interaction) throw new UnsafeRequestError('This sign-in has expired or was begun in another browser.')
  const client = await findClient(store, tenant, interaction.request.clientId)
  if (!client) throw new UnsafeRequestError('The application that sent you here is not known to this server.')
  try {
    return await dispatch(store, exchange, { client, ...interaction, interactionId: interaction.id })
  } catch (error) {
    if (error instanceof AuthorizationError) return errorResponse(tenant, interaction.request, error)
    throw error
  }
}

export const resumeEndpoint =
  (store: Store) =>
  (exchange: Exchange): Promise<Answer> =>
    withErrorPage(store, exchange, resume(store, exchange))
