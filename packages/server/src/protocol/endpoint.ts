/**
 * The protocol: OAuth 2.0 and OpenID Connect. One file per endpoint, per grant and per rule of an RFC. Depends on http for
 * requests and answers, on tokens for the mint, on the domain for clients, resources and permissions.
 *
 * This file builds the endpoints of `/oidc` and renders their errors: RFC 6749 section 5.2, one of the three places
 * that render errors.
 */
import {
  ANONYMOUS_BODY_LIMIT,
  type Answer,
  type Endpoint,
  type Exchange,
  jsonAnswer,
  TransportError,
} from '../http/exchange.ts'
import { formParameters, MalformedParameters, type Parameters } from '../http/parameters.ts'
import { ApiError } from '../kernel/api-error.ts'
import type { Log } from '../kernel/log.ts'
import { OAuthError } from '../kernel/oauth-error.ts'

/** RFC 6749 section 5.1: token responses are not cached. */
export const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

const fromTransport = ({ kind, detail }: TransportError): OAuthError => {
  switch (kind) {
    case 'body-too-large':
      return new OAuthError('invalid_request', `the body is larger than ${detail} bytes`, { status: 413 })
    case 'too-slow':
      return new OAuthError('invalid_request', `the body did not arrive within ${detail} seconds`, { status: 408 })
    case 'host-unknown':
      return new OAuthError('invalid_request', 'no tenant is served at this host name', { status: 421 })
    case 'unavailable':
      return new OAuthError('temporarily_unavailable', detail)
    case 'aborted':
    case 'media-type':
    case 'malformed':
      return new OAuthError('invalid_request', detail)
  }
}

/** Maps any error to an OAuthError; an unknown error becomes server_error without details. */
export const asOAuthError = (error: unknown): OAuthError => {
  if (error instanceof OAuthError) return error
  if (error instanceof TransportError) return fromTransport(error)
  if (error instanceof MalformedParameters) return new OAuthError('invalid_request', `the request ${error.message}`)
  if (error instanceof ApiError && error.code === 'request.rate_limited') {
    const headers = { 'retry-after': String(error.data?.retryAfter) }
    return new OAuthError('temporarily_unavailable', error.sentence, { status: 429, headers, cause: error })
  }
  return new OAuthError('server_error', 'something went wrong on the server', { cause: error })
}

const renderOAuthError =
  (log: Log) =>
  (error: unknown, { requestId }: { readonly requestId: string }): Answer => {
    const failure = asOAuthError(error)
    if (failure.code === 'server_error') log.error({ requestId, err: error }, 'a request failed')
    const body = {
      error: failure.code,
      error_description: failure.description,
      // what Logto's SDKs read from an error (WIRE W4); RFC 6749 section 5.2 allows further members
      code: `oidc.${failure.code}`,
      message: failure.description,
      request_id: requestId,
    }
    return jsonAnswer(failure.status, body, { ...NO_STORE, ...failure.headers })
  }

/** An endpoint below `/oidc`. */
export const oidcEndpoint = (
  log: Log,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: `/${string}`,
  handle: (exchange: Exchange) => Promise<Answer>,
): Endpoint => ({
  method,
  path: `/oidc${path}`,
  bodyLimit: ANONYMOUS_BODY_LIMIT,
  handle,
  renderError: renderOAuthError(log),
})

/** What applications call without a browser: it is at the address for client certificates too (RFC 8705 section 5). */
export const forApplications = (endpoint: Endpoint): Endpoint => ({ ...endpoint, part: 'applications' })

/** The parameters of a form request. Throws invalid_request for another content type or bad encodings. */
export const formOf = (exchange: Exchange): Parameters => {
  const parameters = formParameters(exchange)
  if (!parameters) throw new OAuthError('invalid_request', 'the body must be application/x-www-form-urlencoded')
  return parameters
}

/**
 * The one value of a parameter; an empty value counts as absent (RFC 6749 section 3.2).
 * Throws invalid_request naming the parameter when it is repeated.
 */
export const single = (parameters: Parameters, name: string): string | undefined => {
  const values = parameters.get(name)
  if (values && values.length > 1) throw new OAuthError('invalid_request', `the parameter ${name} is repeated`)
  return values?.[0] || undefined
}
