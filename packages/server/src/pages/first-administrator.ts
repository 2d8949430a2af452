/** The page of the link that the terminal prints at the first start: a name and a password make the first administrator. */
import { html } from '@remix-run/html-template'
import { consoleAddress } from '../domain/applications/console.ts'
import {
  isAdministratorLink,
  makeFirstAdministrator,
  namesOfAdministrators,
} from '../domain/setup/first-administrator.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { callerOf } from '../http/caller-of.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import { formParameters, parseParameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { languageOf, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { focus, identifierLabel, inputModeOf, passwordField } from './credentials-form.ts'
import { excessOf, type FormError, formErrorOf } from './form-error.ts'
import { expiredPage, problem } from './interaction-page.ts'

interface Entered {
  readonly secret: string
  readonly name: string
}

const form = async (
  store: Store,
  exchange: Exchange,
  { secret, name }: Entered,
  error?: FormError,
): Promise<Answer> => {
  const experience = await signInExperience(store, exchange.tenant)
  const types = namesOfAdministrators(experience)
  return tenantPage(store, exchange, (language) => {
    const { phrases } = language
    const isNameAtFault = error !== undefined && error.field !== 'password'
    const isNameFirst = name === '' || isNameAtFault
    return {
      status: error?.status ?? 200,
      title: phrases.firstAdministratorTitle,
      body: html`<h1 id="title">${phrases.firstAdministratorTitle}</h1>
<p class="lead">${fill(phrases.firstAdministratorLead, { host: new URL(exchange.tenant.baseUrl).host })}</p>
${problem(error?.text)}
<form method="post" id="first-administrator">
<input type="hidden" name="token" value="${secret}">
<div class="field">
<label for="identifier">${identifierLabel(language, types)}</label>
<input id="identifier" name="identifier" value="${name}" maxlength="256" required autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="username" inputmode="${inputModeOf(types)}" ${isNameAtFault ? html`aria-invalid="true" aria-describedby="problem"` : html``} ${focus(isNameFirst)}>
</div>
${passwordField({ language, experience }, { autocomplete: 'new-password', label: phrases.newPassword, isInvalid: error?.field === 'password', isFirst: !isNameFirst })}
<button type="submit" id="submit">${phrases.createAccount}</button>
</form>
${pageScript('SHOW_PASSWORD')}`,
    }
  })
}

/** GET: the form, while the link is live. */
export const showFirstAdministrator = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const [secret = ''] = parseParameters(exchange.queryText).get('token') ?? []
  const isLive = await isAdministratorLink(store, exchange.tenant, secret)
  return isLive ? form(store, exchange, { secret, name: '' }) : expiredPage(store, exchange)
}

/** POST: makes the administrator, and leads to the console. A link that is not live throws 404. */
export const submitFirstAdministrator = async (store: Store, exchange: Exchange): Promise<Answer> => {
  const { tenant } = exchange
  const fields = formParameters(exchange)
  const secret = fields?.get('token')?.[0] ?? ''
  const name = (fields?.get('identifier')?.[0] ?? '').trim()
  const password = fields?.get('password')?.[0] ?? ''
  const experience = await signInExperience(store, tenant)
  const { phrases } = await languageOf(store, exchange, experience)
  const excess = name === '' || password === '' ? phrases.missing : excessOf(name, password, phrases)
  if (excess !== undefined) return form(store, exchange, { secret, name }, { status: 422, text: excess })
  try {
    const work = { store, tenant, caller: callerOf(exchange, 'FirstAdministrator') }
    await makeFirstAdministrator(work, experience, { secret, name, password })
    return redirectTo(consoleAddress(store, tenant) ?? tenant.baseUrl)
  } catch (error) {
    return form(store, exchange, { secret, name }, formErrorOf(error, phrases))
  }
}
