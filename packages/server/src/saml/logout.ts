/**
 * Single logout that an application starts (saml2-profiles section 4.4): GET and POST /api/saml/:id/slo, where applications send their
 * answers to requests of this server too. The request has to be
 * signed, so that no other site can sign users out (DECISIONS P14); the session is the one that it names, because browsers withhold cookies from
 * forms of other sites. All other applications of the session are notified as at any sign-out, and the browser is led through those of
 * SAML before the request is answered.
 */
import { summaryOf } from '../domain/applications/clients.ts'
import { samlAddressesOf } from '../domain/applications/saml-applications.ts'
import { isFirstLogout } from '../domain/federation/saml/kept-visits.ts'
import { leaveSession, userInSession } from '../domain/sessions/application-sessions.ts'
import {
  beginSamlLogout,
  type Participants,
  participantsOf,
  SAML_LOGOUT_COOKIE,
  SAML_LOGOUT_PATH,
  SAML_LOGOUT_SECONDS,
} from '../domain/sessions/saml-logouts.ts'
import { endSession, findSession } from '../domain/sessions/sessions.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie, withCookies, writeCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { formParameters, type Parameters, parseParameters } from '../http/parameters.ts'
import type { Store } from '../storage/store.ts'
import { operation, perform } from '../storage/unit-of-work.ts'
import { type Incoming, readPost, readRedirect, receive } from '../tokens/saml/incoming.ts'
import type { Status } from '../tokens/saml/names.ts'
import { type LogoutRequest, readLogoutRequest } from '../tokens/saml/requests.ts'
import { nameIdOf } from '../tokens/saml/subject.ts'
import { answerLogout, statusOf } from './logout-messages.ts'
import { takeLogoutResponse } from './logout-response.ts'
import { forServiceProvider, SamlRefusal, withRefusalPage } from './refusal-page.ts'
import type { ServiceProvider } from './service-provider.ts'

/** Of one user at one application. */
const MOST_SESSIONS = 20

interface LoggedOut {
  readonly sessionIds: readonly string[]
  /** The other applications of the sessions. */
  readonly others: Participants
}

/**
 * Ends the sessions that are of the user and in which the application takes part; those that have ended are not an error.
 * Undefined: one is of another user, and nothing changes. `used`: the request was used before, and nothing changes.
 */
const loggedOut = operation(
  [],
  async (
    unit,
    { client, settings }: ServiceProvider,
    { id, nameId }: LogoutRequest,
    sessionIds: readonly string[],
  ): Promise<LoggedOut | 'used' | undefined> => {
    if (!(await isFirstLogout(unit, `application ${client.id}`, id))) return 'used'
    const found = []
    for (const sessionId of sessionIds) {
      const user = await userInSession(unit, sessionId, client.id)
      if (!user) continue
      const named = { ...user, applicationId: client.id, sessionId }
      if (nameIdOf(unit.vault, unit.tenant, settings, named)?.value !== nameId) return undefined
      found.push(named)
    }
    const ending = found.map(({ sessionId }) => sessionId)
    const others = await participantsOf(unit, ending, client.id)
    for (const { sessionId, userId } of found) {
      await leaveSession(unit, sessionId, client.id)
      await endSession(unit, sessionId)
      unit.note({ userId, sessionId, applicationId: client.id })
    }
    return { sessionIds: ending, others }
  },
)

const answer = async (store: Store, exchange: Exchange, provider: ServiceProvider, incoming: Incoming) => {
  const { tenant } = exchange
  const { settings, client } = provider
  const { singleLogout } = settings
  if (!singleLogout) throw new SamlRefusal('malformed', 'the application has no single logout', 404)
  const { root, isSigned, relayState } = receive(incoming, 'LogoutRequest', settings.requestCertificates)
  if (!isSigned) throw new SamlRefusal('malformed', 'the request is not signed')
  const request = readLogoutRequest(root, samlAddressesOf(tenant, client.id).logout, isSigned, store.clock.now())
  if (settings.entityId === null || request.issuer !== settings.entityId)
    throw new SamlRefusal('malformed', 'the Issuer is not the entityId of the application')
  const own = await findSession(store, tenant, readCookie(exchange, 'session'))
  const named = request.sessionIndexes.length > 0 ? request.sessionIndexes : own ? [own.id] : []
  if (named.length > MOST_SESSIONS) throw new SamlRefusal('malformed', `it names more than ${MOST_SESSIONS} sessions`)
  const caller = callerOf(exchange, 'SamlApplication.LogoutRequest', { application: summaryOf(client) })
  const work = { store, tenant, caller }
  const ended = await perform(work, loggedOut, provider, request, [...new Set(named)])
  if (ended === 'used') throw new SamlRefusal('malformed', 'the request has been used before')
  const isOver = own !== undefined && ended?.sessionIds.includes(own.id) === true
  const cookies = isOver ? [writeCookie(tenant, 'session', '', 0)] : []
  const end = { requestId: request.id, ...(relayState === undefined ? {} : { relayState }) }
  if (ended && ended.others.reachable.length > 0) {
    const asked = { kind: 'application', applicationId: client.id, ...end } as const
    const secret = await perform(work, beginSamlLogout, ended.others, asked)
    const cookie = writeCookie(tenant, SAML_LOGOUT_COOKIE, secret, SAML_LOGOUT_SECONDS)
    return redirectTo(`${tenant.baseUrl}${SAML_LOGOUT_PATH}`, [...cookies, cookie])
  }
  const status: Status = ended ? statusOf(ended.others) : { code: 'Requester', detail: 'UnknownPrincipal' }
  return withCookies(await answerLogout(store, exchange, provider, singleLogout, end, status), cookies)
}

/** Both kinds of message arrive at the same address. */
const logout = (store: Store, exchange: Exchange, parameters: Parameters, read: typeof readPost): Promise<Answer> => {
  if (!parameters.has('SAMLResponse'))
    return forServiceProvider(store, 'SamlApplication.LogoutRequest', async (_, provider) =>
      answer(store, exchange, provider, read(parameters, 'SAMLRequest')),
    )(exchange)
  return forServiceProvider(store, 'SamlApplication.LogoutResponse', async (_, provider) =>
    takeLogoutResponse(store, exchange, provider, read(parameters, 'SAMLResponse')),
  )(exchange)
}

export const redirectLogout = (store: Store) =>
  withRefusalPage(store, 'SamlApplication.LogoutRequest', async (exchange) =>
    logout(store, exchange, parseParameters(exchange.queryText), (parameters, name) =>
      readRedirect(exchange.queryText, parameters, name),
    ),
  )

export const postLogout = (store: Store) =>
  withRefusalPage(store, 'SamlApplication.LogoutRequest', async (exchange) => {
    const parameters = formParameters(exchange)
    if (!parameters) throw new SamlRefusal('malformed', 'the body must be application/x-www-form-urlencoded')
    return logout(store, exchange, parameters, readPost)
  })
