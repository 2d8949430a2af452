/**
 * The page for entering the code that was sent to the address or number of a user who registers. The right code creates the
 * account.
 */
import { html } from '@remix-run/html-template'
import { sendVerificationCode, verifyCode } from '../domain/sign-in/code-proof.ts'
import type { CodeRecord } from '../domain/sign-in/draft.ts'
import { identify } from '../domain/sign-in/submission.ts'
import type { Answer } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { captchaOfSending, sendingStep } from './captcha.ts'
import { finish } from './finish.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import {
  byKind,
  codeField,
  SENT_AGAIN,
  sendAgainForm,
  sentCode,
  sentValues,
  tooSoon,
  typedCode,
} from './message-code.ts'

interface Shown {
  readonly errorText?: string
  readonly isSentAgain?: boolean
}

const form = async (
  context: PageContext,
  record: CodeRecord,
  status: number,
  { errorText, isSentAgain = false }: Shown = {},
): Promise<Answer> => {
  const { language, formToken, interaction } = context
  const { phrases } = language
  const { verified, identifier } = record
  const lead = fill(phrases.verifyEmailLead, sentValues(context, identifier))
  const title = byKind(identifier, phrases.verifyEmailTitle, phrases.verifyPhoneTitle)
  const another = byKind(identifier, phrases.backToRegister, phrases.anotherNumber)
  const captcha = await captchaOfSending(context, 'Register', identifier)
  const body = html`<h1 id="title">${title}</h1>
${verified ? html`` : html`<p class="lead">${lead}</p>`}
${problem(errorText)}
${isSentAgain ? html`<p class="notice" role="status" id="notice">${phrases.codeSentAgain}</p>` : html``}
<form method="post" id="verify-email">
<input type="hidden" name="token" value="${formToken}">
${verified ? html`` : codeField(context, errorText !== undefined)}
<button type="submit" id="submit">${phrases.verifyEmail}</button>
</form>
${verified ? html`` : sendAgainForm(context, record, captcha.field)}
<p class="aside"><a id="register" href="/register/${interaction.id}">${another}</a></p>`
  return framed(context, { status, title, body, thirdParty: captcha.thirdParty })
}

const stepHere = (context: PageContext) => stepOf(context, 'Register')

export const showVerifyEmail = async (context: PageContext): Promise<Answer> => {
  const record = await sentCode(stepHere(context).work, context.interaction.id, 'Register')
  if (!record) return toPage(context, 'register')
  return form(context, record, 200, { isSentAgain: parseParameters(context.exchange.queryText).has(SENT_AGAIN) })
}

export const submitVerifyEmail = async (context: PageContext): Promise<Answer> => {
  const { interaction, language } = context
  const { phrases } = language
  const step = stepHere(context)
  let record = await sentCode(step.work, interaction.id, 'Register')
  if (!record) return toPage(context, 'register')
  const fields = formFields(context)
  if (!fields) return form(context, record, 400, { errorText: phrases.expiredForm })
  const code = typedCode(fields.get('code')?.[0] ?? '')
  try {
    if (fields.has('again')) {
      const wait = tooSoon(context, record)
      if (wait !== undefined) return form(context, record, 429, { errorText: wait })
      await sendVerificationCode(await sendingStep(context, 'Register', fields), 'Register', record.identifier)
      return toPage(context, 'verify-email', `?${SENT_AGAIN}`)
    }
    if (!record.verified) {
      if (code === '') return form(context, record, 422, { errorText: phrases.missing })
      await verifyCode(step, record.identifier, record.id, code)
      record = { ...record, verified: true }
    }
    await perform(step.work, identify, interaction.id, context.experience, record.id)
    return await finish(context, 'Register')
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return form(context, record, status, { errorText: text })
  }
}
