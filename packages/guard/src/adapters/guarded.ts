import type { Credentials } from '../bearer/credentials.ts'
import type { BearerChallengeOptions } from '../challenge/challenge.ts'
import { type Refusal, refusal } from '../challenge/refusal.ts'
import { GuardError } from '../errors/guard-error.ts'
import { misconfigured } from '../errors/misconfigured.ts'
import {
  type ProtectedResource,
  type ProtectedResourceMetadata,
  protectedResource,
} from '../metadata/protected-resource.ts'
import { checkScopeNames, requireScopes } from '../token/scopes.ts'
import { credentialsVerifier } from '../verify/access-token-verifier.ts'
import type { AccessTokenOptions } from '../verify/options.ts'
import type { VerifiedAccessToken } from '../verify/verified-access-token.ts'

/** What an adapter needs: the API's expectations, the attributes of its challenges, and a callback for errors. */
export interface GuardOptions extends AccessTokenOptions, Omit<BearerChallengeOptions, 'dpop' | 'scopes'> {
  /**
   * Describes the API to clients that know nothing but its address (RFC 9728). Challenges then name the document, which the
   * `metadata` of the guard serves.
   */
  readonly protectedResource?: ProtectedResource
  /** Called with every error before it is answered: the place to log `error.code` and `error.cause`. */
  readonly onRefusal?: (error: GuardError) => void
}

/** The document of an API; undefined unless it describes itself. */
export const metadataOf = (options: GuardOptions): ProtectedResourceMetadata | undefined =>
  options.protectedResource && protectedResource(options, options.protectedResource)

/** The same where a guard is asked for its `metadata`: an error is better than an address without a document. */
export const metadataToServe = (options: GuardOptions): ProtectedResourceMetadata => {
  const metadata = metadataOf(options)
  if (!metadata) throw misconfigured('The guard has no option protectedResource, so there is no metadata to serve')
  return metadata
}

type Outcome = { readonly accessToken: VerifiedAccessToken } | { readonly refused: Refusal }

/**
 * What all adapters do: verify, then check the scopes of the route, then return either the token or the response.
 * `find` extracts the credentials from the framework's request. Errors of other packages are passed on.
 */
export function guarded(options: GuardOptions) {
  const verify = credentialsVerifier(options)
  const takesProofs = options.dpop !== undefined
  const url = options.resourceMetadata ?? metadataOf(options)?.url
  const named = url === undefined ? options : { ...options, resourceMetadata: url }
  const always = options.requiredScopes ?? []
  return (...requiredScopes: readonly string[]) => {
    const scopes = checkScopeNames(requiredScopes)
    const attributes = { ...named, scopes: [...new Set([...always, ...scopes])] }
    return async (find: (takesProofs: boolean) => Credentials): Promise<Outcome> => {
      try {
        const accessToken = await verify(find(takesProofs))
        requireScopes(accessToken, ...scopes)
        return { accessToken }
      } catch (error) {
        if (!(error instanceof GuardError)) throw error
        options.onRefusal?.(error)
        return { refused: refusal(error, attributes) }
      }
    }
  }
}
