/** The page for a user who has signed in with one factor and has to prove another: one at a time, with a way to the others. */

import { html, type SafeHtml } from '@remix-run/html-template'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { type FactorType, isFactorType } from '../domain/factors/factors.ts'
import type { Draft } from '../domain/sign-in/draft.ts'
import { sendFactorCode, verifyFactorCode } from '../domain/sign-in/factor-code-proof.ts'
import { chooseTrustedDevice, verifyBackupCode } from '../domain/sign-in/factor-proof.ts'
import { passkeyOptions, verifyPasskey } from '../domain/sign-in/passkey-proof.ts'
import { findNeed } from '../domain/sign-in/submission.ts'
import { signInWithTotp } from '../domain/sign-in/totp-sign-in.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { fill } from '../presentation/language.ts'
import { addressTypeOf, factorCodeOf, isMessageFactor, type MessageFactor, messageFactorForm } from './factor-code.ts'
import { afterSignIn, finish, submissionOf } from './finish.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { codeField, tooSoon, typedCode } from './message-code.ts'
import { broughtPasskey, passkeyForm } from './passkey-form.ts'

/** In the query: which of the factors. */
const FACTOR = 'factor'

const stepHere = (context: PageContext) => stepOf(context, 'SignIn')

/** The factors of which one has to be proved, and what was begun; undefined: none has to be. */
export interface Stage {
  readonly factors: readonly FactorType[]
  readonly draft: Draft
}

const stageOf = async (context: PageContext): Promise<Stage | undefined> => {
  const { interaction, experience } = context
  const { work } = stepHere(context)
  const { draft } = interaction.state
  const need = draft && (await findNeed(work, interaction, draft, experience, readCookie(context.exchange, 'device')))
  return draft && need?.code === 'session.mfa.require_mfa_verification'
    ? { factors: need.availableFactors, draft }
    : undefined
}

/** The one that the address names, or the strongest. */
const chosenOf = ({ exchange }: PageContext, { factors }: Stage): FactorType => {
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

const others = (context: PageContext, { factors }: Stage, chosen: FactorType): SafeHtml => {
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

/** The sentence that says how a factor is proved, and the form for it. */
const proofForm = async (context: PageContext, { draft }: Stage, chosen: FactorType, isInvalid: boolean) => {
  const { language, formToken } = context
  const { phrases } = language
  if (isMessageFactor(chosen)) {
    const { lead, form } = await messageFactorForm(context, draft, chosen, isInvalid, trustField(context))
    return { lead, proof: form }
  }
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
  return { lead: phrases.secondFactor[chosen], proof }
}

/** The form for one of the factors. @param chosen which */
export const secondFactorForm = async (
  context: PageContext,
  stage: Stage,
  chosen: FactorType,
  status: number,
  errorText?: string,
): Promise<Answer> => {
  const { language, interaction } = context
  const { phrases } = language
  const { lead, proof } = await proofForm(context, stage, chosen, errorText !== undefined)
  const body = html`<h1 id="title">${phrases.secondFactorTitle}</h1>
<p class="lead">${lead}${interaction.state.draft?.unusual ? html` <span id="unusual">${phrases.unusualSignIn}</span>` : html``}</p>
${problem(errorText)}
${proof}
${others(context, stage, chosen)}
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.backToSignIn}</a></p>`
  return framed(context, { status, title: phrases.secondFactorTitle, body })
}

export const showSecondFactor = async (context: PageContext): Promise<Answer> => {
  const stage = await stageOf(context)
  return stage ? secondFactorForm(context, stage, chosenOf(context, stage), 200) : resume(context)
}

/** Sends a code, and shows the field for it. */
const sendCode = async (context: PageContext, { draft }: Stage, factor: MessageFactor): Promise<Answer | string> => {
  const record = factorCodeOf(draft, factor)
  const wait = record && tooSoon(context, record)
  if (wait !== undefined) return wait
  await sendFactorCode(stepHere(context), addressTypeOf(factor))
  return toPage(context, 'second-factor', `?${FACTOR}=${factor}`)
}

/** What was entered or brought proves the factor; throws where it does not. */
const prove = async (context: PageContext, { draft }: Stage, chosen: FactorType, code: string, payload: string) => {
  const step = stepHere(context)
  if (chosen === 'WebAuthn') {
    const passkey = broughtPasskey<AuthenticationResponseJSON>(payload)
    return passkey ? verifyPasskey(step, passkey) : undefined
  }
  if (code === '' || chosen === 'Totp') return undefined
  if (chosen === 'BackupCode') return verifyBackupCode(step, code)
  const record = factorCodeOf(draft, chosen)
  if (!record) throw new ApiError('verification_code.not_found')
  await verifyFactorCode(step, addressTypeOf(chosen), record.id, code)
  return record.id
}

export const submitSecondFactor = async (context: PageContext): Promise<Answer> => {
  const { phrases } = context.language
  const stage = await stageOf(context)
  if (!stage) return toPage(context, 'sign-in')
  const chosen = chosenOf(context, stage)
  const fields = formFields(context)
  if (!fields) return secondFactorForm(context, stage, chosen, 400, phrases.expiredForm)
  const field = (name: string) => fields.get(name)?.[0] ?? ''
  try {
    if (isMessageFactor(chosen) && (fields.has('send') || fields.has('again'))) {
      const sent = await sendCode(context, stage, chosen)
      return typeof sent === 'string' ? secondFactorForm(context, stage, chosen, 429, sent) : sent
    }
    const code = typedCode(field('code'))
    const isTrusting = fields.has('trust')
    if (chosen === 'Totp' && code !== '')
      return await afterSignIn(
        context,
        await signInWithTotp(stepHere(context), { ...(await submissionOf(context)), code, isTrusting }),
      )
    const proved = await prove(context, stage, chosen, code, field('payload'))
    if (proved === undefined) return secondFactorForm(context, stage, chosen, 422, phrases.missing)
    if (isTrusting && chosen !== 'BackupCode' && context.experience.trustedDevice.enabled)
      await chooseTrustedDevice(stepHere(context))
    return await finish(context, 'SignIn')
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return secondFactorForm(context, stage, chosen, status, text)
  }
}
