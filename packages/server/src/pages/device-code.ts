/**
 * The page where a person enters the code that a device shows (RFC 8628 section 3.3). A code in the address still has
 * to be confirmed with a button.
 */
import { html } from '@remix-run/html-template'
import { countInteraction } from '../domain/credentials/address-failures.ts'
import { showUserCode } from '../domain/issued/device-codes.ts'
import { createInteraction } from '../domain/sign-in/interactions.ts'
import { enterUserCode, WRONG_CODE_SECONDS } from '../domain/sign-in/user-code-attempts.ts'
import { browserOf } from '../http/browser-cookie.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { formFields, formTokenOf, problem } from './interaction-page.ts'

type FormError = 'expiredForm' | 'deviceWrong' | 'deviceLocked' | 'lockedAddress'
const FORM = 'device'
/** More than anyone types; what is longer is not shown again. */
const LONGEST = 32

const page = (
  store: Store,
  exchange: Exchange,
  status: number,
  typed: string,
  errorText?: FormError,
): Promise<Answer> => {
  const { browser, cookies } = browserOf(exchange)
  const invalid = errorText === 'deviceWrong' ? html`aria-invalid="true"` : html``
  const described = errorText ? 'problem code-hint' : 'code-hint'
  return tenantPage(store, exchange, ({ phrases }) => ({
    status,
    title: phrases.deviceTitle,
    ...(cookies.length > 0 ? { cookies } : {}),
    body: html`<h1 id="title">${phrases.deviceTitle}</h1>
<p class="lead">${phrases.deviceLead}</p>
${problem(errorText && phrases[errorText])}
<form method="post" action="/device" id="device">
<input type="hidden" name="token" value="${formTokenOf(store, exchange, browser, FORM)}">
<div class="field">
<label for="user_code">${phrases.deviceCode}</label>
<input id="user_code" class="code-field" name="user_code" value="${typed.slice(0, LONGEST)}" maxlength="${LONGEST}" placeholder="XXXX-XXXX" required autocapitalize="characters" autocorrect="off" spellcheck="false" autocomplete="off" aria-describedby="${described}" ${invalid} autofocus>
<p class="hint" id="code-hint">${phrases.deviceCodeHint}</p>
</div>
<button type="submit" id="submit">${phrases.continue}</button>
</form>`,
  }))
}

const retryAfter = (answer: Answer, seconds: number): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'retry-after': String(seconds) },
})

export const showDeviceCode = (store: Store, exchange: Exchange): Promise<Answer> =>
  page(store, exchange, 200, parseParameters(exchange.queryText).get('user_code')?.[0] ?? '')

export const submitDeviceCode = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant } = exchange
  const { browser, cookies } = browserOf(exchange)
  // a form from another site arrives without this browser's cookie, which must not be replaced: the GET sends it
  if (cookies.length > 0) return redirectTo(`${tenant.baseUrl}/device`)
  const formToken = formTokenOf(store, exchange, browser, FORM)
  const fields = formFields({ exchange, formToken })
  if (!fields) return page(store, exchange, 400, '', 'expiredForm')
  const typed = fields.get('user_code')?.[0] ?? ''
  const work = { store, tenant, caller: callerOf(exchange, 'Interaction.Device.Submit') }
  const entered = await enterUserCode(work, typed, browser)
  if (entered.result === 'wrong') return page(store, exchange, 422, typed, 'deviceWrong')
  if (entered.result === 'locked')
    return retryAfter(await page(store, exchange, 429, typed, 'deviceLocked'), WRONG_CODE_SECONDS)
  try {
    countInteraction(work)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return retryAfter(await page(store, exchange, error.status, typed, 'lockedAddress'), Number(error.data?.retryAfter))
  }
  const { request, hash, userCode } = entered
  const sealed = store.vault.seal(showUserCode(userCode), `device/${tenant.id}/${hash.toString('hex')}`)
  const id = await perform(work, createInteraction, browser, {
    clientId: request.applicationId,
    redirectUri: '',
    responseMode: 'query',
    scopes: request.scopes,
    resources: request.resources,
    ...(request.authorizationDetails === undefined ? {} : { authorizationDetails: request.authorizationDetails }),
    prompts: [],
    device: { hash: hash.toString('hex'), sealedUserCode: sealed.toString('base64') },
  })
  return redirectTo(`${tenant.issuer}/auth/${id}`)
}
