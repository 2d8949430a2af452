/** The page where a user names the account whose password they forgot: a code is sent to its address or number. */
import { html } from '@remix-run/html-template'
import { sendVerificationCode } from '../domain/sign-in/code-proof.ts'
import { startDraft } from '../domain/sign-in/interaction-drafts.ts'
import { readAddress } from '../domain/sign-in/rules.ts'
import type { Answer } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { perform } from '../storage/unit-of-work.ts'
import { captchaOf, humanStep } from './captcha.ts'
import { identifierLabel, inputModeOf } from './credentials-form.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, toPage } from './interaction-page.ts'

/** In the query when the user comes from signing in with a password that has expired. */
export const EXPIRED = 'expired'

const AUTOCOMPLETE = { email: 'email', phone: 'tel' } as const

const form = async (context: PageContext, status: number, identifier: string, errorText?: string): Promise<Answer> => {
  const { language, formToken, interaction, exchange, experience } = context
  const { phrases } = language
  const types = experience.resetIdentifiers
  const [only, another] = types
  const leads = { email: phrases.resetLead, phone: phrases.resetPhoneLead }
  const lead = another || !only ? phrases.resetAnyLead : leads[only]
  const autocomplete = another || !only ? 'username' : AUTOCOMPLETE[only]
  const invalid = errorText === undefined ? html`` : html`aria-invalid="true" aria-describedby="problem"`
  const captcha = await captchaOf(context, 'ForgotPassword', identifier, types)
  const isExpired = errorText === undefined && parseParameters(exchange.queryText).has(EXPIRED)
  const body = html`<h1 id="title">${phrases.resetTitle}</h1>
<p class="lead">${lead}</p>
${isExpired ? html`<p class="notice" role="status" id="notice">${phrases.passwordExpired}</p>` : html``}
${problem(errorText)}
<form method="post" id="forgot-password">
<input type="hidden" name="token" value="${formToken}">
<div class="field">
<label for="identifier">${identifierLabel(language, types)}</label>
<input id="identifier" name="identifier" value="${identifier}" maxlength="256" required autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="${autocomplete}" inputmode="${inputModeOf(types)}" ${invalid} autofocus>
</div>
${captcha.field}
<button type="submit" id="submit">${phrases.sendCode}</button>
</form>
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.backToSignIn}</a></p>`
  return framed(context, { status, title: phrases.resetTitle, body, thirdParty: captcha.thirdParty })
}

export const showForgotPassword = async (context: PageContext): Promise<Answer> => {
  const { experience, interaction } = context
  if (!experience.canResetPassword) return toPage(context, 'sign-in')
  const { loginHint = '' } = interaction.request
  return form(context, 200, readAddress(loginHint, experience.resetIdentifiers) ? loginHint : '')
}

export const submitForgotPassword = async (context: PageContext): Promise<Answer> => {
  const { experience, interaction, language } = context
  const { phrases } = language
  if (!experience.canResetPassword) return toPage(context, 'sign-in')
  const fields = formFields(context)
  if (!fields) return form(context, 400, '', phrases.expiredForm)
  const typed = (fields.get('identifier')?.[0] ?? '').trim()
  if (typed === '') return form(context, 422, typed, phrases.missing)
  const { resetIdentifiers: types } = experience
  // what is none is refused as the first kind
  const identifier = readAddress(typed, types) ?? { type: types[0] ?? 'email', value: typed }
  try {
    const step = await humanStep(context, 'ForgotPassword', fields, typed, types)
    await perform(step.work, startDraft, interaction.id, 'ForgotPassword', step.isHuman)
    await sendVerificationCode(step, 'ForgotPassword', identifier)
    return toPage(context, 'reset-password')
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return form(context, status, typed, text)
  }
}
