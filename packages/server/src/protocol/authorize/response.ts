/**
 * The authorization response: query and form_post, always with `iss` (RFC 9207), always 303 (RFC 9700 section 4.12); or the same as one
 * JWT (JARM), which has `iss` within.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { type Client, findClient } from '../../domain/applications/clients.ts'
import { shownName } from '../../domain/applications/look.ts'
import type { AuthorizationRequest } from '../../domain/sign-in/interactions.ts'
import { type Answer, type Exchange, redirectTo } from '../../http/exchange.ts'
import { pageScript } from '../../http/page-script.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { fill } from '../../presentation/language.ts'
import { tenantPage } from '../../presentation/tenant-page.ts'
import type { Store } from '../../storage/store.ts'
import { authorizationResponseJwt } from '../../tokens/signed-responses.ts'
import { type AuthorizationError, UnsafeRequestError } from './authorization-error.ts'

type Parameters = readonly (readonly [string, string])[]

const fieldsOf = (parameters: Parameters): SafeHtml =>
  html`${parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`

/** A page that posts the parameters; without JavaScript there is a button (OAuth 2.0 Form Post Response Mode). */
const formPost = (
  store: Store,
  exchange: Exchange,
  { redirectUri, uiLocales }: Destination,
  parameters: Parameters,
): Promise<Answer> =>
  tenantPage(
    store,
    exchange,
    ({ phrases }) => ({
      title: phrases.backTitle,
      formTargets: [redirectUri],
      body: html`<h1 id="title">${phrases.backTitle}</h1>
<p class="lead">${phrases.backLead}</p>
<form method="post" action="${redirectUri}">
${fieldsOf(parameters)}
<button id="continue" type="submit">${phrases.continue}</button>
</form>
${pageScript('SUBMIT')}`,
    }),
    uiLocales,
  )

/** Query parameters are added to those that the registered URI already has (RFC 6749 section 3.1.2). */
const addressWith = ({ redirectUri }: Destination, parameters: Parameters): string => {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString()
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`
}

/** Where a redirect URI leads, for people: its host, or the scheme of an application on a device. */
const placeOf = (redirectUri: string): string => {
  const { host, protocol } = new URL(redirectUri)
  return host === '' ? protocol : host
}

/**
 * A page that leads to an application nobody vouches for, only if the user wants it to: who registers an application could otherwise
 * have this server send browsers anywhere, by a request that is refused (RFC 9700 section 4.11.2, SECURITY 74).
 */
const leavePage = (
  store: Store,
  exchange: Exchange,
  { destination, client }: { readonly destination: Destination; readonly client: Client },
  parameters: Parameters,
): Promise<Answer> =>
  tenantPage(
    store,
    exchange,
    ({ phrases }) => {
      const { redirectUri, responseMode } = destination
      const label = fill(phrases.leaveTo, { host: placeOf(redirectUri) })
      return {
        status: 400,
        title: phrases.errorTitle,
        application: client,
        formTargets: [redirectUri],
        body: html`<h1 id="title">${phrases.errorTitle}</h1>
<p class="lead" id="explanation">${fill(phrases.leaveLead, { application: shownName(client) })}</p>
${
  responseMode.startsWith('form_post')
    ? html`<form method="post" action="${redirectUri}">
${fieldsOf(parameters)}
<button id="leave" type="submit" class="quiet">${label}</button>
</form>`
    : html`<p><a id="leave" href="${addressWith(destination, parameters)}" rel="noreferrer">${label}</a></p>`
}`,
      }
    },
    destination.uiLocales,
  )

type Destination = Pick<AuthorizationRequest, 'clientId' | 'redirectUri' | 'responseMode' | 'state' | 'uiLocales'>

const jwtOf = async (
  store: Store,
  tenant: Tenant,
  { clientId }: Destination,
  parameters: Parameters,
): Promise<string> => {
  const client = await findClient(store, tenant, clientId)
  if (!client) throw new UnsafeRequestError('unknownApplication', { clientId })
  return authorizationResponseJwt(store, tenant, client, Object.fromEntries(parameters))
}

/** What the application is told, with what comes with every response. */
const responseParameters = async (
  store: Store,
  exchange: Exchange,
  destination: Destination,
  own: Parameters,
): Promise<Parameters> => {
  const { state, responseMode } = destination
  const plain = [...own, ...(state === undefined ? [] : [['state', state] as const])]
  return responseMode.endsWith('.jwt')
    ? [['response', await jwtOf(store, exchange.tenant, destination, plain)] as const]
    : [...plain, ['iss', exchange.tenant.issuer] as const]
}

const respond = async (
  store: Store,
  exchange: Exchange,
  destination: Destination,
  own: Parameters,
): Promise<Answer> => {
  const parameters = await responseParameters(store, exchange, destination, own)
  return destination.responseMode.startsWith('form_post')
    ? formPost(store, exchange, destination, parameters)
    : redirectTo(addressWith(destination, parameters))
}

export const codeResponse = (
  store: Store,
  exchange: Exchange,
  destination: Destination,
  code: string,
): Promise<Answer> => respond(store, exchange, destination, [['code', code]])

const errorParameters = ({ code, description }: AuthorizationError): Parameters => [
  ['error', code],
  ['error_description', description],
]

export const errorResponse = (
  store: Store,
  exchange: Exchange,
  destination: Destination,
  error: AuthorizationError,
): Promise<Answer> => respond(store, exchange, destination, errorParameters(error))

/**
 * The response to a request that was refused before the user has done anything: to an application that registered itself, on a page
 * that asks first.
 */
export const earlyErrorResponse = async (
  store: Store,
  exchange: Exchange,
  destination: Destination,
  { error, client }: { readonly error: AuthorizationError; readonly client: Client },
): Promise<Answer> => {
  if (client.grantTypes === undefined) return errorResponse(store, exchange, destination, error)
  const parameters = await responseParameters(store, exchange, destination, errorParameters(error))
  return leavePage(store, exchange, { destination, client }, parameters)
}
