/**
 * The page behind the link of a message about a change: "this was not me" (sign-in/disown.ts). A GET changes nothing, because mail
 * programs and scanners open links; the button does. Then the page asks for a code that was sent to the address (sign-in/disown-code.ts).
 * It shows nothing of the account.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { type Disowned, disown, isDisownable } from '../domain/sign-in/disown.ts'
import { sendDisownCode, useDisownCode } from '../domain/sign-in/disown-code.ts'
import { type SignInExperience, signInExperience } from '../domain/sign-in/experience.ts'
import { NOT_ME_PATH } from '../domain/users/owner-notices.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import { formParameters, type Parameters, parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { chooseLanguage } from '../languages/choice.ts'
import type { Language } from '../presentation/language.ts'
import { applicationBefore, onwardLink } from '../presentation/onward.ts'
import { doneMark, languageOf, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { passwordField } from './credentials-form.ts'
import { formErrorOf } from './form-error.ts'
import { problem } from './interaction-page.ts'
import { codeField, typedCode } from './message-code.ts'

const only = (fields: Parameters, name: string): string | undefined => {
  const [value, ...more] = fields.get(name) ?? []
  return more.length > 0 ? undefined : value
}

const page = async (
  store: Store,
  exchange: Exchange,
  status: number,
  body: (language: Language, onward: SafeHtml) => { readonly title: string; readonly body: SafeHtml },
): Promise<Answer> => {
  const application = await applicationBefore(store, exchange)
  return tenantPage(store, exchange, (language, settings) => ({
    status,
    ...body(language, onwardLink(language, settings, application)),
  }))
}

const gone = (store: Store, exchange: Exchange): Promise<Answer> =>
  page(store, exchange, 400, ({ phrases }, onward) => ({
    title: phrases.notMeTitle,
    body: html`<h1 id="title">${phrases.notMeTitle}</h1>
<p class="lead" id="problem" role="alert">${phrases.notMeGone}</p>
${onward}`,
  }))

/** Asks whether it was someone else. */
export const showNotMe = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const token = only(parseParameters(exchange.queryText), 'token')
  if (!(await isDisownable(store, exchange.tenant, token))) return gone(store, exchange)
  return page(store, exchange, 200, ({ phrases }) => ({
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

/** What the form of the code brings back. */
interface Sent {
  readonly token: string
  /** Of the code. */
  readonly id: string
  readonly hasPassword: boolean
}

/** Asks for the code, and for a new password if the account needs one. */
const codePage = (
  store: Store,
  exchange: Exchange,
  experience: SignInExperience,
  { token, id, hasPassword }: Sent,
  refused?: { readonly status: number; readonly text: string },
): Promise<Answer> =>
  page(store, exchange, refused?.status ?? 200, (language) => {
    const { phrases } = language
    const password = { autocomplete: 'new-password', label: phrases.chosenPassword, isFirst: false } as const
    return {
      title: phrases.notMeDone,
      body: html`${refused ? '' : doneMark}<h1 id="title">${phrases.notMeDone}</h1>
<p class="lead">${phrases.notMeDoneLead}</p>
<p id="next">${hasPassword ? phrases.notMeCode : phrases.notMeFactorCode}</p>
${problem(refused?.text)}
<form method="post" action="${NOT_ME_PATH}" id="not-me-code">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="sent" value="${id}">
${codeField({ language }, refused !== undefined)}
${hasPassword ? passwordField({ language, experience }, { ...password, isInvalid: false }) : ''}
<button type="submit" id="submit">${hasPassword ? phrases.setPassword : phrases.confirm}</button>
</form>
${hasPassword ? pageScript('SHOW_PASSWORD') : ''}`,
    }
  })

/** After the button: what remains to do. */
const afterDisowned = async (
  store: Store,
  exchange: Exchange,
  experience: SignInExperience,
  token: string,
  { hasToReset, keepsFactor }: Disowned,
): Promise<Answer> => {
  const language = chooseLanguage(undefined, exchange.headers['accept-language'], experience)
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Account.DisownCode.Send') }
  const id = hasToReset || keepsFactor ? await sendDisownCode(work, token, experience, language) : undefined
  if (id !== undefined) return codePage(store, exchange, experience, { token, id, hasPassword: hasToReset })
  return page(store, exchange, 200, ({ phrases }, onward) => ({
    title: phrases.notMeDone,
    body: html`${doneMark}<h1 id="title">${phrases.notMeDone}</h1>
<p class="lead">${phrases.notMeDoneLead}</p>
<p id="next">${hasToReset ? phrases.notMeReset : phrases.notMeContact}</p>
${onward}`,
  }))
}

/** The code that was sent, with the new password. */
const submitCode = async (
  store: Store,
  exchange: Exchange,
  experience: SignInExperience,
  fields: Parameters,
  { token, id }: Omit<Sent, 'hasPassword'>,
): Promise<Answer> => {
  const password = only(fields, 'password')
  const sent = { token, id, hasPassword: password !== undefined }
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Account.DisownCode.Verify') }
  try {
    await useDisownCode(work, token, { id, code: typedCode(only(fields, 'code') ?? ''), password }, experience)
    return await page(store, exchange, 200, ({ phrases }, onward) => ({
      title: phrases.notMeDone,
      body: html`${doneMark}<h1 id="title">${phrases.notMeDone}</h1>
<p class="lead" id="next">${sent.hasPassword ? phrases.passwordChanged : phrases.notMeFactorGone}</p>
${onward}`,
    }))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'one_time_token.token_not_found') return gone(store, exchange)
    const { phrases } = await languageOf(store, exchange, experience)
    return codePage(store, exchange, experience, sent, formErrorOf(error, phrases))
  }
}

/** The button. The token is the secret: a form of another site does not have it. */
export const submitNotMe = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant } = exchange
  const fields = formParameters(exchange)
  const token = fields && only(fields, 'token')
  const experience = await signInExperience(store, tenant)
  const id = fields && only(fields, 'sent')
  if (fields && token !== undefined && id !== undefined)
    return submitCode(store, exchange, experience, fields, { token, id })
  const work = { store, tenant, caller: callerOf(exchange, 'Account.Disown') }
  try {
    const disowned = await perform(work, disown, token, experience)
    return await afterDisowned(store, exchange, experience, token ?? '', disowned)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return gone(store, exchange)
    throw error
  }
}
