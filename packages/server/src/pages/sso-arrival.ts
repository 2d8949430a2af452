/**
 * Sign-in that began at the identity provider of a company: the response comes without a request. The user is signed in by the
 * authorization request that follows in the same browser (DECISIONS P19).
 */
import { html } from '@remix-run/html-template'
import { ARRIVAL_SECONDS, hasArrived, keepArrival, onwardAddress } from '../domain/federation/enterprise/arrivals.ts'
import type { SsoConnector } from '../domain/federation/enterprise/connectors.ts'
import { findIdpInitiated } from '../domain/federation/enterprise/idp-initiated.ts'
import { arrivedAccount } from '../domain/federation/enterprise/visits.ts'
import { proveArrival } from '../domain/sign-in/enterprise-proof.ts'
import { signInExperience } from '../domain/sign-in/experience.ts'
import { callerOf } from '../http/caller-of.ts'
import { readCookie, withCookies, writeCookie } from '../http/cookies.ts'
import { type Answer, type Exchange, redirectTo } from '../http/exchange.ts'
import { ApiError } from '../kernel/api-error.ts'
import { tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { perform } from '../storage/unit-of-work.ts'
import { expiredPage, type PageContext, resume, stepOf } from './interaction-page.ts'
import { orProblem } from './social.ts'
import { signInToSso } from './sso.ts'

/** Holds the secret of an arrival. */
const COOKIE = 'sso-arrival'

/** What the identity provider said does not hold. The audit log has the reason. */
const refusedPage = (store: Store, exchange: Exchange): Promise<Answer> =>
  tenantPage(store, exchange, ({ phrases }) => ({
    status: 401,
    title: phrases.failed,
    body: html`<h1 id="title">${phrases.failed}</h1>
<p class="lead">${phrases.socialFailed}</p>`,
  }))

/**
 * Takes a response that this server has not asked for. Where that is off, nothing of it is read, and the audit log has no entry, as for
 * any other request that belongs to no sign-in.
 */
export const submitArrival = async (
  store: Store,
  exchange: Exchange,
  connector: SsoConnector,
  response: string,
): Promise<Answer> => {
  const { tenant } = exchange
  const config = await findIdpInitiated(store.database.kysely, tenant, connector.id)
  const { hasSso } = await signInExperience(store, tenant)
  if (!config || !hasSso) return expiredPage(store, exchange)
  const work = { store, tenant, caller: callerOf(exchange, 'Saml.Arrival') }
  try {
    const account = await arrivedAccount(work, connector, response)
    const secret = await perform(work, keepArrival, config, account)
    return redirectTo(await onwardAddress(store, tenant, config), [
      writeCookie(tenant, COOKIE, secret, ARRIVAL_SECONDS),
    ])
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return refusedPage(store, exchange)
  }
}

/**
 * Signs in the user who has arrived from this connector, in this browser, for the application of the interaction; undefined: none has,
 * and the provider is asked. Does not ask for terms.
 */
export const signInArrival = async (context: PageContext, connectorId: string): Promise<Answer | undefined> => {
  const { store, exchange, client } = context
  const secret = readCookie(exchange, COOKIE)
  const meant = { connectorId, applicationId: client.id }
  if (secret === undefined || !(await hasArrived(store, exchange.tenant, secret, meant))) return undefined
  const answer = await orProblem(context, async () => {
    const proof = await proveArrival(stepOf(context, 'SignIn'), secret, meant)
    return proof === undefined ? resume(context) : signInToSso(context, proof)
  })
  return withCookies(answer, [writeCookie(exchange.tenant, COOKIE, '', 0)])
}
