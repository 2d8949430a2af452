/**
 * Single sign-on (saml2-profiles section 4.1): GET and POST /api/saml/:id/authn take a request, or begin a sign-in without one
 * where the application allows it. What is checked becomes an authorization request of the application to this very server, so
 * that every rule of sign-in holds; its end is callback.ts.
 */
import { type Client, samlCallbackOf, summaryOf } from '../domain/applications/clients.ts'
import { samlAddressesOf } from '../domain/applications/saml-applications.ts'
import { keepSamlRequest, type SamlRequest } from '../domain/applications/saml-requests.ts'
import { countPushedRequest } from '../domain/credentials/address-failures.ts'
import { pushRequest, requestUriOf } from '../domain/issued/pushed-requests.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { formParameters, parseParameters } from '../http/parameters.ts'
import type { Store } from '../storage/store.ts'
import { operation, perform } from '../storage/unit-of-work.ts'
import { type Incoming, LONGEST_RELAY_STATE, readPost, readRedirect, receive } from '../tokens/saml/incoming.ts'
import type { Status } from '../tokens/saml/names.ts'
import { type AuthnRequest, readAuthnRequest } from '../tokens/saml/requests.ts'
import { acrFor } from './authn-context.ts'
import { forServiceProvider, SamlRefusal } from './refusal-page.ts'
import { refuseToProvider } from './refuse.ts'
import type { ServiceProvider } from './service-provider.ts'

/** Where the response goes: a registered address, whatever the request names. Throws SamlRefusal. */
const acsUrlOf = ({ settings }: ServiceProvider, request?: AuthnRequest): string => {
  if (!settings.acsUrl)
    throw new SamlRefusal('unregisteredRedirectUri', 'the application has no Assertion Consumer Service yet')
  const registered = [settings.acsUrl.url, ...settings.otherAcsUrls]
  const asked = request?.acsIndex === undefined ? (request?.acsUrl ?? registered[0]) : registered[request.acsIndex]
  if (asked === undefined || !registered.includes(asked))
    throw new SamlRefusal(
      'unregisteredRedirectUri',
      'the request names an Assertion Consumer Service that is not registered for the application',
    )
  return asked
}

/** What this server cannot do although the request may ask for it; the application is told. */
const objectionTo = (request: AuthnRequest, { settings }: ServiceProvider): Status | undefined => {
  const { nameIdFormat: format, isPostWanted, forceAuthn, isPassive } = request
  if (!isPostWanted) return { code: 'Requester', detail: 'UnsupportedBinding' }
  if (format !== undefined && !format.endsWith(':unspecified') && format !== settings.nameIdFormat)
    return { code: 'Requester', detail: 'InvalidNameIDPolicy', message: `the application has ${settings.nameIdFormat}` }
  if (acrFor(request.contexts) === 'impossible') return { code: 'Responder', detail: 'NoAuthnContext' }
  if (forceAuthn && isPassive) return { code: 'Responder', detail: 'NoPassive' }
  return undefined
}

const begun = operation(
  [],
  async (
    unit,
    client: Client,
    request: SamlRequest,
    wishes: Readonly<Record<string, string>>,
  ): Promise<string | undefined> => {
    const state = await keepSamlRequest(unit, client.id, request)
    if (state === undefined) return undefined
    const parameters = {
      client_id: client.id,
      redirect_uri: samlCallbackOf(unit.tenant, client.id),
      response_type: 'code',
      scope: 'openid',
      state,
      ...wishes,
    }
    const lists = Object.entries(parameters).map(([name, value]) => [name, [value]] as const)
    return pushRequest.run(unit, 'pushedRequest', client.id, Object.fromEntries(lists))
  },
)

const begin = async (
  store: Store,
  exchange: Exchange,
  { client }: ServiceProvider,
  request: SamlRequest,
  wishes: Readonly<Record<string, string>>,
): Promise<Answer> => {
  const { tenant } = exchange
  const caller = callerOf(exchange, 'SamlApplication.AuthnRequest', { application: summaryOf(client) })
  const work = { store, tenant, caller }
  countPushedRequest(work)
  const value = await perform(work, begun, client, request, wishes)
  if (value === undefined) throw new SamlRefusal('pushedRequestGone', 'a request with this ID was answered before')
  const named = new URLSearchParams({ client_id: client.id, request_uri: requestUriOf(value) })
  return redirectTo(`${tenant.issuer}/auth?${named}`)
}

/** What the sign-in has to be like, as parameters of an authorization request. */
const wishesOf = ({ forceAuthn, isPassive, subject, contexts }: AuthnRequest): Record<string, string> => {
  const acr = acrFor(contexts)
  return {
    ...(isPassive ? { prompt: 'none' } : forceAuthn ? { prompt: 'login' } : {}),
    ...(subject?.includes('@') ? { login_hint: subject.slice(0, 256) } : {}),
    ...(acr === undefined ? {} : { acr_values: acr }),
  }
}

const answer = async (
  store: Store,
  exchange: Exchange,
  provider: ServiceProvider,
  incoming: Incoming,
): Promise<Answer> => {
  const { settings, client } = provider
  const { signOn } = samlAddressesOf(exchange.tenant, client.id)
  const { root, isSigned, relayState } = receive(incoming, 'AuthnRequest', settings.requestCertificates)
  const request = readAuthnRequest(root, signOn, isSigned, store.clock.now())
  if (settings.entityId === null || request.issuer !== settings.entityId)
    throw new SamlRefusal('malformed', 'the Issuer is not the entityId of the application')
  if (settings.requireSignedRequests && !isSigned)
    throw new SamlRefusal('malformed', 'the request is not signed, which the application requires')
  const acsUrl = acsUrlOf(provider, request)
  const kept: SamlRequest = {
    id: request.id,
    acsUrl,
    ...(relayState === undefined ? {} : { relayState }),
    ...(request.subject === undefined ? {} : { subject: request.subject }),
    ...(request.contexts === undefined ? {} : { classes: request.contexts.classes }),
  }
  const objection = objectionTo(request, provider)
  if (objection) return refuseToProvider(store, exchange, provider, kept, objection)
  return begin(store, exchange, provider, kept, wishesOf(request))
}

/** Without a request the sign-in begins here, for a page that lists applications. */
const startHere = (store: Store, exchange: Exchange, provider: ServiceProvider, relayState: string | undefined) => {
  if (!provider.settings.allowIdpInitiated)
    throw new SamlRefusal(
      'malformed',
      'the parameter SAMLRequest is missing, and no sign-in to the application starts here',
    )
  if (relayState !== undefined && relayState.length > LONGEST_RELAY_STATE)
    throw new SamlRefusal('malformed', `RelayState is longer than ${LONGEST_RELAY_STATE} characters`)
  const request = { acsUrl: acsUrlOf(provider), ...(relayState === undefined ? {} : { relayState }) }
  return begin(store, exchange, provider, request, {})
}

export const redirectSignOn = (store: Store) =>
  forServiceProvider(store, 'SamlApplication.AuthnRequest', async (exchange, provider) => {
    const parameters = parseParameters(exchange.queryText)
    if (!parameters.has('SAMLRequest')) return startHere(store, exchange, provider, parameters.get('RelayState')?.[0])
    return answer(store, exchange, provider, readRedirect(exchange.queryText, parameters, 'SAMLRequest'))
  })

export const postSignOn = (store: Store) =>
  forServiceProvider(store, 'SamlApplication.AuthnRequest', async (exchange, provider) => {
    const parameters = formParameters(exchange)
    if (!parameters) throw new SamlRefusal('malformed', 'the body must be application/x-www-form-urlencoded')
    return answer(store, exchange, provider, readPost(parameters, 'SAMLRequest'))
  })
