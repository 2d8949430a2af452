/** Logout messages of this server on their way to an application, by the binding that the application has (DECISIONS P14). */
import { html } from '@remix-run/html-template'
import type { Client } from '../domain/applications/clients.ts'
import { shownName } from '../domain/applications/look.ts'
import { samlAddressesOf } from '../domain/applications/saml-applications.ts'
import type { LogoutEnd, LogoutRequestTo, Participants } from '../domain/sessions/saml-logouts.ts'
import { verifiedEmailOf } from '../domain/users/rows.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import type { Phrases } from '../languages/en.ts'
import { fill } from '../presentation/language.ts'
import { tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import {
  type LogoutMessage,
  logoutRequest,
  logoutResponse,
  signedAddress,
  signedDocument,
} from '../tokens/saml/logout.ts'
import type { Status } from '../tokens/saml/names.ts'
import { nameIdOf } from '../tokens/saml/subject.ts'
import { type Posted, postPage } from './post-page.ts'
import { activeKeyOf } from './refuse.ts'
import type { ServiceProvider } from './service-provider.ts'

/** As form-action has it: of an address that is led to later only the protocol counts. */
const ANY_APPLICATION = 'https://application.invalid'

/** Where a page of a sign-out may lead: to this server and to applications, one after the other. */
export const onwardOf = ({ tenant }: Exchange): string[] => [tenant.baseUrl, ANY_APPLICATION]

/** Success, but not of all: some could not be reached or did not answer (saml2-core section 3.7.3.2). */
export const statusOf = ({ isPartial }: Pick<Participants, 'isPartial'>): Status =>
  isPartial ? { code: 'Success', detail: 'PartialLogout' } : { code: 'Success' }

const signingOutOf =
  (client: Client) =>
  ({ signingOutLead }: Phrases): string =>
    fill(signingOutLead, { application: shownName(client) })

/**
 * Browsers follow about twenty redirects in a row, and each application takes at least three. A page of ours that leads on by itself begins
 * a new row.
 */
const PAGE_EVERY = 4

const leadOn = async (store: Store, exchange: Exchange, client: Client, address: string): Promise<Answer> => {
  const page = await tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.backTitle,
    application: client,
    body: html`<h1 id="title">${phrases.backTitle}</h1>
<p class="lead">${signingOutOf(client)(phrases)}</p>
<a class="button" id="continue" href="${address}">${phrases.continue}</a>`,
  }))
  return { ...page, headers: { ...page.headers, refresh: `0; url=${address}` } }
}

type SingleLogout = NonNullable<ServiceProvider['settings']['singleLogout']>

const send = async (
  store: Store,
  exchange: Exchange,
  provider: ServiceProvider,
  { binding }: SingleLogout,
  message: LogoutMessage,
  { isAfterPage = false, ...more }: Pick<Posted, 'relayState' | 'lead'> & { readonly isAfterPage?: boolean },
): Promise<Answer> => {
  const key = activeKeyOf(provider)
  if (binding.endsWith(':HTTP-Redirect')) {
    const address = signedAddress(message, key, more.relayState)
    return isAfterPage ? leadOn(store, exchange, provider.client, address) : redirectTo(address)
  }
  const { name, destination } = message
  const posted = { name, destination, xml: signedDocument(message, key), onward: onwardOf(exchange), ...more }
  return postPage(store, exchange, provider.client, posted)
}

/** Answers the request with which the application began. Throws SamlRefusal for an application without single logout or key. */
export const answerLogout = (
  store: Store,
  exchange: Exchange,
  provider: ServiceProvider,
  singleLogout: SingleLogout,
  { requestId, relayState }: Omit<Extract<LogoutEnd, { kind: 'application' }>, 'kind' | 'applicationId'>,
  status: Status,
): Promise<Answer> => {
  const envelope = {
    issuer: samlAddressesOf(exchange.tenant, provider.client.id).metadata,
    destination: singleLogout.url,
    inResponseTo: requestId,
    now: store.clock.now(),
  }
  return send(store, exchange, provider, singleLogout, logoutResponse(envelope, status), { relayState })
}

/**
 * Asks an application to end its session. Undefined: it cannot be asked any more, such as when its settings have changed, when it has no
 * key that signs, or when the user no longer has the address that it knows them by.
 */
export const requestLogout = async (
  store: Store,
  exchange: Exchange,
  provider: ServiceProvider,
  { requestId, sessionId, position, ...named }: LogoutRequestTo,
): Promise<Answer | undefined> => {
  const { tenant } = exchange
  const { settings, client } = provider
  const { singleLogout } = settings
  if (!singleLogout || !provider.keys.some(({ isActive }) => isActive)) return undefined
  const verifiedEmail = await verifiedEmailOf(store, tenant, named.userId)
  const nameId = nameIdOf(store.vault, tenant, settings, { ...named, sessionId, verifiedEmail })
  if (!nameId) return undefined
  const { metadata: issuer } = samlAddressesOf(tenant, client.id)
  const envelope = { issuer, destination: singleLogout.url, now: store.clock.now() }
  const who = { nameId, audience: settings.entityId ?? '', sessionIndex: sessionId }
  return send(store, exchange, provider, singleLogout, logoutRequest(requestId, envelope, who), {
    lead: signingOutOf(client),
    isAfterPage: position % PAGE_EVERY === PAGE_EVERY - 1,
  })
}
