/**
 * Single logout through the browser (saml2-profiles section 4.4.3.3): GET /api/saml/sign-out sends the browser to the next application of
 * the sessions that have ended, until all have answered, and then to where the sign-out began. One that does not answer does not
 * hold the others: a browser that comes back without its answer gets a page from which POST goes on.
 */
import { html } from '@remix-run/html-template'
import { findClient } from '../domain/applications/clients.ts'
import { shownName } from '../domain/applications/look.ts'
import {
  type LogoutChoice,
  type LogoutEnd,
  nextLogoutStep,
  SAML_LOGOUT_COOKIE,
  SAML_LOGOUT_PATH,
} from '../domain/sessions/saml-logouts.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie, withCookies, writeCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { formParameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { newSamlId } from '../tokens/saml/element.ts'
import { answerLogout, onwardOf, requestLogout, statusOf } from './logout-messages.ts'
import { answerProviderLater } from './provider-answer.ts'
import { withRefusalPage } from './refusal-page.ts'
import { findServiceProvider } from './service-provider.ts'

const ACTION = 'SamlApplication.SignOut'

/** The page that says that the user is signed out. */
const signedOutAddress = ({ tenant }: Exchange): string => `${tenant.issuer}/session/end`

/** The user decides whether to ask again. */
const unanswered = async (store: Store, exchange: Exchange, applicationId: string): Promise<Answer> => {
  const application = await findClient(store, exchange.tenant, applicationId)
  return tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.signOutUnansweredTitle,
    application,
    formTargets: onwardOf(exchange),
    body: html`<h1 id="title">${phrases.signOutUnansweredTitle}</h1>
<p class="lead">${fill(phrases.signOutUnansweredLead, { application: application ? shownName(application) : applicationId })}</p>
<form method="post" action="${SAML_LOGOUT_PATH}">
<button type="submit" id="continue" name="choice" value="skip">${phrases.continue}</button>
<button type="submit" id="again" name="choice" value="again" class="quiet">${phrases.tryAgain}</button>
</form>`,
  }))
}

const ended = async (store: Store, exchange: Exchange, end: LogoutEnd, isPartial: boolean): Promise<Answer> => {
  if (end.kind === 'address') return redirectTo(end.address)
  if (end.kind === 'provider') return answerProviderLater(store, exchange, end, statusOf({ isPartial }))
  const provider = await findServiceProvider(store, exchange.tenant, end.applicationId)
  const singleLogout = provider?.settings.singleLogout
  if (!provider || !singleLogout) return redirectTo(signedOutAddress(exchange))
  return answerLogout(store, exchange, provider, singleLogout, end, statusOf({ isPartial }))
}

const goOn = async (store: Store, exchange: Exchange, choice?: LogoutChoice): Promise<Answer> => {
  const { tenant } = exchange
  const secret = readCookie(exchange, SAML_LOGOUT_COOKIE)
  const work = { store, tenant, caller: callerOf(exchange, ACTION) }
  const step = await perform(work, nextLogoutStep, secret, newSamlId(), choice)
  const isOver = [writeCookie(tenant, SAML_LOGOUT_COOKIE, '', 0)]
  // it has ended or expired: the user is signed out here
  if (!step) return redirectTo(signedOutAddress(exchange), isOver)
  if (step.kind === 'unanswered') return unanswered(store, exchange, step.applicationId)
  if (step.kind === 'end') return withCookies(await ended(store, exchange, step.end, step.isPartial), isOver)
  const provider = await findServiceProvider(store, tenant, step.to.applicationId)
  const asked = provider && (await requestLogout(store, exchange, provider, step.to))
  return asked ?? goOn(store, exchange, 'skip')
}

export const signOutOfNext = (store: Store) => withRefusalPage(store, ACTION, (exchange) => goOn(store, exchange))

/** A button of the page: the application is asked again, or left out. */
export const signOutAfterChoice = (store: Store) =>
  withRefusalPage(store, ACTION, (exchange) => {
    const [choice] = formParameters(exchange)?.get('choice') ?? []
    return goOn(store, exchange, choice === 'again' ? 'again' : 'skip')
  })
