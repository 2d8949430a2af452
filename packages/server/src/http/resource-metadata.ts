/** The server's own APIs as protected resources (RFC 9728): where each describes itself, and challenges that say so. */
import type { Tenant } from '../kernel/tenant.ts'
import type { Answer, Endpoint } from './exchange.ts'

/** The paths of the APIs that take access tokens: their identifiers begin with the address of the tenant. */
export type ProtectedPath = '/api' | '/api/my-account' | '/oidc/me' | '/oidc/ssf'

/** Where the document of an API is (RFC 9728 section 3.1). */
export const metadataPath = (path: ProtectedPath): string => `/.well-known/oauth-protected-resource${path}`

const CHALLENGE = 'www-authenticate'

const challenging = (answer: Answer, { baseUrl }: Tenant, path: ProtectedPath): Answer => {
  const challenge = answer.headers?.[CHALLENGE]
  if (typeof challenge !== 'string') return answer
  // RFC 9110 section 11.6.1: the first attribute follows the scheme after a space
  const separator = challenge.includes(' ') ? ', ' : ' '
  const named = `${challenge}${separator}resource_metadata="${baseUrl}${metadataPath(path)}"`
  return { ...answer, headers: { ...answer.headers, [CHALLENGE]: named } }
}

/** The endpoint of an API, whose challenges name the document of the API (RFC 9728 section 5.1). */
export const ofProtectedResource =
  (path: ProtectedPath) =>
  (endpoint: Endpoint): Endpoint => ({
    ...endpoint,
    async handle(exchange): Promise<Answer> {
      try {
        return await endpoint.handle(exchange)
      } catch (error) {
        return challenging(endpoint.renderError(error, exchange), exchange.tenant, path)
      }
    },
  })
