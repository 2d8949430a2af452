/** The link onward from a page that ends a flow: signed out, expired, refused, not found. */
import { html, type SafeHtml } from '@remix-run/html-template'
import { type Client, findClient, homeOf, isPossibleId } from '../domain/applications/clients.ts'
import { shownName } from '../domain/applications/look.ts'
import type { SignInSettings } from '../domain/sign-in/experience.ts'
import { readCookie, writeCookie } from '../http/cookies.ts'
import type { Exchange } from '../http/exchange.ts'
import { isDocumentId } from '../kernel/document-ids.ts'
import type { Store } from '../storage/store.ts'
import { fill, type Language } from './language.ts'

const COOKIE = 'application'

/**
 * Set-Cookie: the application that the browser comes from. It identifies no person and is deleted when the browser is
 * closed.
 */
export const rememberApplication = ({ tenant }: Exchange, { id }: Client): string =>
  // nobody vouches for where a client with a document leads
  writeCookie(tenant, COOKIE, isDocumentId(id) ? '' : id)

/**
 * The application that this browser came from last, from the cache. The cookie can be forged, but it leads only to an
 * address that an application of the tenant has registered.
 */
export const applicationBefore = async (store: Store, exchange: Exchange): Promise<Client | undefined> => {
  const id = readCookie(exchange, COOKIE)
  return id !== undefined && isPossibleId(id) && !isDocumentId(id) ? findClient(store, exchange.tenant, id) : undefined
}

/** The address that a page links to: the application's, or the tenant's setting if no application is known. */
export const onwardAddress = (
  { unknownSessionRedirectUrl }: SignInSettings,
  client: Client | undefined,
): string | undefined => (client && homeOf(client)) ?? unknownSessionRedirectUrl ?? undefined

/** A link that looks like a button; nothing if no address is known. */
export const onwardLink = ({ phrases }: Language, settings: SignInSettings, client: Client | undefined): SafeHtml => {
  const address = onwardAddress(settings, client)
  if (address === undefined) return html``
  const label =
    client && homeOf(client) ? fill(phrases.backToApplication, { application: shownName(client) }) : phrases.continue
  return html`<a class="button" id="onward" href="${address}" rel="noreferrer">${label}</a>`
}
