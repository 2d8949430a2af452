/** The console as a client of our own OpenID Connect: requests, their answers, and the tokens that come of them. */

import { MANAGEMENT_PERMISSIONS } from '@countersign/contract/permissions.ts'
import * as oauth from 'oauth4webapi'
import { consoleOrigin, tenantOrigin } from './place.ts'

export const CONSOLE = '/console'
const client: oauth.Client = { client_id: 'console' }
const redirectUri = () => `${location.origin}${CONSOLE}/callback`
/** Asks for every permission: the token carries those that the administrator holds. */
const scope = ['openid', 'profile', 'email', ...MANAGEMENT_PERMISSIONS.map(({ name }) => name)].join(' ')
/** Where the server authorizes, as its metadata says too: what is asked first need not wait for them. */
const AUTHORIZATION = '/oidc/auth'

export interface Tokens {
  readonly accessToken: string
  readonly idToken: string
  /** By the clock of this browser, in milliseconds. */
  readonly expiresAt: number
  readonly permissions: ReadonlySet<string>
  readonly user: { readonly id: string; readonly name: string; readonly picture: string | undefined }
}

/** What an authorization request has to remember until its answer comes. */
export interface Pending {
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

/** What the server asked for before it does something dangerous (RFC 9470 section 3). */
export interface StepUp {
  readonly maxAge?: string
  readonly acrValues?: string
}

/** The console was opened at another address than its own. */
export class OtherAddress extends Error {
  readonly address: string
  constructor(origin: string) {
    super(`The console is at ${origin}${CONSOLE}`)
    this.address = `${origin}${CONSOLE}`
  }
}

/** The server cannot answer now, or a proxy answered for it. */
export class Unavailable extends Error {}

const UNAVAILABLE: readonly number[] = [502, 503, 504]

/** The error of an answer that is not the expected one. */
export const unexpected = (what: string, status: number): Error =>
  new (UNAVAILABLE.includes(status) ? Unavailable : Error)(`${what} answered ${status}`)

/** For a server at this machine, without TLS. */
export const insecureOptions = () => (location.protocol === 'http:' ? { [oauth.allowInsecureRequests]: true } : {})

const requireOwnAddress = (): void => {
  if (location.origin !== consoleOrigin()) throw new OtherAddress(consoleOrigin())
}

const discover = async (): Promise<oauth.AuthorizationServer> => {
  requireOwnAddress()
  const response = await fetch(`${tenantOrigin()}/oidc/.well-known/openid-configuration`)
  if (!response.ok) throw unexpected('/oidc/.well-known/openid-configuration', response.status)
  const server = (await response.json()) as oauth.AuthorizationServer
  const { origin } = new URL(server.issuer)
  if (origin !== tenantOrigin()) throw new OtherAddress(origin)
  return server
}

let known: Promise<oauth.AuthorizationServer> | undefined
/** The server's metadata, which is read once. */
export const authorizationServer = (): Promise<oauth.AuthorizationServer> => {
  known ??= discover().catch((error: unknown) => {
    known = undefined
    throw error
  })
  return known
}

/** An authorization request (RFC 7636, RFC 8707), and what to remember for its answer. @param more further parameters */
export const requestOf = async (more: Readonly<Record<string, string>>): Promise<{ url: URL; pending: Pending }> => {
  requireOwnAddress()
  const pending = {
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
  }
  const url = new URL(AUTHORIZATION, tenantOrigin())
  url.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri(),
    response_type: 'code',
    scope,
    resource: `${tenantOrigin()}/api`,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.verifier),
    code_challenge_method: 'S256',
    ...more,
  }).toString()
  return { url, pending }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Redeems the code in an answer. Throws for an answer that is an error, or not one to this request. */
export const redeem = async (answer: URL, { verifier, state, nonce }: Pending): Promise<Tokens> => {
  const at = await authorizationServer()
  const parameters = oauth.validateAuthResponse(at, client, answer, state)
  const sentAt = Date.now()
  const response = await oauth.authorizationCodeGrantRequest(
    at,
    client,
    oauth.None(),
    parameters,
    redirectUri(),
    verifier,
    { ...insecureOptions(), additionalParameters: { resource: `${tenantOrigin()}/api` } },
  )
  const result = await oauth.processAuthorizationCodeResponse(at, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  const claims = oauth.getValidatedIdTokenClaims(result)
  if (!claims || result.id_token === undefined) throw new Error('The server sent no ID token')
  return {
    accessToken: result.access_token,
    idToken: result.id_token,
    expiresAt: sentAt + (result.expires_in ?? 60) * 1000,
    permissions: new Set((result.scope ?? '').split(' ')),
    user: {
      id: claims.sub,
      name: text(claims.name) ?? text(claims.email) ?? text(claims.username) ?? claims.sub,
      picture: text(claims.picture),
    },
  }
}

/** Whether the server says that the user has to sign in, or to do something, in the window (OpenID Connect Core 3.1.2.6). */
export const needsUser = (error: unknown): boolean =>
  error instanceof oauth.AuthorizationResponseError &&
  ['login_required', 'interaction_required', 'consent_required', 'account_selection_required'].includes(error.error)

/** Where signing out begins (RP-Initiated Logout 1.0). */
export const signOutUrl = async (idToken: string): Promise<URL> => {
  const { end_session_endpoint: endpoint = '' } = await authorizationServer()
  const url = new URL(endpoint)
  url.search = new URLSearchParams({
    id_token_hint: idToken,
    post_logout_redirect_uri: `${location.origin}${CONSOLE}`,
  }).toString()
  return url
}
