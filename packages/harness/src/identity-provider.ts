/**
 * An identity provider for tests: an OpenID provider and a plain OAuth 2.0 server in one, which checks what clients send as strictly as
 * a good one does, and lies when it is told to.
 */
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'

/** What it says about a user; `sub` identifies them. */
export type Person = Readonly<Record<string, unknown>> & { readonly sub: string }

/** What it does wrong. */
export type Lie =
  | 'iss of another issuer in the ID token'
  | 'iss of another issuer in the response'
  | 'aud of another client'
  | 'azp of another client'
  | 'another nonce'
  | 'no nonce'
  | 'alg none'
  | 'HMAC with the client secret'
  | 'a key that is not its own'
  | 'an expired ID token'
  | 'an ID token from the future'
  | 'no ID token'
  | 'no sub'
  | 'userinfo of another user'
  | 'an error at the token endpoint'
  | '500 at the token endpoint'
  | '10 MB at the token endpoint'
  | 'HTML at the token endpoint'
  | 'a redirect at the token endpoint'
  | 'an open connection at the token endpoint'
  | '500 at discovery'
  | 'discovery of another issuer'
  | 'an error for refresh tokens'

/** A provider that it passes for: requests to that one have to be led here. */
export interface Role {
  /** As its metadata has it. */
  readonly issuer: string
  /** As its ID tokens have it, where that differs. */
  readonly tokenIssuer?: string
  /** Whether it accepts a client secret other than the usual one. */
  readonly acceptsSecret?: (secret: string) => Promise<boolean>
}

interface Grant {
  readonly person: Person
  readonly query: URLSearchParams
}

const keyPair = async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  const kid = randomUUID()
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }, kid }
}

const json = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export class IdentityProvider {
  readonly clientId = 'countersign'
  readonly clientSecret = 'a secret of the client'
  /** What it does wrong now. */
  lie: Lie | undefined
  /** Who signs in when a browser comes. */
  person: Person = { sub: 'nobody' }
  /** Whom it passes for. */
  role: Role | undefined
  /** How long its access tokens last, in seconds. */
  expiresIn = 3600
  /** What users were sent with to sign out, newest last. */
  readonly signOuts: Readonly<Record<string, string>>[] = []
  /** What it was asked, newest last: method and path. */
  readonly asked: string[] = []
  readonly #codes = new Map<string, Grant>()
  readonly #tokens = new Map<string, Person>()
  /** Good once, as with strict providers. */
  readonly #refreshTokens = new Map<string, Grant>()
  readonly #now: () => Date
  readonly #server = createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy())
  })
  #keys = keyPair()
  readonly #others = keyPair()

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Starts it at a free port. */
  async start(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get issuer(): string {
    return this.role?.issuer ?? this.origin
  }

  /** Where it is. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** What configures a connector for it. */
  get config() {
    return { issuer: this.origin, clientId: this.clientId, clientSecret: this.clientSecret }
  }

  /** The same for a connector that speaks plain OAuth. */
  get plainConfig() {
    return {
      authorizationEndpoint: `${this.origin}/authorize`,
      tokenEndpoint: `${this.origin}/token`,
      userInfoEndpoint: `${this.origin}/userinfo`,
      clientId: this.clientId,
      clientSecret: this.clientSecret,
    }
  }

  /** From now on it signs with another key. */
  rotateKeys(): void {
    this.#keys = keyPair()
  }

  /** A user signs in here: the parameters with which the browser goes back. */
  signIn(authorizationUri: string, person: Person): Record<string, string> {
    const query = new URL(authorizationUri).searchParams
    const code = randomUUID()
    this.#codes.set(code, { person, query })
    const iss = this.lie === 'iss of another issuer in the response' ? 'https://elsewhere.example' : this.issuer
    // those that it passes for know no RFC 9207
    return { code, state: query.get('state') ?? '', ...(this.role ? {} : { iss }) }
  }

  /** A logout token. @param claims over those that it has otherwise, to lie with @param isSigned by a key of its own */
  async logoutToken(claims: Readonly<Record<string, unknown>>, isSigned = true, typ = 'logout+jwt'): Promise<string> {
    const iat = Math.floor(this.#now().getTime() / 1000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const all = { iss: this.issuer, aud: this.clientId, iat, exp: iat + 120, jti: randomUUID(), events, ...claims }
    const { kid } = await this.#keys
    const { privateKey } = isSigned ? await this.#keys : await this.#others
    return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(privateKey)
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin)
    const { pathname } = url
    this.asked.push(`${request.method} ${pathname}`)
    if (pathname.endsWith('/.well-known/openid-configuration')) return this.#discovery(response)
    if (pathname.endsWith('/jwks')) return json(response, 200, { keys: [(await this.#keys).jwk] })
    if (pathname.endsWith('/authorize')) return this.#authorize(url, response)
    if (pathname.endsWith('/logout')) return this.#signOut(url, response)
    if (/\/(access_?)?token$/i.test(pathname)) return this.#token(request, response)
    if (/\/(userinfo|user|@?me)$/.test(pathname)) return this.#userInfo(request, response)
    if (pathname === '/user/emails') return json(response, 200, this.#bearer(request)?.emails ?? [])
    return json(response, 404, {})
  }

  #discovery(response: ServerResponse): void {
    const { issuer } = this
    json(response, this.lie === '500 at discovery' ? 500 : 200, {
      issuer: this.lie === 'discovery of another issuer' ? 'https://elsewhere.example' : issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/jwks`,
      end_session_endpoint: `${issuer}/logout`,
      id_token_signing_alg_values_supported: ['ES256'],
      authorization_response_iss_parameter_supported: this.role === undefined,
    })
  }

  /** Who comes with a browser is signed in at once. */
  #authorize(url: URL, response: ServerResponse): void {
    const target = new URL(url.searchParams.get('redirect_uri') ?? '')
    for (const [name, value] of Object.entries(this.signIn(url.href, this.person))) target.searchParams.set(name, value)
    response.writeHead(303, { location: target.href }).end()
  }

  /** Who comes to sign out goes back at once. */
  #signOut(url: URL, response: ServerResponse): void {
    const asked = Object.fromEntries(url.searchParams)
    this.signOuts.push(asked)
    const target = new URL(asked.post_logout_redirect_uri ?? '')
    if (asked.state !== undefined) target.searchParams.set('state', asked.state)
    response.writeHead(303, { location: target.href }).end()
  }

  /** Whether the request of the token endpoint is right in every respect. */
  async #redeemed(request: IncomingMessage, body: URLSearchParams): Promise<Grant | undefined> {
    const code = body.get('code') ?? ''
    const grant = this.#codes.get(code)
    this.#codes.delete(code)
    const [, basic = ''] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
    const [id, secret] = basic
      ? Buffer.from(basic, 'base64')
          .toString()
          .split(':')
          .map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
      : [body.get('client_id'), body.get('client_secret')]
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    const isRight =
      id === this.clientId &&
      (secret === this.clientSecret || (await this.role?.acceptsSecret?.(secret ?? ''))) &&
      grant?.query.get('client_id') === this.clientId &&
      grant.query.get('redirect_uri') === body.get('redirect_uri') &&
      grant.query.get('code_challenge') === challenge
    return isRight ? grant : undefined
  }

  /** What Google One Tap brings: an ID token that nothing was requested for. */
  credential(person: Person, nonce?: string): Promise<string> {
    return this.#idToken({ person, query: new URLSearchParams(nonce === undefined ? {} : { nonce }) })
  }

  async #idToken({ person, query }: Grant): Promise<string> {
    const { lie } = this
    const now = Math.floor(this.#now().getTime() / 1000)
    const at = lie === 'an expired ID token' ? now - 7200 : lie === 'an ID token from the future' ? now + 7200 : now
    const nonce = lie === 'another nonce' ? 'another' : lie === 'no nonce' ? undefined : query.get('nonce')
    const { sub, ...rest } = person
    const claims = {
      ...rest,
      ...(lie === 'no sub' ? {} : { sub }),
      iss:
        lie === 'iss of another issuer in the ID token'
          ? 'https://elsewhere.example'
          : (this.role?.tokenIssuer ?? this.issuer),
      aud:
        lie === 'aud of another client'
          ? 'another'
          : lie === 'azp of another client'
            ? [this.clientId, 'another']
            : this.clientId,
      ...(lie === 'azp of another client' ? { azp: 'another' } : {}),
      iat: at,
      exp: at + 3600,
      ...(nonce ? { nonce } : {}),
    }
    if (lie === 'alg none') return new UnsecuredJWT(claims).encode()
    if (lie === 'HMAC with the client secret')
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(this.clientSecret.padEnd(32)))
    const { kid } = await this.#keys
    const { privateKey } = lie === 'a key that is not its own' ? await this.#others : await this.#keys
    return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
  }

  /** Whose token it is, if it is one. */
  personOf(accessToken: string): Person | undefined {
    return this.#tokens.get(accessToken)
  }

  /** Takes a refresh token; each is good once. */
  #refreshed(body: URLSearchParams): Grant | undefined {
    this.asked.push('refresh')
    const token = body.get('refresh_token') ?? ''
    const grant = this.#refreshTokens.get(token)
    this.#refreshTokens.delete(token)
    const isRight = body.get('client_id') === this.clientId && body.get('client_secret') === this.clientSecret
    return isRight && this.lie !== 'an error for refresh tokens' ? grant : undefined
  }

  async #token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = new URLSearchParams(await text(request))
    switch (this.lie) {
      case 'an error at the token endpoint':
        return json(response, 400, { error: 'invalid_grant', error_description: 'not this one' })
      case '500 at the token endpoint':
        return json(response, 500, {})
      case '10 MB at the token endpoint':
        return json(response, 200, { access_token: 'a'.repeat(10 * 1024 * 1024) })
      case 'HTML at the token endpoint':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><h1>Welcome</h1>')
      case 'a redirect at the token endpoint':
        return void response.writeHead(302, { location: `${this.origin}/token` }).end()
      case 'an open connection at the token endpoint':
        // what is not a complete answer, and then nothing more
        return void response.socket?.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n')
    }
    const grant =
      body.get('grant_type') === 'refresh_token' ? this.#refreshed(body) : await this.#redeemed(request, body)
    if (!grant) return json(response, 400, { error: 'invalid_grant' })
    const token = randomUUID()
    this.#tokens.set(token, grant.person)
    const scope = grant.query.get('scope') ?? ''
    const isOidc = scope.split(' ').includes('openid')
    const refreshToken = scope.split(' ').includes('offline_access') ? randomUUID() : undefined
    if (refreshToken) this.#refreshTokens.set(refreshToken, grant)
    json(response, 200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: this.expiresIn,
      scope,
      ...(refreshToken ? { refresh_token: refreshToken } : {}),
      ...(isOidc && this.lie !== 'no ID token' ? { id_token: await this.#idToken(grant) } : {}),
    })
  }

  #bearer({ headers }: IncomingMessage): Person | undefined {
    return this.#tokens.get(headers.authorization?.replace(/^Bearer /i, '') ?? '')
  }

  #userInfo(request: IncomingMessage, response: ServerResponse): void {
    const person = this.#bearer(request)
    const said = this.lie === 'userinfo of another user' ? { ...person, sub: 'another' } : person
    json(response, person ? 200 : 401, said ?? {})
  }
}
