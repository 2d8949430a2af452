/**
 * The account chooser: for prompt=select_account, and when the application seems to mean another user. It shows the
 * account that is signed in and those that were used in this browser; those have to enter their password.
 */
import { html, type SafeHtml } from '@remix-run/html-template'
import { shownName } from '../domain/applications/look.ts'
import { findSession, type Session } from '../domain/sessions/sessions.ts'
import { type AccountName, accountNames } from '../domain/sign-in/identity.ts'
import { recordAccount } from '../domain/sign-in/interactions.ts'
import { passwordIdentifiers } from '../domain/sign-in/rules.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie, withCookies } from '../http/cookies.ts'
import type { Answer } from '../http/exchange.ts'
import { forgetAccount, rememberedAccounts } from '../http/remembered-accounts.ts'
import { fill } from '../presentation/language.ts'
import { perform } from '../storage/unit-of-work.ts'
import { formFields, framed, type PageContext, problem, resume, toPage } from './interaction-page.ts'

const sessionOf = ({ store, exchange }: PageContext): Promise<Session | undefined> =>
  findSession(store, exchange.tenant, readCookie(exchange, 'session'))

/** The ids that the page offers, that of the session first. */
const offeredIds = ({ store, exchange }: PageContext, session: Session | undefined): readonly string[] => [
  ...new Set([...(session ? [session.userId] : []), ...rememberedAccounts(store, exchange)]),
]

const cross = html`<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" aria-hidden="true"><path d="M7 7l10 10M17 7L7 17"/></svg>`

/** An account is a button; one that is not signed in can be removed from the list. */
const entry = (
  { language: { phrases } }: PageContext,
  { id, name, identifier }: AccountName,
  isSignedIn: boolean,
): SafeHtml => {
  const state = isSignedIn ? phrases.accountSignedIn : phrases.accountSignedOut
  const about = identifier === undefined || identifier === name ? state : `${identifier} · ${state}`
  const label = fill(phrases.removeAccount, { user: name })
  const forget = html`<button type="submit" class="forget" name="forget" value="${id}" aria-label="${label}" title="${label}">${cross}</button>`
  return html`<li>
<button type="submit" class="account" name="account" value="${id}"><b aria-hidden="true">${[...name][0]?.toUpperCase() ?? ''}</b><span><strong>${fill('{name}', { name })}</strong> <small>${about}</small></span></button>${isSignedIn ? '' : forget}
</li>
`
}

const page = async (context: PageContext, status: number, errorText?: string): Promise<Answer> => {
  const { store, exchange, client, language, formToken, experience } = context
  const { phrases } = language
  const session = await sessionOf(context)
  const types = passwordIdentifiers(experience)
  const accounts = await accountNames(store, exchange.tenant, offeredIds(context, session), types)
  // with nothing to choose from, the user signs in
  if (accounts.length === 0) return toPage(context, 'sign-in')
  return framed(context, {
    status,
    title: phrases.selectAccount,
    body: html`<h1 id="title">${phrases.selectAccount}</h1>
<p class="lead">${fill(phrases.selectAccountFor, { application: shownName(client) })}</p>
${problem(errorText)}
<form method="post" id="select-account">
<input type="hidden" name="token" value="${formToken}">
<ul class="accounts">
${accounts.map((account) => entry(context, account, account.id === session?.userId))}</ul>
<button type="submit" id="another" name="answer" value="another" class="quiet">${phrases.anotherAccount}</button>
</form>`,
  })
}

export const showSelectAccount = (context: PageContext): Promise<Answer> => page(context, 200)

export const submitSelectAccount = async (context: PageContext): Promise<Answer> => {
  const { store, exchange, interaction, language } = context
  const fields = formFields(context)
  if (!fields) return page(context, 400, language.phrases.expiredForm)
  const forgotten = fields.get('forget')?.[0]
  if (forgotten !== undefined)
    return withCookies(toPage(context, 'select-account'), [forgetAccount(store, exchange, forgotten)])
  const work = { store, tenant: exchange.tenant, caller: callerOf(exchange, 'Interaction.SelectAccount.Submit') }
  // the account that was shown is chosen, even if another has signed in with this browser since
  const chosen = fields.get('account')?.[0]
  if (chosen !== undefined && offeredIds(context, await sessionOf(context)).includes(chosen))
    await perform(work, recordAccount, interaction.id, { userId: chosen })
  if (fields.get('answer')?.[0] === 'another') await perform(work, recordAccount, interaction.id, 'another')
  return resume(context)
}
