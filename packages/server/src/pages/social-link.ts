/**
 * The page for an account at a provider that is no user's and whose verified address an account here has: the user proves that account,
 * and the one at the provider becomes theirs (DECISIONS P1).
 */
import { html } from '@remix-run/html-template'
import { sendVerificationCode } from '../domain/sign-in/code-proof.ts'
import type { Address, Draft, SocialRecord } from '../domain/sign-in/draft.ts'
import { type Step, verifyPasswordFor } from '../domain/sign-in/draft-profile.ts'
import { switchDraft } from '../domain/sign-in/interaction-drafts.ts'
import { codeIdentifiers, passwordIdentifiers } from '../domain/sign-in/rules.ts'
import { enterSocial, relatedAccount } from '../domain/sign-in/social-identity.ts'
import { identify } from '../domain/sign-in/submission.ts'
import type { Answer } from '../http/exchange.ts'
import { pageScript } from '../http/page-script.ts'
import type { Parameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { captchaOfSending, sendingStep } from './captcha.ts'
import { passwordField } from './credentials-form.ts'
import { finish } from './finish.ts'
import { excessOf, formErrorOf, hasEnded } from './form-error.ts'
import { framed, type PageContext, problem, resume, stepOf, toPage } from './interaction-page.ts'
import { shownAddress } from './message-code.ts'

/** Under which the form sends how the account is to be proved. */
export const LINK = 'link'
const CODE = 'code'

/** In the query: an account is to be created nevertheless. */
export const NEW = 'new'

/** What can be linked, and how it is proved that the account is the user's. */
export interface Link {
  readonly recordId: string
  /** The name of the provider. */
  readonly provider: string
  readonly address: Address
  /** undefined: both sides have verified the address, and nothing more has to be proved. */
  readonly by: { readonly password: boolean; readonly code: boolean } | undefined
}

/** The account that the one at the provider can be linked with; undefined where there is none, or it cannot be proved here. */
export const linkOf = async (
  context: PageContext,
  record: SocialRecord,
  provider: string,
): Promise<Link | undefined> => {
  const { experience } = context
  if (experience.signInMode === 'Register') return undefined
  const related = await relatedAccount(stepOf(context, 'SignIn').work, record)
  if (!related) return undefined
  const { address, isJoinable } = related
  const link = { recordId: record.id, provider, address }
  if (isJoinable) return { ...link, by: undefined }
  const by = {
    password: passwordIdentifiers(experience).includes(address.type),
    code: codeIdentifiers(experience).includes(address.type),
  }
  return by.password || by.code ? { ...link, by } : undefined
}

export const linkPage = async (
  context: PageContext,
  link: Link,
  status: number,
  errorText?: string,
): Promise<Answer> => {
  const { experience, formToken, interaction, language } = context
  const { phrases } = language
  const { address, by, provider } = link
  const captcha = by ? await captchaOfSending(context, 'SignIn', address) : { field: html`` }
  const isInvalid = errorText !== undefined
  const password = by?.password
    ? passwordField(context, { autocomplete: 'current-password', label: phrases.password, isInvalid, isFirst: true })
    : html``
  const code = by?.code
    ? html`<button type="submit" ${by.password ? html`class="quiet" formnovalidate` : html``} id="use-code" name="${LINK}" value="${CODE}">${by.password ? phrases.useCode : phrases.sendCode}</button>`
    : html``
  const submit =
    by && !by.password
      ? html``
      : html`<button type="submit" id="submit" name="${LINK}" value="${LINK}">${phrases.linkAccount}</button>`
  const create =
    experience.signInMode === 'SignIn'
      ? html``
      : html`<p class="aside">${phrases.notYourAccount} <a id="create" href="/social/${interaction.id}?${NEW}">${phrases.createAccount}</a></p>`
  const body = html`<h1 id="title">${phrases.linkTitle}</h1>
<p class="lead">${fill(phrases.linkLead, { email: shownAddress(address), provider })}</p>
${problem(errorText)}
<form method="post" id="link" action="/social/${interaction.id}">
<input type="hidden" name="token" value="${formToken}">
<input type="hidden" name="username" value="${shownAddress(address)}" autocomplete="username">
${password}
${captcha.field}
${submit}${code}
</form>
${create}
<p class="aside"><a id="sign-in" href="/sign-in/${interaction.id}">${phrases.backToSignIn}</a></p>
${by?.password ? pageScript('SHOW_PASSWORD') : html``}`
  const { thirdParty } = captcha
  return framed(context, { status, title: phrases.linkTitle, body, ...(thirdParty ? { thirdParty } : {}) })
}

/** Makes the account at the provider that was proved on the way that of the user who is identified by now. */
export const linkProved = async (step: Step, { identified, verificationRecords }: Draft): Promise<void> => {
  const record = verificationRecords.find((each) => each.type === 'Social')
  if (record?.account && identified && !identified.identity) await enterSocial(step, record.id)
}

const linkByPassword = async (
  context: PageContext,
  step: Step,
  { address }: Link,
  password: string,
): Promise<Answer> => {
  const { experience, interaction } = context
  const recordId = await verifyPasswordFor(step, address, password)
  await linkProved(step, await perform(step.work, identify, interaction.id, experience, recordId))
  return finish(context, 'SignIn')
}

const linkVerified = async (context: PageContext, { recordId }: Link): Promise<Answer> => {
  const { experience, interaction } = context
  const { work } = stepOf(context, 'SignIn')
  await perform(work, identify, interaction.id, experience, recordId, { isLinkWanted: true })
  return finish(context, 'SignIn')
}

/** A button of the page. */
export const submitLink = async (context: PageContext, link: Link, fields: Parameters): Promise<Answer> => {
  const { phrases } = context.language
  const password = fields.get('password')?.[0] ?? ''
  const isCode = fields.get(LINK)?.[0] === CODE
  try {
    const step = await sendingStep(context, 'SignIn', fields)
    await perform(step.work, switchDraft, context.interaction.id, 'SignIn')
    if (!link.by) return await linkVerified(context, link)
    if (isCode) {
      await sendVerificationCode(step, 'SignIn', link.address)
      return toPage(context, 'sign-in-code')
    }
    const wrong = password === '' ? phrases.missing : excessOf('', password, phrases)
    return wrong === undefined
      ? await linkByPassword(context, step, link, password)
      : await linkPage(context, link, 422, wrong)
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return linkPage(context, link, status, text)
  }
}
