/** What the server's own APIs say of themselves (RFC 9728 section 2, DECISIONS Z1). */
import { MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import { USER_SCOPES } from '@countersign/contract/user-consent-scopes.ts'
import type { Answer, Exchange } from '../http/exchange.ts'
import { jsonAnswer } from '../http/exchange.ts'
import type { ProtectedPath } from '../http/resource-metadata.ts'
import { PROOF_ALGORITHMS } from '../kernel/proof-algorithms.ts'
import type { Tenant } from '../kernel/tenant.ts'
import type { Store } from '../storage/store.ts'
import { PUBLIC_DOCUMENT } from './discovery.ts'
import { SIGNAL_SCOPES } from './signals/receiver.ts'

const SCOPES: Readonly<Record<ProtectedPath, readonly string[]>> = {
  '/api': MANAGEMENT_PERMISSIONS.map(({ name }) => name),
  '/api/my-account': ['openid', ...USER_SCOPES],
  '/oidc/me': ['openid', ...USER_SCOPES],
  '/oidc/ssf': SIGNAL_SCOPES,
}

const NAMES: Readonly<Record<ProtectedPath, string>> = {
  '/api': 'Management API',
  '/api/my-account': 'Account API',
  '/oidc/me': 'Userinfo',
  '/oidc/ssf': 'Shared Signals',
}

/** Userinfo reads the token of a form too (RFC 6750 section 2.2). */
const methodsOf = (path: ProtectedPath) => (path === '/oidc/me' ? ['header', 'body'] : ['header'])

/** The document of one of the server's own APIs. Public, the same for everyone, and made once for each tenant. */
export const protectedResourceEndpoint = ({ mutualTls }: Store, path: ProtectedPath) => {
  const made = new WeakMap<Tenant, Answer>()
  const answerOf = (tenant: Tenant): Answer =>
    jsonAnswer(
      200,
      {
        resource: `${tenant.baseUrl}${path}`,
        authorization_servers: [tenant.issuer],
        scopes_supported: SCOPES[path],
        bearer_methods_supported: methodsOf(path),
        resource_name: NAMES[path],
        resource_documentation: `${tenant.baseUrl}/api/docs`,
        dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
        ...(mutualTls.isOffered ? { tls_client_certificate_bound_access_tokens: true } : {}),
      },
      PUBLIC_DOCUMENT,
    )
  return async ({ tenant }: Exchange): Promise<Answer> => {
    const answer = made.get(tenant) ?? answerOf(tenant)
    made.set(tenant, answer)
    return answer
  }
}
