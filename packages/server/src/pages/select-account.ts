/** The account chooser: for prompt=select_account, and where the application seems to mean someone else. */
import { html } from '@remix-run/html-template'
import { findSession } from '../domain/sessions/sessions.ts'
import { displayNameOf } from '../domain/sign-in/identity.ts'
import { recordAccount } from '../domain/sign-in/interactions.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { formFields, framed, type PageContext, problem, resume } from './interaction-page.ts'

const sessionOf = ({ store, exchange }: PageContext) =>
  findSession(store, exchange.tenant, readCookie(exchange, 'session'))

const page = async (context: PageContext, status: number, errorText?: string): Promise<Answer> => {
  const { store, exchange, client, language, formToken } = context
  const { phrases } = language
  const session = await sessionOf(context)
  // without a session there is nothing to choose: the dispatcher knows what to do
  if (!session) return resume(context)
  const user = await displayNameOf(store, exchange.tenant, session.userId)
  return framed(context, {
    status,
    title: phrases.selectAccount,
    body: html`<h1 id="title">${phrases.selectAccount}</h1>
<p class="lead">${fill(phrases.selectAccountFor, { application: client.name })}</p>
${problem(errorText)}
<p class="account"><b aria-hidden="true">${[...user][0]?.toUpperCase() ?? ''}</b><span id="account">${user}</span></p>
<form method="post" id="select-account">
<input type="hidden" name="token" value="${formToken}">
<input type="hidden" name="account" value="${session.userId}">
<button type="submit" id="continue" name="answer" value="continue">${fill(phrases.continueAs, { user })}</button>
<button type="submit" id="another" name="answer" value="another" class="quiet">${phrases.anotherAccount}</button>
</form>`,
  })
}

export const showSelectAccount = (context: PageContext): Promise<Answer> => page(context, 200)

export const submitSelectAccount = async (context: PageContext): Promise<Answer> => {
  const { store, exchange, interaction, language } = context
  const fields = formFields(context)
  if (!fields) return page(context, 400, language.phrases.expiredForm)
  const answer = fields.get('answer')?.[0]
  const session = await sessionOf(context)
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.SelectAccount.Submit') }
  // the account that was shown is the one that is chosen, no matter who has signed in with this browser since
  if (answer === 'continue' && session && fields.get('account')?.[0] === session.userId)
    await perform(work, recordAccount, interaction.id, { userId: session.userId })
  if (answer === 'another') await perform(work, recordAccount, interaction.id, 'another')
  return resume(context)
}
