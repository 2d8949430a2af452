/** Steps of a sign-in at a provider: what the library and the outbound client throw becomes a failure of one kind. */
import type * as OAuth from 'oauth4webapi'
import { lazyLibrary } from '../../kernel/lazy-library.ts'
import { OutboundError, publicReason } from '../../kernel/outbound.ts'
import { type FailureKind, FederationFailure } from './failure.ts'

/** Needed only for errors: this file is loaded with the server, the library with the first sign-in at a provider. */
const library = lazyLibrary<typeof OAuth>('oauth4webapi')

const kindOf = (error: unknown, otherwise: FailureKind): FailureKind => {
  if (error instanceof OutboundError) return 'provider'
  const oauth = library()
  if (error instanceof oauth.AuthorizationResponseError) return 'denied'
  if (error instanceof oauth.ResponseBodyError) return 'code'
  if (error instanceof oauth.UnsupportedOperationError) return 'token'
  switch (error instanceof oauth.OperationProcessingError ? error.code : undefined) {
    case oauth.JWT_CLAIM_COMPARISON:
    case oauth.JWT_TIMESTAMP_CHECK:
    case oauth.KEY_SELECTION:
      return 'token'
    case oauth.PARSE_ERROR:
    case oauth.RESPONSE_IS_NOT_CONFORM:
    case oauth.RESPONSE_IS_NOT_JSON:
      return 'provider'
    default:
      return otherwise
  }
}

const sentenceOf = (error: unknown): string => {
  const oauth = library()
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
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
