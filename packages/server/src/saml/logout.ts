/**
 * Single logout that an application starts (saml2-profiles section 4.4): GET and POST /api/saml/:id/slo. The request has to be
 * signed, so that no other site can sign users out (DECISIONS P14); the session is the one that it names, because browsers withhold cookies from
 * forms of other sites. All other applications of the session are notified as at any sign-out.
 */
import { summaryOf } from '../domain/applications/clients.ts'
import { samlAddressesOf } from '../domain/applications/saml-applications.ts'
import { leaveSession, userInSession } from '../domain/sessions/application-sessions.ts'
import { endSession, findSession } from '../domain/sessions/sessions.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie, withCookies, writeCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { formParameters, parseParameters } from '../http/parameters.ts'
import type { Store } from '../storage/store.ts'
import { operation, perform } from '../storage/unit-of-work.ts'
import { type Incoming, readPost, readRedirect, receive } from '../tokens/saml/incoming.ts'
import { logoutRedirect, logoutResponse } from '../tokens/saml/logout.ts'
import type { Status } from '../tokens/saml/names.ts'
import { type LogoutRequest, readLogoutRequest } from '../tokens/saml/requests.ts'
import { nameIdOf } from '../tokens/saml/subject.ts'
import { postPage } from './post-page.ts'
import { forServiceProvider, SamlRefusal } from './refusal-page.ts'
import { activeKeyOf } from './refuse.ts'
import type { ServiceProvider } from './service-provider.ts'

/** Of one user at one application. */
const MOST_SESSIONS = 20

/**
 * Ends the sessions that are of the user and in which the application takes part; those that have ended are not an error. Returns
 * their ids; undefined: one is of another user, and nothing changes.
 */
const loggedOut = operation(
  [],
  async (
    unit,
    { client, settings }: ServiceProvider,
    { nameId }: LogoutRequest,
    sessionIds: readonly string[],
  ): Promise<readonly string[] | undefined> => {
    const found = []
    for (const sessionId of sessionIds) {
      const user = await userInSession(unit, sessionId, client.id)
      if (!user) continue
      const named = { ...user, applicationId: client.id, sessionId }
      if (nameIdOf(unit.vault, unit.tenant, settings, named)?.value !== nameId) return undefined
      found.push(named)
    }
    for (const { sessionId, userId } of found) {
      await leaveSession(unit, sessionId, client.id)
      await endSession(unit, sessionId)
      unit.note({ userId, sessionId, applicationId: client.id })
    }
    return found.map(({ sessionId }) => sessionId)
  },
)

const respond = async (
  store: Store,
  exchange: Exchange,
  provider: ServiceProvider,
  { url, binding }: NonNullable<ServiceProvider['settings']['singleLogout']>,
  request: LogoutRequest,
  status: Status,
  relayState: string | undefined,
): Promise<Answer> => {
  const { client } = provider
  const envelope = {
    issuer: samlAddressesOf(exchange.tenant, client.id).metadata,
    destination: url,
    inResponseTo: request.id,
    now: store.clock.now(),
  }
  const key = activeKeyOf(provider)
  if (binding.endsWith(':HTTP-Redirect')) return redirectTo(logoutRedirect(envelope, status, key, relayState))
  return postPage(store, exchange, client, url, logoutResponse(envelope, status, key), relayState)
}

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
  const ended = await perform({ store, tenant, caller }, loggedOut, provider, request, [...new Set(named)])
  const status: Status = ended ? { code: 'Success' } : { code: 'Requester', detail: 'UnknownPrincipal' }
  const response = await respond(store, exchange, provider, singleLogout, request, status, relayState)
  const isOver = own !== undefined && ended?.includes(own.id) === true
  return isOver ? withCookies(response, [writeCookie(tenant, 'session', '', 0)]) : response
}

export const redirectLogout = (store: Store) =>
  forServiceProvider(store, 'SamlApplication.LogoutRequest', async (exchange, provider) => {
    const incoming = readRedirect(exchange.queryText, parseParameters(exchange.queryText), 'SAMLRequest')
    return answer(store, exchange, provider, incoming)
  })

export const postLogout = (store: Store) =>
  forServiceProvider(store, 'SamlApplication.LogoutRequest', async (exchange, provider) => {
    const parameters = formParameters(exchange)
    if (!parameters) throw new SamlRefusal('malformed', 'the body must be application/x-www-form-urlencoded')
    return answer(store, exchange, provider, readPost(parameters, 'SAMLRequest'))
  })
