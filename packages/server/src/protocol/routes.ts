/** The endpoints of `{base_url}/oidc` (DECISIONS F1), one flat list. */
import { isAllowedOrigin } from '../domain/applications/allowed-origins.ts'
import type { SignalFeed } from '../domain/signals/feed.ts'
import type { RevocationFeed } from '../domain/tenants/revocation-feed.ts'
import { publicDocuments, withCors } from '../http/cors.ts'
import type { Endpoint } from '../http/exchange.ts'
import { metadataPath, ofProtectedResource } from '../http/resource-metadata.ts'
import type { Store } from '../storage/store.ts'
import { withConsoleRenewal } from './authorize/console-renewal.ts'
import { authorizeEndpoint, resumeEndpoint } from './authorize/endpoint.ts'
import { backchannelAuthenticationEndpoint } from './backchannel-authentication.ts'
import { deviceAuthorizationEndpoint } from './device-authorization.ts'
import { discoveryEndpoint } from './discovery.ts'
import { endSessionEndpoint } from './end-session.ts'
import { forApplications, oidcEndpoint } from './endpoint.ts'
import { queryGrantEndpoint, revokeGrantEndpoint } from './grant-management.ts'
import { introspectionEndpoint } from './introspection.ts'
import { jwksEndpoint } from './jwks.ts'
import { protectedResourceEndpoint } from './protected-resources.ts'
import { providerLogoutEndpoint } from './provider-logout.ts'
import { signedOutEndpoint } from './provider-sign-out.ts'
import { pushedAuthorizationEndpoint } from './pushed-authorization.ts'
import {
  deleteRegistrationEndpoint,
  readRegistrationEndpoint,
  registrationEndpoint,
  replaceRegistrationEndpoint,
} from './registration/endpoint.ts'
import { revocationEndpoint } from './revocation.ts'
import { revocationFeedEndpoint } from './revocations.ts'
import { signalsConfiguration } from './signals/configuration.ts'
import { signalEndpoints } from './signals/routes.ts'
import { tokenEndpoint } from './token.ts'
import { userinfoEndpoint } from './userinfo.ts'

/** A GET that advances a sign-in, consumes a pushed request or ends a session. */
const notSafe = (endpoint: Endpoint): Endpoint => ({ ...endpoint, isNotSafe: true })

/**
 * Where clients look for the metadata of the server: OpenID Connect Discovery appends to the issuer, RFC 8414 section 3.1 puts the
 * well-known part before its path, and clients of the Model Context Protocol try the latter for both documents.
 */
const DISCOVERY = [
  '/oidc/.well-known/openid-configuration',
  '/oidc/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration/oidc',
  '/.well-known/oauth-authorization-server/oidc',
] as const

/** The server's own APIs that take access tokens. */
const PROTECTED = ['/api', '/api/my-account', '/oidc/me', '/oidc/ssf'] as const

/** @param revocationFeed @param signalFeed answer those who wait when the server closes */
export const protocolEndpoints = (store: Store, revocationFeed: RevocationFeed, signalFeed: SignalFeed): Endpoint[] => {
  const { log } = store
  const ofUserinfo = ofProtectedResource('/oidc/me')
  // scripts of an application call these (DECISIONS C5)
  const fromBrowsers = withCors(
    [
      oidcEndpoint(log, 'POST', '/token', tokenEndpoint(store)),
      oidcEndpoint(log, 'POST', '/token/revocation', revocationEndpoint(store)),
      ofUserinfo(oidcEndpoint(log, 'GET', '/me', userinfoEndpoint(store))),
      ofUserinfo(oidcEndpoint(log, 'POST', '/me', userinfoEndpoint(store))),
    ].map(forApplications),
    (tenant, origin) => isAllowedOrigin(store, tenant, origin),
  )
  return [
    ...fromBrowsers,
    notSafe(oidcEndpoint(log, 'GET', '/auth', withConsoleRenewal(store, authorizeEndpoint(store)))),
    oidcEndpoint(log, 'POST', '/auth', authorizeEndpoint(store)),
    notSafe(oidcEndpoint(log, 'GET', '/auth/:id', resumeEndpoint(store))),
    forApplications(oidcEndpoint(log, 'POST', '/request', pushedAuthorizationEndpoint(store))),
    oidcEndpoint(log, 'POST', '/register', registrationEndpoint(store)),
    oidcEndpoint(log, 'GET', '/register/:id', readRegistrationEndpoint(store)),
    oidcEndpoint(log, 'PUT', '/register/:id', replaceRegistrationEndpoint(store)),
    oidcEndpoint(log, 'DELETE', '/register/:id', deleteRegistrationEndpoint(store)),
    forApplications(oidcEndpoint(log, 'POST', '/device/auth', deviceAuthorizationEndpoint(store))),
    forApplications(oidcEndpoint(log, 'POST', '/bc-authorize', backchannelAuthenticationEndpoint(store))),
    notSafe(oidcEndpoint(log, 'GET', '/session/end', endSessionEndpoint(store))),
    oidcEndpoint(log, 'POST', '/session/end', endSessionEndpoint(store)),
    forApplications(oidcEndpoint(log, 'POST', '/token/introspection', introspectionEndpoint(store))),
    forApplications(oidcEndpoint(log, 'GET', '/grants/:grantId', queryGrantEndpoint(store))),
    forApplications(oidcEndpoint(log, 'DELETE', '/grants/:grantId', revokeGrantEndpoint(store))),
    forApplications(oidcEndpoint(log, 'POST', '/revocations', revocationFeedEndpoint(store, revocationFeed))),
    ...signalEndpoints(store, signalFeed),
    {
      ...oidcEndpoint(log, 'POST', '/sso', providerLogoutEndpoint(store)),
      path: '/sso/:connectorId/backchannel-logout',
    },
    {
      ...oidcEndpoint(log, 'GET', '/sso', signedOutEndpoint(store)),
      path: '/sso/:connectorId/signed-out',
    },
    ...publicDocuments([
      oidcEndpoint(log, 'GET', '/jwks', jwksEndpoint(store)),
      ...DISCOVERY.map((path) => ({ ...oidcEndpoint(log, 'GET', '/', discoveryEndpoint(store)), path })),
      { ...oidcEndpoint(log, 'GET', '/', signalsConfiguration), path: '/.well-known/ssf-configuration/oidc' },
      ...PROTECTED.map((path) => ({
        ...oidcEndpoint(log, 'GET', '/', protectedResourceEndpoint(store, path)),
        path: metadataPath(path),
      })),
    ]),
  ]
}
