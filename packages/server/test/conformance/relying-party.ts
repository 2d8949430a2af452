/**
 * A small relying party that does what the OpenID Foundation's conformance suite does on every flow, in code of our
 * own: it requests authorization, signs a user in with a browser without JavaScript, and checks every response. The
 * suite requires https and these tests run on http: checks of the scheme are omitted, here and in the plans.
 */
import { randomBytes } from 'node:crypto'
import type { TestServer } from '@countersign/harness/server.ts'
import { expect } from 'vitest'
import { createUser, PASSWORD } from '../sign-in/arrange.ts'
import { Browser, type Page } from '../sign-in/browser.ts'
import { type Provider, readProvider } from './provider.ts'
import {
  type AuthorizationRequest,
  checkAuthorizationError,
  checkAuthorizationResponse,
  checkTokenResponse,
  checkUserinfo,
  type Tokens,
  type UserinfoClaims,
} from './response-checks.ts'

export const REDIRECT_URI = 'https://rp.example/callback'
export const POST_LOGOUT_REDIRECT_URI = 'https://rp.example/logged-out'

/** The plans that have the same modules, and the `response_mode` that each requests. */
export const BASIC_PLANS = [
  ['basic', undefined],
  ['formpost-basic', 'form_post'],
] as const

type Authentication = 'client_secret_basic' | 'client_secret_post'

export interface Client {
  readonly id: string
  readonly secret: string
  readonly authentication: Authentication
}

export interface ClientOptions {
  readonly authentication?: Authentication
  /** In addition to or instead of the redirect URIs: `backchannelLogoutUri` and so on. */
  readonly oidcClientMetadata?: object
  readonly customClientMetadata?: object
}

/** Registers an application as a client of the suite is registered: through the Management API. */
export const registerClient = async ({ api }: TestServer, options: ClientOptions = {}): Promise<Client> => {
  const { authentication = 'client_secret_basic', oidcClientMetadata, customClientMetadata = {} } = options
  const { body } = await api('POST', '/applications', {
    name: 'Conformance',
    type: 'Traditional',
    oidcClientMetadata: {
      redirectUris: [REDIRECT_URI],
      postLogoutRedirectUris: [POST_LOGOUT_REDIRECT_URI],
      ...oidcClientMetadata,
    },
    customClientMetadata: { tokenEndpointAuthMethod: authentication, ...customClientMetadata },
  })
  const secrets = await api('GET', `/applications/${body.id}/secrets`)
  return { id: body.id, secret: secrets.body[0].value, authentication }
}

/** A browser without JavaScript that stops at the relying party. */
export const newBrowser = () => new Browser('https://rp.example/')

export interface Person {
  readonly id: string
  readonly username: string
}

export interface Flow {
  readonly request: AuthorizationRequest
  readonly browser: Browser
  readonly code: string
  readonly tokens: Tokens
  readonly userinfo: UserinfoClaims
}

export interface RelyingParty {
  readonly client: Client
  readonly provider: Provider
  /**
   * An authorization request: response_type=code, scope=openid, a fresh state and nonce, and what the party's
   * response mode requires. @param parameters added or replaced; undefined omits one
   */
  begin(parameters?: Readonly<Record<string, string | undefined>>): AuthorizationRequest
  /** Opens the request and, on the sign-in page, signs the user in; returns where the browser ends up. */
  authorize(request: AuthorizationRequest, browser: Browser, person: Person): Promise<Page>
  /** Checks a successful authorization response, in the request's response mode; returns the code. */
  codeOf(page: Page, request: AuthorizationRequest): string
  /** Checks an error of the authorization endpoint, in the request's response mode; returns `error`. */
  errorOf(page: Page, request: AuthorizationRequest): string
  /** Calls the token endpoint with the client's authentication; checks nothing. */
  token(parameters: Readonly<Record<string, string>>): Promise<Response>
  /** Redeems a code and checks the token response with its ID token. */
  redeem(code: string, request: AuthorizationRequest, more?: Readonly<Record<string, string>>): Promise<Tokens>
  /** Calls userinfo with the token in a header and checks the response against the ID token. */
  userinfo(tokens: Tokens): Promise<UserinfoClaims>
  /** All of it: authorization, tokens, userinfo, each checked. The given browser may already be signed in. */
  flow(options?: {
    readonly parameters?: Readonly<Record<string, string | undefined>>
    readonly browser?: Browser
    readonly person?: Person
  }): Promise<Flow>
}

/** A relying party with its own client, after it has read and checked discovery and JWKS. */
export const createRelyingParty = async (
  server: TestServer,
  { client, responseMode }: { readonly client?: Client; readonly responseMode?: 'form_post' } = {},
): Promise<RelyingParty> => {
  const provider = await readProvider(server.issuer)
  const own = client ?? (await registerClient(server))
  const { metadata } = provider

  const party: RelyingParty = {
    client: own,
    provider,
    begin(parameters = {}) {
      const all: Record<string, string | undefined> = {
        client_id: own.id,
        redirect_uri: REDIRECT_URI,
        response_type: 'code',
        scope: 'openid',
        state: randomBytes(9).toString('base64url'),
        nonce: randomBytes(9).toString('base64url'),
        response_mode: responseMode,
        ...parameters,
      }
      const url = new URL(metadata.authorization_endpoint)
      for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value)
      return {
        url,
        clientId: own.id,
        redirectUri: all.redirect_uri ?? '',
        responseMode: all.response_mode === 'form_post' ? 'form_post' : 'query',
        state: all.state,
        nonce: all.nonce,
        scope: all.scope ?? '',
      }
    },
    async authorize({ url }, browser, { username }) {
      const page = await browser.open(url)
      const isSignIn = page.text.includes('id="identifier"') && page.text.includes('id="password"')
      return isSignIn ? browser.submit(page, { identifier: username, password: PASSWORD }) : page
    },
    codeOf: (page, request) => checkAuthorizationResponse(provider, page, request),
    errorOf: (page, request) => checkAuthorizationError(provider, page, request),
    token(parameters) {
      const { id, secret, authentication } = own
      const isBasic = authentication === 'client_secret_basic'
      const credentials = Buffer.from(`${id}:${secret}`).toString('base64')
      return fetch(metadata.token_endpoint, {
        method: 'POST',
        headers: { accept: 'application/json', ...(isBasic ? { authorization: `Basic ${credentials}` } : {}) },
        body: new URLSearchParams({ ...parameters, ...(isBasic ? {} : { client_id: id, client_secret: secret }) }),
      })
    },
    async redeem(code, request, more = {}) {
      const parameters = { grant_type: 'authorization_code', code, redirect_uri: request.redirectUri, ...more }
      return checkTokenResponse(provider, await party.token(parameters), request, server.clock.now())
    },
    async userinfo({ accessToken, claims }) {
      const headers = { authorization: `Bearer ${accessToken}` }
      return checkUserinfo(await fetch(metadata.userinfo_endpoint, { headers }), claims.sub, server.clock.now())
    },
    async flow({ parameters = {}, browser = newBrowser(), person } = {}) {
      const who = person ?? (await createUser(server))
      const request = party.begin(parameters)
      const code = party.codeOf(await party.authorize(request, browser, who), request)
      const tokens = await party.redeem(code, request)
      expect(tokens.claims.sub).toBe(who.id)
      return { request, browser, code, tokens, userinfo: await party.userinfo(tokens) }
    },
  }
  return party
}
