/**
 * The registration page: a name, and a password where sign-up asks for one, create an account, which is signed in; an
 * address or a number may have to be verified first.
 */
import { html } from '@remix-run/html-template'
import { beginRegistration, registerWithPassword } from '../domain/sign-in/registration.ts'
import { canRegister, readIdentifier } from '../domain/sign-in/rules.ts'
import type { Answer } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import { captchaOf, humanStep } from './captcha.ts'
import { credentialsForm } from './credentials-form.ts'
import { afterSignIn, submissionOf } from './finish.ts'
import { type FormError, formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, resume, toPage } from './interaction-page.ts'
import { marksElsewhere, providerTargets, socialButtons } from './social-buttons.ts'
import { hasAgreed, termsField } from './terms.ts'

const form = async (
  context: PageContext,
  status: number,
  identifier: string,
  errorText?: string,
  errorField?: FormError['field'],
  fields?: Parameters,
): Promise<Answer> => {
  const { phrases } = context.language
  const { identifiers: types } = context.experience.signUp
  const captcha = await captchaOf(context, 'Register', identifier, types)
  const maySignIn = context.experience.signInMode !== 'Register'
  const body = credentialsForm(context, {
    title: phrases.createAccount,
    lead: phrases.createAccountFor,
    types,
    password: context.experience.signUp.password ? 'new-password' : undefined,
    button: phrases.createAccount,
    otherButton: socialButtons(context),
    errorText,
    errorField,
    identifier,
    terms: termsField(context, 'Register', fields),
    captcha: captcha.field,
    aside: maySignIn
      ? html`<p class="aside">${phrases.haveAccount} <a id="sign-in" href="/sign-in/${context.interaction.id}">${phrases.signIn}</a></p>`
      : html``,
  })
  return framed(context, {
    status,
    title: phrases.createAccount,
    body,
    thirdParty: captcha.thirdParty,
    formTargets: providerTargets(context),
    images: marksElsewhere(context.experience.socialConnectors),
  })
}

export const showRegister = async (context: PageContext): Promise<Answer> =>
  canRegister(context.experience)
    ? form(context, 200, context.interaction.request.loginHint ?? '')
    : toPage(context, 'sign-in')

export const submitRegister = async (context: PageContext): Promise<Answer> => {
  const { experience, language } = context
  const { phrases } = language
  if (!canRegister(experience)) return toPage(context, 'sign-in')
  const fields = formFields(context)
  if (!fields) return form(context, 400, '', phrases.expiredForm)
  const identifier = (fields.get('identifier')?.[0] ?? '').trim()
  const password = fields.get('password')?.[0] ?? ''
  const isMissing = identifier === '' || (password === '' && experience.signUp.password)
  if (isMissing) return form(context, 422, identifier, phrases.missing, undefined, fields)
  if (!hasAgreed(context, 'Register', fields)) return form(context, 422, identifier, phrases.notAgreed, 'terms')
  try {
    const { identifiers } = experience.signUp
    const step = await humanStep(context, 'Register', fields, identifier, identifiers)
    if (experience.signUp.verify && readIdentifier(identifier, identifiers).type !== 'username') {
      await beginRegistration(step, identifier, experience.signUp.password ? password : undefined)
      return toPage(context, 'verify-email')
    }
    const attempt = { ...(await submissionOf(context)), experience, identifier, password }
    return await afterSignIn(context, await registerWithPassword(step, attempt))
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text, field } = formErrorOf(error, phrases)
    return form(context, status, identifier, text, field, fields)
  }
}
