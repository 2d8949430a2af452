/**
 * The authorization endpoint (RFC 6749 section 3.1): GET and POST /auth start a request, GET /auth/:id resumes it after
 * a page. Both end in the dispatcher, which answers with a redirect to the application or to the next page.
 */

import { mayUse } from '../../domain/access/application-admission.ts'
import { requestedConsent } from '../../domain/access/requested-consent.ts'
import { type Client, summaryOf } from '../../domain/applications/clients.ts'
import { countInteraction, countPushedRequest, uncountInteraction } from '../../domain/credentials/address-failures.ts'
import { GrantGone } from '../../domain/issued/managed-grants.ts'
import { findOneTimeToken, oneTimeTokenStatus } from '../../domain/issued/one-time-tokens.ts'
import { isPushedRequestUsed, pushRequest, requestUriOf } from '../../domain/issued/pushed-requests.ts'
import { grantedBefore, SessionEnded } from '../../domain/sessions/grants.ts'
import { findSession, type Session } from '../../domain/sessions/sessions.ts'
import { accountSignInFinished, clientOfRequest } from '../../domain/sign-in/account-pages-sign-in.ts'
import { authorizationFinished, FinishedElsewhere } from '../../domain/sign-in/authorization.ts'
import { backchannelAllowed, backchannelDenied } from '../../domain/sign-in/backchannel-authorization.ts'
import { deviceAllowed, deviceDenied } from '../../domain/sign-in/device-authorization.ts'
import { experienceAt } from '../../domain/sign-in/experience.ts'
import {
  type AuthorizationRequest,
  createInteraction,
  findInteraction,
  INTERACTION_SECONDS,
  type InteractionState,
  type ResponseMode,
} from '../../domain/sign-in/interactions.ts'
import { tokenOfRequest } from '../../domain/sign-in/one-time-token-proof.ts'
import { isNamedBy } from '../../domain/users/rows.ts'
import { browserOf } from '../../http/browser-cookie.ts'
import { callerOf } from '../../http/caller-of.ts'
import { readCookie, withCookies, writeCookie } from '../../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../../http/exchange.ts'
import { type Parameters, parseParameters } from '../../http/parameters.ts'
import { rememberAccount, rememberedAccounts } from '../../http/remembered-accounts.ts'
import type { Caller } from '../../kernel/caller.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { rememberApplication } from '../../presentation/onward.ts'
import type { Store } from '../../storage/store.ts'
import { perform } from '../../storage/unit-of-work.ts'
import { fitsAddress, isWithoutCookies, repeatAsGet } from '../cross-site-post.ts'
import { formOf } from '../endpoint.ts'
import { subjectOfHint } from '../id-token-hint.ts'
import { arrivedRequest } from './arrived-request.ts'
import { AuthorizationError, UnsafeRequestError } from './authorization-error.ts'
import { checkClient, checkRedirectUri, checkRequest, checkState, responseModeOf } from './checks.ts'
import { withErrorPage } from './error-page.ts'
import { firstPage } from './first-page.ts'
import { asDetailsError } from './grant-of-request.ts'
import { keepable } from './limits.ts'
import { nextStep } from './next-step.ts'
import { type OpenedRequest, openedRequest } from './opened-request.ts'
import { isRefusal, recordRefusal } from './refusals.ts'
import { codeResponse, earlyErrorResponse, errorResponse } from './response.ts'

const PAGES = {
  'one-time-token': '/one-time-token',
  'select-account': '/select-account',
  consent: '/consent',
  device: '/device',
  backchannel: '/backchannel',
} as const

/** The caller of a step of a client's request. */
export const callerFor = (exchange: Exchange, action: string, client: Client): Caller =>
  callerOf(exchange, action, { application: summaryOf(client) })

interface AuthorizationInProgress {
  readonly client: Client
  readonly request: AuthorizationRequest
  readonly state: InteractionState
  /** Absent as long as the user has not been asked for anything. */
  readonly interactionId?: string
}

/** Who allowed a request, and what they consented to for a third-party application; null for a first-party one. */
interface Allowed {
  readonly session: Session
  readonly consentedIds: readonly string[] | null
}

/** Answers the waiting device and informs the user. @param allowed undefined: the user refused */
const answerDevice = async (
  store: Store,
  exchange: Exchange,
  { client, request, interactionId }: AuthorizationInProgress,
  allowed: Allowed | undefined,
): Promise<Answer> => {
  const { tenant } = exchange
  const work = { store, tenant, caller: callerFor(exchange, 'Interaction.Device', client) }
  const answered = { client, request, interactionId: interactionId ?? '' }
  const isKept = allowed
    ? await perform(work, deviceAllowed, allowed.session, answered, allowed.consentedIds)
    : await perform(work, deviceDenied, answered)
  if (!isKept) throw new UnsafeRequestError('deviceGone')
  uncountInteraction(work)
  return redirectTo(`${tenant.baseUrl}/device/${allowed ? 'done' : 'denied'}`)
}

/** The same for an application that asked without a browser. */
const answerBackchannel = async (
  store: Store,
  exchange: Exchange,
  { client, request, interactionId }: AuthorizationInProgress,
  allowed: Allowed | undefined,
): Promise<Answer> => {
  const { tenant } = exchange
  const work = { store, tenant, caller: callerFor(exchange, 'Interaction.Backchannel', client) }
  const answered = { client, request, interactionId: interactionId ?? '' }
  const isKept = allowed
    ? await perform(work, backchannelAllowed, allowed.session, answered, allowed.consentedIds)
    : await perform(work, backchannelDenied, answered)
  if (isKept) uncountInteraction(work)
  const answer = allowed ? 'done' : 'denied'
  return redirectTo(`${tenant.baseUrl}/backchannel/${isKept ? answer : 'gone'}`)
}

const sessionOf = (store: Store, exchange: Exchange): Promise<Session | undefined> =>
  findSession(store, exchange.tenant, readCookie(exchange, 'session'))

/** Decides again if the session ended between the decision and its execution. @param session of the browser */
const dispatch = async (
  store: Store,
  exchange: Exchange,
  underway: AuthorizationInProgress,
  session: Session | undefined,
): Promise<Answer> => {
  try {
    const answer = await decide(store, exchange, underway, session)
    return session ? withCookies(answer, rememberAccount(store, exchange, session.userId)) : answer
  } catch (error) {
    if (error instanceof SessionEnded) return decide(store, exchange, underway, await sessionOf(store, exchange))
    if (error instanceof GrantGone) throw new AuthorizationError('invalid_grant_id', error.message)
    if (error instanceof FinishedElsewhere)
      throw new UnsafeRequestError('finishedElsewhere', { clientId: underway.client.id, client: underway.client })
    throw asDetailsError(error)
  }
}

/** Stores the request while the user is asked for something. Throws 429 `request.rate_limited`. */
const beginInteraction = async (
  store: Store,
  exchange: Exchange,
  browser: string,
  request: AuthorizationRequest,
): Promise<string> => {
  // the user can start again; once the interaction has advanced, it is on disk with its decisions
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.Create'), isForgettable: true }
  countInteraction(work)
  return perform(work, createInteraction, browser, request)
}

/**
 * Whether the page for the link that began the request comes next. A link that was used before leads on where the user that it is
 * for has a session. @param isMeant the session is of the user that login_hint names, or there is no hint
 */
const bringsToken = async (
  store: Store,
  { tenant }: Exchange,
  request: AuthorizationRequest,
  isMeant: boolean,
): Promise<boolean> => {
  const token = tokenOfRequest({ store, tenant }, request)
  if (token === undefined || request.prompts.includes('none')) return false
  if (!isMeant || request.loginHint === undefined) return true
  const row = await findOneTimeToken(store, tenant, token)
  return row !== undefined && oneTimeTokenStatus(row, store.clock.now()) === 'active'
}

/** The hub: decides the next step from what is stored, and goes there. */
const decide = async (
  store: Store,
  exchange: Exchange,
  underway: AuthorizationInProgress,
  session: Session | undefined,
): Promise<Answer> => {
  const { tenant } = exchange
  const { client, request, state, interactionId } = underway
  const requestedIds = await requestedConsent(store, tenant, client, request)
  // only a user who has to consent can have consented before
  // and nobody has for a client with a document: another program may now be at its address, or on its port (DECISIONS Z5)
  const canRecall = session && requestedIds && !client.document
  const granted = canRecall ? await grantedBefore(store, tenant, session.id, client.id) : undefined
  const { loginHint } = request
  const experience = await experienceAt(store, tenant, client.id)
  const { usernamePolicy } = experience
  const isHintForAnother =
    session !== undefined &&
    loginHint !== undefined &&
    !(await isNamedBy(store, tenant, session.userId, loginHint, usernamePolicy.caseSensitive))
  const isAdmitted = session !== undefined && (await mayUse(store, tenant, client, session.userId))
  const hasRemembered = rememberedAccounts(store, exchange).length > 0
  const now = store.clock.now()
  const next = nextStep({
    request,
    session,
    state,
    requestedIds,
    granted,
    isAdmitted,
    isHintForAnother,
    hasToken: await bringsToken(store, exchange, request, session !== undefined && !isHintForAnother),
    hasRemembered,
    now,
  })
  if (next.step === 'finish') {
    const allowed = { session: next.session, consentedIds: requestedIds ?? null }
    if (request.device) return answerDevice(store, exchange, underway, allowed)
    if (request.backchannel) return answerBackchannel(store, exchange, underway, allowed)
    const work = { store, tenant, caller: callerFor(exchange, 'Interaction.Authorize', client) }
    if (request.accountPage !== undefined) {
      await perform(work, accountSignInFinished, interactionId ?? '')
      uncountInteraction(work)
      return redirectTo(`${tenant.baseUrl}${request.accountPage}`)
    }
    const code = await perform(work, authorizationFinished, { ...allowed, client, request, interactionId })
    if (interactionId !== undefined) uncountInteraction(work)
    return codeResponse(store, exchange, request, code)
  }
  const { browser, cookies } = browserOf(exchange)
  const id = interactionId ?? (await beginInteraction(store, exchange, browser, request))
  // calls of the Experience API find the browser's latest interaction by it
  const latest = writeCookie(tenant, 'interaction', id, INTERACTION_SECONDS)
  const isNew = interactionId === undefined
  const page = next.step === 'sign-in' ? firstPage(experience, request, isNew) : PAGES[next.step]
  // the account pages are none, and lead back to the one that the browser came from before
  const application = request.accountPage === undefined ? [rememberApplication(exchange, client)] : []
  const remembered = [...cookies, latest, ...application]
  return redirectTo(`${tenant.baseUrl}${page}/${id}`, remembered)
}

/** Stores a request that has passed the checks until the browser comes back with its cookies. */
const keepForLater = async (store: Store, exchange: Exchange, client: Client, checked: Parameters): Promise<Answer> => {
  const { tenant } = exchange
  const work = { store, tenant, caller: callerFor(exchange, 'KeepAuthorizationRequest', client) }
  countPushedRequest(work)
  const value = await perform(work, pushRequest, 'pushedRequest', client.id, keepable(checked))
  const named = { client_id: [client.id], request_uri: [requestUriOf(value)] }
  return repeatAsGet(`${tenant.issuer}/auth`, new Map(Object.entries(named)))
}

/** Where the answer goes. What is wrong with a request object is said on a page if the address is only within it. */
const addressOf = (client: Client, { parameters, objection }: OpenedRequest): string => {
  if (objection && !parameters.has('redirect_uri')) throw new OAuthError('invalid_request', objection.description)
  return checkRedirectUri(client, parameters)
}

/** Errors for the application go to its redirect URI; any error before that URI is trusted is a page. */
const begin = async (store: Store, exchange: Exchange, sent: Parameters): Promise<Answer> => {
  const { tenant } = exchange
  const client = await checkClient(store, exchange, sent)
  const arrived = await arrivedRequest(store, exchange, client, sent)
  if ('interactionId' in arrived) return redirectTo(`${tenant.issuer}/auth/${arrived.interactionId}`)
  const arrival = arrived.pushedId === undefined ? 'direct' : 'pushed'
  const opened = await openedRequest(store, tenant, client, arrived.parameters, arrival, store.clock.now())
  const { parameters, objection } = opened
  const redirectUri = addressOf(client, opened)
  checkState(parameters)
  const state = parameters.get('state')?.[0]
  let responseMode: ResponseMode = 'query'
  try {
    responseMode = responseModeOf(parameters)
    if (objection) throw objection
    const hinted = await subjectOfHint(store, tenant, client, parameters.get('id_token_hint')?.[0])
    const checked = await checkRequest(store, tenant, client, redirectUri, parameters, hinted)
    const request = arrived.pushedId === undefined ? checked : { ...checked, pushedId: arrived.pushedId }
    if (isWithoutCookies(exchange)) return await keepForLater(store, exchange, client, parameters)
    return await dispatch(store, exchange, { client, request, state: {} }, await sessionOf(store, exchange))
  } catch (error) {
    if (!(error instanceof AuthorizationError)) throw error
    if (isRefusal(error.code)) {
      const refused = { clientId: client.id, client, redirectUri }
      recordRefusal(store, exchange, 'Interaction.Authorize', error.message, refused)
    }
    const [uiLocales] = parameters.get('ui_locales') ?? []
    const optional = { ...(state === undefined ? {} : { state }), ...(uiLocales ? { uiLocales } : {}) }
    const destination = { clientId: client.id, redirectUri, responseMode, ...optional }
    return earlyErrorResponse(store, exchange, destination, { error, client })
  }
}

export const authorizeEndpoint = (store: Store) =>
  withErrorPage(store, 'Interaction.Authorize', async (exchange) => {
    const parameters = exchange.method === 'POST' ? formOf(exchange) : parseParameters(exchange.queryText)
    if (isWithoutCookies(exchange) && fitsAddress(parameters))
      return repeatAsGet(`${exchange.tenant.issuer}/auth`, parameters)
    return begin(store, exchange, parameters)
  })

export const resumeEndpoint = (store: Store) =>
  withErrorPage(store, 'Interaction.Authorize', async (exchange) => {
    const { tenant, params } = exchange
    const [interaction, session] = await Promise.all([
      findInteraction(store, tenant, params.id ?? '', readCookie(exchange, 'browser')),
      sessionOf(store, exchange),
    ])
    if (!interaction) throw new UnsafeRequestError('interactionGone')
    const client = await clientOfRequest(store, tenant, interaction.request)
    if (!client) throw new UnsafeRequestError('unknownApplication')
    const { pushedId } = interaction.request
    if (pushedId !== undefined && (await isPushedRequestUsed(store, tenant, pushedId)))
      throw new UnsafeRequestError('finishedElsewhere', { clientId: client.id, client })
    const underway = { client, ...interaction, interactionId: interaction.id }
    try {
      return await dispatch(store, exchange, underway, session)
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error
      if (interaction.request.device) return answerDevice(store, exchange, underway, undefined)
      if (interaction.request.backchannel) {
        // who signs in as somebody else has not answered for the user that is asked
        if (error.code === 'login_required') throw new UnsafeRequestError('interactionGone')
        return answerBackchannel(store, exchange, underway, undefined)
      }
      if (interaction.request.accountPage !== undefined) throw new UnsafeRequestError('interactionGone')
      return errorResponse(store, exchange, interaction.request, error)
    }
  })
