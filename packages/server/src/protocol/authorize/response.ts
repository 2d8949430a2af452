/**
 * The authorization response: query and form_post, always with `iss` (RFC 9207), always 303 (RFC 9700 section 4.12); or the same as one
 * JWT (JARM), which has `iss` within.
 */
import { html } from '@remix-run/html-template'
import { findClient } from '../../domain/applications/clients.ts'
import type { AuthorizationRequest } from '../../domain/sign-in/interactions.ts'
import { type Answer, type Exchange, redirectTo } from '../../http/exchange.ts'
import { pageScript } from '../../http/page-script.ts'
import type { Tenant } from '../../kernel/tenant.ts'
import { tenantPage } from '../../presentation/tenant-page.ts'
import type { Store } from '../../storage/store.ts'
import { authorizationResponseJwt } from '../../tokens/signed-responses.ts'
import { type AuthorizationError, UnsafeRequestError } from './authorization-error.ts'

type Parameters = readonly (readonly [string, string])[]

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
${parameters.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button id="continue" type="submit">${phrases.continue}</button>
</form>
${pageScript('SUBMIT')}`,
    }),
    uiLocales,
  )

/** Query parameters are added to those that the registered URI already has (RFC 6749 section 3.1.2). */
const redirect = ({ redirectUri }: Destination, parameters: Parameters): Answer => {
  const query = new URLSearchParams(parameters.map(([name, value]) => [name, value])).toString()
  const separator = redirectUri.includes('?') ? '&' : '?'
  return redirectTo(`${redirectUri}${separator}${query}`)
}

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

const respond = async (
  store: Store,
  exchange: Exchange,
  destination: Destination,
  own: Parameters,
): Promise<Answer> => {
  const { state, responseMode } = destination
  const plain = [...own, ...(state === undefined ? [] : [['state', state] as const])]
  const parameters = responseMode.endsWith('.jwt')
    ? [['response', await jwtOf(store, exchange.tenant, destination, plain)] as const]
    : [...plain, ['iss', exchange.tenant.issuer] as const]
  return responseMode.startsWith('form_post')
    ? formPost(store, exchange, destination, parameters)
    : redirect(destination, parameters)
}

export const codeResponse = (
  store: Store,
  exchange: Exchange,
  destination: Destination,
  code: string,
): Promise<Answer> => respond(store, exchange, destination, [['code', code]])

export const errorResponse = (
  store: Store,
  exchange: Exchange,
  destination: Destination,
  { code, description }: AuthorizationError,
): Promise<Answer> =>
  respond(store, exchange, destination, [
    ['error', code],
    ['error_description', description],
  ])
