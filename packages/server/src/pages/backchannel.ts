/**
 * Where the link of a message leads that asks a user about a sign-in (OpenID CIBA section 8): a button, which alone
 * begins anything, because programs that scan mail open links too; and the pages after the answer.
 */
import { html } from '@remix-run/html-template'
import { countInteraction } from '../domain/credentials/address-failures.ts'
import { beginBackchannelSignIn } from '../domain/sign-in/backchannel-link.ts'
import { browserOf } from '../http/browser-cookie.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { doneMark, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { formFields, formTokenOf, problem } from './interaction-page.ts'

const FORM = 'backchannel'

const page = (
  store: Store,
  exchange: Exchange,
  link: string,
  { status = 200, error }: { readonly status?: number; readonly error?: 'expiredForm' | 'lockedAddress' } = {},
): Promise<Answer> => {
  const { browser, cookies } = browserOf(exchange)
  return tenantPage(store, exchange, ({ phrases }) => ({
    status,
    title: phrases.backchannelTitle,
    ...(cookies.length > 0 ? { cookies } : {}),
    body: html`<h1 id="title">${phrases.backchannelTitle}</h1>
<p class="lead">${phrases.backchannelLead}</p>
${problem(error && phrases[error])}
<form method="post" action="/backchannel" id="backchannel">
<input type="hidden" name="token" value="${formTokenOf(store, exchange, browser, FORM)}">
<input type="hidden" name="link" value="${link}">
<button type="submit" id="submit">${phrases.continue}</button>
</form>`,
  }))
}

/** The page for a link that is answered, expired or none. */
export const showBackchannelGone = (store: Store, exchange: Exchange): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    status: 410,
    title: phrases.backchannelTitle,
    body: html`<h1 id="title">${phrases.backchannelTitle}</h1><p class="lead">${phrases.backchannelGone}</p>`,
  }))

/** Does not look whether the link is live: anyone who has it may learn that by the button. */
export const showBackchannel = (store: Store, exchange: Exchange): Promise<Answer> =>
  page(store, exchange, parseParameters(exchange.queryText).get('token')?.[0]?.slice(0, 64) ?? '')

export const submitBackchannel = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant } = exchange
  const { browser } = browserOf(exchange)
  const fields = formFields({ exchange, formToken: formTokenOf(store, exchange, browser, FORM) })
  if (!fields) return page(store, exchange, '', { status: 400, error: 'expiredForm' })
  const link = fields.get('link')?.[0] ?? ''
  const work = { store, tenant, caller: callerOf(exchange, 'Interaction.Backchannel.Submit') }
  try {
    countInteraction(work)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const answer = await page(store, exchange, link, { status: error.status, error: 'lockedAddress' })
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(error.data?.retryAfter) } }
  }
  const id = await perform(work, beginBackchannelSignIn, browser, link)
  return id === undefined ? showBackchannelGone(store, exchange) : redirectTo(`${tenant.issuer}/auth/${id}`)
}

export const showBackchannelDone = (store: Store, exchange: Exchange): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.backchannelDone,
    body: html`${doneMark}<h1 id="title">${phrases.backchannelDone}</h1><p class="lead">${phrases.backchannelDoneLead}</p>`,
  }))

export const showBackchannelDenied = (store: Store, exchange: Exchange): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.backchannelDenied,
    body: html`<h1 id="title">${phrases.backchannelDenied}</h1><p class="lead">${phrases.backchannelDeniedLead}</p>`,
  }))
