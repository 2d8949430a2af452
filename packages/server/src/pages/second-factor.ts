/** The page for a user who has signed in with one factor and has to prove another: one at a time, with a way to the others. */

import { html, type SafeHtml } from '@remix-run/html-template'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type FactorType, isFactorType } from '../domain/factors/factors.ts'
import { chooseTrustedDevice, verifyBackupCode, verifyTotp } from '../domain/sign-in/factor-proof.ts'
import { passkeyOptions, verifyPasskey } from '../domain/sign-in/passkey-proof.ts'
import { findNeed } from '../domain/sign-in/submission.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { finish } from './finish.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { codeField, draftHere, typedCode } from './mailed-code.ts'
import { broughtPasskey, passkeyForm } from './passkey-form.ts'

/** In the query: which of the factors. */
const FACTOR = 'factor'

const stepHere = (context: PageContext) => stepOf(context, 'SignIn')

/** The factors of which one has to be proved; undefined: none has to be. */
const factorsToProve = async (context: PageContext): Promise<readonly FactorType[] | undefined> => {
  const { interaction, experience } = context
  const { work } = stepHere(context)
  const draft = await draftHere(work, interaction.id)
  const need = draft && (await findNeed(work, interaction, draft, experience, readCookie(context.exchange, 'device')))
  return need?.code === 'session.mfa.require_mfa_verification' ? need.availableFactors : undefined
}

/** The one that the address names, or the strongest. */
const chosenOf = ({ exchange }: PageContext, factors: readonly FactorType[]): FactorType => {
  const [named] = parseParameters(exchange.queryText).get(FACTOR) ?? []
  const first = factors[0] ?? 'Totp'
  return isFactorType(named) && factors.includes(named) ? named : first
}

const backupCodeField = (
  { language: { phrases } }: PageContext,
  isInvalid: boolean,
): SafeHtml => html`<div class="field">
<label for="code">${phrases.backupCode}</label>
<input id="code" class="code-field" name="code" maxlength="32" required autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="off" ${isInvalid ? html`aria-invalid="true" aria-describedby="problem"` : html``} autofocus>
</div>`

/** The choice not to be asked on this device, where the tenant offers it. */
const trustField = ({ experience, language: { phrases, duration } }: PageContext): SafeHtml => {
  const { enabled, durationDays } = experience.trustedDevice
  if (!enabled) return html``
  return html`<p class="check"><label><input type="checkbox" name="trust" id="trust" value="1"> ${fill(phrases.trustDevice, { duration: duration(durationDays, 'day') })}</label></p>`
}

const others = (context: PageContext, factors: readonly FactorType[], chosen: FactorType): SafeHtml => {
  const { interaction, language } = context
  const links = factors
    .filter((type) => type !== chosen)
    .map(
      (type) =>
        html`<li><a id="factor-${type}" href="/second-factor/${interaction.id}?${FACTOR}=${type}">${language.phrases.factorName[type]}</a></li>`,
    )
  if (links.length === 0) return html``
  return html`<nav class="others" aria-labelledby="others"><h2 id="others">${language.phrases.anotherFactor}</h2><ul>${links}</ul></nav>`
}

const form = async (
  context: PageContext,
  factors: readonly FactorType[],
  chosen: FactorType,
  status: number,
  errorText?: string,
): Promise<Answer> => {
  const { language, formToken, interaction } = context
  const { phrases } = language
  const isInvalid = errorText !== undefined
  const proof =
    chosen === 'WebAuthn'
      ? passkeyForm(context, {
          ceremony: 'get',
          options: await passkeyOptions(stepHere(context)),
          button: phrases.usePasskey,
          fields: {},
          more: trustField(context),
        })
      : html`<form method="post" id="second-factor">
<input type="hidden" name="token" value="${formToken}">
${chosen === 'BackupCode' ? backupCodeField(context, isInvalid) : html`${codeField(context, isInvalid)}${trustField(context)}`}
<button type="submit" id="submit">${phrases.confirm}</button>
</form>`
  const body = html`<h1 id="title">${phrases.secondFactorTitle}</h1>
<p class="lead">${phrases.secondFactor[chosen]}</p>
${problem(errorText)}
${proof}
${others(context, factors, chosen)}
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.backToSignIn}</a></p>`
  return framed(context, { status, title: phrases.secondFactorTitle, body })
}

export const showSecondFactor = async (context: PageContext): Promise<Answer> => {
  const factors = await factorsToProve(context)
  return factors ? form(context, factors, chosenOf(context, factors), 200) : resume(context)
}

export const submitSecondFactor = async (context: PageContext): Promise<Answer> => {
  const { phrases } = context.language
  const factors = await factorsToProve(context)
  if (!factors) return toPage(context, 'sign-in')
  const chosen = chosenOf(context, factors)
  const fields = formFields(context)
  if (!fields) return form(context, factors, chosen, 400, phrases.expiredForm)
  const code = typedCode(fields.get('code')?.[0] ?? '')
  const passkey = broughtPasskey<AuthenticationResponseJSON>(fields.get('payload')?.[0] ?? '')
  if (chosen === 'WebAuthn' ? !passkey : code === '') return form(context, factors, chosen, 422, phrases.missing)
  try {
    const step = stepHere(context)
    if (passkey) await verifyPasskey(step, passkey)
    else if (chosen === 'BackupCode') await verifyBackupCode(step, code)
    else await verifyTotp(step, code)
    if (fields.has('trust') && chosen !== 'BackupCode' && context.experience.trustedDevice.enabled)
      await chooseTrustedDevice(step)
    return await finish(context, 'SignIn')
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return form(context, factors, chosen, status, text)
  }
}
