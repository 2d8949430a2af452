/** Steps of a sign-in at a provider: what the library and the outbound client throw becomes a failure of one kind. */
import {
  AuthorizationResponseError,
  JWT_CLAIM_COMPARISON,
  JWT_TIMESTAMP_CHECK,
  KEY_SELECTION,
  OperationProcessingError,
  PARSE_ERROR,
  RESPONSE_IS_NOT_CONFORM,
  RESPONSE_IS_NOT_JSON,
  ResponseBodyError,
  UnsupportedOperationError,
} from 'oauth4webapi'
import { OutboundError, publicReason } from '../../kernel/outbound.ts'
import { type FailureKind, FederationFailure } from './failure.ts'

const OF_TOKENS: ReadonlySet<unknown> = new Set([JWT_CLAIM_COMPARISON, JWT_TIMESTAMP_CHECK, KEY_SELECTION])
const OF_ANSWERS: ReadonlySet<unknown> = new Set([PARSE_ERROR, RESPONSE_IS_NOT_CONFORM, RESPONSE_IS_NOT_JSON])

const kindOf = (error: unknown, otherwise: FailureKind): FailureKind => {
  if (error instanceof OutboundError) return 'provider'
  if (error instanceof AuthorizationResponseError) return 'denied'
  if (error instanceof ResponseBodyError) return 'code'
  if (error instanceof UnsupportedOperationError) return 'token'
  const code = error instanceof OperationProcessingError ? error.code : undefined
  if (OF_TOKENS.has(code)) return 'token'
  if (OF_ANSWERS.has(code)) return 'provider'
  return otherwise
}

const sentenceOf = (error: unknown): string => {
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return `${error.message}: ${error.error}${error.error_description ? ` (${error.error_description})` : ''}`
  // the library wraps what the request threw; operators of a tenant read the audit log (SECURITY R-31)
  const cause = error instanceof Error && error.cause instanceof OutboundError ? error.cause : error
  if (cause instanceof OutboundError) return publicReason(cause)
  return error instanceof Error ? error.message : String(error)
}

/** Does a step; what it throws becomes a failure. @param otherwise the kind of what has no kind of its own */
export const step = async <T>(otherwise: FailureKind, work: () => T | Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    if (error instanceof FederationFailure) throw error
    throw new FederationFailure(kindOf(error, otherwise), sentenceOf(error).slice(0, 500), { cause: error })
  }
}
