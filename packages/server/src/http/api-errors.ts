/** Renders errors of `/api`: `{code, message, data?, requestId}` (DECISIONS B2). One of the three places that render. */

import { ApiError } from '../kernel/api-error.ts'
import { challengeIn } from '../kernel/challenge.ts'
import type { Log } from '../kernel/log.ts'
import { schemeOf } from './access-token.ts'
import { type Answer, type Failed, jsonAnswer, TransportError } from './exchange.ts'
import { MalformedParameters } from './parameters.ts'

const fromTransport = ({ kind, detail }: TransportError): ApiError => {
  switch (kind) {
    case 'body-too-large':
      return new ApiError('request.body_too_large', { limit: detail })
    case 'too-slow':
      return new ApiError('request.too_slow', { seconds: detail })
    case 'media-type':
      return new ApiError('request.unsupported_media_type', { expected: 'application/json' })
    case 'unavailable':
      return new ApiError('request.unavailable', { reason: detail })
    case 'host-unknown':
      return new ApiError('request.host_unknown')
    case 'aborted':
    case 'malformed':
      return new ApiError('request.invalid_input', { reason: detail })
  }
}

/** Maps any error to one of the catalogue; an unknown error becomes server.error without details. */
export const apiErrorOf = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error
  if (error instanceof TransportError) return fromTransport(error)
  if (error instanceof MalformedParameters)
    return new ApiError('guard.invalid_input', { reason: `the query ${error.message}` })
  return new ApiError('server.error', undefined, { cause: error })
}

/** `error` of the challenge for requests that have not proved that they have the key of their token (RFC 9449 sections 7.1, 9). */
const PROOF_ERRORS: ReadonlyMap<string, string> = new Map([
  ['auth.dpop_nonce_required', 'use_dpop_nonce'],
  ['auth.dpop_proof_invalid', 'invalid_dpop_proof'],
  ['auth.token_not_held', 'invalid_token'],
])

const proofHeaders = ({ data }: ApiError, error: string): Record<string, string> => ({
  'www-authenticate': challengeIn('DPoP', { error }),
  ...(typeof data?.nonce === 'string' ? { 'dpop-nonce': data.nonce } : {}),
})

/** What is wrong with the token of a request, or with what it permits, as the attributes of a challenge; undefined: nothing. */
const attributesOf = ({ code, status, data }: ApiError): Readonly<Record<string, string | undefined>> | undefined => {
  // RFC 9470 section 3
  if (code === 'verification_record.permission_denied' || code === 'auth.step_up_required')
    return { error: 'insufficient_user_authentication', max_age: String(data?.maxAge) }
  if (status === 401 && code.startsWith('auth.')) return { error: 'invalid_token' }
  if (code !== 'auth.forbidden') return undefined
  return { error: 'insufficient_scope', scope: typeof data?.permission === 'string' ? data.permission : undefined }
}

/**
 * RFC 6750 section 3: what a 401 or 403 says besides its body, in the scheme that the token came in (RFC 9449 section 7.1).
 * @param authorization the header of the request
 */
const challenge = (error: ApiError, authorization: string | undefined): Record<string, string> => {
  const proof = PROOF_ERRORS.get(error.code)
  if (proof !== undefined && error.data?.scheme !== 'Bearer') return proofHeaders(error, proof)
  if (error.code === 'auth.authorization_header_missing') return { 'www-authenticate': 'Bearer' }
  const attributes = attributesOf(error)
  return attributes ? { 'www-authenticate': challengeIn(schemeOf(authorization), attributes) } : {}
}

/** An unknown error is answered with a fixed sentence; the details are in the log under the request id. */
export const renderApiError =
  (log: Log) =>
  (error: unknown, { requestId, headers: { authorization } = {} }: Failed): Answer => {
    const failure = apiErrorOf(error)
    if (failure.code === 'server.error') log.error({ requestId, err: error }, 'a request failed')
    const { code, sentence, data, status } = failure
    const headers = {
      'cache-control': 'no-store',
      ...challenge(failure, authorization),
      ...allow(failure),
      ...retryAfter(failure),
    }
    return jsonAnswer(status, { code, message: sentence, ...(data ? { data } : {}), requestId }, headers)
  }

/**
 * Retry-After: soon while starting, draining, or when too many passwords wait to be hashed; later after too many
 * failures.
 */
const retryAfter = ({ status, data }: ApiError): Record<string, string> => {
  if (status === 503) return { 'retry-after': '1' }
  return status === 429 && typeof data?.retryAfter === 'number' ? { 'retry-after': String(data.retryAfter) } : {}
}

const allow = ({ code, data }: ApiError): Record<string, string> =>
  code === 'request.method_not_allowed' && typeof data?.allow === 'string' ? { allow: data.allow } : {}
