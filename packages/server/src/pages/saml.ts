/**
 * Where SAML identity providers meet a connector: its metadata, the form that posts a request to them, and where they post responses. A
 * response comes from another site, with which browsers send no cookies: it is kept, and the browser asked to come again by GET.
 */
import { html } from '@remix-run/html-template'
import { getSsoConnector, type SsoConnector } from '../domain/federation/enterprise/connectors.ts'
import { findVisit, keepResponse } from '../domain/federation/saml/kept-visits.ts'
import { serviceProvider } from '../domain/federation/saml/provider.ts'
import { serviceProviderMetadata } from '../domain/federation/saml/service-provider-metadata.ts'
import { signingKeys } from '../domain/federation/saml/signing-keys.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import { formParameters, parseParameters } from '../http/parameters.ts'
import { notFound } from '../kernel/api-error.ts'
import { tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { expiredPage } from './interaction-page.ts'
import { submitArrival } from './sso-arrival.ts'

/** A response with many groups, in base64 and percent-encoded. */
export const LONGEST_RESPONSE_FORM = 384 * 1024

/** Throws 404 for what is no SAML connector. */
const samlConnector = async (store: Store, { tenant, params }: Exchange): Promise<SsoConnector> => {
  const { connectorId = '' } = params
  if (!/^[0-9a-z]{21}$/.test(connectorId)) throw notFound('SSO connector', connectorId)
  const connector = await getSsoConnector(store, tenant, connectorId)
  if (connector.preset.providerType !== 'saml') throw notFound('SSO connector', connectorId)
  return connector
}

/** The metadata of a connector, at the address that is its entity ID. */
export const showSamlMetadata = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant } = exchange
  const { id } = await samlConnector(store, exchange)
  const body = serviceProviderMetadata(serviceProvider(tenant, id, await signingKeys(store, tenant, id)))
  return { status: 200, headers: { 'content-type': 'application/samlmetadata+xml' }, body }
}

/** A page that posts the request of a visit, to sign in or out. Without JavaScript there is a button. */
export const showSamlRequest = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { id } = await samlConnector(store, exchange)
  const [relayState = ''] = parseParameters(exchange.queryText).get('visit') ?? []
  const { posted } = (await findVisit(store, exchange.tenant, id, relayState)) ?? {}
  if (!posted) return expiredPage(store, exchange)
  const fields = Object.entries(posted.fields ?? {})
  return tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.backTitle,
    formTargets: [posted.address],
    body: html`<h1 id="title">${phrases.backTitle}</h1>
<form method="post" action="${posted.address}">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button id="continue" type="submit">${phrases.continue}</button>
</form>
${pageScript('SUBMIT')}`,
  }))
}

/** Where identity providers post responses (assertion consumer service). */
export const submitSamlResponse = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant } = exchange
  const connector = await samlConnector(store, exchange)
  const { id } = connector
  const fields = formParameters(exchange)
  const [response = '', ...others] = fields?.get('SAMLResponse') ?? []
  const [relayState = ''] = fields?.get('RelayState') ?? []
  if (response === '' || others.length > 0) return expiredPage(store, exchange)
  const visit = await findVisit(store, tenant, id, relayState)
  // what answers a request to sign out is sent elsewhere
  if (!visit || visit.logoutId !== undefined) return submitArrival(store, exchange, connector, response)
  const work = { store, tenant, caller: callerOf(exchange, 'Saml.Response') }
  const returnTo = await perform(work, keepResponse, id, relayState, response)
  return returnTo === undefined ? expiredPage(store, exchange) : redirectTo(returnTo)
}
