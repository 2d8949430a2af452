/**
 * The way back to the application that sent a user to the account pages. Its address has to be one that is registered for the
 * application, byte for byte, each time it is shown: what the browser keeps is not trusted (SECURITY R-22).
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { type Client, findClient, homeOf } from '../../domain/applications/clients.ts'
import { shownName } from '../../domain/applications/look.ts'
import { readCookie, writeCookie } from '../../http/cookies.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Parameters } from '../../http/parameters.ts'
import { fill, type Language } from '../../presentation/language.ts'
import { applicationBefore, rememberApplication } from '../../presentation/onward.ts'
import type { Store } from '../../storage/store.ts'

const COOKIE = 'return-to'
const LONGEST = 2048

/** Whether an address is a web address that is registered for the application, to return to after a sign-in or a sign-out. */
const isRegistered = ({ redirectUris, postLogoutRedirectUris }: Client, address: string): boolean =>
  /^https?:\/\//.test(address) &&
  !address.includes('*') &&
  [...redirectUris, ...postLogoutRedirectUris].includes(address)

/** Set-Cookie values for what a link of an application says: `client_id`, and `return_to` where it is registered. */
export const rememberReturn = async (store: Store, exchange: Exchange, query: Parameters): Promise<string[]> => {
  const [id = ''] = query.get('client_id') ?? []
  const client = /^[0-9a-z-]{1,21}$/.test(id) ? await findClient(store, exchange.tenant, id) : undefined
  if (!client) return []
  const [address = ''] = query.get('return_to') ?? []
  const isKept = address.length <= LONGEST && isRegistered(client, address)
  const kept = isKept
    ? writeCookie(exchange.tenant, COOKIE, Buffer.from(address).toString('base64url'))
    : writeCookie(exchange.tenant, COOKIE, '', 0)
  return [rememberApplication(exchange, client), kept]
}

const asked = async (store: Store, exchange: Exchange): Promise<{ client?: Client | undefined; address: string }> => {
  const { queryText, tenant } = exchange
  const query = new URLSearchParams(queryText)
  const id = query.get('client_id') ?? ''
  const now = /^[0-9a-z-]{1,21}$/.test(id) ? await findClient(store, tenant, id) : undefined
  if (now) return { client: now, address: query.get('return_to') ?? '' }
  const address = Buffer.from(readCookie(exchange, COOKIE) ?? '', 'base64url').toString()
  return { client: await applicationBefore(store, exchange), address }
}

/** "Back to …", to the address that the application asked for, or to where it is; nothing where neither is known. */
export const backLink = async (store: Store, exchange: Exchange, { phrases }: Language): Promise<SafeHtml> => {
  const { client, address } = await asked(store, exchange)
  if (!client) return html``
  const target = isRegistered(client, address) ? address : homeOf(client)
  if (target === undefined) return html``
  const label = fill(phrases.backToApplication, { application: shownName(client) })
  return html`<p class="back"><a id="back" href="${target}" rel="noreferrer">${label}</a></p>`
}
