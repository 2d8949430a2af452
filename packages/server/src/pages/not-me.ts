/**
 * The page behind the link of a message about a change: "this was not me" (sign-in/disown.ts). A GET changes nothing, because mail
 * programs and scanners open links; the button does. It shows nothing of the account.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { disown, isDisownable } from '../domain/sign-in/disown.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { NOT_ME_PATH } from '../domain/users/owner-notices.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { formParameters, type Parameters, parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Language } from '../presentation/language.ts'
import { applicationBefore, onwardLink } from '../presentation/onward.ts'
import { doneMark, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'

const tokenIn = (fields: Parameters): string | undefined => {
  const [token, ...more] = fields.get('token') ?? []
  return more.length > 0 ? undefined : token
}

const page = async (
  store: Store,
  exchange: Exchange,
  status: number,
  body: (phrases: Language['phrases'], onward: SafeHtml) => { readonly title: string; readonly body: SafeHtml },
): Promise<Answer> => {
  const application = await applicationBefore(store, exchange)
  return tenantPage(store, exchange, (language, settings) => ({
    status,
    ...body(language.phrases, onwardLink(language, settings, application)),
  }))
}

const gone = (store: Store, exchange: Exchange): Promise<Answer> =>
  page(store, exchange, 400, (phrases, onward) => ({
    title: phrases.notMeTitle,
    body: html`<h1 id="title">${phrases.notMeTitle}</h1>
<p class="lead" id="problem" role="alert">${phrases.notMeGone}</p>
${onward}`,
  }))

/** Asks whether it was someone else. */
export const showNotMe = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const token = tokenIn(parseParameters(exchange.queryText))
  if (!(await isDisownable(store, exchange.tenant, token))) return gone(store, exchange)
  return page(store, exchange, 200, (phrases) => ({
    title: phrases.notMeTitle,
    body: html`<h1 id="title">${phrases.notMeTitle}</h1>
<p class="lead">${phrases.notMeLead}</p>
<p>${phrases.notMeHint}</p>
<form method="post" action="${NOT_ME_PATH}" id="not-me">
<input type="hidden" name="token" value="${token ?? ''}">
<button type="submit" id="submit">${phrases.notMe}</button>
</form>`,
  }))
}

/** The button. The token is the secret: a form of another site does not have it. */
export const submitNotMe = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant } = exchange
  const fields = formParameters(exchange)
  const token = fields && tokenIn(fields)
  const work = { store, tenant, caller: callerOf(exchange, 'Account.Disown') }
  try {
    const { hasToReset } = await perform(work, disown, token, await signInExperience(store, tenant))
    return await page(store, exchange, 200, (phrases, onward) => ({
      title: phrases.notMeDone,
      body: html`${doneMark}<h1 id="title">${phrases.notMeDone}</h1>
<p class="lead">${phrases.notMeDoneLead}</p>
<p id="next">${hasToReset ? phrases.notMeReset : phrases.notMeContact}</p>
${onward}`,
    }))
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return gone(store, exchange)
    throw error
  }
}
