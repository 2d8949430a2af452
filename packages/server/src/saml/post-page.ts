/** The POST binding from this side: a page that posts a message to the other side (saml2-bindings section 3.5). */
import { html } from '@remix-run/html-template'
import type { Client } from '../domain/applications/clients.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import { tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'

/** Without JavaScript there is a button. @param xml the message, signed where it has to be */
export const postPage = (
  store: Store,
  exchange: Exchange,
  application: Client | undefined,
  destination: string,
  xml: string,
  relayState: string | undefined,
): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.backTitle,
    application,
    formTargets: [destination],
    body: html`<h1 id="title">${phrases.backTitle}</h1>
<p class="lead">${phrases.backLead}</p>
<form method="post" action="${destination}">
<input type="hidden" name="SAMLResponse" value="${Buffer.from(xml).toString('base64')}">
${relayState === undefined ? '' : html`<input type="hidden" name="RelayState" value="${relayState}">`}
<button id="continue" type="submit">${phrases.continue}</button>
</form>
${pageScript('SUBMIT')}`,
  }))
