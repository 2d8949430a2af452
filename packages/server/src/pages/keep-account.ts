/**
 * The page of the link in the message about a deletion: a button, which alone keeps the account, because programs that scan mail open
 * links too.
 */
import { html } from '@remix-run/html-template'
import { deletionByLink, keepAccount } from '../domain/account/deletion.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { formParameters, parseParameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { applicationBefore, onwardLink } from '../presentation/onward.ts'
import { doneMark, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { expiredPage } from './interaction-page.ts'

/** GET: asks. */
export const showKeepAccount = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const [secret = ''] = parseParameters(exchange.queryText).get('token') ?? []
  const due = await deletionByLink(store, exchange.tenant, secret)
  if (!due) return expiredPage(store, exchange)
  return tenantPage(store, exchange, ({ phrases, day }) => ({
    title: phrases.keepAccountTitle,
    body: html`<h1 id="title">${phrases.keepAccountTitle}</h1>
<p class="lead">${fill(phrases.keepAccountLead, { date: day(due) })}</p>
<form method="post" id="keep-account">
<input type="hidden" name="token" value="${secret}">
<button type="submit" id="keep">${phrases.keepAccount}</button>
</form>`,
  }))
}

/** POST: keeps it. A link that has ended throws 404. */
export const submitKeepAccount = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant } = exchange
  const [secret = ''] = formParameters(exchange)?.get('token') ?? []
  await perform({ store, tenant, caller: callerOf(exchange, 'KeepAccount') }, keepAccount, secret)
  const application = await applicationBefore(store, exchange)
  return tenantPage(store, exchange, (language, settings) => ({
    title: language.phrases.accountKept,
    application,
    body: html`${doneMark}<h1 id="title">${language.phrases.accountKept}</h1>
<p class="lead">${language.phrases.accountKeptLead}</p>
${onwardLink(language, settings, application)}`,
  }))
}
