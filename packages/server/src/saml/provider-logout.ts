/**
 * Single logout between a SAML connector and its identity provider (saml-profiles-2.0-os, section 4.4; DECISIONS P20): GET and POST
 * /enterprise-sso/:connectorId/logout. A request of the provider ends the sessions that were made there, and with them those of our
 * applications, before it is answered; a response leads a user who has signed out here back to the application.
 */
import { type SsoConnector, ssoConnectorOfSignIn } from '../domain/federation/enterprise/connectors.ts'
import { logoutIdentityProvider, logoutServiceProvider } from '../domain/federation/enterprise/saml-logout.ts'
import { FederationFailure } from '../domain/federation/failure.ts'
import { takeLogout } from '../domain/federation/saml/kept-visits.ts'
import type { SamlIdentityProvider, ServiceProvider } from '../domain/federation/saml/provider.ts'
import { decryptedNameId } from '../domain/federation/saml/response.ts'
import {
  beginSamlLogout,
  SAML_LOGOUT_COOKIE,
  SAML_LOGOUT_PATH,
  SAML_LOGOUT_SECONDS,
} from '../domain/sessions/saml-logouts.ts'
import { endSamlSessions } from '../domain/sign-in/enterprise-sessions.ts'
import { callerOf } from '../http/caller-of.ts'
import { writeCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { formParameters, parseParameters } from '../http/parameters.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { type Incoming, type Received, readPost, readRedirect, receive } from '../tokens/saml/incoming.ts'
import { encryptedIdIn, readLogoutRequest, readLogoutResponse } from '../tokens/saml/requests.ts'
import { statusOf } from './logout-messages.ts'
import { answerProvider } from './provider-answer.ts'
import { pageFor, SamlRefusal } from './refusal-page.ts'

/** Of one user at one identity provider. */
const MOST_SESSIONS = 20

const ACTION = 'Saml.Logout'

/** A message, with the two parties. */
interface Arrived extends Received {
  readonly us: ServiceProvider
  readonly idp: SamlIdentityProvider
}

const refuse = (reason: string): never => {
  throw new SamlRefusal('malformed', reason)
}

const connectorOf = async (store: Store, { tenant, params }: Exchange): Promise<SsoConnector> => {
  const { connectorId = '' } = params
  const found = /^[0-9a-z]{21}$/.test(connectorId) ? await ssoConnectorOfSignIn(store, tenant, connectorId) : undefined
  if (!found?.isComplete || found.preset.providerType !== 'saml')
    throw new SamlRefusal('malformed', 'there is no SAML connector with this id', 404)
  return found
}

/** The message, of which nothing is read that the identity provider has not signed with one of its keys, or one that it has newly published. */
const verified = async (
  store: Store,
  exchange: Exchange,
  connector: SsoConnector,
  incoming: Incoming,
  name: string,
): Promise<Arrived> => {
  const us = await logoutServiceProvider(store, exchange.tenant, connector)
  const by = (idp: SamlIdentityProvider): Arrived => {
    const received = receive(incoming, name, idp.certificates)
    if (!received.isSigned)
      refuse('the message is not signed, or the identity provider has no certificate that is valid')
    return { ...received, us, idp }
  }
  const at = { store, tenant: exchange.tenant }
  const known = await logoutIdentityProvider(at, connector)
  try {
    return by(known)
  } catch (error) {
    const isByUnknownKey = error instanceof Error && error.message.includes('signature is not by')
    if (!isByUnknownKey || connector.config.metadataUrl === undefined) throw error
    return by(await logoutIdentityProvider(at, connector, true))
  }
}

const answerRequest = async (store: Store, exchange: Exchange, connector: SsoConnector, incoming: Incoming) => {
  const arrived = await verified(store, exchange, connector, incoming, 'LogoutRequest')
  const { root, isSigned, us, idp } = arrived
  const encrypted = encryptedIdIn(root)
  const decrypted = encrypted && (await decryptedNameId(encrypted, us))
  const saidAt = store.clock.now()
  const request = readLogoutRequest(root, us.logout, isSigned, saidAt, decrypted)
  if (request.issuer !== idp.entityId) refuse('the Issuer is not the identity provider of the connector')
  const { nameId, sessionIndexes } = request
  if (sessionIndexes.length > MOST_SESSIONS) refuse(`it names more than ${MOST_SESSIONS} sessions`)
  const named = sessionIndexes.length > 0 ? { sessionIds: sessionIndexes } : {}
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, ACTION) }
  const said = { issuer: idp.entityId, nameId, saidAt, ...named }
  const participants = await perform(work, endSamlSessions, connector.id, request.id, said)
  if (!participants) return refuse('the request has been used before')
  const asked = {
    connectorId: connector.id,
    requestId: request.id,
    ...(arrived.relayState === undefined ? {} : { relayState: arrived.relayState }),
  }
  if (participants.reachable.length === 0)
    return answerProvider(store, exchange, arrived, asked, statusOf(participants))
  const secret = await perform(work, beginSamlLogout, participants, { kind: 'provider', ...asked })
  const cookie = writeCookie(exchange.tenant, SAML_LOGOUT_COOKIE, secret, SAML_LOGOUT_SECONDS)
  return redirectTo(`${exchange.tenant.baseUrl}${SAML_LOGOUT_PATH}`, [cookie])
}

/** Whatever the status says, the user has signed out here and goes back. */
const readAnswer = async (store: Store, exchange: Exchange, connector: SsoConnector, incoming: Incoming) => {
  const { root, isSigned, us, idp, relayState } = await verified(store, exchange, connector, incoming, 'LogoutResponse')
  const response = readLogoutResponse(root, us.logout, isSigned, store.clock.now())
  if (response.issuer !== idp.entityId) refuse('the Issuer is not the identity provider of the connector')
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, ACTION) }
  const visit = await perform(work, takeLogout, connector.id, relayState ?? '')
  if (visit?.logoutId === undefined || visit.logoutId !== response.inResponseTo)
    return refuse('it answers no request that was sent (InResponseTo)')
  if (response.status !== 'Success') {
    const about = { tenant: exchange.tenant.id, connectorId: connector.id, status: response.status }
    store.log.warn(about, 'an identity provider did not end all sessions of a user')
  }
  return redirectTo(visit.returnTo)
}

export const providerLogout =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    const { connectorId } = exchange.params
    try {
      const connector = await connectorOf(store, exchange)
      const isPost = exchange.method === 'POST'
      const parameters = isPost ? formParameters(exchange) : parseParameters(exchange.queryText)
      if (!parameters) return refuse('the body must be application/x-www-form-urlencoded')
      const isResponse = parameters.has('SAMLResponse')
      if (isResponse && parameters.has('SAMLRequest')) return refuse('it is a request and a response')
      const name = isResponse ? 'SAMLResponse' : 'SAMLRequest'
      const incoming = isPost ? readPost(parameters, name) : readRedirect(exchange.queryText, parameters, name)
      return await (isResponse ? readAnswer : answerRequest)(store, exchange, connector, incoming)
    } catch (error) {
      const failure = error instanceof FederationFailure ? new SamlRefusal('malformed', error.message) : error
      return pageFor(store, exchange, ACTION, failure, { connectorId })
    }
  }
