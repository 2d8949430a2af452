/** The page for an unknown address, for a browser that asks for a page. */
import { html } from '@remix-run/html-template'
import type { Answer, Exchange } from '../http/exchange.ts'
import { applicationBefore, onwardLink } from '../presentation/onward.ts'
import { plainFailurePage, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'

/** 404 in the tenant's look; if that cannot be read, the plain failure page. */
export const notFoundPage =
  (store: Store) =>
  async (exchange: Exchange): Promise<Answer> => {
    try {
      const application = await applicationBefore(store, exchange)
      return await tenantPage(store, exchange, (language, settings) => ({
        status: 404,
        title: language.phrases.notFound,
        body: html`<h1 id="title">${language.phrases.notFound}</h1>
<p class="lead">${language.phrases.notFoundLead}</p>
${onwardLink(language, settings, application)}`,
      }))
    } catch (error) {
      store.log.error({ requestId: exchange.requestId, err: error }, 'a page failed')
      return plainFailurePage(exchange.requestId, 500)
    }
  }
