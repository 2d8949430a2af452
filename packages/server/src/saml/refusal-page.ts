/** Requests that cannot be answered to the application: a page for the user, a line for the operator (DECISIONS F2). */
import { html } from '@remix-run/html-template'
import type { Client } from '../domain/applications/clients.ts'
import { shownName } from '../domain/applications/look.ts'
import { SAML_LOGOUT_PATH } from '../domain/sessions/saml-logouts.ts'
import { type SignInSettings, signInExperience } from '../domain/sign-in/experience.ts'
import { callerOf } from '../http/caller-of.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { MalformedParameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Phrases } from '../languages/en.ts'
import { fill, type Language } from '../presentation/language.ts'
import { applicationBefore, onwardLink } from '../presentation/onward.ts'
import { failurePage, requestLine, tenantPage } from '../presentation/tenant-page.ts'
import type { Store } from '../storage/store.ts'
import { UnacceptableMessage } from '../tokens/saml/incoming.ts'
import { findServiceProvider, type ServiceProvider } from './service-provider.ts'

/** What the browser requested: the key of the audit entry. */
export type SamlAction =
  | `SamlApplication.${'AuthnRequest' | 'Callback' | 'LogoutRequest' | 'LogoutResponse' | 'SignOut'}`
  | 'Saml.Logout'

/** There is no address that would be safe to answer to. The message is for the developers of the application. */
export class SamlRefusal extends Error {
  readonly explanation: keyof Phrases['unsafe']
  readonly status: number
  constructor(explanation: keyof Phrases['unsafe'], message: string, status = 400) {
    super(message)
    this.name = 'SamlRefusal'
    this.explanation = explanation
    this.status = status
  }
}

const refusalOf = (error: unknown): SamlRefusal | undefined => {
  if (error instanceof SamlRefusal) return error
  if (error instanceof UnacceptableMessage) return new SamlRefusal('malformed', error.message)
  if (error instanceof MalformedParameters) return new SamlRefusal('malformed', `the request ${error.message}`)
  return undefined
}

const record = (
  { log, audit }: Store,
  exchange: Exchange,
  action: SamlAction,
  reason: string,
  about: Readonly<Record<string, unknown>>,
): void => {
  const facts = { reason, ...about }
  log.warn({ requestId: exchange.requestId, action, ...facts }, 'a request was refused')
  audit.add(exchange.tenant.id, callerOf(exchange, action), { result: 'Error', error: 'invalid_request', ...facts })
}

/** After an answer that is not accepted the browser may still go on to the next application. */
const onward = (action: SamlAction, language: Language, settings: SignInSettings, application: Client | undefined) =>
  action === 'SamlApplication.LogoutResponse'
    ? html`<a class="button" id="onward" href="${SAML_LOGOUT_PATH}">${language.phrases.continue}</a>`
    : onwardLink(language, settings, application)

const page = async (
  store: Store,
  exchange: Exchange,
  refusal: SamlRefusal,
  action: SamlAction,
  provider?: ServiceProvider,
) => {
  const settings = await signInExperience(store, exchange.tenant)
  const application = provider?.client ?? (await applicationBefore(store, exchange))
  // nothing went wrong with what the user did, and the sign-out goes on
  const isAnswer = action === 'SamlApplication.LogoutResponse' && provider !== undefined
  const titleOf = ({ phrases }: Language) => (isAnswer ? phrases.signOutUnansweredTitle : phrases.errorTitle)
  const adviceOf = ({ phrases }: Language) =>
    isAnswer ? fill(phrases.signOutUnansweredLead, { application: shownName(provider.client) }) : phrases.errorAdvice
  return tenantPage(store, exchange, (language) => ({
    status: refusal.status,
    title: titleOf(language),
    application: provider?.client,
    body: html`<h1 id="title">${titleOf(language)}</h1>
<p class="lead" id="explanation">${language.phrases.unsafe[refusal.explanation]}</p>
<p>${adviceOf(language)}</p>
<p class="hint" id="detail" lang="en">${refusal.message}</p>
${requestLine(language.phrases, exchange.requestId)}
${onward(action, language, settings, application)}`,
  }))
}

/**
 * The page for an error, which has an entry in the audit log if it is a refusal.
 * @param about what the entry says of the other side
 */
export const pageFor = async (
  store: Store,
  exchange: Exchange,
  action: SamlAction,
  error: unknown,
  about: Readonly<Record<string, unknown>>,
  provider?: ServiceProvider,
): Promise<Answer> => {
  const refusal = refusalOf(error)
  if (refusal) {
    record(store, exchange, action, refusal.message, about)
    return page(store, exchange, refusal, action, provider)
  }
  if (error instanceof ApiError && error.code === 'request.rate_limited') {
    const tooMany = new SamlRefusal('tooManyRequests', error.sentence, error.status)
    const answer = await page(store, exchange, tooMany, action)
    return { ...answer, headers: { ...answer.headers, 'retry-after': String(error.data?.retryAfter) } }
  }
  store.log.error({ requestId: exchange.requestId, err: error }, 'a request failed')
  return failurePage(store, exchange)
}

/** An endpoint for browsers that makes errors into pages that people can read. */
export const withRefusalPage =
  (
    store: Store,
    action: SamlAction,
    handle: (exchange: Exchange) => Promise<Answer>,
  ): ((exchange: Exchange) => Promise<Answer>) =>
  async (exchange) => {
    try {
      return await handle(exchange)
    } catch (error) {
      return pageFor(store, exchange, action, error, {})
    }
  }

/** The same for one application, which it finds. */
export const forServiceProvider =
  (
    store: Store,
    action: SamlAction,
    handle: (exchange: Exchange, provider: ServiceProvider) => Promise<Answer>,
  ): ((exchange: Exchange) => Promise<Answer>) =>
  async (exchange) => {
    let provider: ServiceProvider | undefined
    try {
      provider = await findServiceProvider(store, exchange.tenant, exchange.params.id)
      if (!provider) throw new SamlRefusal('unknownApplication', 'there is no SAML application with this id', 404)
      return await handle(exchange, provider)
    } catch (error) {
      return pageFor(store, exchange, action, error, provider ? { applicationId: exchange.params.id } : {}, provider)
    }
  }
