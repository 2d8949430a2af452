/** The page where the code that was mailed and a new password are entered. Whoever brought the code is asked for it no more. */
import { html } from '@remix-run/html-template'
import { verifyCode } from '../domain/code-proof.ts'
import type { Draft, EmailVerificationCodeRecord } from '../domain/draft.ts'
import { enterReplacement } from '../domain/draft-profile.ts'
import { findDraft } from '../domain/interaction-drafts.ts'
import { identify, submitInteraction } from '../domain/submission.ts'
import type { Answer } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import { ApiError } from '../kernel/api-error.ts'
import { fill } from '../presentation/language.ts'
import { perform, type Work } from '../storage/unit-of-work.ts'
import { passwordField } from './credentials-form.ts'
import { hasEnded, troubleOf } from './credentials-trouble.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { PASSWORD_CHANGED } from './sign-in.ts'

/** The code that was sent in this interaction, if one was. */
const sentCode = async (work: Work, interactionId: string): Promise<EmailVerificationCodeRecord | undefined> => {
  const draft: Draft | undefined = await findDraft(work, interactionId).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'session.interaction_not_found') return undefined
    throw error
  })
  const record = draft?.verificationRecords.find(({ type }) => type === 'EmailVerificationCode')
  return draft?.interactionEvent === 'ForgotPassword' && record?.type === 'EmailVerificationCode' ? record : undefined
}

const codeField = ({ language: { phrases } }: PageContext, isInvalid: boolean) => html`<div class="field">
<label for="code">${phrases.code}</label>
<input id="code" class="code-field" name="code" maxlength="16" required autocomplete="one-time-code" inputmode="numeric" ${isInvalid ? html`aria-invalid="true" aria-describedby="problem"` : html``} autofocus>
</div>`

const form = (context: PageContext, record: EmailVerificationCodeRecord, status: number, trouble?: string): Answer => {
  const { language, formToken, interaction, experience } = context
  const { phrases } = language
  const { verified, identifier } = record
  const minutes = String(Math.ceil(experience.verificationCodePolicy.expirationDuration / 60))
  const title = verified ? phrases.newPasswordTitle : phrases.codeSentTitle
  const lead = verified ? phrases.newPasswordLead : fill(phrases.codeSentLead, { email: identifier.value, minutes })
  const isInvalid = trouble !== undefined
  const password = passwordField(context, {
    autocomplete: 'new-password',
    label: phrases.chosenPassword,
    isInvalid: isInvalid && verified,
    isFirst: verified,
  })
  const again = verified
    ? html``
    : html`<p class="aside"><a id="send-again" href="/forgot-password/${interaction.id}">${phrases.sendAgain}</a></p>`
  const body = html`<h1 id="title">${title}</h1>
<p class="lead">${lead}</p>
${problem(trouble)}
<form method="post" id="reset-password">
<input type="hidden" name="token" value="${formToken}">
<input type="hidden" name="username" value="${identifier.value}" autocomplete="username">
${verified ? html`` : codeField(context, isInvalid)}
${password}
<button type="submit" id="submit">${phrases.setPassword}</button>
</form>
${again}
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.backToSignIn}</a></p>
${pageScript('SHOW_PASSWORD')}`
  return framed(context, { status, title, body })
}

const stepHere = (context: PageContext) => stepOf(context, 'Interaction.ForgotPassword.Submit')

export const showResetPassword = async (context: PageContext): Promise<Answer> => {
  const record = await sentCode(stepHere(context).work, context.interaction.id)
  return record ? form(context, record, 200) : toPage(context, 'forgot-password')
}

export const submitResetPassword = async (context: PageContext): Promise<Answer> => {
  const { experience, interaction, language } = context
  const { phrases } = language
  const step = stepHere(context)
  let record = await sentCode(step.work, interaction.id)
  if (!record) return toPage(context, 'forgot-password')
  const fields = formFields(context)
  if (!fields) return form(context, record, 400, phrases.expiredForm)
  const code = (fields.get('code')?.[0] ?? '').replace(/[\s-]/g, '')
  const password = fields.get('password')?.[0] ?? ''
  if (password === '' || (!record.verified && code === '')) return form(context, record, 422, phrases.missing)
  try {
    if (!record.verified) {
      await verifyCode(step, record.identifier, record.id, code)
      record = { ...record, verified: true }
    }
    await perform(step.work, identify, interaction.id, experience, record.id)
    await enterReplacement(step, password)
    await perform(step.work, submitInteraction, { interaction, previousSecret: undefined }, experience)
    return toPage(context, 'sign-in', `?${PASSWORD_CHANGED}`)
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = troubleOf(error, phrases)
    return form(context, record, status, text)
  }
}
