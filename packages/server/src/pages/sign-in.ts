/** The sign-in page: a name and a password. */

import { html } from '@remix-run/html-template'
import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { accountNames } from '../domain/sign-in/identity.ts'
import { startDraft } from '../domain/sign-in/interaction-drafts.ts'
import { signInPasskeyOptions, verifySignInPasskey } from '../domain/sign-in/passkey-proof.ts'
import { canRegister, passwordIdentifiers } from '../domain/sign-in/rules.ts'
import { signInWithPassword } from '../domain/sign-in/sign-in.ts'
import { identify } from '../domain/sign-in/submission.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { type Parameters, parseParameters } from '../http/parameters.ts'
import { perform } from '../storage/unit-of-work.ts'
import { captchaOf, humanStep } from './captcha.ts'
import { credentialsForm } from './credentials-form.ts'
import { afterSignIn, finish } from './finish.ts'
import { EXPIRED } from './forgot-password.ts'
import { excessOf, type FormError, formErrorOf, hasEnded, isExpiredPassword } from './form-error.ts'
import { formFields, framed, type PageContext, resume, stepOf, toPage } from './interaction-page.ts'
import { broughtPasskey, passkeyForm } from './passkey-form.ts'
import { asksForTerms, hasAgreed, termsField } from './terms.ts'

/** In the query when the user comes from resetting their password. */
export const PASSWORD_CHANGED = 'password-changed'

/** @param errorText what to say above the form */
const form = async (
  context: PageContext,
  status: number,
  identifier: string,
  errorText?: string,
  fields?: Parameters,
  errorField?: FormError['field'],
): Promise<Answer> => {
  const { phrases } = context.language
  const { experience, interaction, exchange } = context
  const forgot = experience.canResetPassword
    ? html`<p class="aside"><a id="forgot-password" href="/forgot-password/${interaction.id}">${phrases.forgotPassword}</a></p>`
    : html``
  const register = canRegister(experience)
    ? html`<p class="aside">${phrases.noAccount} <a id="register" href="/register/${interaction.id}">${phrases.createAccount}</a></p>`
    : html``
  const { enabled, showPasskeyButton, allowAutofill } = experience.passkeySignIn
  const passkey =
    enabled && !asksForTerms(context, 'SignIn')
      ? passkeyForm(context, {
          ceremony: 'get',
          options: await signInPasskeyOptions(stepOf(context, 'SignIn')),
          button: phrases.signInWithPasskey,
          fields: {},
          isQuiet: true,
          isShown: showPasskeyButton,
          isOffered: allowAutofill,
        })
      : html``
  const types = passwordIdentifiers(experience)
  const captcha = await captchaOf(context, 'SignIn', identifier, types)
  const wasReset = parseParameters(exchange.queryText).has(PASSWORD_CHANGED)
  const body = credentialsForm(context, {
    title: phrases.signIn,
    lead: phrases.signInTo,
    types,
    password: 'current-password',
    button: phrases.signIn,
    errorText,
    errorField,
    notice: wasReset && errorText === undefined ? phrases.passwordChanged : undefined,
    identifier,
    terms: termsField(context, 'SignIn', fields),
    captcha: captcha.field,
    aside: html`${passkey}${forgot}${register}`,
    hasPasskeys: enabled && allowAutofill && !asksForTerms(context, 'SignIn'),
  })
  return framed(context, { status, title: phrases.signIn, body, thirdParty: captcha.thirdParty })
}

/** If only registration is offered, go there. */
const toRegister = (context: PageContext): Answer => toPage(context, 'register')

/** The initial value of the name field: of the chosen account, or what the application expects. */
const firstIdentifier = async ({ store, exchange, experience, interaction }: PageContext): Promise<string> => {
  const { chosenAccount } = interaction.state
  const { loginHint = '' } = interaction.request
  if (chosenAccount === undefined || chosenAccount === 'another') return loginHint
  const types = passwordIdentifiers(experience)
  const [chosen] = await accountNames(store, exchange.tenant, [chosenAccount.userId], types)
  return chosen?.identifier ?? ''
}

export const showSignIn = async (context: PageContext): Promise<Answer> =>
  context.experience.signInMode === 'Register'
    ? toRegister(context)
    : form(context, 200, await firstIdentifier(context))

/** A passkey says who signs in, and is all that is asked for. */
const signInWithPasskey = async (context: PageContext, passkey: AuthenticationResponseJSON): Promise<Answer> => {
  const { interaction, experience, language } = context
  const step = stepOf(context, 'SignIn')
  try {
    await perform(step.work, startDraft, interaction.id, 'SignIn')
    await perform(step.work, identify, interaction.id, experience, await verifySignInPasskey(step, passkey))
    return await finish(context, 'SignIn')
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, language.phrases)
    return form(context, status, '', text)
  }
}

export const submitSignIn = async (context: PageContext): Promise<Answer> => {
  const { exchange, interaction, experience, language } = context
  const { phrases } = language
  if (experience.signInMode === 'Register') return toRegister(context)
  const fields = formFields(context)
  if (!fields) return form(context, 400, '', phrases.expiredForm)
  const passkey = broughtPasskey<AuthenticationResponseJSON>(fields.get('payload')?.[0] ?? '')
  if (passkey && !asksForTerms(context, 'SignIn')) return signInWithPasskey(context, passkey)
  const identifier = (fields.get('identifier')?.[0] ?? '').trim()
  const password = fields.get('password')?.[0] ?? ''
  if (identifier === '' || password === '') return form(context, 422, identifier, phrases.missing, fields)
  if (!hasAgreed(context, 'SignIn', fields)) return form(context, 422, identifier, phrases.notAgreed)
  const excess = excessOf(identifier, password, phrases)
  if (excess !== undefined) return form(context, 422, identifier, excess, fields)
  try {
    const browser = { previousSecret: readCookie(exchange, 'session'), device: readCookie(exchange, 'device') }
    const attempt = { interaction, experience, ...browser, identifier, password }
    const { work } = await humanStep(context, 'SignIn', fields, identifier, passwordIdentifiers(experience))
    return afterSignIn(context, await signInWithPassword(work, attempt))
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    if (isExpiredPassword(error) && experience.canResetPassword)
      return toPage(context, 'forgot-password', `?${EXPIRED}`)
    const { status, text, field } = formErrorOf(error, phrases)
    return form(context, status, identifier, text, fields, field)
  }
}
