/**
 * The page for a user who has to set a second factor up, or can: which one, then the app or the passkey, then backup codes. What
 * is needed next is asked of the interaction each time.
 */

import { html, type SafeHtml } from '@remix-run/html-template'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { type FactorType, isFactorType } from '../domain/factors/factors.ts'
import type { Draft } from '../domain/sign-in/draft.ts'
import {
  beginTotp,
  bindFactor,
  bindSignInPasskey,
  chooseFactors,
  generateBackupCodes,
  issuerName,
  type NewTotp,
  pendingTotp,
  skipFactors,
  verifyTotp,
} from '../domain/sign-in/factor-proof.ts'
import type { NeededFactor } from '../domain/sign-in/mfa-policy.ts'
import { beginPasskey, finishPasskey, LONGEST_PASSKEY_NAME } from '../domain/sign-in/passkey-proof.ts'
import { findNeed } from '../domain/sign-in/submission.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { fill, type Language } from '../presentation/language.ts'
import { isMessageFactor } from './factor-code.ts'
import { finish } from './finish.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { codeField, typedCode } from './message-code.ts'
import { broughtPasskey, passkeyForm } from './passkey-form.ts'
import { FACTOR } from './set-up-address.ts'

/** What is asked for, and what was begun. */
interface Stage {
  readonly need: NeededFactor
  readonly draft: Draft
}

const eventOf = ({ interactionEvent }: Draft) => (interactionEvent === 'Register' ? 'Register' : 'SignIn')

const stageOf = async (context: PageContext): Promise<Stage | undefined> => {
  const { interaction, experience } = context
  const { work } = stepOf(context, 'SignIn')
  const { draft } = interaction.state
  if (!draft) return undefined
  const need = await findNeed(work, interaction, draft, experience, readCookie(context.exchange, 'device'))
  return need && need.code !== 'session.mfa.require_mfa_verification' ? { need, draft } : undefined
}

const skipButton = ({ language }: PageContext, { skippable }: NeededFactor): SafeHtml =>
  skippable
    ? html`<button type="submit" class="quiet" id="skip" name="action" value="skip" formnovalidate>${language.phrases.skip}</button>`
    : html``

/** Which factor. */
const choiceForm = (context: PageContext, { need }: Stage, status = 200, errorText?: string): Answer => {
  const { language, formToken } = context
  const { phrases } = language
  const hints: Partial<Record<FactorType, string>> = phrases.factorHint
  const choices = need.availableFactors.map(
    (type) =>
      html`<li><button type="submit" id="choose-${type}" name="factor" value="${type}"><span>${phrases.factorName[type]}</span><small>${hints[type] ?? ''}</small></button></li>`,
  )
  const body = html`<h1 id="title">${phrases.chooseFactorTitle}</h1>
<p class="lead">${need.skippable ? phrases.chooseFactorLead : phrases.chooseFactorRequired}</p>
${problem(errorText)}
<form method="post" id="set-up-factor">
<input type="hidden" name="token" value="${formToken}">
<ul class="ways">${choices}</ul>
${skipButton(context, need)}
</form>`
  return framed(context, { status, title: phrases.chooseFactorTitle, body })
}

/** What the user calls a passkey, among several. */
export const passkeyNameField = ({ phrases }: Language, name = ''): SafeHtml => html`<div class="field">
<label for="name">${fill(phrases.optionalField, { label: phrases.passkeyName })}</label>
<input id="name" name="name" value="${name}" maxlength="${String(LONGEST_PASSKEY_NAME)}" autocomplete="off">
</div>`

/** The passkey, made by the browser. */
const passkeySetUp = async (
  context: PageContext,
  { need, draft }: Stage,
  status = 200,
  errorText?: string,
): Promise<Answer> => {
  const { language, interaction, formToken } = context
  const { phrases } = language
  const { verificationId, registrationOptions } = await beginPasskey(stepOf(context, eventOf(draft)))
  const making = { ceremony: 'create', options: registrationOptions, button: phrases.makePasskey } as const
  const isOffer = need.code === 'user.passkey_preferred'
  const another =
    !isOffer && (need.availableFactors.length > 1 || need.skippable)
      ? html`<p class="aside"><a id="another" href="/set-up-factor/${interaction.id}">${phrases.anotherWay}</a></p>`
      : html``
  const title = isOffer ? phrases.passkeyOfferTitle : phrases.passkeyTitle
  const skip = isOffer
    ? html`<form method="post" id="set-up-factor"><input type="hidden" name="token" value="${formToken}">${skipButton(context, need)}</form>`
    : html``
  const body = html`<h1 id="title">${title}</h1>
<p class="lead">${phrases.passkeyLead}</p>
${problem(errorText)}
${passkeyForm(context, { ...making, more: isOffer ? html`` : passkeyNameField(language), fields: { action: 'passkey', verificationId } })}
${skip}
${another}`
  return framed(context, { status, title, body })
}

/** In groups of four, as people read it. */
const grouped = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ')

/** What the app reads: an image, and the same as text. */
export const qrCode = (
  { phrases }: Language,
  { uri, secretQrCode, secret }: Omit<NewTotp, 'verificationId'>,
): SafeHtml =>
  html`<p class="qr"><a href="${uri}"><img src="${secretQrCode}" alt="${phrases.totpImage}" width="192" height="192"></a></p>
<p class="hint">${phrases.totpKey}<br><code class="key" id="key">${grouped(secret)}</code></p>`

/** The app: an image, the same as text, and the code that it shows. */
const totpForm = (context: PageContext, { need }: Stage, totp: NewTotp, status = 200, errorText?: string): Answer => {
  const { language, formToken, interaction } = context
  const { phrases } = language
  const body = html`<h1 id="title">${phrases.totpTitle}</h1>
<p class="lead">${phrases.totpLead}</p>
${problem(errorText)}
${qrCode(language, totp)}
<form method="post" id="set-up-factor">
<input type="hidden" name="token" value="${formToken}">
${codeField(context, errorText !== undefined)}
<button type="submit" id="submit" name="action" value="totp">${phrases.confirm}</button>
${skipButton(context, need)}
</form>
${need.availableFactors.length > 1 ? html`<p class="aside"><a id="another" href="/set-up-factor/${interaction.id}">${phrases.anotherWay}</a></p>` : html``}`
  return framed(context, { status, title: phrases.totpTitle, body })
}

/** Backup codes, made now and shown now. */
const backupCodesForm = async (context: PageContext, { draft }: Stage): Promise<Answer> => {
  const { language, formToken } = context
  const { phrases } = language
  const { codes, verificationId } = await generateBackupCodes(stepOf(context, eventOf(draft)))
  const body = html`<h1 id="title">${phrases.backupCodesTitle}</h1>
<p class="lead">${phrases.backupCodesLead}</p>
<ul class="codes" id="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<form method="post" id="set-up-factor">
<input type="hidden" name="token" value="${formToken}">
<input type="hidden" name="codes" value="${verificationId}">
<button type="submit" id="submit" name="action" value="backup-codes">${phrases.backupCodesSaved}</button>
</form>`
  return framed(context, { title: phrases.backupCodesTitle, body })
}

const issuerHere = ({ exchange }: PageContext) => issuerName(exchange.tenant)

/** Shows what comes next. */
const next = async (context: PageContext, stage: Stage): Promise<Answer> => {
  const { need, draft } = stage
  if (need.code === 'session.mfa.backup_code_required') return backupCodesForm(context, stage)
  if (need.code === 'user.passkey_preferred') return passkeySetUp(context, stage)
  const [only, ...more] = need.availableFactors
  if (isMessageFactor(only) && more.length === 0 && !need.skippable)
    return toPage(context, 'set-up-address', `?${FACTOR}=${only}`)
  if (only !== 'Totp' || more.length > 0) return choiceForm(context, stage)
  const step = stepOf(context, eventOf(draft))
  return totpForm(
    context,
    stage,
    pendingTotp(step, draft, issuerHere(context)) ?? (await beginTotp(step, issuerHere(context))),
  )
}

export const showSetUpFactor = async (context: PageContext): Promise<Answer> => {
  const stage = await stageOf(context)
  return stage ? next(context, stage) : resume(context)
}

/** Does what the form says. Undefined: the page shows what comes next. */
const act = async (context: PageContext, { need, draft }: Stage, fields: ReadonlyMap<string, readonly string[]>) => {
  const step = stepOf(context, eventOf(draft))
  const field = (name: string) => fields.get(name)?.[0] ?? ''
  const isOffer = need.code === 'user.passkey_preferred'
  switch (field('action')) {
    case 'skip':
      if (isOffer) return chooseFactors(step, { passkeySkipped: true })
      return skipFactors(
        step,
        need.code === 'session.mfa.suggest_additional_mfa'
          ? { additionalBindingSuggestionSkipped: true }
          : { skipped: true },
      )
    case 'totp': {
      const totp = pendingTotp(step, draft, issuerHere(context))
      if (!totp) return undefined
      await verifyTotp(step, typedCode(field('code')), totp.verificationId)
      return bindFactor(step, 'Totp', totp.verificationId)
    }
    case 'passkey': {
      const passkey = broughtPasskey<RegistrationResponseJSON>(field('payload'))
      if (!passkey) return undefined
      const verificationId = await finishPasskey(step, field('verificationId'), passkey, field('name'))
      return isOffer ? bindSignInPasskey(step, verificationId) : bindFactor(step, 'WebAuthn', verificationId)
    }
    case 'backup-codes':
      return bindFactor(step, 'BackupCode', field('codes'))
    default:
      return isOffer ? undefined : chooseFactors(step, { enabled: true })
  }
}

export const submitSetUpFactor = async (context: PageContext): Promise<Answer> => {
  const { phrases } = context.language
  const stage = await stageOf(context)
  if (!stage) return toPage(context, 'sign-in')
  const isOffer = stage.need.code === 'user.passkey_preferred'
  const fields = formFields(context)
  if (!fields)
    return isOffer
      ? passkeySetUp(context, stage, 400, phrases.expiredForm)
      : choiceForm(context, stage, 400, phrases.expiredForm)
  const step = stepOf(context, eventOf(stage.draft))
  try {
    const factor = fields.get('factor')?.[0]
    if (!isOffer && isFactorType(factor) && stage.need.availableFactors.includes(factor)) {
      await chooseFactors(step, { enabled: true })
      if (isMessageFactor(factor)) return toPage(context, 'set-up-address', `?${FACTOR}=${factor}`)
      if (factor === 'WebAuthn') return await passkeySetUp(context, stage)
      return totpForm(context, stage, await beginTotp(step, issuerHere(context)))
    }
    await act(context, stage, fields)
    return await finish(context, eventOf(stage.draft))
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    if (isOffer) return passkeySetUp(context, stage, status, text)
    const totp = fields.get('action')?.[0] === 'totp' ? pendingTotp(step, stage.draft, issuerHere(context)) : undefined
    return totp ? totpForm(context, stage, totp, status, text) : choiceForm(context, stage, status, text)
  }
}
