/**
 * The page for a user who has signed in or registers, and whose account lacks what sign-up requires: a username, an address, a
 * number, a password, one after the other. What has to be verified is verified here with a code.
 */
import { html } from '@remix-run/html-template'
import { sendVerificationCode, verifyCode } from '../domain/sign-in/code-proof.ts'
import type { CodeRecord, Draft, InteractionEvent } from '../domain/sign-in/draft.ts'
import { enterPassword, enterUnproved } from '../domain/sign-in/draft-profile.ts'
import { mustVerify, nextMissing } from '../domain/sign-in/missing-profile.ts'
import { type IdentifierType, readIdentifier } from '../domain/sign-in/rules.ts'
import { enterVerified } from '../domain/sign-in/verified-address.ts'
import type { Answer } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import { parseParameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { captchaOfSending, sendingStep } from './captcha.ts'
import { identifierLabel, inputModeOf, passwordField } from './credentials-form.ts'
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

/** In the query: the address was mistyped. */
const ANOTHER = 'another'

interface Shown {
  /** What was typed before. */
  readonly identifier?: string
  readonly errorText?: string
}

/** What the page is about: the draft, and the kinds of identifiers of which one is to be entered; none: a password. */
interface Here {
  readonly draft: Draft
  readonly types: readonly IdentifierType[]
}

/** Of whoever has come as far as this page: a user who has signed in, or one whose account is made as soon as it is complete. */
const findHere = async (context: PageContext): Promise<Here | undefined> => {
  const { work } = stepOf(context, 'SignIn')
  const draft = await draftHere(work, context.interaction.id)
  const isHere = draft?.interactionEvent === 'Register' ? draft.isReady : draft?.identified
  if (!draft || !isHere) return undefined
  const next = await nextMissing(work, context.experience, draft)
  return { draft, types: next === 'password' ? [] : (next ?? context.experience.signUp.identifiers) }
}

/** The code sent to an address to be added, if the address has to be verified. */
const pendingCode = ({ experience, exchange }: PageContext, { draft, types }: Here): CodeRecord | undefined => {
  const isAnother = exchange.method === 'GET' && parseParameters(exchange.queryText).has(ANOTHER)
  const record = isAnother ? undefined : sentCodeOf(draft, draft.interactionEvent)
  const isAsked = record && types.includes(record.identifier.type) && mustVerify(experience, record.identifier.type)
  return isAsked && record.templateType !== 'SignIn' ? record : undefined
}

const identifierForm = async (
  context: PageContext,
  { draft, types }: Here,
  status: number,
  { identifier = '', errorText }: Shown = {},
): Promise<Answer> => {
  const { client, experience, language, formToken } = context
  const { phrases } = language
  const invalid = errorText === undefined ? html`` : html`aria-invalid="true" aria-describedby="problem"`
  const autocomplete =
    types.length === 1 ? { username: 'username', email: 'email', phone: 'tel' }[types[0] ?? 'username'] : 'username'
  const sends = types.every((type) => mustVerify(experience, type))
  const captcha = types.some((type) => mustVerify(experience, type))
    ? await captchaOfSending(context, draft.interactionEvent)
    : { field: html`` }
  const body = html`<h1 id="title">${phrases.completeProfile}</h1>
<p class="lead">${fill(phrases.completeProfileLead, { application: client.name })}</p>
${problem(errorText)}
<form method="post" id="complete-profile">
<input type="hidden" name="token" value="${formToken}">
<div class="field">
<label for="identifier">${identifierLabel(language, types)}</label>
<input id="identifier" name="identifier" value="${identifier}" maxlength="256" required autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="${autocomplete}" inputmode="${inputModeOf(types)}" ${invalid} autofocus>
</div>
${captcha.field}
<button type="submit" id="submit">${sends ? phrases.sendCode : phrases.continue}</button>
</form>
${draft.interactionEvent === 'Register' ? html`` : html`<p class="aside"><a id="sign-in" href="/sign-in/${context.interaction.id}">${phrases.backToSignIn}</a></p>`}`
  return framed(context, { status, title: phrases.completeProfile, body, thirdParty: captcha.thirdParty })
}

const codeForm = async (
  context: PageContext,
  event: InteractionEvent,
  record: CodeRecord,
  status: number,
  errorText?: string,
): Promise<Answer> => {
  const { language, formToken, interaction } = context
  const { phrases } = language
  const { identifier, verified } = record
  const captcha = await captchaOfSending(context, event, identifier)
  const lead = fill(phrases.verifyEmailLead, sentValues(context, identifier))
  const title = byKind(identifier, phrases.verifyEmailTitle, phrases.verifyPhoneTitle)
  const another = byKind(identifier, phrases.backToRegister, phrases.anotherNumber)
  const body = html`<h1 id="title">${title}</h1>
${verified ? html`` : html`<p class="lead">${lead}</p>`}
${problem(errorText)}
<form method="post" id="complete-profile">
<input type="hidden" name="token" value="${formToken}">
${verified ? html`` : codeField(context, errorText !== undefined)}
<button type="submit" id="submit">${phrases.continue}</button>
</form>
${verified ? html`` : sendAgainForm(context, record, captcha.field)}
<p class="aside"><a id="another" href="/complete-profile/${interaction.id}?${ANOTHER}">${another}</a></p>`
  return framed(context, { status, title, body, thirdParty: captcha.thirdParty })
}

/** For a user who has signed in without a password, where accounts have one. */
const passwordForm = (context: PageContext, status: number, errorText?: string): Answer => {
  const { client, language, formToken } = context
  const { phrases } = language
  const field = passwordField(context, {
    autocomplete: 'new-password',
    label: phrases.chosenPassword,
    isInvalid: errorText !== undefined,
    isFirst: true,
  })
  const body = html`<h1 id="title">${phrases.newPasswordTitle}</h1>
<p class="lead">${fill(phrases.completeProfileLead, { application: client.name })}</p>
${problem(errorText)}
<form method="post" id="complete-profile">
<input type="hidden" name="token" value="${formToken}">
${field}
<button type="submit" id="submit">${phrases.continue}</button>
</form>
<p class="aside"><a id="sign-in" href="/sign-in/${context.interaction.id}">${phrases.backToSignIn}</a></p>
${pageScript('SHOW_PASSWORD')}`
  return framed(context, { status, title: phrases.newPasswordTitle, body })
}

const form = async (context: PageContext, here: Here, status: number, shown: Shown = {}): Promise<Answer> => {
  if (here.types.length === 0) return passwordForm(context, status, shown.errorText)
  const record = pendingCode(context, here)
  return record
    ? codeForm(context, here.draft.interactionEvent, record, status, shown.errorText)
    : identifierForm(context, here, status, shown)
}

export const showCompleteProfile = async (context: PageContext): Promise<Answer> => {
  const here = await findHere(context)
  return here ? form(context, here, 200) : toPage(context, 'sign-in')
}

const submitPassword = async (context: PageContext, { draft }: Here, password: string): Promise<Answer> => {
  const { phrases } = context.language
  const { interactionEvent: event } = draft
  const excess = password === '' ? phrases.missing : excessOf('', password, phrases)
  if (excess !== undefined) return passwordForm(context, 422, excess)
  try {
    await enterPassword(stepOf(context, event), password)
    return await finish(context, event)
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return passwordForm(context, status, text)
  }
}

export const submitCompleteProfile = async (context: PageContext): Promise<Answer> => {
  const { experience, language } = context
  const { phrases } = language
  const here = await findHere(context)
  if (!here) return toPage(context, 'sign-in')
  const fields = formFields(context)
  if (!fields) return form(context, here, 400, { errorText: phrases.expiredForm })
  const { interactionEvent: event } = here.draft
  const step = stepOf(context, event)
  if (here.types.length === 0) return submitPassword(context, here, fields.get('password')?.[0] ?? '')
  const identifier = (fields.get('identifier')?.[0] ?? '').trim()
  const record = fields.has('identifier') ? undefined : pendingCode(context, here)
  const code = typedCode(fields.get('code')?.[0] ?? '')
  const isAgain = record !== undefined && fields.has('again')
  if (!isAgain && (record ? !record.verified && code === '' : identifier === ''))
    return form(context, here, 422, { errorText: phrases.missing })
  const excess = excessOf(identifier, '', phrases)
  if (excess !== undefined) return identifierForm(context, here, 422, { identifier, errorText: excess })
  try {
    if (isAgain) {
      const wait = tooSoon(context, record)
      if (wait !== undefined) return await codeForm(context, event, record, 429, wait)
      await sendVerificationCode(await sendingStep(context, event, fields), event, record.identifier)
      return toPage(context, 'complete-profile')
    }
    if (record) {
      if (!record.verified) await verifyCode(step, record.identifier, record.id, code)
      await enterVerified(step, record.identifier.type, record.id)
      return await finish(context, event)
    }
    const typed = readIdentifier(identifier, here.types)
    const { type, value } = typed
    if (type !== 'username' && mustVerify(experience, type)) {
      await sendVerificationCode(await sendingStep(context, event, fields), event, { type, value })
      return toPage(context, 'complete-profile')
    }
    await enterUnproved(step, typed)
    return await finish(context, event)
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    const now = (await findHere(context)) ?? here
    return record
      ? codeForm(context, event, sentCodeOf(now.draft, event) ?? record, status, text)
      : identifierForm(context, now, status, { identifier, errorText: text })
  }
}
