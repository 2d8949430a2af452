/** The sign-in page: a name and a password. */
import { html } from '@remix-run/html-template'
import { accountNames } from '../domain/sign-in/identity.ts'
import { canRegister, passwordIdentifiers } from '../domain/sign-in/rules.ts'
import { signInWithPassword } from '../domain/sign-in/sign-in.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { parseParameters } from '../http/parameters.ts'
import { credentialsForm } from './credentials-form.ts'
import { afterSignIn } from './finish.ts'
import { excessOf, formErrorOf, hasEnded } from './form-error.ts'
import { formFields, framed, type PageContext, resume, stepOf, toPage } from './interaction-page.ts'

/** In the query when the user comes from resetting their password. */
export const PASSWORD_CHANGED = 'password-changed'

/** @param errorText what to say above the form */
const form = (context: PageContext, status: number, identifier: string, errorText?: string): Answer => {
  const { phrases } = context.language
  const { experience, interaction, exchange } = context
  const forgot = experience.canResetPassword
    ? html`<p class="aside"><a id="forgot-password" href="/forgot-password/${interaction.id}">${phrases.forgotPassword}</a></p>`
    : html``
  const register = canRegister(experience)
    ? html`<p class="aside">${phrases.noAccount} <a id="register" href="/register/${interaction.id}">${phrases.createAccount}</a></p>`
    : html``
  const wasReset = parseParameters(exchange.queryText).has(PASSWORD_CHANGED)
  const body = credentialsForm(context, {
    title: phrases.signIn,
    lead: phrases.signInTo,
    types: passwordIdentifiers(context.experience),
    password: 'current-password',
    button: phrases.signIn,
    errorText,
    notice: wasReset && errorText === undefined ? phrases.passwordChanged : undefined,
    identifier,
    aside: html`${forgot}${register}`,
  })
  return framed(context, { status, title: phrases.signIn, body })
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

export const submitSignIn = async (context: PageContext): Promise<Answer> => {
  const { exchange, interaction, experience, language } = context
  const { phrases } = language
  if (experience.signInMode === 'Register') return toRegister(context)
  const fields = formFields(context)
  if (!fields) return form(context, 400, '', phrases.expiredForm)
  const identifier = (fields.get('identifier')?.[0] ?? '').trim()
  const password = fields.get('password')?.[0] ?? ''
  if (identifier === '' || password === '') return form(context, 422, identifier, phrases.missing)
  const excess = excessOf(identifier, password, phrases)
  if (excess !== undefined) return form(context, 422, identifier, excess)
  try {
    const attempt = { interaction, experience, previousSecret: readCookie(exchange, 'session'), identifier, password }
    return afterSignIn(context, await signInWithPassword(stepOf(context, 'SignIn').work, attempt))
  } catch (error) {
    if (hasEnded(error)) return resume(context)
    const { status, text } = formErrorOf(error, phrases)
    return form(context, status, identifier, text)
  }
}
