/** What a user gets who has signed out: the way back to the application, or a page that says so. */
import { html } from '@remix-run/html-template'
import type { Client } from '../domain/applications/clients.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { applicationBefore, onwardLink } from '../presentation/onward.ts'
import { doneMark, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'

/** Where the user goes. */
export interface Onward {
  /** A registered address of the application. */
  readonly returnTo: string | undefined
  readonly client: Client | undefined
}

/** @param cookies to be set */
export const signedOut = async (
  store: Store,
  exchange: Exchange,
  { returnTo, client }: Onward,
  cookies?: string[],
): Promise<Answer> => {
  if (returnTo !== undefined) return redirectTo(returnTo, cookies)
  const application = client ?? (await applicationBefore(store, exchange))
  return tenantPage(store, exchange, (language, settings) => ({
    title: language.phrases.signedOut,
    application,
    ...(cookies && { cookies }),
    body: html`${doneMark}<h1 id="title">${language.phrases.signedOut}</h1>
<p class="lead">${language.phrases.signedOutLead}</p>
${onwardLink(language, settings, application)}`,
  }))
}
