/** The page for a request that has nobody safe to go back to (DECISIONS F2). */
import { html } from '@remix-run/html-template'
import type { Answer, Exchange } from '../../http/exchange.ts'
import { MalformedParameters } from '../../http/parameters.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { failurePage, requestLine, tenantPage } from '../../presentation/tenant-page.ts'
import type { Store } from '../../storage/store.ts'
import { UnsafeRequestError } from './authorization-error.ts'

type Explanation = UnsafeRequestError['explanation']

/** @param detail for the people who wrote the application, in English */
const errorPage = (
  store: Store,
  exchange: Exchange,
  explanation: Explanation,
  status: number,
  detail?: string,
): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    status,
    title: phrases.errorTitle,
    body: html`<h1 id="title">${phrases.errorTitle}</h1>
<p class="lead" id="explanation">${phrases.unsafe[explanation]}</p>
<p>${phrases.errorAdvice}</p>
${detail === undefined ? '' : html`<p class="hint" id="detail" lang="en">${detail}</p>`}
${requestLine(phrases, exchange.requestId)}`,
  }))

/** The endpoint of a browser with its errors as pages: nobody who reads them can do anything with JSON. */
export const withErrorPage =
  (store: Store, handle: (exchange: Exchange) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<Answer> => {
    try {
      return await handle(exchange)
    } catch (error) {
      if (error instanceof UnsafeRequestError) return errorPage(store, exchange, error.explanation, 400)
      if (error instanceof MalformedParameters)
        return errorPage(store, exchange, 'malformed', 400, `the request ${error.message}`)
      if (error instanceof OAuthError && error.status < 500)
        return errorPage(store, exchange, 'malformed', error.status, error.description)
      store.log.error({ requestId: exchange.requestId, err: error }, 'a request failed')
      return failurePage(store, exchange)
    }
  }
