/**
 * The page for the code that signs a user in. Who owns an address that no account has is told so, and can register with
 * the same proof.
 */
import { html } from '@remix-run/html-template'
import { sendVerificationCode, verifyCode } from '../domain/sign-in/code-proof.ts'
import type { CodeRecord } from '../domain/sign-in/draft.ts'
import { switchDraft } from '../domain/sign-in/interaction-drafts.ts'
import { mayRegisterBy } from '../domain/sign-in/rules.ts'
import { identify } from '../domain/sign-in/submission.ts'
import type { Answer } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
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
  shownAddress,
  tooSoon,
  typedCode,
} from './message-code.ts'
import { linkProved } from './social-link.ts'

const stepHere = (context: PageContext) => stepOf(context, 'SignIn')

/** The code that was sent to sign in with. */
const codeHere = async (context: PageContext): Promise<CodeRecord | undefined> => {
  const record = await sentCode(stepHere(context).work, context.interaction.id, 'SignIn')
  return record?.templateType === 'SignIn' ? record : undefined
}

const backLink = ({ language, interaction }: PageContext) =>
  html`<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${language.phrases.backToSignIn}</a></p>`

/** The field for the code. @param record the code that was sent */
export const codeForm = async (
  context: PageContext,
  record: CodeRecord,
  status: number,
  errorText?: string,
): Promise<Answer> => {
  const { language, formToken, exchange, experience } = context
  const { phrases } = language
  const { identifier } = record
  // where it would be sent to anyone, it is on its way
  const lead = mayRegisterBy(experience, identifier.type) ? phrases.verifyEmailLead : phrases.codeSentLead
  const isSentAgain = errorText === undefined && parseParameters(exchange.queryText).has(SENT_AGAIN)
  const title = byKind(identifier, phrases.codeSentTitle, phrases.codeSentPhoneTitle)
  const captcha = await captchaOfSending(context, 'SignIn', identifier)
  const body = html`<h1 id="title">${title}</h1>
<p class="lead">${fill(lead, sentValues(context, identifier))}</p>
${problem(errorText)}
${isSentAgain ? html`<p class="notice" role="status" id="notice">${phrases.codeSentAgain}</p>` : html``}
<form method="post" id="sign-in-code">
<input type="hidden" name="token" value="${formToken}">
${codeField(context, errorText !== undefined)}
<button type="submit" id="submit">${phrases.signIn}</button>
</form>
${sendAgainForm(context, record, captcha.field)}
${backLink(context)}`
  return framed(context, { status, title, body, thirdParty: captcha.thirdParty })
}

/** For the owner of an address that no account has. */
const unknownForm = (context: PageContext, { identifier }: CodeRecord, status: number, errorText?: string): Answer => {
  const { language, formToken, experience, interaction } = context
  const { phrases } = language
  const create = experience.signUp.password
    ? html`<p class="aside"><a id="register" href="/register/${interaction.id}">${phrases.createAccount}</a></p>`
    : html`<form method="post" id="sign-in-code">
<input type="hidden" name="token" value="${formToken}">
<button type="submit" id="submit" name="register" value="register">${phrases.createAccount}</button>
</form>`
  const body = html`<h1 id="title">${phrases.unknownAddressTitle}</h1>
<p class="lead">${fill(phrases.unknownAddressLead, { email: shownAddress(identifier) })}</p>
${problem(errorText)}
${mayRegisterBy(experience, identifier.type) ? create : html``}
${backLink(context)}`
  return framed(context, { status, title: phrases.unknownAddressTitle, body })
}

const form = async (context: PageContext, record: CodeRecord, status: number, errorText?: string): Promise<Answer> =>
  record.verified ? unknownForm(context, record, status, errorText) : codeForm(context, record, status, errorText)

export const showSignInCode = async (context: PageContext): Promise<Answer> => {
  const record = await codeHere(context)
  return record ? form(context, record, 200) : toPage(context, 'sign-in')
}

/** Signs in with the address that was verified; says so where no account has it. */
const signIn = async (context: PageContext, record: CodeRecord): Promise<Answer> => {
  const step = stepHere(context)
  try {
    const draft = await perform(step.work, identify, context.interaction.id, context.experience, record.id)
    await linkProved(step, draft)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'user.user_not_exist') return unknownForm(context, record, 200)
    throw error
  }
  return finish(context, 'SignIn')
}

const register = async (context: PageContext, record: CodeRecord): Promise<Answer> => {
  const { work } = stepOf(context, 'Register')
  await perform(work, switchDraft, context.interaction.id, 'Register')
  await perform(work, identify, context.interaction.id, context.experience, record.id)
  return finish(context, 'Register')
}

export const submitSignInCode = async (context: PageContext): Promise<Answer> => {
  const { phrases } = context.language
  let record = await codeHere(context)
  if (!record) return toPage(context, 'sign-in')
  const fields = formFields(context)
  if (!fields) return form(context, record, 400, phrases.expiredForm)
  const code = typedCode(fields.get('code')?.[0] ?? '')
  const step = stepHere(context)
  try {
    if (fields.has('again')) {
      const wait = tooSoon(context, record)
      if (wait !== undefined) return form(context, record, 429, wait)
      await sendVerificationCode(await sendingStep(context, 'SignIn', fields), 'SignIn', record.identifier)
      return toPage(context, 'sign-in-code', `?${SENT_AGAIN}`)
    }
    if (!record.verified) {
      if (code === '') return form(context, record, 422, phrases.missing)
      await verifyCode(step, record.identifier, record.id, code)
      record = { ...record, verified: true }
    }
    return await (fields.has('register') ? register(context, record) : signIn(context, record))
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return form(context, record, status, text)
  }
}
