/** The endpoints of `{base_url}/oidc` (DECISIONS F1), one flat list. */
import type { Endpoint } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import { discoveryEndpoint } from './discovery.ts'
import { oidcEndpoint } from './endpoint.ts'
import { introspectionEndpoint } from './introspection.ts'
import { jwksEndpoint } from './jwks.ts'
import { revocationEndpoint } from './revocation.ts'
import { tokenEndpoint } from './token.ts'

export const protocolEndpoints = (store: Store): Endpoint[] => {
  const { log } = store
  return [
    oidcEndpoint(log, 'POST', '/token', tokenEndpoint(store)),
    oidcEndpoint(log, 'POST', '/token/introspection', introspectionEndpoint(store)),
    oidcEndpoint(log, 'POST', '/token/revocation', revocationEndpoint(store)),
    oidcEndpoint(log, 'GET', '/jwks', jwksEndpoint(store)),
    oidcEndpoint(log, 'GET', '/.well-known/openid-configuration', discoveryEndpoint),
    oidcEndpoint(log, 'GET', '/.well-known/oauth-authorization-server', discoveryEndpoint),
    // RFC 8414 section 3.1 puts the well-known part before the path of the issuer
    { ...oidcEndpoint(log, 'GET', '/', discoveryEndpoint), path: '/.well-known/oauth-authorization-server/oidc' },
  ]
}
