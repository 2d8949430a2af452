/**
 * The endpoints of SAML applications, with addresses as Logto has them, and of single logout at SAML connectors: answers that browsers
 * and the other side understand.
 */
import { renderApiError } from '../http/api-errors.ts'
import { ANONYMOUS_BODY_LIMIT, type Endpoint, type Exchange } from '../http/exchange.ts'
import type { Store } from '../storage/store.ts'
import { samlCallback } from './callback.ts'
import { postLogout, redirectLogout } from './logout.ts'
import { samlMetadata } from './metadata.ts'
import { providerLogout } from './provider-logout.ts'
import { postSignOn, redirectSignOn } from './sign-on.ts'
import { signOutAfterChoice, signOutOfNext } from './sign-out.ts'

export const samlEndpoints = (store: Store): Endpoint[] => {
  const endpoint = (
    method: 'GET' | 'POST',
    path: string,
    handle: (exchange: Exchange) => ReturnType<Endpoint['handle']>,
    isNotSafe = true,
  ): Endpoint => ({
    method,
    path: `/api${path}`,
    bodyLimit: ANONYMOUS_BODY_LIMIT,
    ...(isNotSafe && method === 'GET' ? { isNotSafe } : {}),
    handle,
    renderError: renderApiError(store.log),
  })
  return [
    endpoint('GET', '/saml-applications/:id/metadata', samlMetadata(store), false),
    endpoint('GET', '/saml-applications/:id/callback', samlCallback(store)),
    endpoint('GET', '/saml/:id/authn', redirectSignOn(store)),
    endpoint('POST', '/saml/:id/authn', postSignOn(store)),
    endpoint('GET', '/saml/:id/slo', redirectLogout(store)),
    endpoint('POST', '/saml/:id/slo', postLogout(store)),
    { ...endpoint('GET', '', providerLogout(store)), path: '/enterprise-sso/:connectorId/logout' },
    { ...endpoint('POST', '', providerLogout(store)), path: '/enterprise-sso/:connectorId/logout' },
    endpoint('GET', '/saml/sign-out', signOutOfNext(store)),
    endpoint('POST', '/saml/sign-out', signOutAfterChoice(store)),
  ]
}
