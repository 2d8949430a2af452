/** A server-side web application: signs users in with the authorization code flow and shows who they are. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import * as client from 'openid-client'

export interface AppOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The origin of this application, without a trailing slash. */
  readonly url: string
}

/** What the application stores for a browser: a sign-in in progress, then the signed-in user. */
interface Visit {
  verifier?: string
  state?: string
  nonce?: string
  tokens?: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers
}

const page = (response: ServerResponse, html: string): void => {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><title>Notes</title>${html}`)
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const go = (response: ServerResponse, url: URL | string, headers: Record<string, string> = {}): void => {
  response.writeHead(303, { location: String(url), ...headers }).end()
}

/** Creates the application; discovery happens once, at its start. */
export const createApp = async ({ issuer, clientId, clientSecret, url }: AppOptions): Promise<Server> => {
  const local = issuer.startsWith('http://localhost')
  const configuration = await client.discovery(
    new URL(issuer),
    clientId,
    undefined,
    client.ClientSecretBasic(clientSecret),
    {
      // plain http only because the server of this example runs on this machine
      execute: local ? [client.allowInsecureRequests] : [],
    },
  )
  const visits = new Map<string, Visit>()
  /** Where the user changes their account; the page leads back to the address after sign-out, which is registered. */
  const accountPages = new URL('/account/security', issuer)
  accountPages.search = String(new URLSearchParams({ client_id: clientId, return_to: url }))

  const home = async ({ tokens }: Visit, response: ServerResponse) => {
    const claims = tokens?.claims()
    if (!tokens || !claims) return page(response, '<h1>Notes</h1><p><a id="sign-in" href="/sign-in">Sign in</a></p>')
    const user = await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    const name = escaped(String(user.name ?? user.username ?? user.sub))
    page(
      response,
      `<h1>Hello, <span id="name">${name}</span></h1>
<p><a id="account" href="${escaped(accountPages.href)}">Your account</a></p>
<p><a id="sign-out" href="/sign-out">Sign out</a></p>`,
    )
  }

  const signIn = async (visit: Visit, response: ServerResponse) => {
    visit.verifier = client.randomPKCECodeVerifier()
    visit.state = client.randomState()
    visit.nonce = client.randomNonce()
    const target = client.buildAuthorizationUrl(configuration, {
      redirect_uri: `${url}/callback`,
      scope: 'openid profile',
      state: visit.state,
      nonce: visit.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(visit.verifier),
      code_challenge_method: 'S256',
    })
    go(response, target)
  }

  /** openid-client checks state, iss, the ID token and its nonce. */
  const callback = async (visit: Visit, request: IncomingMessage, response: ServerResponse) => {
    visit.tokens = await client.authorizationCodeGrant(configuration, new URL(request.url ?? '', url), {
      pkceCodeVerifier: visit.verifier ?? '',
      expectedState: visit.state ?? '',
      expectedNonce: visit.nonce ?? '',
    })
    go(response, '/')
  }

  const signOut = (id: string, { tokens }: Visit, response: ServerResponse) => {
    visits.delete(id)
    const hint = tokens?.id_token === undefined ? {} : { id_token_hint: tokens.id_token }
    go(response, client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: url, ...hint }))
  }

  return createServer((request, response) => {
    const id = /(?:^|; )visit=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? randomUUID()
    const visit = visits.get(id) ?? {}
    visits.set(id, visit)
    response.setHeader('set-cookie', `visit=${id}; Path=/; HttpOnly; SameSite=Lax`)
    const answer = async () => {
      const { pathname } = new URL(request.url ?? '/', url)
      if (pathname === '/sign-in') await signIn(visit, response)
      else if (pathname === '/callback') await callback(visit, request, response)
      else if (pathname === '/sign-out') signOut(id, visit, response)
      else await home(visit, response)
    }
    answer().catch(() => {
      if (!response.headersSent) response.writeHead(400)
      response.end('That sign-in did not work. Go back and try again.')
    })
  })
}
