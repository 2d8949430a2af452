/**
 * A sign-in to an application of the tenant, to see what comes of it: an authorization request with PKCE that this page begins and
 * ends. An answer to a request that was not begun here, in this tab, is not redeemed; tokens are in memory only.
 */
import * as oauth from 'oauth4webapi'
import { authorizationServer, CONSOLE, insecureOptions } from './authorization.ts'

/** Where the answer comes to: an address of this server, at which nothing else answers. */
export const trialAddress = () => `${location.origin}${CONSOLE}/try`
const BEGUN = 'console.trial'

/** What is asked for. */
export interface Trial {
  readonly clientId: string
  readonly scope: string
  /** The indicator of an API; empty: none. */
  readonly resource: string
}

interface Begun extends Trial {
  readonly verifier: string
  readonly state: string
  readonly nonce: string
}

export interface TrialResult {
  readonly trial: Trial
  readonly accessToken: string
  readonly idToken: string | undefined
  readonly hasRefreshToken: boolean
  readonly scope: string
  /** Seconds. */
  readonly expiresIn: number | undefined
}

/** The address at which a trial begins: in this browser, or in a private window. */
export const trialLink = ({ clientId, scope, resource }: Trial): string =>
  `${trialAddress()}?${new URLSearchParams({ client_id: clientId, scope, ...(resource ? { resource } : {}) })}`

/** What the address of this page says; undefined where it names no application. */
export const trialAsked = (): Trial | undefined => {
  const query = new URLSearchParams(location.search)
  const clientId = query.get('client_id')
  return clientId === null
    ? undefined
    : { clientId, scope: query.get('scope') ?? 'openid', resource: query.get('resource') ?? '' }
}

/** Leaves the page for a sign-in, even where the browser has a session. */
export const beginTrial = async (trial: Trial): Promise<void> => {
  const { authorization_endpoint: endpoint = '' } = await authorizationServer()
  const begun: Begun = {
    ...trial,
    verifier: oauth.generateRandomCodeVerifier(),
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
  }
  const url = new URL(endpoint)
  url.search = new URLSearchParams({
    client_id: trial.clientId,
    redirect_uri: trialAddress(),
    response_type: 'code',
    scope: trial.scope,
    ...(trial.resource ? { resource: trial.resource } : {}),
    prompt: trial.scope.split(' ').includes('offline_access') ? 'login consent' : 'login',
    state: begun.state,
    nonce: begun.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(begun.verifier),
    code_challenge_method: 'S256',
  }).toString()
  sessionStorage.setItem(BEGUN, JSON.stringify(begun))
  location.assign(url)
}

/** Whether this address is the answer to a request. */
export const isTrialAnswer = (): boolean => /[?&](code|error)=/.test(location.search)

/** Redeems the answer in the address, once. Throws where it is an error, or answers nothing that was begun in this tab. */
export const endTrial = async (): Promise<TrialResult> => {
  const kept = sessionStorage.getItem(BEGUN)
  sessionStorage.removeItem(BEGUN)
  const address = new URL(location.href)
  history.replaceState(null, '', trialAddress())
  if (kept === null) throw new Error('This sign-in was not begun here.')
  const { verifier, state, nonce, ...trial } = JSON.parse(kept) as Begun
  const server = await authorizationServer()
  const client: oauth.Client = { client_id: trial.clientId }
  const parameters = oauth.validateAuthResponse(server, client, address, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    trialAddress(),
    verifier,
    { ...insecureOptions(), additionalParameters: trial.resource ? { resource: trial.resource } : {} },
  )
  const isOpenId = trial.scope.split(' ').includes('openid')
  const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
    ...(isOpenId ? { expectedNonce: nonce, requireIdToken: true } : {}),
  })
  return {
    trial,
    accessToken: result.access_token,
    idToken: result.id_token,
    hasRefreshToken: result.refresh_token !== undefined,
    scope: result.scope ?? trial.scope,
    expiresIn: result.expires_in,
  }
}

/** What the server said, else what is known of the failure. */
export const trialFailure = (error: unknown): string => {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return [error.error, error.error_description].filter(Boolean).join(': ')
  return error instanceof Error ? error.message : String(error)
}
