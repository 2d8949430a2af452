/** The sign-in page: a name and a password. */
import { html } from '@remix-run/html-template'
import { SESSION_SECONDS } from '../domain/sessions.ts'
import { signInWithPassword } from '../domain/sign-in.ts'
import { readCookie, writeCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { credentialsForm } from './credentials-form.ts'
import { callerOf, formFields, framed, type PageContext, resume } from './interaction-page.ts'

const typesOf = ({ experience }: PageContext) =>
  experience.signIn.methods.filter(({ password }) => password).map(({ identifier }) => identifier)

/** @param trouble what to say above the form */
const form = (context: PageContext, status: number, identifier: string, trouble?: string): Answer => {
  const { phrases } = context.language
  const mayRegister = context.experience.signInMode !== 'SignIn'
  const aside = mayRegister
    ? html`<p class="aside">${phrases.noAccount} <a id="register" href="/register/${context.interaction.id}">${phrases.createAccount}</a></p>`
    : html``
  const body = credentialsForm(context, {
    title: phrases.signIn,
    lead: phrases.signInTo,
    types: typesOf(context),
    password: 'current-password',
    button: phrases.signIn,
    trouble,
    identifier,
    aside,
  })
  return framed(context, { status, title: phrases.signIn, body })
}

export const showSignIn = async (context: PageContext): Promise<Answer> =>
  form(context, 200, context.interaction.request.loginHint ?? '')

export const submitSignIn = async (context: PageContext): Promise<Answer> => {
  const { store, exchange, interaction, experience, language } = context
  const { phrases } = language
  const fields = formFields(context)
  if (!fields) return form(context, 400, '', phrases.expiredForm)
  const identifier = (fields.get('identifier')?.[0] ?? '').trim()
  const password = fields.get('password')?.[0] ?? ''
  if (identifier === '' || password === '') return form(context, 422, identifier, phrases.missing)
  const outcome = await signInWithPassword(
    { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.SignIn.Submit') },
    {
      interaction,
      previousSecret: readCookie(exchange, 'session'),
      types: typesOf(context),
      identifier,
      password,
      policy: experience.sentinelPolicy,
    },
  )
  switch (outcome.result) {
    case 'signed-in':
      return resume(context, [writeCookie(exchange.tenant, 'session', outcome.secret, SESSION_SECONDS)])
    case 'locked':
      return form(context, 429, identifier, phrases.locked)
    case 'busy':
      return form(context, 503, identifier, phrases.busy)
    case 'wrong':
      return form(context, 422, identifier, phrases.wrongCredentials)
  }
}
