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
import {
  checkRequiredAuthentication,
  type RequiredAuthentication,
  requireAuthentication,
} from '../token/authentication.ts'
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

/** @property headers of the answer to an accepted request, whatever the route makes of it */
type Outcome =
  | { readonly accessToken: VerifiedAccessToken; readonly headers: Readonly<Record<string, string>> }
  | { readonly refused: Refusal }

/**
 * The nonce for the next proof, in every answer to a proof that was accepted (RFC 9449 §8.2): a client that takes it over is not
 * refused when nonces rotate.
 */
const nextNonce = async ({ scheme }: VerifiedAccessToken, { dpop }: GuardOptions): Promise<Record<string, string>> =>
  scheme === 'DPoP' && dpop?.nonces ? { 'dpop-nonce': await dpop.nonces.current() } : {}

/** What a route requires: scopes by their names, and how the user has to have signed in (RFC 9470). */
export type Requirement = string | RequiredAuthentication

const isScope = (requirement: Requirement): requirement is string => typeof requirement === 'string'
const isOfAuthentication = (requirement: Requirement): requirement is RequiredAuthentication => !isScope(requirement)

/**
 * What all adapters do: verify, then check the sign-in and the scopes that the route requires, then return either the token or the response.
 * `find` extracts the credentials from the framework's request. Errors of other packages are passed on.
 */
export function guarded(options: GuardOptions) {
  const verify = credentialsVerifier(options)
  const takesProofs = options.dpop !== undefined
  const url = options.resourceMetadata ?? metadataOf(options)?.url
  const named = url === undefined ? options : { ...options, resourceMetadata: url }
  const always = options.requiredScopes ?? []
  return (...requirements: readonly Requirement[]) => {
    const scopes = checkScopeNames(requirements.filter(isScope))
    const authentications = requirements.filter(isOfAuthentication).map(checkRequiredAuthentication)
    const attributes = { ...named, scopes: [...new Set([...always, ...scopes])] }
    return async (find: (takesProofs: boolean) => Credentials): Promise<Outcome> => {
      try {
        const accessToken = await verify(find(takesProofs))
        // first: its challenge names the scopes too, so that one new sign-in is enough for both
        for (const required of authentications) requireAuthentication(accessToken, required, options)
        requireScopes(accessToken, ...scopes)
        return { accessToken, headers: takesProofs ? await nextNonce(accessToken, options) : {} }
      } catch (error) {
        if (!(error instanceof GuardError)) throw error
        options.onRefusal?.(error)
        return { refused: refusal(error, attributes) }
      }
    }
  }
}
