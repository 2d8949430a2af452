/**
 * The client side of OpenID Connect and OAuth 2.0: the address that a user is sent to, and who they are when they come back. The
 * protocol is oauth4webapi's. PKCE, state, nonce and `iss` are held against the request (SECURITY R-29).
 */
import { createHash } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  getValidatedIdTokenClaims,
  nopkce,
  processAuthorizationCodeResponse,
  processUserInfoResponse,
  protectedResourceRequest,
  type TokenEndpointResponse,
  userInfoRequest,
  validateAuthResponse,
} from 'oauth4webapi'
import { systemClock } from '../../kernel/clock.ts'
import type { Store } from '../../storage/store.ts'
import { accountOf } from './account.ts'
import { FederationFailure } from './failure.ts'
import { serverOf, verifySignature } from './metadata.ts'
import type { ClientCredential, FederatedAccount, Provider } from './provider.ts'
import { type Reach, reachOf, soundForBrowsers } from './reach.ts'
import { step } from './step.ts'
import { tokenSetOf } from './token-response.ts'
import type { TokenSet } from './token-sets.ts'

/** What the answer to a request is held against. */
export interface Expected {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  readonly redirectUri: string
}

type Data = Readonly<Record<string, unknown>>

/** How much the clock of a provider may differ, in seconds. */
const TOLERANCE_SECONDS = 60
/** https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret */
const APPLE = 'https://appleid.apple.com'
const ASSERTION_SECONDS = 300

/** The client as the library has it; it judges times by the clock of the store. */
export const clientOf = ({ clock }: Store, { clientId }: Provider): Client => ({
  client_id: clientId,
  [clockSkew]: Math.round((clock.now().getTime() - systemClock.now().getTime()) / 1000),
  [clockTolerance]: TOLERANCE_SECONDS,
})

const appleAuth =
  ({ clock }: Store, { teamId, keyId, privateKey }: Extract<ClientCredential, { method: 'apple' }>): ClientAuth =>
  async (_server, { client_id }, body) => {
    const now = Math.floor(clock.now().getTime() / 1000)
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: keyId })
      .setIssuer(teamId)
      .setSubject(client_id)
      .setAudience(APPLE)
      .setIssuedAt(now)
      .setExpirationTime(now + ASSERTION_SECONDS)
      .sign(await importPKCS8(privateKey, 'ES256'))
    body.set('client_id', client_id)
    body.set('client_secret', secret)
  }

/** How the client authenticates at the token endpoint. */
export const authOf = (store: Store, { credential }: Provider): ClientAuth => {
  if (credential.method === 'apple') return appleAuth(store, credential)
  return credential.method === 'client_secret_basic'
    ? ClientSecretBasic(credential.secret)
    : ClientSecretPost(credential.secret)
}

/** RFC 7636, section 4.2. At once: the library asks another thread, which costs a hundred times as much as the digest. */
const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/**
 * The address at which the user signs in. Throws FederationFailure where the provider cannot say it.
 * @param scope in place of the connector's
 */
export const authorizationUri = async (
  store: Store,
  provider: Provider,
  { state, nonce, verifier, redirectUri }: Expected,
  scope = provider.scope,
): Promise<string> => {
  const { authorization_endpoint: endpoint = '' } = await serverOf(reachOf(store), provider)
  const url = soundForBrowsers(store, endpoint, 'authorization endpoint')
  const parameters = {
    ...provider.parameters,
    client_id: provider.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    ...(scope ? { scope } : {}),
    state,
    ...(provider.at.protocol === 'oidc' ? { nonce } : {}),
    ...(provider.usesPkce ? { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } : {}),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** Answers of plain OAuth: some have an ID token that was not asked for, or do not say that the token is a bearer token. */
export const conformed = async (response: Response): Promise<Response> => {
  const said: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof said !== 'object' || said === null || !('access_token' in said)) return response
  const { id_token: _unasked, ...body } = said as Data
  return new Response(JSON.stringify({ token_type: 'bearer', ...body }), {
    status: response.status,
    headers: { 'content-type': 'application/json' },
  })
}

const objectAt = async ({ options }: Reach, address: string, accessToken: string): Promise<unknown> => {
  const headers = new Headers({ accept: 'application/json' })
  const response = await protectedResourceRequest(accessToken, 'GET', new URL(address), headers, null, options)
  if (response.status !== 200) throw new FederationFailure('provider', `${address} answered ${response.status}`)
  return response.json().catch((cause: unknown) => {
    throw new FederationFailure('provider', `${address} did not answer JSON`, { cause })
  })
}

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The primary address of a list as GitHub has it, or any that it has verified. */
const addressAmong = (list: unknown): Data => {
  const all = (Array.isArray(list) ? list : []).filter(isObject).filter(({ verified }) => verified === true)
  const best = all.find(({ primary }) => primary === true) ?? all[0]
  return best ? { email: best.email, email_verified: true } : {}
}

/** What plain OAuth knows about the user: what the endpoint for it says. */
const said = async (reach: Reach, { at }: Provider, tokens: TokenEndpointResponse): Promise<Data> => {
  if (at.protocol === 'oidc') return {}
  const { userInfo, emails } = at.endpoints
  const data = await objectAt(reach, userInfo, tokens.access_token)
  if (!isObject(data)) throw new FederationFailure('provider', 'the provider does not say who the user is')
  return emails ? { ...data, ...addressAmong(await objectAt(reach, emails, tokens.access_token)) } : data
}

/** The claims of the ID token; where it lacks the address, those of userinfo, which have to be of the same user. */
const claimed = async (
  reach: Reach,
  server: AuthorizationServer,
  client: Client,
  tokens: TokenEndpointResponse,
): Promise<Data> => {
  const claims = getValidatedIdTokenClaims(tokens)
  if (!claims) throw new FederationFailure('token', 'there is no ID token')
  const now = Math.floor(reach.store.clock.now().getTime() / 1000)
  if (claims.iat > now + TOLERANCE_SECONDS)
    throw new FederationFailure('token', 'the ID token was issued in the future')
  if (claims.email !== undefined || !server.userinfo_endpoint) return { ...claims }
  const response = await userInfoRequest(server, client, tokens.access_token, reach.options)
  return { ...(await processUserInfoResponse(server, client, claims.sub, response)), ...claims }
}

/**
 * The name of a user, which Apple sends beside the code, once, when the user first consents. It is not signed, and is no more than what
 * the user could enter.
 */
const appleName = (parameters: URLSearchParams): Data => {
  try {
    const { name }: { name?: { firstName?: unknown; lastName?: unknown } } = JSON.parse(parameters.get('user') ?? '')
    const parts = [name?.firstName, name?.lastName].filter((part) => typeof part === 'string' && part !== '')
    return parts.length > 0 ? { name: parts.join(' ') } : {}
  } catch {
    return {}
  }
}

/** What came of a sign-in at a provider: who the user is there, and what the provider has issued for them. */
export interface Visited {
  readonly account: FederatedAccount
  readonly tokens: TokenSet
  /** The ID token, of OpenID Connect. */
  readonly idToken?: string
}

/**
 * Who came back: redeems the code and reads what the provider says about the user. Throws FederationFailure.
 * @param parameters those with which the user came back, such as code, state and iss
 */
export const accountAt = async (
  store: Store,
  provider: Provider,
  expected: Expected,
  parameters: URLSearchParams,
): Promise<Visited> => {
  const reach = reachOf(store)
  const server = await serverOf(reach, provider)
  const client = clientOf(store, provider)
  const isOidc = provider.at.protocol === 'oidc'
  const returned = new URLSearchParams(parameters)
  // plain OAuth has no issuer; another provider cannot use the redirect URI, which is that of the connector (RFC 9700, 4.4.2)
  if (!isOidc) returned.delete('iss')
  const valid = await step('response', () => validateAuthResponse(server, client, returned, expected.state))
  const request = () =>
    authorizationCodeGrantRequest(
      server,
      client,
      authOf(store, provider),
      valid,
      expected.redirectUri,
      provider.usesPkce ? expected.verifier : nopkce,
      reach.options,
    )
  const response = await step('provider', async () => (isOidc ? request() : conformed(await request())))
  const tokens = await step(isOidc ? 'token' : 'provider', () =>
    isOidc
      ? processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: expected.nonce,
          requireIdToken: true,
        })
      : processAuthorizationCodeResponse(server, client, response),
  )
  if (provider.at.protocol === 'oidc') await verifySignature(reach, provider.at.issuer, response)
  const data = await step('provider', () =>
    isOidc ? claimed(reach, server, client, tokens) : said(reach, provider, tokens),
  )
  const named = provider.credential.method === 'apple' ? { ...appleName(parameters), ...data } : data
  return {
    account: accountOf(provider, named),
    tokens: tokenSetOf(tokens, store.clock.now()),
    ...(isOidc && tokens.id_token ? { idToken: tokens.id_token } : {}),
  }
}
