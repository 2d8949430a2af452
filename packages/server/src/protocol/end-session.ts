/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0, DECISIONS F7). */
import { timingSafeEqual } from 'node:crypto'
import { html } from '@remix-run/html-template'
import { type Participants, participantsOf } from '../domain/sessions/saml-logouts.ts'
import { endSession, findSession, type Session } from '../domain/sessions/sessions.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie, writeCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import type { Parameters } from '../http/parameters.ts'
import { fill } from '../presentation/language.ts'
import { onwardAddress } from '../presentation/onward.ts'
import { tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { operation, perform } from '../storage/unit-of-work.ts'
import { resumeSignOut, signOutOfApplications } from './application-sign-out.ts'
import { withErrorPage } from './authorize/error-page.ts'
import { isWithoutCookies } from './cross-site-post.ts'
import { formOf, single } from './endpoint.ts'
import { given, type LogoutRequest, readRequest, repeatWithCookies, sentOrKept } from './logout-request.ts'
import { addressAtProvider, providerOfSession } from './provider-sign-out.ts'
import { signedOut } from './signed-out.ts'

const formToken = ({ vault }: Store, { tenant }: Exchange, session: Session): string =>
  vault.authenticate(`${tenant.id}/${session.id}`, 'sign-out-form').toString('base64url')

/** As form-action has it: of an address that is led to later only the protocol counts. */
const ANY_PROVIDER = 'https://provider.invalid'

const confirmation = async (
  store: Store,
  exchange: Exchange,
  session: Session,
  parameters: Parameters,
  { returnTo, client }: LogoutRequest,
): Promise<Answer> => {
  const { host } = new URL(exchange.tenant.baseUrl)
  const provider = await providerOfSession(store, exchange.tenant, session.id)
  const { database, clock } = store
  const asked = { tx: database.kysely, tenant: exchange.tenant, now: clock.now() }
  const isElsewhere = provider !== undefined || (await participantsOf(asked, [session.id])).reachable.length > 0
  const elsewhere = isElsewhere ? [ANY_PROVIDER, exchange.tenant.baseUrl] : []
  const fields = given(parameters).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  return tenantPage(store, exchange, ({ phrases }, settings) => ({
    title: phrases.signOutTitle,
    application: client,
    formTargets: [returnTo, onwardAddress(settings, client), ...elsewhere].filter((address) => address !== undefined),
    body: html`<h1 id="title">${phrases.signOutTitle}</h1>
<p class="lead">${fill(phrases.signOutLead, { host })}</p>
<form method="post" id="sign-out">
${fields}
<input type="hidden" name="token" value="${formToken(store, exchange, session)}">
<button type="submit" id="confirm" name="confirm" value="yes">${phrases.signOut}</button>
<button type="submit" id="cancel" name="confirm" value="no" class="quiet">${phrases.cancel}</button>
</form>`,
  }))
}

/** Returns the SAML applications of the session. */
const endedSession = operation([], async (unit, session: Session): Promise<Participants> => {
  const participants = await participantsOf(unit, [session.id])
  await endSession(unit, session.id)
  unit.note({ userId: session.userId, sessionId: session.id })
  return participants
})

const finish = async (
  store: Store,
  exchange: Exchange,
  session: Session | undefined,
  request: LogoutRequest,
): Promise<Answer> => {
  const { tenant } = exchange
  // without a session in the request there may still be one: its cookie must not be removed
  if (!session) {
    const work = { store, tenant, caller: callerOf(exchange, 'EndSession') }
    return (await resumeSignOut(work, exchange, request)) ?? signedOut(store, exchange, request)
  }
  const provider = await providerOfSession(store, tenant, session.id)
  const caller = callerOf(exchange, 'EndSession', { actor: { type: 'user', id: session.userId } })
  const work = { store, tenant, caller }
  const participants = await perform(work, endedSession, session)
  const cookies = [writeCookie(tenant, 'session', '', 0)]
  const address = provider && (await addressAtProvider(store, exchange, provider, request))
  const onward = { ...request, returnTo: address ?? request.returnTo }
  const through = await signOutOfApplications(work, exchange, participants, onward, cookies)
  return through ?? signedOut(store, exchange, onward, cookies)
}

/** After "Cancel": back to the application, or to a page that says that nothing has changed. */
const stay = async (store: Store, exchange: Exchange, { client }: LogoutRequest): Promise<Answer> => {
  const address = onwardAddress(await signInExperience(store, exchange.tenant), client)
  if (address !== undefined) return redirectTo(address)
  return tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.stillSignedIn,
    body: html`<h1 id="title">${phrases.stillSignedIn}</h1><p class="lead">${phrases.signedOutLead}</p>`,
  }))
}

/** Whether the user has confirmed on the server's page. */
const isConfirmed = (store: Store, exchange: Exchange, session: Session, parameters: Parameters): boolean => {
  if (single(parameters, 'confirm') === 'no') return false
  const given = Buffer.from(single(parameters, 'token') ?? '')
  const right = Buffer.from(formToken(store, exchange, session))
  return exchange.method === 'POST' && given.length === right.length && timingSafeEqual(given, right)
}

/**
 * Ends the session at once if the hint is for that session, otherwise asks first: a link must not be able to sign
 * anyone out.
 */
export const endSessionEndpoint = (store: Store) =>
  withErrorPage(store, 'EndSession', async (exchange) => {
    const parameters = exchange.method === 'POST' ? formOf(exchange) : await sentOrKept(store, exchange)
    const request = await readRequest(store, exchange, parameters)
    if (isWithoutCookies(exchange)) return repeatWithCookies(store, exchange, parameters, request.client)
    const session = await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
    const isHinted = session && request.hint?.sessionId === session.id && request.hint.userId === session.userId
    if (!session || isHinted || isConfirmed(store, exchange, session, parameters))
      return finish(store, exchange, session, request)
    if (exchange.method === 'POST' && single(parameters, 'confirm') === 'no') return stay(store, exchange, request)
    return confirmation(store, exchange, session, parameters, request)
  })
