/** The POST binding from this side: a page that posts a message to the other side (saml2-bindings section 3.5). */
import { html } from '@remix-run/html-template'
import type { Client } from '../domain/applications/clients.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import type { Phrases } from '../languages/en.ts'
import { tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'

/** What is posted, and where. */
export interface Posted {
  readonly destination: string
  /** By default SAMLResponse. */
  readonly name?: 'SAMLRequest' | 'SAMLResponse'
  /** Signed where it has to be. */
  readonly xml: string
  readonly relayState?: string | undefined
  /** What users read who have no JavaScript; by default that they are on their way back. */
  readonly lead?: (phrases: Phrases) => string
  /** Addresses that the application's answer may lead to. */
  readonly onward?: readonly string[]
}

/** Without JavaScript there is a button. */
export const postPage = (
  store: Store,
  exchange: Exchange,
  application: Client | undefined,
  { destination, name = 'SAMLResponse', xml, relayState, lead, onward = [] }: Posted,
): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.backTitle,
    application,
    formTargets: [destination, ...onward],
    body: html`<h1 id="title">${phrases.backTitle}</h1>
<p class="lead">${lead ? lead(phrases) : phrases.backLead}</p>
<form method="post" action="${destination}">
<input type="hidden" name="${name}" value="${Buffer.from(xml).toString('base64')}">
${relayState === undefined ? '' : html`<input type="hidden" name="RelayState" value="${relayState}">`}
<button id="continue" type="submit">${phrases.continue}</button>
</form>
${pageScript('SUBMIT')}`,
  }))
