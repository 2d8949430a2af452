/**
 * The page for a user whose second factor is to be codes by mail or text message, and who has no address or number yet:
 * it is entered, verified by a code, and becomes that of the account.
 */
import { html } from '@remix-run/html-template'
import { isFactorType } from '../domain/factors/factors.ts'
import { sendVerificationCode, verifyCode } from '../domain/sign-in/code-proof.ts'
import type { CodeRecord, Draft } from '../domain/sign-in/draft.ts'
import { bindFactor } from '../domain/sign-in/factor-proof.ts'
import type { Answer } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { captchaOfSending, sendingStep } from './captcha.ts'
import { inputModeOf } from './credentials-form.ts'
import { addressTypeOf, isMessageFactor, type MessageFactor } from './factor-code.ts'
import { finish } from './finish.ts'
import { excessOf, formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import {
  byKind,
  codeField,
  draftHere,
  sendAgainForm,
  sentCodeOf,
  sentValues,
  tooSoon,
  typedCode,
} from './message-code.ts'

/** In the query: which of the two, and that another address is wanted. */
export const FACTOR = 'factor'
const ANOTHER = 'another'

interface Stage {
  readonly factor: MessageFactor
  readonly draft: Draft
  /** The code that was sent. */
  readonly record: CodeRecord | undefined
}

const eventOf = ({ interactionEvent }: Draft) => (interactionEvent === 'Register' ? 'Register' : 'SignIn')

const stageOf = async (context: PageContext): Promise<Stage | undefined> => {
  const { exchange, experience, interaction } = context
  const query = parseParameters(exchange.queryText)
  const [named] = query.get(FACTOR) ?? []
  const draft = await draftHere(stepOf(context, 'SignIn').work, interaction.id)
  const factor = isFactorType(named) && isMessageFactor(named) ? named : undefined
  if (!draft || !factor || !experience.mfa.factors.includes(factor)) return undefined
  const sent = query.has(ANOTHER) ? undefined : sentCodeOf(draft, eventOf(draft))
  const isOurs = sent?.templateType === 'BindMfa' && sent.identifier.type === addressTypeOf(factor)
  return { factor, draft, record: isOurs ? sent : undefined }
}

const addressForm = async (
  context: PageContext,
  { factor, draft }: Stage,
  status = 200,
  typed = '',
  errorText?: string,
): Promise<Answer> => {
  const { language, formToken, interaction } = context
  const { phrases } = language
  const type = addressTypeOf(factor)
  const title = type === 'email' ? phrases.addEmailTitle : phrases.addPhoneTitle
  const invalid = errorText === undefined ? html`` : html`aria-invalid="true" aria-describedby="problem"`
  const captcha = await captchaOfSending(context, eventOf(draft))
  const body = html`<h1 id="title">${title}</h1>
<p class="lead">${phrases.addAddressLead}</p>
${problem(errorText)}
<form method="post" id="set-up-address" action="/set-up-address/${interaction.id}?${FACTOR}=${factor}">
<input type="hidden" name="token" value="${formToken}">
<div class="field">
<label for="identifier">${phrases.identifier[type]}</label>
<input id="identifier" name="identifier" value="${typed}" maxlength="256" required autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="${type === 'email' ? 'email' : 'tel'}" inputmode="${inputModeOf([type])}" ${invalid} autofocus>
</div>
${captcha.field}
<button type="submit" id="submit">${phrases.sendCode}</button>
</form>
<p class="aside"><a id="another-way" href="/set-up-factor/${interaction.id}">${phrases.anotherWay}</a></p>`
  return framed(context, { status, title, body, thirdParty: captcha.thirdParty })
}

const codeForm = async (
  context: PageContext,
  { factor, draft }: Stage,
  record: CodeRecord,
  status = 200,
  errorText?: string,
): Promise<Answer> => {
  const { language, formToken, interaction } = context
  const { phrases } = language
  const { identifier, verified } = record
  const title = byKind(identifier, phrases.verifyEmailTitle, phrases.verifyPhoneTitle)
  const captcha = await captchaOfSending(context, eventOf(draft), identifier)
  const another = byKind(identifier, phrases.backToRegister, phrases.anotherNumber)
  const body = html`<h1 id="title">${title}</h1>
${verified ? html`` : html`<p class="lead">${fill(phrases.verifyEmailLead, sentValues(context, identifier))}</p>`}
${problem(errorText)}
<form method="post" id="set-up-address">
<input type="hidden" name="token" value="${formToken}">
${verified ? html`` : codeField(context, errorText !== undefined)}
<button type="submit" id="submit">${phrases.confirm}</button>
</form>
${verified ? html`` : sendAgainForm(context, record, captcha.field)}
<p class="aside"><a id="another" href="/set-up-address/${interaction.id}?${FACTOR}=${factor}&${ANOTHER}">${another}</a></p>`
  return framed(context, { status, title, body, thirdParty: captcha.thirdParty })
}

const form = (context: PageContext, stage: Stage, status = 200, typed = '', errorText?: string): Promise<Answer> =>
  stage.record
    ? codeForm(context, stage, stage.record, status, errorText)
    : addressForm(context, stage, status, typed, errorText)

export const showSetUpAddress = async (context: PageContext): Promise<Answer> => {
  const stage = await stageOf(context)
  return stage ? form(context, stage) : toPage(context, 'set-up-factor')
}

const verifyAndBind = async (context: PageContext, stage: Stage, record: CodeRecord, code: string): Promise<Answer> => {
  const step = stepOf(context, eventOf(stage.draft))
  if (!record.verified) await verifyCode(step, record.identifier, record.id, code)
  await bindFactor(step, stage.factor, record.id)
  return finish(context, eventOf(stage.draft))
}

export const submitSetUpAddress = async (context: PageContext): Promise<Answer> => {
  const { phrases } = context.language
  const stage = await stageOf(context)
  if (!stage) return toPage(context, 'set-up-factor')
  const fields = formFields(context)
  if (!fields) return form(context, stage, 400, '', phrases.expiredForm)
  const { draft, factor } = stage
  const typed = (fields.get('identifier')?.[0] ?? '').trim()
  const record = fields.has('identifier') ? undefined : stage.record
  const code = typedCode(fields.get('code')?.[0] ?? '')
  const isAgain = record !== undefined && fields.has('again')
  if (!isAgain && (record ? !record.verified && code === '' : typed === ''))
    return form(context, stage, 422, '', phrases.missing)
  const excess = excessOf(typed, '', phrases)
  if (excess !== undefined) return addressForm(context, stage, 422, typed, excess)
  try {
    if (record && !isAgain) return await verifyAndBind(context, stage, record, code)
    const wait = record && tooSoon(context, record)
    if (wait !== undefined) return form(context, stage, 429, '', wait)
    const identifier = record?.identifier ?? { type: addressTypeOf(factor), value: typed }
    await sendVerificationCode(await sendingStep(context, eventOf(draft), fields), eventOf(draft), identifier)
    return toPage(context, 'set-up-address', `?${FACTOR}=${factor}`)
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return record ? form(context, stage, status, '', text) : addressForm(context, stage, status, typed, text)
  }
}
