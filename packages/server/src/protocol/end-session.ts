/** RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0, DECISIONS F7). */
import { timingSafeEqual } from 'node:crypto'
import { html } from '@remix-run/html-template'
import { type Client, findClient } from '../domain/clients.ts'
import { endSession, findSession, type Session } from '../domain/sessions.ts'
import { readCookie, writeCookie } from '../http/cookies.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { type Parameters, parseParameters } from '../http/parameters.ts'
import { OAuthError } from '../kernel/oauth-error.ts'
import { fill } from '../presentation/language.ts'
import { doneMark, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { operation, perform } from '../storage/unit-of-work.ts'
import { withErrorPage } from './authorize/error-page.ts'
import { formOf, single } from './endpoint.ts'
import { type Hint, readHint } from './id-token-hint.ts'
import { isRegisteredRedirectUri } from './redirect-uri.ts'

interface LogoutRequest {
  readonly hint: Hint | undefined
  readonly client: Client | undefined
  /** Where to go after it, if that is registered. */
  readonly returnTo: string | undefined
}

/** Section 2: the client follows from the hint or is named; the way back must be registered for it. */
const readRequest = async (store: Store, { tenant }: Exchange, parameters: Parameters): Promise<LogoutRequest> => {
  const hintText = single(parameters, 'id_token_hint')
  const clientId = single(parameters, 'client_id')
  const uri = single(parameters, 'post_logout_redirect_uri')
  const state = single(parameters, 'state')
  const hint = hintText === undefined ? undefined : await readHint(store, tenant, hintText)
  if (hintText !== undefined && !hint)
    throw new OAuthError('invalid_request', 'id_token_hint is not an ID token of this server')
  if (hint && clientId !== undefined && hint.clientId !== clientId) {
    throw new OAuthError('invalid_request', 'client_id is not the client of id_token_hint')
  }
  const id = hint?.clientId ?? clientId
  const client = id !== undefined && /^[0-9a-z-]{1,21}$/.test(id) ? await findClient(store, tenant, id) : undefined
  if (uri === undefined) return { hint, client, returnTo: undefined }
  if (id === undefined) {
    throw new OAuthError(
      'invalid_request',
      'post_logout_redirect_uri needs id_token_hint or client_id to say whose it is',
    )
  }
  if (!client || !isRegisteredRedirectUri(uri, client.postLogoutRedirectUris, client.type === 'Native')) {
    throw new OAuthError('invalid_request', 'post_logout_redirect_uri is not registered for the application')
  }
  const separator = uri.includes('?') ? '&' : '?'
  return { hint, client, returnTo: state === undefined ? uri : `${uri}${separator}state=${encodeURIComponent(state)}` }
}

const formToken = ({ vault }: Store, { tenant }: Exchange, session: Session): string =>
  vault.authenticate(`${tenant.id}/${session.id}`, 'sign-out-form').toString('base64url')

const confirmation = (
  store: Store,
  exchange: Exchange,
  session: Session,
  parameters: Parameters,
  { returnTo }: LogoutRequest,
): Promise<Answer> => {
  const { host } = new URL(exchange.tenant.baseUrl)
  const fields = ['id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state'].flatMap((name) => {
    const value = single(parameters, name)
    return value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
  })
  return tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.signOutTitle,
    formTargets: returnTo === undefined ? [] : [returnTo],
    body: html`<h1 id="title">${phrases.signOutTitle}</h1>
<p class="lead">${fill(phrases.signOutLead, { host })}</p>
<form method="post" id="sign-out">
${fields}
<input type="hidden" name="token" value="${formToken(store, exchange, session)}">
<button type="submit" id="confirm" name="confirm" value="yes">${phrases.signOut}</button>
</form>`,
  }))
}

const endedSession = operation([], async (unit, session: Session): Promise<void> => {
  await endSession(unit, session.id)
  unit.note({ userId: session.userId, sessionId: session.id })
})

const finish = async (
  store: Store,
  exchange: Exchange,
  session: Session | undefined,
  { returnTo }: LogoutRequest,
): Promise<Answer> => {
  const { tenant, requestId, ip, userAgent } = exchange
  if (session) {
    const caller = {
      actor: { type: 'user' as const, id: session.userId },
      action: 'EndSession',
      requestId,
      ip,
      ...(userAgent === undefined ? {} : { userAgent }),
    }
    await perform({ store, tenant, caller }, endedSession, session)
  }
  const cookies = [writeCookie(tenant, 'session', '', 0)]
  if (returnTo !== undefined)
    return { status: 303, headers: { location: returnTo, 'set-cookie': cookies, 'cache-control': 'no-store' } }
  return tenantPage(store, exchange, ({ phrases }) => ({
    title: phrases.signedOut,
    cookies,
    body: html`${doneMark}<h1 id="title">${phrases.signedOut}</h1><p class="lead">${phrases.signedOutLead}</p>`,
  }))
}

/** Whether the user has said yes on our own page. */
const isConfirmed = (store: Store, exchange: Exchange, session: Session, parameters: Parameters): boolean => {
  const given = Buffer.from(single(parameters, 'token') ?? '')
  const right = Buffer.from(formToken(store, exchange, session))
  return exchange.method === 'POST' && given.length === right.length && timingSafeEqual(given, right)
}

/** Ends the session at once when the hint is of it, else asks first: a link must not be able to sign anybody out. */
export const endSessionEndpoint = (store: Store) =>
  withErrorPage(store, async (exchange) => {
    const parameters = exchange.method === 'POST' ? formOf(exchange) : parseParameters(exchange.queryText)
    const request = await readRequest(store, exchange, parameters)
    const session = await findSession(store, exchange.tenant, readCookie(exchange, 'session'))
    const isHinted = session && request.hint?.sessionId === session.id && request.hint.userId === session.userId
    if (!session || isHinted || isConfirmed(store, exchange, session, parameters))
      return finish(store, exchange, session, request)
    return confirmation(store, exchange, session, parameters, request)
  })
