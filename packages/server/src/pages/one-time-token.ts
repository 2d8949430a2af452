/**
 * The page of a link that was sent by mail (DECISIONS O5): a button, which alone uses the token, because programs that scan mail
 * open links too. If no account has the address, the page then asks for what registration needs.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { shownName } from '../domain/applications/look.ts'
import { identifierKey } from '../domain/credentials/identifiers.ts'
import {
  findOneTimeToken,
  isTokenFor,
  type OneTimeTokenRow,
  oneTimeTokenStatus,
} from '../domain/issued/one-time-tokens.ts'
import type { InteractionEvent, OneTimeTokenRecord } from '../domain/sign-in/draft.ts'
import { enterPassword, enterUnproved, enterUsername } from '../domain/sign-in/draft-profile.ts'
import { startDraft, switchDraft } from '../domain/sign-in/interaction-drafts.ts'
import { missingFirst } from '../domain/sign-in/missing-profile.ts'
import { tokenOfRequest, verifiedToken, verifyToken } from '../domain/sign-in/one-time-token-proof.ts'
import { readIdentifier } from '../domain/sign-in/rules.ts'
import { identify } from '../domain/sign-in/submission.ts'
import type { Answer } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import type { Parameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { focus, identifierLabel, inputModeOf, passwordField } from './credentials-form.ts'
import { finish } from './finish.ts'
import { formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { draftHere } from './message-code.ts'
import { asksForTerms, hasAgreed, termsField } from './terms.ts'

interface Link {
  readonly token: string
  /** What is stored of it, if it exists. */
  readonly row: OneTimeTokenRow | undefined
  /** The address that it was sent to, as the authorization request says; undefined: the user has to enter it. */
  readonly email: string | undefined
}

/** The link that the browser came by; undefined: it came by none. */
const linkOf = async ({
  store,
  exchange: { tenant },
  interaction: { request },
}: PageContext): Promise<Link | undefined> => {
  const token = tokenOfRequest({ store, tenant }, request)
  if (token === undefined) return undefined
  const { loginHint } = request
  const isAddress = loginHint !== undefined && identifierKey({ type: 'email', value: loginHint }) !== undefined
  return { token, row: await findOneTimeToken(store, tenant, token), email: isAddress ? loginHint : undefined }
}

/** What the link is for: registration only where the token says so, or where there is nothing else. */
const eventOf = ({ experience }: PageContext, { row }: Link): InteractionEvent =>
  row?.context.interactionEvent ?? (experience.signInMode === 'Register' ? 'Register' : 'SignIn')

const wordsFor = ({ language: { phrases } }: PageContext, event: InteractionEvent) =>
  ({
    SignIn: { title: phrases.signIn, button: phrases.signIn },
    Register: { title: phrases.createAccount, button: phrases.createAccount },
    ForgotPassword: { title: phrases.resetTitle, button: phrases.continue },
  })[event]

/** The frame of each of these pages: what it is about, and for whom. */
const page = (
  context: PageContext,
  event: InteractionEvent,
  {
    status = 200,
    email,
    body,
  }: { readonly status?: number; readonly email?: string | undefined; readonly body: SafeHtml },
): Answer => {
  const { client, language, interaction } = context
  const { phrases } = language
  const { title } = wordsFor(context, event)
  return framed(context, {
    status,
    title,
    body: html`<h1 id="title">${title}</h1>
<p class="lead">${fill(phrases.signInTo, { application: shownName(client) })}</p>
${email === undefined ? html`` : html`<p class="lead"><strong id="email">${email}</strong></p>`}
${body}
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.otherWays}</a></p>`,
  })
}

/** A link that is of no use. */
const deadEnd = (context: PageContext, event: InteractionEvent, text: string): Answer =>
  page(context, event, { status: 400, body: problem(text) })

interface Shown {
  readonly status?: number
  readonly errorText?: string | undefined
  readonly identifier?: string
  readonly fields?: Parameters | undefined
}

const nameField = (label: string, identifier: string, inputmode: string, isInvalid: boolean): SafeHtml => {
  const invalid = isInvalid ? html`aria-invalid="true" aria-describedby="problem"` : html``
  return html`<div class="field">
<label for="identifier">${label}</label>
<input id="identifier" name="identifier" value="${identifier}" maxlength="256" required autocapitalize="none" autocorrect="off" spellcheck="false" autocomplete="${inputmode === 'email' ? 'email' : 'username'}" inputmode="${inputmode}" ${invalid} ${focus(true)}>
</div>`
}

/** The button, and a field for the address where the request does not have it. */
const buttonForm = (
  context: PageContext,
  link: Link,
  { status = 200, errorText, identifier = '', fields }: Shown = {},
): Answer => {
  const { formToken, language } = context
  const event = eventOf(context, link)
  const address = nameField(language.phrases.identifier.email, identifier, 'email', errorText !== undefined)
  const body = html`${problem(errorText)}
<form method="post" id="one-time-token">
<input type="hidden" name="token" value="${formToken}">
${link.email === undefined ? address : html``}
${event === 'ForgotPassword' ? html`` : termsField(context, event, fields)}
<button type="submit" id="submit">${wordsFor(context, event).button}</button>
</form>`
  return page(context, event, { status, email: link.email, body })
}

/** What registration needs beside the address. */
const neededOf = ({ experience }: PageContext, { identifier }: OneTimeTokenRecord) => {
  const missing = missingFirst(experience, { primaryEmail: identifier.value }, false)
  const hasPassword = missing.includes('password')
  return { hasPassword, hasName: missing.length > (hasPassword ? 1 : 0) }
}

const registrationForm = (
  context: PageContext,
  record: OneTimeTokenRecord,
  { status = 200, errorText, identifier = '', fields }: Shown = {},
): Answer => {
  const { experience, formToken, language } = context
  const { phrases } = language
  const { hasName, hasPassword } = neededOf(context, record)
  const types = experience.signUp.identifiers
  const isInvalid = errorText !== undefined
  const password = {
    autocomplete: 'new-password',
    label: phrases.newPassword,
    isInvalid: isInvalid && !hasName,
    isFirst: !hasName,
  } as const
  const body = html`${problem(errorText)}
<form method="post" id="one-time-token">
<input type="hidden" name="token" value="${formToken}">
${hasName ? nameField(identifierLabel(language, types), identifier, inputModeOf(types), isInvalid) : html``}
${hasPassword ? passwordField(context, password) : html``}
${termsField(context, 'Register', fields)}
<button type="submit" id="submit">${phrases.createAccount}</button>
</form>
${hasPassword ? pageScript('SHOW_PASSWORD') : html``}`
  return page(context, 'Register', { status, email: record.identifier.value, body })
}

const register = async (context: PageContext, record: OneTimeTokenRecord): Promise<Answer> => {
  const { work } = stepOf(context, 'Register')
  await perform(work, identify, context.interaction.id, context.experience, record.id)
  return finish(context, 'Register')
}

/** Registers, or goes to the form for what that needs. */
const beginRegistration = async (context: PageContext, record: OneTimeTokenRecord): Promise<Answer> => {
  const { hasName, hasPassword } = neededOf(context, record)
  const isAsked = hasName || hasPassword || asksForTerms(context, 'Register')
  return isAsked ? toPage(context, 'one-time-token') : register(context, record)
}

/** Signs in the user who has the address, or registers one. */
const signIn = async (context: PageContext, record: OneTimeTokenRecord): Promise<Answer> => {
  const { interaction, experience, language } = context
  const { work } = stepOf(context, 'SignIn')
  try {
    await perform(work, identify, interaction.id, experience, record.id)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'user.user_not_exist') throw error
    if (!isTokenFor(record.context, 'Register')) return deadEnd(context, 'SignIn', language.phrases.noAccountOfLink)
    await perform(work, switchDraft, interaction.id, 'Register')
    return beginRegistration(context, record)
  }
  return finish(context, 'SignIn')
}

/** What follows from a token that was verified for this. */
const proceed = (context: PageContext, event: InteractionEvent, record: OneTimeTokenRecord): Promise<Answer> => {
  if (event === 'ForgotPassword') return Promise.resolve(toPage(context, 'reset-password'))
  return event === 'SignIn' ? signIn(context, record) : beginRegistration(context, record)
}

/** The draft of this interaction with its token, once that was verified. */
const verifiedHere = async (context: PageContext) => {
  const draft = await draftHere(stepOf(context, 'SignIn').work, context.interaction.id)
  const record = draft && verifiedToken(draft)
  return draft && record && { event: draft.interactionEvent, record }
}

export const showOneTimeToken = async (context: PageContext): Promise<Answer> => {
  const { store, language } = context
  const link = await linkOf(context)
  if (!link) return toPage(context, 'sign-in')
  const verified = await verifiedHere(context)
  if (verified?.event === 'ForgotPassword') return toPage(context, 'reset-password')
  if (verified?.event === 'Register') return registrationForm(context, verified.record)
  const isActive = link.row !== undefined && oneTimeTokenStatus(link.row, store.clock.now()) === 'active'
  if (!verified && !isActive) return deadEnd(context, eventOf(context, link), language.phrases.goneLink)
  return buttonForm(context, link)
}

/** The button: verifies the token, unless that was done before. */
const press = async (context: PageContext, link: Link, fields: Parameters): Promise<Answer> => {
  const { interaction, language } = context
  const { phrases } = language
  const event = eventOf(context, link)
  const email = link.email ?? (fields.get('identifier')?.[0] ?? '').trim()
  if (email === '') return buttonForm(context, link, { status: 422, errorText: phrases.missing, fields })
  if (event !== 'ForgotPassword' && !hasAgreed(context, event, fields))
    return buttonForm(context, link, { status: 422, errorText: phrases.notAgreed, identifier: email })
  const step = stepOf(context, event)
  await perform(step.work, startDraft, interaction.id, event)
  await verifyToken(step, email, link.token)
  const verified = await verifiedHere(context)
  return verified ? proceed(context, event, verified.record) : resume(context)
}

const submitRegistration = async (
  context: PageContext,
  record: OneTimeTokenRecord,
  fields: Parameters,
): Promise<Answer> => {
  const { experience, language } = context
  const { phrases } = language
  const { hasName, hasPassword } = neededOf(context, record)
  const identifier = (fields.get('identifier')?.[0] ?? '').trim()
  const password = fields.get('password')?.[0] ?? ''
  if ((hasName && identifier === '') || (hasPassword && password === ''))
    return registrationForm(context, record, { status: 422, errorText: phrases.missing, identifier, fields })
  if (!hasAgreed(context, 'Register', fields))
    return registrationForm(context, record, { status: 422, errorText: phrases.notAgreed, identifier })
  const step = stepOf(context, 'Register')
  if (hasName) {
    const typed = readIdentifier(identifier, experience.signUp.identifiers)
    await (typed.type === 'username' ? enterUsername(step, typed.value) : enterUnproved(step, typed))
  }
  if (hasPassword) await enterPassword(step, password)
  return register(context, record)
}

export const submitOneTimeToken = async (context: PageContext): Promise<Answer> => {
  const { phrases } = context.language
  const link = await linkOf(context)
  if (!link) return toPage(context, 'sign-in')
  const verified = await verifiedHere(context)
  const fields = formFields(context)
  const again = (shown: Shown) =>
    verified?.event === 'Register'
      ? registrationForm(context, verified.record, {
          identifier: fields?.get('identifier')?.[0] ?? '',
          fields,
          ...shown,
        })
      : buttonForm(context, link, { identifier: fields?.get('identifier')?.[0] ?? '', fields, ...shown })
  if (!fields) return again({ status: 400, errorText: phrases.expiredForm })
  try {
    if (!verified) return await press(context, link, fields)
    if (verified.event === 'Register') return await submitRegistration(context, verified.record, fields)
    return await proceed(context, verified.event, verified.record)
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    if (error instanceof ApiError && error.code === 'user.email_already_in_use')
      return deadEnd(context, 'Register', phrases.accountOfLink)
    const { status, text } = formErrorOf(error, phrases)
    return again({ status, errorText: text })
  }
}
