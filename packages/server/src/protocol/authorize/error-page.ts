/** The page for a request without a safe address to return to (DECISIONS F2). */
import { html } from '@remix-run/html-template'
import { signInExperience } from '../../domain/sign-in/experience.ts'
import type { Answer, Exchange } from '../../http/exchange.ts'
import { MalformedParameters } from '../../http/parameters.ts'
import { ApiError } from '../../kernel/api-error.ts'
import { OAuthError } from '../../kernel/oauth-error.ts'
import { developerDetails, isForDevelopers } from '../../presentation/developer-details.ts'
import { applicationBefore, onwardLink } from '../../presentation/onward.ts'
import { failurePage, requestLine, tenantPage } from '../../presentation/tenant-page.ts'
import type { Store } from '../../storage/store.ts'
import { type RefusedRequest, UnsafeRequestError } from './authorization-error.ts'
import { type RefusedAction, recordRefusal } from './refusals.ts'

interface Refusal {
  readonly explanation: UnsafeRequestError['explanation']
  readonly status: number
  readonly request: RefusedRequest
  /** For the developers of the application, in English. */
  readonly detail?: string
}

const errorPage = async (store: Store, exchange: Exchange, refusal: Refusal): Promise<Answer> => {
  const { explanation, status, request, detail } = refusal
  const settings = await signInExperience(store, exchange.tenant)
  const application = request.client ?? (await applicationBefore(store, exchange))
  return tenantPage(store, exchange, (language) => ({
    status,
    title: language.phrases.errorTitle,
    application: request.client,
    body: html`<h1 id="title">${language.phrases.errorTitle}</h1>
<p class="lead" id="explanation">${language.phrases.unsafe[explanation]}</p>
<p>${language.phrases.errorAdvice}</p>
${detail === undefined ? '' : html`<p class="hint" id="detail" lang="en">${detail}</p>`}
${isForDevelopers(exchange.tenant, settings) ? developerDetails(language, exchange.tenant, request) : ''}
${requestLine(language.phrases, exchange.requestId)}
${onwardLink(language, settings, application)}`,
  }))
}

/** The fault in the request; undefined for a server error. */
const refusalOf = (error: unknown): Refusal | undefined => {
  if (error instanceof UnsafeRequestError)
    return {
      explanation: error.explanation,
      status: 400,
      request: error.request,
      ...(error.detail === undefined ? {} : { detail: error.detail }),
    }
  const malformed = { explanation: 'malformed', request: {} } as const
  if (error instanceof MalformedParameters) return { ...malformed, status: 400, detail: `the request ${error.message}` }
  if (error instanceof OAuthError && error.status < 500)
    return { ...malformed, status: error.status, detail: error.description }
  return undefined
}

/** An endpoint for browsers, whose errors are pages that people can read. @param action what the endpoint is for */
export const withErrorPage =
  (store: Store, action: RefusedAction, handle: (exchange: Exchange) => Promise<Answer>) =>
  async (exchange: Exchange): Promise<Answer> => {
    try {
      return await handle(exchange)
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal) {
        recordRefusal(store, exchange, action, refusal.detail ?? refusal.explanation, refusal.request)
        return errorPage(store, exchange, refusal)
      }
      if (error instanceof ApiError && error.code === 'request.rate_limited') {
        const { status, data } = error
        const answer = await errorPage(store, exchange, { explanation: 'tooManyRequests', status, request: {} })
        return { ...answer, headers: { ...answer.headers, 'retry-after': String(data?.retryAfter) } }
      }
      store.log.error({ requestId: exchange.requestId, err: error }, 'a request failed')
      return failurePage(store, exchange)
    }
  }
