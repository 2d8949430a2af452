/** The addresses of the pages, one flat list. */
import { html } from '@remix-run/html-template'
import { DEFAULT_EXPERIENCE } from '../domain/sign-in-experience.ts'
import type { Answer, Endpoint } from '../http/exchange.ts'
import { htmlPage } from '../http/html-page.ts'
import type { Log } from '../kernel/log.ts'
import type { Store } from '../storage/store.ts'
import { showConsent, submitConsent } from './consent.ts'
import { interactionPage, type PageContext } from './interaction-page.ts'
import { showRegister, submitRegister } from './register.ts'
import { showSignIn, submitSignIn } from './sign-in.ts'

const BODY_LIMIT = 16 * 1024

/** An unexpected failure, on a page: a fixed sentence and the request id. */
const renderFailure =
  (log: Log) =>
  (error: unknown, { requestId }: { readonly requestId: string }): Answer => {
    log.error({ requestId, err: error }, 'a page failed')
    return htmlPage({
      status: 500,
      title: 'Something went wrong',
      language: 'en',
      appearance: DEFAULT_EXPERIENCE.color,
      body: html`<h1 id="title">Something went wrong</h1><p class="lead">Try again in a moment.</p><p class="hint">Request ${requestId}</p>`,
    })
  }

export const pageEndpoints = (store: Store): Endpoint[] => {
  const page = (method: 'GET' | 'POST', path: string, render: (context: PageContext) => Promise<Answer>): Endpoint => ({
    method,
    path: `/${path}/:id`,
    bodyLimit: BODY_LIMIT,
    handle: interactionPage(store, render),
    renderError: renderFailure(store.log),
  })
  return [
    page('GET', 'sign-in', showSignIn),
    page('POST', 'sign-in', submitSignIn),
    page('GET', 'register', showRegister),
    page('POST', 'register', submitRegister),
    page('GET', 'consent', showConsent),
    page('POST', 'consent', submitConsent),
  ]
}
