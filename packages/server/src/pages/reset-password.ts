/**
 * The page where the code that was sent and a new password are entered. A user who has entered the code is not asked
 * for it again.
 */
import { html } from '@remix-run/html-template'
import { verifyCode } from '../domain/sign-in/code-proof.ts'
import type { CodeRecord } from '../domain/sign-in/draft.ts'
import { enterReplacement } from '../domain/sign-in/draft-profile.ts'
import { verifiedToken } from '../domain/sign-in/one-time-token-proof.ts'
import { identify, submitInteraction } from '../domain/sign-in/submission.ts'
import type { Answer } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { passwordField } from './credentials-form.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { byKind, codeField, draftHere, sentCodeOf, sentValues, shownAddress, typedCode } from './message-code.ts'
import { PASSWORD_CHANGED } from './sign-in.ts'

const stepHere = (context: PageContext) => stepOf(context, 'ForgotPassword')

/** The code that was sent, or the token of a link, which was verified before. */
type Proof = Pick<CodeRecord, 'id' | 'identifier' | 'verified'>

const proofHere = async (context: PageContext): Promise<Proof | undefined> => {
  const draft = await draftHere(stepHere(context).work, context.interaction.id)
  if (draft?.interactionEvent !== 'ForgotPassword') return undefined
  return verifiedToken(draft) ?? sentCodeOf(draft, 'ForgotPassword')
}

const form = (context: PageContext, record: Proof, status: number, errorText?: string): Answer => {
  const { language, formToken, interaction } = context
  const { phrases } = language
  const { verified, identifier } = record
  const sentTitle = byKind(identifier, phrases.codeSentTitle, phrases.codeSentPhoneTitle)
  const title = verified ? phrases.newPasswordTitle : sentTitle
  const lead = verified ? phrases.newPasswordLead : fill(phrases.codeSentLead, sentValues(context, identifier))
  const isInvalid = errorText !== undefined
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
${problem(errorText)}
<form method="post" id="reset-password">
<input type="hidden" name="token" value="${formToken}">
<input type="hidden" name="username" value="${shownAddress(identifier)}" autocomplete="username">
${verified ? html`` : codeField(context, isInvalid)}
${password}
<button type="submit" id="submit">${phrases.setPassword}</button>
</form>
${again}
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.backToSignIn}</a></p>
${pageScript('SHOW_PASSWORD')}`
  return framed(context, { status, title, body })
}

export const showResetPassword = async (context: PageContext): Promise<Answer> => {
  const record = await proofHere(context)
  return record ? form(context, record, 200) : toPage(context, 'forgot-password')
}

export const submitResetPassword = async (context: PageContext): Promise<Answer> => {
  const { experience, interaction, language } = context
  const { phrases } = language
  const step = stepHere(context)
  let record = await proofHere(context)
  if (!record) return toPage(context, 'forgot-password')
  const fields = formFields(context)
  if (!fields) return form(context, record, 400, phrases.expiredForm)
  const code = typedCode(fields.get('code')?.[0] ?? '')
  const password = fields.get('password')?.[0] ?? ''
  if (password === '' || (!record.verified && code === '')) return form(context, record, 422, phrases.missing)
  try {
    if (!record.verified) {
      await verifyCode(step, record.identifier, record.id, code)
      record = { ...record, verified: true }
    }
    await perform(step.work, identify, interaction.id, experience, record.id)
    await enterReplacement(step, password)
    await submitInteraction(step.work, { interaction, previousSecret: undefined }, experience)
    return toPage(context, 'sign-in', `?${PASSWORD_CHANGED}`)
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return form(context, record, status, text)
  }
}
